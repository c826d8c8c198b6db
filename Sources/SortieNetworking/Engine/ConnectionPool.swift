internal import Synchronization

/// A limited set of connections of one service (`limits.connections`, S4.6), held in a separate multi handle.
///
/// The limit counts sockets, including idle ones. HTTP/2 requests share a socket, so more requests than the limit may
/// be in flight.
final class ConnectionPool: Sendable {
    /// The largest number of open connections.
    let limit: Int
    /// Identifies the pool on the engine's thread; 0 is the pool of unlimited connections.
    let number: Int32

    private static let last = Atomic<Int32>(0)

    init(limit: Int) {
        self.limit = max(1, limit)
        number = Self.last.add(1, ordering: .relaxed).newValue
    }

    deinit {
        // Every transfer of the pool retains it, so no transfer is left here.
        Engine.post { [number] in TransferQueue.shared.closePool(number) }
    }
}
