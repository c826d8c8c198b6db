package import SortieBase
internal import SortieHTTP

/// JSON formatted with one member or element per row and two spaces per level, and validated strictly (RFC 8259).
///
/// Every token is shown exactly as in the source; `{}` and `[]` stay on one row. A problem ends the scan.
package struct JSONLayout: BodyLayout {
    private var tokenizer: JSONTokenizer
    private(set) var index = JSONRowIndex()
    /// The folded containers.
    package private(set) var folds: BodyFolds
    private var foldState = JSONFoldState()
    /// The offsets of the objects and arrays that are the content of strings.
    var contents: Set<Int> = []
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
    package init(allowsManyValues: Bool = false) { self.init(allowsManyValues: allowsManyValues, folded: nil, folds: .none) }

    /// Creates an empty layout.
    ///
    /// - Parameters:
    ///   - folded: What the row of a folded value at the top shows; nil for the usual content.
    ///   - folds: What is folded from the start.
    init(allowsManyValues: Bool, folded: FoldedValue?, folds: BodyFolds) {
        self.folds = folds
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
            var drawing = JSONRowDrawing(buffer, range: range, of: index, from: start, folded: folded, contents: contents, marks: marks)
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

/// A sink that distinguishes rows that are displayed from those that folding hides.
protocol JSONFoldableSink: JSONRowSink {
    /// A row begins that is hidden; its closing brackets are still passed to ``JSONRowSink/token(_:_:)``.
    mutating func beginHiddenRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision

    /// Receives a token of a hidden row.
    mutating func hiddenToken(_ kind: BodySpan.Kind, _ range: Range<Int>)

    /// Receives the state from which the tokenizer can find the current row again, with the depth of the folded row that hides it, -1 without one.
    mutating func save(_ tokenizer: JSONTokenizer, hiddenDepth: Int)
}

extension JSONFoldableSink {
    mutating func hiddenToken(_ kind: BodySpan.Kind, _ range: Range<Int>) {}

    mutating func save(_ tokenizer: JSONTokenizer) { save(tokenizer, hiddenDepth: -1) }
}

/// What of folding is known between two tokens.
struct JSONFoldState: Sendable {
    /// The depth of the row whose container is folded and open; -1 without one.
    var hiddenDepth = -1
    /// The value of ``hiddenDepth`` before the current row.
    var depthBefore = -1
    var rowDepth = 0
    var drops = false
}

/// Determines which rows are displayed, and passes their tokens on.
struct JSONFoldingSink<Inner: JSONFoldableSink>: JSONRowSink {
    var inner: Inner
    var state: JSONFoldState
    private let folds: BodyFolds
    private let bytes: UnsafeRawBufferPointer

    init(_ inner: Inner, _ folds: BodyFolds, _ bytes: UnsafeRawBufferPointer, _ state: JSONFoldState) {
        (self.inner, self.folds, self.bytes, self.state) = (inner, folds, bytes, state)
    }

    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        state.depthBefore = state.hiddenDepth
        guard state.hiddenDepth >= 0 else {
            state.rowDepth = depth
            state.drops = false
            return inner.beginRow(at: offset, depth: depth, continues: continues)
        }
        // The first row that is not deeper than the folded one closes its container.
        let closes = !continues && depth <= state.hiddenDepth
        if closes { state.hiddenDepth = -1 }
        state.drops = !closes
        state.rowDepth = depth
        return inner.beginHiddenRow(at: offset, depth: depth, continues: continues)
    }

    mutating func save(_ tokenizer: JSONTokenizer) { inner.save(tokenizer, hiddenDepth: state.depthBefore) }

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        guard !state.drops else { return inner.hiddenToken(kind, range) }
        inner.token(kind, range)
        guard kind == .punctuation else { return }
        switch bytes[range.lowerBound] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if folds.contains(range.lowerBound, depth: state.rowDepth) { state.hiddenDepth = state.rowDepth }
        // An empty container, because no row began after its bracket; or the row of a folded one, whose depth is not set any more.
        case UInt8(ascii: "}"), UInt8(ascii: "]"): state.hiddenDepth = -1
        default: break
        }
    }
}

/// Counts formatted rows and stores a checkpoint every 32 KiB, or less often where checkpoints are large.
struct JSONRowIndex: JSONFoldableSink, Sendable {
    /// The minimal state at the start of a row.
    struct Checkpoint: Sendable {
        /// The row; for a hidden one, the next row that is displayed.
        var row: Int
        var offset: Int
        /// The number of lines that begin before the row.
        var lines: Int
        var stack: JSONContainerStack
        var phase: JSONTokenizer.Phase
        var numberState: JSONTokenizer.NumberState
        /// The depth of the folded row that hides this one; -1 without one.
        var hiddenDepth: Int32
        /// The lowest depth of the rows since the previous checkpoint.
        var lowest: Int16
        /// The number of rows with that depth at which a value begins.
        var starts: UInt32
        /// The number of values at the top that begin before the row.
        var values: Int
    }

