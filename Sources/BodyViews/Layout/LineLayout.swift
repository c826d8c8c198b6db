package import SortieBase
internal import SortieHTTP

/// The original text with one row per line; long lines are cut, and a checkpoint is stored every 32 KiB.
package struct LineLayout: BodyLayout {
    struct Checkpoint: Sendable {
        var row: Int
        var scanner: LineScanner
    }

    /// The number of bytes between checkpoints, which drawing a screen may have to scan again.
    static let spacing = 32 << 10

    private let encoding: TextEncoding
    private let markup: Bool
    private var scanner: LineScanner
    private var closedRows = 0
    private(set) var checkpoints = CheckpointList<Checkpoint>()
    private var lastCheckpoint: Int?

    /// The number of bytes that the scan has covered.
    package private(set) var examined = 0
    /// Whether every line is known.
    package private(set) var isComplete = false

    /// Creates an empty layout; `markup` enables the colouring of tags.
    package init(encoding: TextEncoding = .utf8, markup: Bool = false) {
        (self.encoding, self.markup) = (encoding, markup)
        scanner = LineScanner(encoding: encoding)
    }

    /// The number of known rows, including an unfinished last one.
    package var rowCount: Int { closedRows + (scanner.offset < examined ? 1 : 0) }
    /// Always nil, because any bytes can be shown as text.
    package var problem: BodyProblem? { nil }
    /// The memory of the checkpoints, in bytes.
    package var memoryUse: Int { checkpoints.memoryUse }

    /// Continues the scan.
    package mutating func advance(over bytes: BodyBytes, budget: Int, isFinal: Bool) {
        guard !isComplete else { return }
        // A step of less than a row and its look-ahead could not advance.
        let limit = min(bytes.count, max(examined, scanner.offset) + max(budget, 2 * BodyRow.byteLimit))
        let isEnd = isFinal && limit == bytes.count
        bytes.withUnsafeBytes { buffer in
            if scanner.offset == 0 { skipByteOrderMark(buffer) }
            var current = scanner
            while true {
                let before = current
                guard let row = current.next(buffer, limit: limit, isEnd: isEnd), row.isClosed else { break }
                if before.offset - (lastCheckpoint ?? -Self.spacing) >= Self.spacing {
                    checkpoints.append(Checkpoint(row: closedRows, scanner: before))
                    lastCheckpoint = before.offset
                }
                closedRows += 1
            }
            scanner = current
        }
        examined = limit
        isComplete = isEnd
    }

    /// The rows of a range.
    package func rows(_ range: Range<Int>, of bytes: BodyBytes, marking marks: [BodyMark]) -> [BodyRow] {
        let range = range.clamped(to: 0..<rowCount)
        guard !range.isEmpty else { return [] }
        let start = checkpoints.last { $0.row <= range.lowerBound }
        return bytes.withUnsafeBytes { buffer in
            var rows: [BodyRow] = []
            walk(buffer, from: start) { index, row in
                guard index < range.upperBound else { return false }
                if index >= range.lowerBound { rows.append(draw(row, buffer, marks)) }
                return true
            }
            return rows
        }
    }

    /// The row that shows a byte.
    package func row(containing offset: Int, of bytes: BodyBytes) -> Int? {
        guard offset >= 0, offset < examined else { return nil }
        var found: Int?
        let start = checkpoints.last { $0.scanner.offset <= offset }
        bytes.withUnsafeBytes { buffer in
            walk(buffer, from: start) { index, row in
                found = index
                return row.next <= offset
            }
        }
        return found
    }

    func walk(_ buffer: UnsafeRawBufferPointer, from start: Checkpoint?, _ visit: (Int, LineScanner.Row) -> Bool) {
        var scanner = start?.scanner ?? self.scanner
        var index = start?.row ?? closedRows
        let limit = min(examined, buffer.count)
        while let row = scanner.next(buffer, limit: limit, isEnd: isComplete), visit(index, row), row.isClosed { index += 1 }
    }

    private mutating func skipByteOrderMark(_ buffer: UnsafeRawBufferPointer) {
        let mark = encoding.mark
        if !mark.isEmpty, buffer.starts(with: mark) { scanner.offset = mark.count }
    }

    private func draw(_ row: LineScanner.Row, _ buffer: UnsafeRawBufferPointer, _ marks: [BodyMark]) -> BodyRow {
        var builder = BodyRowBuilder(buffer, encoding: encoding, marks: marks)
        if markup, !encoding.isUTF16 {
            MarkupColouring.pieces(buffer, row.source) { builder.add($0, $1) }
        } else {
            builder.add(row.source, .text)
        }
        return BodyRow(spans: builder.spans, sourceRange: row.source, number: row.number)
    }
}

