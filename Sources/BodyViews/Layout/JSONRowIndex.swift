internal import SortieBase
internal import SortieHTTP

/// Counts formatted rows and stores a checkpoint every 32 KiB, or less often where checkpoints are large.
struct JSONRowIndex: JSONRowSink, Sendable {
    /// The minimal state at the start of a row.
    struct Checkpoint: Sendable {
        var row: Int
        var offset: Int
        /// The number of lines that begin before the row.
        var lines: Int
        var stack: JSONContainerStack
        var phase: JSONTokenizer.Phase
        var numberState: JSONTokenizer.NumberState
    }

    /// The number of bytes between checkpoints, which drawing a screen may have to tokenize again.
    static let spacing = 32 << 10

    /// The minimum number of body bytes per byte of checkpoints; relevant only for deep nesting that changes constantly.
    private static let thrift = 256

    private(set) var rows = 0
    private(set) var checkpoints = CheckpointList<Checkpoint>()
    private var lines = 0
    private var next = 0
    private var lastOffset = 0
    private var lastSpills: UInt32 = 0
    private var spilledWords = 0

    var memoryUse: Int { checkpoints.memoryUse + spilledWords * JSONContainerStack.spillCost }

    @inline(__always)
    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowDecision {
        rows += 1
        if !continues { lines += 1 }
        return offset >= next ? .save : .goOn
    }

    @inline(never)
    mutating func save(_ tokenizer: JSONTokenizer) {
        let unshared = min(Int(tokenizer.stack.spills &- lastSpills), tokenizer.stack.depth / 64)
        let cost = MemoryLayout<Checkpoint>.stride + unshared * JSONContainerStack.spillCost
        if checkpoints.count > 0, tokenizer.offset - lastOffset < cost * Self.thrift {
            next = lastOffset + cost * Self.thrift
            return
        }
        checkpoints.append(
            Checkpoint(
                row: rows - 1, offset: tokenizer.offset, lines: tokenizer.isInToken ? lines : lines - 1, stack: tokenizer.stack,
                phase: tokenizer.phase, numberState: tokenizer.numberState))
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
