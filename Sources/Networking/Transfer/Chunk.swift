internal import Synchronization

/// Bytes on their way from the network to the disk; its room is used again when they are written.
final class Chunk: Sendable {
    /// How many bytes are written at once.
    static let size = 256 << 10

    private let bytes: Mutex<[UInt8]>

    init() {
        var bytes: [UInt8] = []
        // The engine brings at most 16 KiB beyond what makes it full.
        bytes.reserveCapacity(Self.size + 16 << 10)
        self.bytes = Mutex(bytes)
    }

    /// How many bytes are in it.
    var count: Int { bytes.withLock { $0.count } }

    /// Whether it is to be written.
    var isFull: Bool { count >= Self.size }

    /// Adds bytes.
    func append(_ more: UnsafeRawBufferPointer) {
        bytes.withLock { $0.append(contentsOf: more) }
    }

    /// Lets `body` see the bytes, then forgets them.
    func empty<E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> Void) throws(E) {
        try bytes.withLock { bytes throws(E) in
            defer { bytes.removeAll(keepingCapacity: true) }
            try bytes.withUnsafeBufferPointer { buffer throws(E) in try body(UnsafeRawBufferPointer(buffer)) }
        }
    }
}
