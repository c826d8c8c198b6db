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
        self.encoding = encoding
        self.markup = markup
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