extension LineLayout: DisplayedTextLayout {
    func text(from start: Int, to end: Int, longest: Int, of bytes: BodyBytes) -> DisplayedText {
        let checkpoint = checkpoints.last { $0.scanner.offset <= start }
        return bytes.withUnsafeBytes { buffer in
            var text = DisplayedText(end: end, longest: longest)
            walk(buffer, from: checkpoint) { _, row in
                guard text.beginRow(at: row.source.lowerBound, continues: row.number == nil) else { return false }
                Self.add(row.source, of: buffer, to: &text)
                return true
            }
            return text
        }
    }

    /// Tabs are shown as spaces.
    static func mayAdd(_ character: Unicode.Scalar) -> Bool { character.isSpaceOrTab }

    private static func add(_ range: Range<Int>, of buffer: UnsafeRawBufferPointer, to text: inout DisplayedText) {
        var column = 0
        var start = range.lowerBound
        while let tab = buffer.firstIndex(of: 0x09, in: start..<range.upperBound) {
            text.add(start..<tab, of: buffer)
            column += String(decoding: buffer[start..<tab], as: UTF8.self).count
            let width = BodyRowBuilder.tabWidth - column % BodyRowBuilder.tabWidth
            text.addBlanks(width, for: tab)
            column += width
            start = tab + 1
        }
        text.add(start..<range.upperBound, of: buffer)
    }
}

/// Iterates over the rows of raw text: lines that end with LF, CRLF or CR, and that are cut when too long for one row.
struct LineScanner: Sendable {
    /// A row: its bytes without the line ending, and the start of the next row.
    struct Row {
        var source: Range<Int>
        var next: Int
        /// The line number, from 1; nil for a continuation.
        var number: Int?
        /// Whether the end of the row is final.
        var isClosed: Bool
    }

    let encoding: TextEncoding
    /// The start of the next row.
    var offset = 0
    /// The number of lines that begin before `offset`.
    var lines = 0
    /// Whether the next row continues a line.
    var continues = false

    /// The next row before `limit`, or nil at the limit; a row that is not closed is returned without advancing.
    @inline(__always)
    mutating func next(_ bytes: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) -> Row? {
        guard offset < limit else { return nil }
        let window = min(limit, offset + BodyRow.byteLimit + RowCut.lookahead)
        guard let (end, next) = lineEnd(bytes, window: window, limit: limit, isEnd: isEnd) else {
            return Row(source: offset..<limit, next: limit, number: continues ? nil : lines + 1, isClosed: false)
        }
        let start = offset
        let number = continues ? nil : lines + 1
        if !continues { lines += 1 }
        if end - start > BodyRow.byteLimit {
            let wanted = start + BodyRow.byteLimit
            offset = RowCut.boundary(bytes, from: start, wanted: wanted, end: end, encoding: encoding)
            continues = true
            return Row(source: start..<offset, next: offset, number: number, isClosed: true)
        }
        offset = next
        continues = false
        return Row(source: start..<end, next: next, number: number, isClosed: true)
    }

    /// The end of the line and the start of the next one, or the end of the window for a longer line; nil when it is not known yet.
    @inline(__always)
    private func lineEnd(_ bytes: UnsafeRawBufferPointer, window: Int, limit: Int, isEnd: Bool) -> (end: Int, next: Int)? {
        if encoding.isUTF16 { return lineEnd16(bytes, window: window, limit: limit, isEnd: isEnd) }
        let feed = bytes.firstIndex(of: 0x0A, in: offset..<window)
        if let end = bytes.firstIndex(of: 0x0D, in: offset..<(feed ?? window)) {
            if end + 1 < limit { return (end, bytes[end + 1] == 0x0A ? end + 2 : end + 1) }
            return isEnd ? (end, end + 1) : nil
        }
        if let feed { return (feed, feed + 1) }
        if window == offset + BodyRow.byteLimit + RowCut.lookahead { return (window, window) }
        return isEnd ? (limit, limit) : nil
    }

    private func lineEnd16(_ bytes: UnsafeRawBufferPointer, window: Int, limit: Int, isEnd: Bool) -> (end: Int, next: Int)? {
        var index = offset
        while index + 1 < window {
            let unit = encoding.unit(bytes[index], bytes[index + 1])
            if unit == 0x0A { return (index, index + 2) }
            if unit == 0x0D {
                if index + 3 < limit {
                    return (index, encoding.unit(bytes[index + 2], bytes[index + 3]) == 0x0A ? index + 4 : index + 2)
                }
                return isEnd ? (index, min(index + 2, limit)) : nil
            }
            index += 2
        }
        if window == offset + BodyRow.byteLimit + RowCut.lookahead { return (window, window) }
        return isEnd ? (limit, limit) : nil
    }
}
