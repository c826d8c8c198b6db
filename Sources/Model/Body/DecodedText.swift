internal import Synchronization

/// A body in UTF-8, decoded from another encoding in steps, as far as it is looked at.
///
/// Copies of a view share it. What is decoded depends on the bytes alone, so it makes no difference which copy comes first.
final class DecodedText: Sendable {
    /// Larger bodies are not decoded for a view.
    static let sizeLimit = 256 << 20

    /// How far the decoding is.
    struct Snapshot: Sendable {
        /// The text so far, in UTF-8.
        var text = BodyBytes.empty
        /// How many bytes of the body were looked at.
        var seen = 0
        /// How many sequences of bytes were not valid.
        var invalidSequences = 0
        /// Whether the whole body is decoded.
        var isComplete = false
    }

    private struct State {
        let decoder: CharsetDecoder
        var block = MemoryBlock(capacity: 0)
        var read: Int
        var written = 0
        var snapshot = Snapshot()
    }

    private let state: Mutex<State>

    /// Nothing decoded yet; nil where the encoding cannot be decoded on this machine.
    ///
    /// - Parameter skipped: bytes at the start that belong to no text, a byte order mark.
    init?(_ encoding: TextEncoding, skipping skipped: Int) {
        guard let decoder = CharsetDecoder(encoding) else { return nil }
        state = Mutex(State(decoder: decoder, read: skipped))
    }

    /// Decodes on until `limit` bytes of the body were looked at.
    ///
    /// - Parameters:
    ///   - body: begins with the bytes of every earlier call.
    ///   - isFinal: whether `body` is the whole body.
    func advance(over body: BodyBytes, to limit: Int, isFinal: Bool) -> Snapshot {
        state.withLock { state in
            let limit = min(limit, body.count)
            let isEnd = isFinal && limit == body.count
            guard !state.snapshot.isComplete, limit > state.snapshot.seen || isEnd else { return state.snapshot }
            // What lies behind the read position is an incomplete character at most, so the whole body's need is known.
            let need = state.written + max(0, body.count - state.read) * CharsetDecoder.expansion + CharsetDecoder.spare
            if state.block.capacity < need { state.block = MemoryBlock(copying: state.block, count: state.written, capacity: need) }
            let room = UnsafeMutableRawBufferPointer(start: state.block.start + state.written, count: state.block.capacity - state.written)
            let made = body.withUnsafeBytes(in: min(state.read, limit)..<limit) { state.decoder.decode($0, isEnd: isEnd, into: room) }
            state.read += made.read
            state.written += made.written
            state.snapshot = Snapshot(
                text: BodyBytes(owner: state.block, pointer: UnsafeRawPointer(state.block.start), count: state.written), seen: limit,
                invalidSequences: state.decoder.invalidSequences, isComplete: isEnd)
            return state.snapshot
        }
    }
}
