/// Counts pretty rows and keeps a checkpoint every 32 KiB, or less often where checkpoints are large.
struct JSONRowIndex: JSONRowSink, Sendable {
    /// The state at the beginning of a row, as small as it can be.
    struct Checkpoint: Sendable {
        var row: Int
        var offset: Int
        /// Lines that have begun before the row.
        var lines: Int
        var stack: JSONContainerStack
        var phase: JSONTokenizer.Phase
        var numberState: JSONTokenizer.NumberState
    }

    /// Bytes between checkpoints: what drawing a screen may have to tokenize again.
    static let spacing = 32 << 10

    /// A checkpoint may cost one byte in this many of the body; only deep nesting that changes all the time comes near.
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
    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowAnswer {
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
    /// Goes back to a checkpoint; line numbers are lost, which only matter to problems.
    mutating func resume(at checkpoint: JSONRowIndex.Checkpoint) {
        phase = checkpoint.phase
        numberState = checkpoint.numberState
        offset = checkpoint.offset
        partStart = checkpoint.offset
        stack = checkpoint.stack
    }
}
