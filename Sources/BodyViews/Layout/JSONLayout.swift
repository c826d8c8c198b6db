package import SortieBase
internal import SortieHTTP

/// JSON formatted with one member or element per row and two spaces per level, and validated strictly (RFC 8259).
///
/// Every token is shown exactly as in the source; `{}` and `[]` stay on one row. A problem ends the scan.
package struct JSONLayout: BodyLayout {
    private var tokenizer: JSONTokenizer
    private(set) var index = JSONRowIndex()
    /// The folded containers.
    package private(set) var folds = BodyFolds.none
    private var foldState = JSONFoldState()
    /// Whether the scan was continued at a checkpoint, which loses the line numbers of errors.
    private var hasRestarted = false

    /// The number of bytes that the scan has covered.
    package private(set) var examined = 0
    /// Whether every row is known, or a problem was found.
    package private(set) var isComplete = false
    /// The syntax error; nil without one.
    package private(set) var problem: BodyProblem?

    /// What the row of a folded value at the top shows.
    private let folded: FoldedValue

    /// Creates an empty layout; `allowsManyValues` permits one value per line (application/x-ndjson).
    package init(allowsManyValues: Bool = false) { self.init(allowsManyValues: allowsManyValues, folded: nil) }

    /// Creates an empty layout.
    ///
    /// - Parameter folded: What the row of a folded value at the top shows; nil for the usual content.
    init(allowsManyValues: Bool, folded: FoldedValue?) {
        tokenizer = JSONTokenizer(allowsManyValues: allowsManyValues)
        self.folded = folded ?? (allowsManyValues ? .content : .count)
    }

    /// Whether the body is a sequence of values.
    var hasManyValues: Bool { tokenizer.allowsManyValues }
    /// The number of values at the top that are complete.
    var valueCount: Int {
        switch tokenizer.phase {
        case .start, .done, .topValue: index.values
        default: isComplete && problem == nil ? index.values : max(0, index.values - 1)
        }
    }
    /// The number of known rows, including an unfinished last one.
    package var rowCount: Int { index.rows }
    /// The number of known lines, including folded ones.
    package var lineCount: Int { index.lines }
    /// The memory of the checkpoints, in bytes.
    package var memoryUse: Int { index.memoryUse }

    /// Continues the scan.
    package mutating func advance(over bytes: BodyBytes, budget: Int, isFinal: Bool) {
        guard !isComplete else { return }
        let limit = min(bytes.count, examined + max(budget, 64))
        let isEnd = isFinal && limit == bytes.count
        bytes.withUnsafeBytes { buffer in
            do throws(JSONFault) {
                try scan(buffer, limit: limit, isEnd: isEnd)
                isComplete = isEnd
            } catch {
                if hasRestarted { tokenizer.countLines(buffer) }
                problem = BodyProblem(error, buffer, tokenizer)
                isComplete = true
            }
        }
        examined = limit
    }

    private mutating func scan(_ buffer: UnsafeRawBufferPointer, limit: Int, isEnd: Bool) throws(JSONFault) {
        guard !folds.isEmpty else { return try tokenizer.advance(over: buffer, limit: limit, isEnd: isEnd, into: &index) }
        var sink = JSONFoldingSink(index, folds, buffer, foldState)
        defer { (index, foldState) = (sink.inner, sink.state) }
        try tokenizer.advance(over: buffer, limit: limit, isEnd: isEnd, into: &sink)
    }

    /// Folds other containers; the scan continues before `offset`, the first byte whose row may change.
    mutating func fold(_ folds: BodyFolds, from offset: Int) {
        guard problem == nil else { return }
        let values = tokenizer.allowsManyValues
        self.folds = folds
        isComplete = false
        guard let number = index.checkpoints.lastIndex(where: { $0.offset <= offset }) else {
            tokenizer = JSONTokenizer(allowsManyValues: values)
            (index, foldState, examined) = (JSONRowIndex(), JSONFoldState(), 0)
            return
        }
        let checkpoint = index.checkpoints[number]
        index = JSONRowIndex(index, through: number)
        tokenizer = JSONTokenizer(allowsManyValues: values)
        tokenizer.resume(at: checkpoint)
        foldState = JSONFoldState(hiddenDepth: Int(checkpoint.hiddenDepth), depthBefore: Int(checkpoint.hiddenDepth))
        examined = checkpoint.offset
        hasRestarted = true
    }

    /// The rows of a range.
    package func rows(_ range: Range<Int>, of bytes: BodyBytes, marking marks: [BodyMark]) -> [BodyRow] {
        let range = range.clamped(to: 0..<rowCount)
        guard !range.isEmpty else { return [] }
        let start = index.checkpoints.last { $0.row <= range.lowerBound }
        return bytes.withUnsafeBytes { buffer in
            var drawing = JSONRowDrawing(buffer, range: range, of: index, from: start, folded: folded, marks: marks)
            var open = walk(buffer, from: start, into: &drawing)
            while let checkpoint = drawing.jump {
                drawing.jumped()
                open = walk(buffer, from: checkpoint, into: &drawing)
            }
            if let open { drawing.token(open.kind, open.range) }
            drawing.finish()
            return drawing.rows
        }
    }

    /// The row that shows a byte.
    package func row(containing offset: Int, of bytes: BodyBytes) -> Int? {
        guard offset >= 0, offset < examined, rowCount > 0 else { return nil }
        let start = index.checkpoints.last { $0.offset <= offset }
        var locator = JSONRowLocator(offset: offset, next: start?.row ?? 0)
        bytes.withUnsafeBytes { _ = walk($0, from: start, into: &locator) }
        return locator.found ?? 0
    }

    /// Tokenizes the scanned bytes again, from a checkpoint, until the sink stops; returns the unfinished token at the end, if there is one.
    func walk(
        _ buffer: UnsafeRawBufferPointer, from start: JSONRowIndex.Checkpoint?, into sink: inout some JSONFoldableSink
    ) -> (kind: BodySpan.Kind, range: Range<Int>)? {
        guard !folds.isEmpty else { return walkAll(buffer, from: start, into: &sink) }
        let depth = start.map { Int($0.hiddenDepth) } ?? -1
        var folding = JSONFoldingSink(sink, folds, buffer, JSONFoldState(hiddenDepth: depth, depthBefore: depth))
        defer { sink = folding.inner }
        let open = walkAll(buffer, from: start, into: &folding)
        return folding.state.drops ? nil : open
    }

    /// Tokenizes the scanned bytes again, without regard to folding.
    func walkAll(
        _ buffer: UnsafeRawBufferPointer, from start: JSONRowIndex.Checkpoint?, into sink: inout some JSONRowSink
    ) -> (kind: BodySpan.Kind, range: Range<Int>)? {
        var walker = JSONTokenizer(allowsManyValues: tokenizer.allowsManyValues)
        do throws(JSONFault) {
            if let start {
                walker.resume(at: start)
                if walker.isInToken { try walker.beginRow(depth: start.stack.depth, continues: true, &sink) }
            }
            try walker.advance(over: buffer, limit: min(tokenizer.offset, buffer.count), isEnd: false, into: &sink)
        } catch {
            // The sink stopped the tokenizer; the bytes that the scan has accepted contain no error.
            return nil
        }
        guard walker.isInToken else { return nil }
        let kind: BodySpan.Kind = walker.phase == .key ? .key : walker.phase == .string ? .string : .number
        return (kind, walker.partStart..<walker.offset)
    }
}

extension JSONTokenizer {
    /// Counts the lines before the current byte, which a scan from a checkpoint does not know.
    fileprivate mutating func countLines(_ bytes: UnsafeRawBufferPointer) {
        line = bytes.count(of: 0x0A, in: 0..<min(offset, bytes.count))
        lineStart = bytes.lastIndex(of: 0x0A, before: min(offset, bytes.count)).map { $0 + 1 } ?? 0
    }
}
