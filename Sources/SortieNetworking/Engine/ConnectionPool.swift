internal import Synchronization

/// A limited set of connections of one service (`limits.connections`), held in a separate multi handle.
///
/// The limit counts sockets, including idle ones. HTTP/2 requests share a socket, so more requests than the limit may
/// be in flight.
final class ConnectionPool: Sendable {
    /// The largest number of open connections.
    let limit: Int
    /// Identifies the pool on the engine's thread; 0 is the pool of unlimited connections.
    let number: Int32
    /// Whether the pool is the separate connection of one streamed HTTP/2 response, which is read only while its consumer accepts bytes.
    ///
    /// libcurl 7.88.1 cannot pause an HTTP/2 stream without spinning (`EngineFacts.md`, headline 5), so its socket is not read instead.
    let isOneStream: Bool

    private static let last = Atomic<Int32>(0)

    init(limit: Int, isOneStream: Bool = false) {
        self.limit = max(1, limit)
        self.isOneStream = isOneStream
        number = Self.last.add(1, ordering: .relaxed).newValue
    }

    deinit {
        // Every transfer of the pool retains it, so no transfer is left here.
        Engine.post { [number] in TransferQueue.shared.closePool(number) }
    }
}
