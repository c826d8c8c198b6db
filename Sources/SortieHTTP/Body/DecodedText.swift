internal import SortieBase
internal import Synchronization

/// A body decoded to UTF-8 from another encoding, in steps and on demand.
///
/// Copies of a view share it. The result depends on the bytes alone, so the order of calls by different copies makes no difference.
package final class DecodedText: Sendable {
    /// The maximum size, in bytes, of a body that is decoded for a view.
    package static let sizeLimit = 256 << 20

    /// The state of the decoding.
    package struct Snapshot: Sendable {
        /// The text so far, in UTF-8.
        package var text = BodyBytes.empty
        /// The number of body bytes read.
        package var seen = 0
        /// The number of invalid sequences.
        package var invalidSequences = 0
        /// Whether the whole body is decoded.
        package var isComplete = false

        /// Creates a snapshot; by default, that of a decoding that has not started.
        package init(text: BodyBytes = .empty, seen: Int = 0, invalidSequences: Int = 0, isComplete: Bool = false) {
            self.text = text
            self.seen = seen
            self.invalidSequences = invalidSequences
            self.isComplete = isComplete
        }
    }

    private struct State {
        let decoder: CharsetDecoder
        var block = MemoryBlock(capacity: 0)
        var read: Int
        var written = 0
        var snapshot = Snapshot()
    }

    private let state: Mutex<State>

    /// Creates a decoding that has not started; nil where the encoding is not supported on this machine.
    ///
    /// - Parameter skipped: The number of bytes at the start that are not text: a byte order mark.
    package init?(_ encoding: TextEncoding, skipping skipped: Int) {
        guard let decoder = CharsetDecoder(encoding) else { return nil }
        state = Mutex(State(decoder: decoder, read: skipped))
    }

    /// Continues until `limit` bytes of the body are read.
    ///
    /// - Parameters:
    ///   - body: The bytes of the body, which begin with those of every earlier call.
    ///   - isFinal: Whether `body` is complete.
    package func advance(over body: BodyBytes, to limit: Int, isFinal: Bool) -> Snapshot {
        state.withLock { state in
            let limit = min(limit, body.count)
            let isEnd = isFinal && limit == body.count
            guard !state.snapshot.isComplete, limit > state.snapshot.seen || isEnd else { return state.snapshot }
            // The read position is at most an incomplete character before `limit`. Memory is reserved for the rest of the body, so that the
            // block is replaced only when the body grows.
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