    /// The number of bytes between checkpoints, which drawing a screen may have to tokenize again.
    static let spacing = 32 << 10

    /// The minimum number of body bytes per byte of checkpoints; relevant only for deep nesting that changes constantly.
    private static let thrift = 256

    private(set) var rows = 0
    /// The number of values at the top that have begun.
    private(set) var values = 0
    private(set) var checkpoints = CheckpointList<Checkpoint>()
    /// The number of lines that have begun, including folded ones.
    private(set) var lines = 0
    private var next = 0
    private var lastOffset = 0
    private var lastSpills: UInt32 = 0
    private var spilledWords = 0
    private var lowest = Int.max
    private var starts: UInt32 = 0
    private var previousDepth = -1
    /// The row whose state is being saved, which belongs to the next checkpoint.
    private var pending = (depth: 0, continues: false, isHidden: false)

    init() {}

    /// Creates the index of the rows before a checkpoint of another one.
    init(_ index: JSONRowIndex, through number: Int) {
        let checkpoint = index.checkpoints[number]
        checkpoints = index.checkpoints
        checkpoints.keepFirst(number + 1)
        rows = checkpoint.row
        values = checkpoint.values
        lines = checkpoint.lines
        lastOffset = checkpoint.offset
        next = lastOffset + Self.spacing
        lastSpills = checkpoint.stack.spills
        spilledWords = index.spilledWords
        // A row that begins after a value closes a container, and begins no value.
        previousDepth = checkpoint.phase == .afterValue ? .max : -1
    }

    var memoryUse: Int { checkpoints.memoryUse + spilledWords * JSONContainerStack.spillCost }

    @inline(__always)
    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        rows += 1
        return begin(at: offset, depth: depth, continues: continues, isHidden: false)
    }

    mutating func beginHiddenRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        begin(at: offset, depth: depth, continues: continues, isHidden: true)
    }

    @inline(__always)
    private mutating func begin(at offset: Int, depth: Int, continues: Bool, isHidden: Bool) -> JSONRowDecision {
        if !continues { lines += 1 }
        guard offset >= next else {
            note(depth, continues: continues)
            return .goOn
        }
        pending = (depth, continues, isHidden)
        return .save
    }

    /// Counts the values that begin at the lowest depth since the last checkpoint.
    ///
    /// A row after a deeper one closes a container.
    @inline(__always)
    private mutating func note(_ depth: Int, continues: Bool) {
        guard !continues else { return }
        if depth < lowest { (lowest, starts) = (depth, 0) }
        if depth == lowest, previousDepth <= depth { starts += 1 }
        if depth == 0, previousDepth <= 0 { values += 1 }
        previousDepth = depth
    }

    @inline(never)
    mutating func save(_ tokenizer: JSONTokenizer, hiddenDepth: Int) {
        defer { note(pending.depth, continues: pending.continues) }
        let unshared = min(Int(tokenizer.stack.spills &- lastSpills), tokenizer.stack.depth / 64)
        let cost = MemoryLayout<Checkpoint>.stride + unshared * JSONContainerStack.spillCost
        if checkpoints.count > 0, tokenizer.offset - lastOffset < cost * Self.thrift {
            next = lastOffset + cost * Self.thrift
            return
        }
        checkpoints.append(
            Checkpoint(
                row: pending.isHidden ? rows : rows - 1, offset: tokenizer.offset, lines: tokenizer.isInToken ? lines : lines - 1,
                stack: tokenizer.stack, phase: tokenizer.phase, numberState: tokenizer.numberState,
                hiddenDepth: Int32(clamping: hiddenDepth), lowest: Int16(clamping: lowest), starts: starts, values: values))
        (lowest, starts) = (.max, 0)
        spilledWords += unshared
        lastSpills = tokenizer.stack.spills
        lastOffset = tokenizer.offset
        next = lastOffset + Self.spacing
    }

    @inline(__always)
    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {}
}

extension JSONTokenizer {
    /// Restores the state of a checkpoint; line numbers, which only error messages need, are lost.
    mutating func resume(at checkpoint: JSONRowIndex.Checkpoint) {
        phase = checkpoint.phase
        numberState = checkpoint.numberState
        offset = checkpoint.offset
        partStart = checkpoint.offset
        stack = checkpoint.stack
    }
}
