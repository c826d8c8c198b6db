internal import Synchronization

/// A buffer for bytes between the network and the disk; its memory is reused after the bytes are written.
final class Chunk: Sendable {
    /// The number of bytes at which a chunk is written.
    static let size = 256 << 10

    private struct State {
        var bytes: [UInt8] = []
        var place: Place?
    }

    /// The position of bytes in the file.
    struct Place: Sendable {
        let segment: SegmentMap.ID
        /// The offset of the first byte in the file.
        let offset: Int64
    }

    private let state: Mutex<State>

    init() {
        var state = State()
        // The engine delivers at most 16 KiB beyond the size that makes a chunk full.
        state.bytes.reserveCapacity(Self.size + 16 << 10)
        self.state = Mutex(state)
    }

    /// The number of bytes in the chunk.
    var count: Int { state.withLock { $0.bytes.count } }

    /// The position of the bytes; nil while the chunk is unused.
    var place: Place? { state.withLock { $0.place } }

    /// Whether the chunk has reached the size at which it is written.
    var isFull: Bool { count >= Self.size }

    /// Starts a chunk for bytes at `place`.
    func begin(at place: Place) {
        state.withLock { $0.place = place }
    }

    func append(_ more: UnsafeRawBufferPointer) {
        state.withLock { $0.bytes.append(contentsOf: more) }
    }

    /// Passes the bytes and their position to `body`, then empties the chunk.
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

/// The disk operations of a download, in order; after each one the disk holds a state from which the download can continue.
enum DiskStep: String, Hashable, Sendable, CaseIterable {
    case wrote, synced, wroteManifest, renamedManifest, syncedFolder, renamedFile, removedManifest
}

/// A callback after each disk step, on the thread that performed it; returns an `errno` value to simulate a failure, or 0.
typealias DiskProbe = @Sendable (DiskStep) -> Int32
