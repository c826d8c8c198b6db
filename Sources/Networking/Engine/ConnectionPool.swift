internal import Synchronization

/// Connections whose number is limited (`limits.connections`, S4.6): those of one service, in a multi handle of libcurl of their own.
///
/// The limit counts sockets, open idle ones included. HTTP/2 requests share a socket, so more requests than that may be in flight.
final class ConnectionPool: Sendable {
    /// How many connections may be open.
    let limit: Int
    /// Names it on the engine's thread; 0 stands for the connections that are not limited.
    let number: Int32

    private static let last = Atomic<Int32>(0)

    init(limit: Int) {
        self.limit = max(1, limit)
        number = Self.last.add(1, ordering: .relaxed).newValue
    }

    deinit {
        // Every transfer that uses it keeps it alive, so none is left.
        Engine.post { [number] in TransferQueue.shared.closePool(number) }
    }
}
