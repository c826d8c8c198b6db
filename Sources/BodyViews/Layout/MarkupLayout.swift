package import SortieBase
internal import SortieHTTP

/// XML or HTML with one tag per row and two spaces per level; a short element is one row.
///
/// XML that is not well-formed is laid out up to the error. HTML is read leniently: missing end tags are no errors, scripts and style sheets are displayed
/// as they are. Character references are not replaced.
package struct MarkupLayout: BodyLayout {
    /// The state before a row.
    struct Checkpoint: Sendable {
        /// The row; for a hidden one, the next row that is displayed.
        var row: Int
        /// The number of rows before that begin a line.
        var lines: Int
        var scanner: MarkupScanner
        var folding: MarkupFolding
    }

    /// A row that ``walk(_:from:jumps:_:)`` visits.
    private struct Visit {
        /// The number of displayed rows before.
        var index: Int
        var line: Int
        var row: MarkupScanner.Row
        var display: MarkupFolding.Display
        /// Whether the element that the row begins is folded.
        var isFolded = false
        /// The number of elements in the folded element that the row closes.
        var children = 0
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
    /// The folded elements.
    package private(set) var folds = BodyFolds.none
    private var folding = MarkupFolding()
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
    /// The number of known lines, including folded ones and an unfinished last one.
    package var lineCount: Int { lines + (hasOpenRow ? 1 : 0) }
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
            var folding = folding
            hasOpenRow = false
            do throws(MarkupFault) {
                while true {
                    let (before, foldingBefore) = (current, folding)
                    guard let row = try current.next(buffer, limit: limit, isEnd: isEnd) else { break }
                    let display = folding.display(row, opensElement: current.hasOpened(row), isEndTag: row.isEndTag(buffer), folds)
                    hasOpenRow = !row.isClosed && display == .shown
                    guard row.isClosed else { break }
                    if before.offset - (lastCheckpoint ?? -Self.spacing) >= max(Self.spacing, before.open.count * Self.thrift) {
                        checkpoints.append(Checkpoint(row: closedRows, lines: lines, scanner: before, folding: foldingBefore))
                        lastCheckpoint = before.offset
                    }
                    if display == .shown { closedRows += 1 }
                    if !row.continues { lines += 1 }
                    (scanner, self.folding) = (current, folding)
                }
            } catch {
                problem = BodyProblem(error, buffer)
            }
        }
        examined = limit
        isComplete = isEnd || problem != nil
    }

    /// Folds other elements; the scan continues before `offset`, the first byte whose row may change.
    mutating func fold(_ folds: BodyFolds, from offset: Int) {
        self.folds = folds
        // An error ends the layout at the same byte again.
        (problem, isComplete, isEnd, hasOpenRow) = (nil, false, false, false)
        guard let number = checkpoints.lastIndex(where: { $0.scanner.offset <= offset }) else {
            (scanner, folding, examined) = (MarkupScanner(isHTML: scanner.isHTML), MarkupFolding(), 0)
            (closedRows, lines, lastCheckpoint, checkpoints) = (0, 0, nil, CheckpointList())
            return
        }
        let checkpoint = checkpoints[number]
        checkpoints.keepFirst(number + 1)
        (scanner, folding) = (checkpoint.scanner, checkpoint.folding)
        (closedRows, lines, lastCheckpoint, examined) = (checkpoint.row, checkpoint.lines, scanner.offset, scanner.offset)
    }

    /// The rows of a range.
    package func rows(_ range: Range<Int>, of bytes: BodyBytes, marking marks: [BodyMark]) -> [BodyRow] {
        let range = range.clamped(to: 0..<rowCount)
        guard !range.isEmpty else { return [] }
        return bytes.withUnsafeBytes { buffer in
            var rows: [BodyRow] = []
            // The row of a folded element ends with the end tag, which may be far behind.
            var folded: (builder: BodyRowBuilder, start: Visit)?
            func finish() {
                if let open = folded { rows.append(open.builder.row(of: open.start.row, line: open.start.line)) }
                folded = nil
            }
            walk(buffer, from: checkpoints.last { $0.row <= range.lowerBound }, jumps: true) { visit in
                switch visit.display {
                case .hidden: break
                case .closing:
                    guard var open = folded else { break }
                    if visit.children > 0 { open.builder.add("\(ItemCount.text(visit.children, "element")) ", .notice) }
                    Self.draw(visit.row, buffer, into: &open.builder)
                    folded = open
                case .shown:
                    finish()
                    guard visit.index < range.upperBound else { return false }
                    guard visit.index >= range.lowerBound else { break }
                    var builder = BodyRowBuilder(buffer, encoding: .utf8, marks: marks)
                    indent(visit.row, buffer, &builder)
                    Self.draw(visit.row, buffer, into: &builder)
                    if visit.isFolded {
                        builder.add(" … ", .notice)
                        folded = (builder, visit)
                    } else {
                        rows.append(builder.row(of: visit.row, line: visit.line))
                    }
                }
                return true
            }
            finish()
            return rows
        }
    }

    /// The row that shows a byte; of a hidden one, the row of the folded element.
    package func row(containing offset: Int, of bytes: BodyBytes) -> Int? {
        guard offset >= 0, offset < examined, rowCount > 0, problem == nil || offset < scanner.offset else { return nil }
        var found: Int?
        bytes.withUnsafeBytes { buffer in
            walk(buffer, from: checkpoint(before: offset), jumps: false) { visit in
                guard found == nil || visit.row.source.lowerBound <= offset else { return false }
                found = visit.display == .shown ? visit.index : max(0, visit.index - 1)
                return visit.row.next <= offset
            }
        }
        return found
    }

    /// The last checkpoint from which the row of a byte is found.
    func checkpoint(before offset: Int) -> Checkpoint? { checkpoints.last { $0.scanner.offset <= offset } }

    /// Scans known rows again with regard to folding, until `visit` returns false; with `jumps`, most of what is hidden is not scanned.
    private func walk(_ buffer: UnsafeRawBufferPointer, from start: Checkpoint?, jumps: Bool, _ visit: (Visit) -> Bool) {
        let first = Checkpoint(row: 0, lines: 0, scanner: MarkupScanner(isHTML: scanner.isHTML), folding: MarkupFolding())
        var next: Checkpoint? = start ?? first
        while let from = next {
            next = nil
            var (index, line, folding) = (from.row, from.lines, from.folding)
            scan(buffer, from: from) { row, before, after in
                let depth = folding.depth
                let display = folding.display(row, opensElement: after.hasOpened(row), isEndTag: row.isEndTag(buffer), folds)
                if !row.continues { line += 1 }
                let isFolded = display == .shown && folding.depth >= 0 && after.hasOpened(row)
                let children = display == .closing && before.open.indices.contains(depth) ? before.open[depth].children : 0
                guard visit(Visit(index: index, line: line, row: row, display: display, isFolded: isFolded, children: children)) else { return false }
                if display == .shown { index += 1 }
                guard jumps, display == .hidden else { return true }
                next = lastCheckpoint(inFoldedElementBefore: index, depth: depth, after: after.offset)
                return next == nil
            }
        }
    }

    /// The last checkpoint in a folded element, behind which its end is; nil where there is none after `offset`.
    private func lastCheckpoint(inFoldedElementBefore row: Int, depth: Int, after offset: Int) -> Checkpoint? {
        guard let last = checkpoints.lastIndex(where: { $0.row <= row }) else { return nil }
        // The last one can be the state between the end of the element and the next displayed row.
        for number in [last, last - 1] where number >= 0 {
            let checkpoint = checkpoints[number]
            if checkpoint.folding.depth == depth, checkpoint.row == row, checkpoint.scanner.offset > offset { return checkpoint }
        }
        return nil
    }

    /// Scans known rows again, until `visit` returns false; it gets a row and the states before and after it.
    func scan(
        _ buffer: UnsafeRawBufferPointer, from start: Checkpoint?, _ visit: (MarkupScanner.Row, MarkupScanner, MarkupScanner) -> Bool
    ) {
        var scanner = start?.scanner ?? MarkupScanner(isHTML: scanner.isHTML)
        do throws(MarkupFault) {
            while true {
                let before = scanner
                guard let row = try scanner.next(buffer, limit: min(examined, buffer.count), isEnd: isEnd) else { return }
                guard visit(row, before, scanner), row.isClosed else { return }
            }
        } catch {
            // The known rows are before the error.
        }
    }

    /// Indents the first row of a construct; a line of a script that is indented keeps its indentation.
    private func indent(_ row: MarkupScanner.Row, _ buffer: UnsafeRawBufferPointer, _ builder: inout BodyRowBuilder) {
        let isIndented = row.kind == .raw && row.source.first.map { buffer[$0].isASCIIWhitespace } == true
        if !row.continues, !isIndented { builder.add(JSONText.indentation(row.depth), .text) }
    }

    private static func draw(_ row: MarkupScanner.Row, _ buffer: UnsafeRawBufferPointer, into builder: inout BodyRowBuilder) {
        switch row.kind {
        case .tag: draw(tag: row.source, buffer, &builder)
        case .text, .raw: builder.add(row.source, .text)
        case .comment: builder.add(row.source, .comment)
        }
    }

    /// Adds a tag; white space in it becomes one space.
    private static func draw(tag: Range<Int>, _ buffer: UnsafeRawBufferPointer, _ builder: inout BodyRowBuilder) {
        var isAfterBlank = false
        MarkupColouring.pieces(buffer, tag) { range, kind in
            var start = range.lowerBound
            for offset in range where buffer[offset].isASCIIWhitespace && (buffer[offset] != 0x20 || range.count == 1) {
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

extension BodyRowBuilder {
    /// The row that was built.
    fileprivate func row(of row: MarkupScanner.Row, line: Int) -> BodyRow {
        BodyRow(spans: spans, sourceRange: row.source, number: row.continues ? nil : line)
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

/// Distinguishes tags from text in one row of XML or HTML.
///
/// It inspects each row separately, so a tag or comment that began on an earlier row counts as text: a visual aid, not a parser.
enum MarkupColouring {
    /// Calls `add` with every part of the row, in order and without gaps.
    static func pieces(_ bytes: UnsafeRawBufferPointer, _ row: Range<Int>, _ add: (Range<Int>, BodySpan.Kind) -> Void) {
        var offset = row.lowerBound
        while offset < row.upperBound {
            let open = bytes.firstIndex(of: UInt8(ascii: "<"), in: offset..<row.upperBound) ?? row.upperBound
            if open > offset { add(offset..<open, .text) }
            guard open < row.upperBound else { return }
            offset = tag(bytes, open..<row.upperBound, add)
        }
    }

    /// Colours a tag and returns its end.
    private static func tag(
        _ bytes: UnsafeRawBufferPointer, _ rest: Range<Int>, _ add: (Range<Int>, BodySpan.Kind) -> Void
    ) -> Int {
        if bytes[rest].starts(with: "<!--".utf8) {
            let end = commentEnd(bytes, rest)
            add(rest.lowerBound..<end, .comment)
            return end
        }
        var offset = rest.lowerBound + 1
        while offset < rest.upperBound, [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "!")].contains(bytes[offset]) {
            offset += 1
        }
        add(rest.lowerBound..<offset, .punctuation)
        offset = run(bytes, offset..<rest.upperBound, .tag, add)
        while offset < rest.upperBound {
            let byte = bytes[offset]
            if byte == UInt8(ascii: ">") {
                add(offset..<offset + 1, .punctuation)
                return offset + 1
            }
            if byte == UInt8(ascii: "<") { return offset }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                let end = bytes.firstIndex(of: byte, in: offset + 1..<rest.upperBound).map { $0 + 1 } ?? rest.upperBound
                add(offset..<end, .string)
                offset = end
            } else if isName(byte) {
                offset = run(bytes, offset..<rest.upperBound, .attribute, add)
            } else {
                add(offset..<offset + 1, byte.isSpaceOrTab ? .text : .punctuation)
                offset += 1
            }
        }
        return offset
    }

    private static func run(
        _ bytes: UnsafeRawBufferPointer, _ rest: Range<Int>, _ kind: BodySpan.Kind, _ add: (Range<Int>, BodySpan.Kind) -> Void
    ) -> Int {
        var end = rest.lowerBound
        while end < rest.upperBound, isName(bytes[end]) { end += 1 }
        if end > rest.lowerBound { add(rest.lowerBound..<end, kind) }
        return end
    }

    private static func commentEnd(_ bytes: UnsafeRawBufferPointer, _ rest: Range<Int>) -> Int {
        var offset = rest.lowerBound + 4
        while let close = bytes.firstIndex(of: UInt8(ascii: ">"), in: min(offset, rest.upperBound)..<rest.upperBound) {
            if close - 2 >= rest.lowerBound + 4, bytes[close - 1] == UInt8(ascii: "-"), bytes[close - 2] == UInt8(ascii: "-") {
                return close + 1
            }
            offset = close + 1
        }
        return rest.upperBound
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: "?"),
            UInt8(ascii: "\""), UInt8(ascii: "'"):
            false
        default: true
        }
    }
}

/// Determines which rows of XML or HTML are displayed.
struct MarkupFolding: Sendable {
    /// How a row is displayed.
    enum Display {
        case shown, hidden
        /// The end tag of a folded element, which is displayed in the row of its start tag.
        case closing
    }

    /// The depth of the folded element around the next row; -1 without one.
    var depth = -1

    /// The display of the next row; `opensElement` states that the following rows are in an element that the row begins.
    mutating func display(_ row: MarkupScanner.Row, opensElement: Bool, isEndTag: Bool, _ folds: BodyFolds) -> Display {
        // A long start tag has several rows, which are all displayed.
        if depth >= 0, !(row.continues && row.kind == .tag && row.depth == depth) {
            guard row.depth <= depth, !row.continues else { return .hidden }
            // In HTML, an element can end without an end tag.
            let closes = isEndTag && row.depth == depth
            depth = -1
            if closes { return .closing }
        }
        if opensElement, folds.contains(row.source.lowerBound, depth: row.depth) { depth = row.depth }
        return .shown
    }
}

extension MarkupScanner {
    /// Whether the row before the current place begins an element that is not in that row alone.
    func hasOpened(_ row: Row) -> Bool { row.kind == .tag && !row.continues && row.isClosed && open.count == row.depth + 1 }
}

extension MarkupScanner.Row {
    /// Whether the row is an end tag.
    func isEndTag(_ bytes: UnsafeRawBufferPointer) -> Bool {
        kind == .tag && !continues && source.count > 1 && bytes[source.lowerBound + 1] == UInt8(ascii: "/")
    }
}
