internal import SortieBase
internal import SortieHTTP

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
