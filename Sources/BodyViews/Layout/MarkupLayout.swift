package import SortieBase
internal import SortieHTTP

/// XML or HTML with one tag per row and two spaces per level; a short element is one row.
///
/// XML that is not well-formed is laid out up to the error. HTML is read leniently: missing end tags are no errors, scripts and style sheets are displayed
/// as they are. Character references are not replaced.
package struct MarkupLayout: BodyLayout {
    private struct Checkpoint: Sendable {
        var row: Int
        /// The number of rows before that begin a line.
        var lines: Int
        var scanner: MarkupScanner
    }

    /// The least number of bytes between checkpoints, which drawing a screen may have to scan again.
    private static let spacing = 32 << 10
    /// The number of bytes between checkpoints for each open element, so that deep nesting does not need much memory.
    private static let thrift = 4 << 10

    private var scanner: MarkupScanner
    private var closedRows = 0
    private var lines = 0
    private var checkpoints = CheckpointList<Checkpoint>()
    private var lastCheckpoint: Int?
    /// Whether the last row is unfinished.
    private var hasOpenRow = false
    /// Whether the scan has covered the whole body.
    private var isEnd = false

    /// The number of bytes that the scan has covered.
    package private(set) var examined = 0
    /// Whether every row is known, or an error was found.
    package private(set) var isComplete = false
    /// The error in XML; nil without one.
    package private(set) var problem: BodyProblem?

    /// Creates an empty layout.
    package init(isHTML: Bool) { scanner = MarkupScanner(isHTML: isHTML) }

    /// The number of known rows, including an unfinished last one.
    package var rowCount: Int { closedRows + (hasOpenRow ? 1 : 0) }
    /// The memory of the checkpoints, in bytes.
    package var memoryUse: Int { checkpoints.memoryUse }

    /// Continues the scan.
    package mutating func advance(over bytes: BodyBytes, budget: Int, isFinal: Bool) {
        guard !isComplete else { return }
        // A step of less than a row and its look-ahead could not advance.
        let limit = min(bytes.count, max(examined, scanner.offset) + max(budget, 2 * BodyRow.byteLimit + MarkupScanner.lookahead))
        isEnd = isFinal && limit == bytes.count
        bytes.withUnsafeBytes { buffer in
            var current = scanner
            hasOpenRow = false
            do throws(MarkupFault) {
                while true {
                    let before = current
                    guard let row = try current.next(buffer, limit: limit, isEnd: isEnd) else { break }
                    hasOpenRow = !row.isClosed
                    if hasOpenRow { break }
                    if before.offset - (lastCheckpoint ?? -Self.spacing) >= max(Self.spacing, before.open.count * Self.thrift) {
                        checkpoints.append(Checkpoint(row: closedRows, lines: lines, scanner: before))
                        lastCheckpoint = before.offset
                    }
                    closedRows += 1
                    if !row.continues { lines += 1 }
                    scanner = current
                }
            } catch {
                problem = BodyProblem(error, buffer)
            }
        }
        examined = limit
        isComplete = isEnd || problem != nil
    }

    /// The rows of a range.
    package func rows(_ range: Range<Int>, of bytes: BodyBytes, marking marks: [BodyMark]) -> [BodyRow] {
        let range = range.clamped(to: 0..<rowCount)
        guard !range.isEmpty else { return [] }
        return bytes.withUnsafeBytes { buffer in
            var rows: [BodyRow] = []
            walk(buffer, from: checkpoints.last { $0.row <= range.lowerBound }) { index, line, row in
                guard index < range.upperBound else { return false }
                if index >= range.lowerBound { rows.append(draw(row, line, buffer, marks)) }
                return true
            }
            return rows
        }
    }

    /// The row that shows a byte.
    package func row(containing offset: Int, of bytes: BodyBytes) -> Int? {
        guard offset >= 0, offset < examined, rowCount > 0, problem == nil || offset < scanner.offset else { return nil }
        var found: Int?
        bytes.withUnsafeBytes { buffer in
            walk(buffer, from: checkpoints.last { $0.scanner.offset <= offset }) { index, _, row in
                guard found == nil || row.source.lowerBound <= offset else { return false }
                found = index
                return row.next <= offset
            }
        }
        return found
    }

    /// Scans known rows again, until `visit` returns false; it gets the number of a row and of its line, from 0 and from 1.
    private func walk(_ buffer: UnsafeRawBufferPointer, from start: Checkpoint?, _ visit: (Int, Int, MarkupScanner.Row) -> Bool) {
        var scanner = start?.scanner ?? MarkupScanner(isHTML: scanner.isHTML)
        var index = start?.row ?? 0
        var line = start?.lines ?? 0
        do throws(MarkupFault) {
            while index < rowCount, let row = try scanner.next(buffer, limit: min(examined, buffer.count), isEnd: isEnd) {
                if !row.continues { line += 1 }
                guard visit(index, line, row), row.isClosed else { return }
                index += 1
            }
        } catch {
            // The known rows are before the error.
        }
    }

    private func draw(_ row: MarkupScanner.Row, _ line: Int, _ buffer: UnsafeRawBufferPointer, _ marks: [BodyMark]) -> BodyRow {
        var builder = BodyRowBuilder(buffer, encoding: .utf8, marks: marks)
        // A line of a script that is indented keeps its indentation.
        let isIndented = row.kind == .raw && row.source.first.map { MarkupScanner.isBlank(buffer[$0]) } == true
        if !row.continues, !isIndented { builder.add(JSONText.indentation(row.depth), .text) }
        switch row.kind {
        case .tag: Self.draw(tag: row.source, buffer, &builder)
        case .text, .raw: builder.add(row.source, .text)
        case .comment: builder.add(row.source, .comment)
        }
        return BodyRow(spans: builder.spans, sourceRange: row.source, number: row.continues ? nil : line)
    }

    /// Adds a tag; white space in it becomes one space.
    private static func draw(tag: Range<Int>, _ buffer: UnsafeRawBufferPointer, _ builder: inout BodyRowBuilder) {
        var isAfterBlank = false
        MarkupColouring.pieces(buffer, tag) { range, kind in
            var start = range.lowerBound
            for offset in range where MarkupScanner.isBlank(buffer[offset]) && (buffer[offset] != 0x20 || range.count == 1) {
                if start < offset { builder.add(start..<offset, kind) }
                if start < offset || !isAfterBlank { builder.addBlank(kind, behind: offset) }
                isAfterBlank = true
                start = offset + 1
            }
            guard start < range.upperBound else { return }
            builder.add(start..<range.upperBound, kind)
            isAfterBlank = false
        }
    }
}

extension BodyProblem {
    fileprivate init(_ fault: MarkupFault, _ bytes: UnsafeRawBufferPointer) {
        let offset = min(max(0, fault.offset), bytes.count)
        let start = bytes.lastIndex(of: 0x0A, before: offset).map { $0 + 1 } ?? 0
        // Counting the characters of a gigabyte would take a noticeable time.
        let characters = offset - start > 1 << 20 ? offset - start : bytes[start..<offset].count { $0 & 0xC0 != 0x80 }
        self.init(
            message: "not well-formed XML: \(fault.message)", line: bytes.count(of: 0x0A, in: 0..<start) + 1, column: characters + 1, byte: offset)
    }
}
