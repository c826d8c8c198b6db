internal import SortieBase

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
        self.inner = inner
        self.folds = folds
        self.bytes = bytes
        self.state = state
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
