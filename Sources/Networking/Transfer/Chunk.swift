internal import Synchronization

/// Bytes on their way from the network to the disk; its room is used again when they are written.
final class Chunk: Sendable {
    /// How many bytes are written at once.
    static let size = 256 << 10

    private struct State {
        var bytes: [UInt8] = []
        var place: Place?
    }

    /// Where bytes belong.
    struct Place: Sendable {
        let segment: SegmentMap.ID
        /// The file's byte that is the first one of them.
        let offset: Int64
    }

    private let state: Mutex<State>

    init() {
        var state = State()
        // The engine brings at most 16 KiB beyond what makes it full.
        state.bytes.reserveCapacity(Self.size + 16 << 10)
        self.state = Mutex(state)
    }

    /// How many bytes are in it.
    var count: Int { state.withLock { $0.bytes.count } }

    /// Where its bytes belong; nil while it waits to be used.
    var place: Place? { state.withLock { $0.place } }

    /// Whether it is to be written.
    var isFull: Bool { count >= Self.size }

    /// Takes it for bytes that belong there.
    func begin(at place: Place) {
        state.withLock { $0.place = place }
    }

    /// Adds bytes.
    func append(_ more: UnsafeRawBufferPointer) {
        state.withLock { $0.bytes.append(contentsOf: more) }
    }

    /// Lets `body` see the bytes, then forgets them.
    func empty<E: Error>(_ body: (UnsafeRawBufferPointer, Place) throws(E) -> Void) throws(E) {
        try state.withLock { state throws(E) in
            defer {
                state.bytes.removeAll(keepingCapacity: true)
                state.place = nil
            }
            guard let place = state.place else { return }
            try state.bytes.withUnsafeBufferPointer { buffer throws(E) in try body(UnsafeRawBufferPointer(buffer), place) }
        }
    }
}
