import FlyingSocks
import Foundation
import Glibc
import Synchronization

/// The identity of an open connection.
///
/// FlyingFox passes the client's address to a handler, and passes neither the socket nor the end of a connection. The port alone is no identity, because a
/// later connection may have the same one and would be authenticated by the earlier; the kernel gives each socket an inode of its own.
struct ClientConnection: Sendable {
    /// The port of the client.
    let port: UInt16
    /// The inodes of this process's sockets whose other end has the port: one, or several when the client has connections with the same port to
    /// other servers of this process.
    private let sockets: Set<UInt64>

    /// The connection of a request that is being handled.
    init(port: UInt16) {
        self.port = port
        var found: Set<UInt64> = []
        let descriptors: [String]
        do { descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") } catch { descriptors = [] }
        for descriptor in descriptors.compactMap(Int32.init) where Self.peer(of: descriptor) == port {
            var status = stat()
            if fstat(descriptor, &status) == 0 { found.insert(UInt64(status.st_ino)) }
        }
        sockets = found
    }

    /// Whether both are the same connection.
    func isSame(as other: ClientConnection) -> Bool { port == other.port && !sockets.isDisjoint(with: other.sockets) }

    /// The port of the other end; nil for a descriptor that is no connection of IPv4.
    private static func peer(of descriptor: Int32) -> UInt16? {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }
}

/// A socket pool that changes how another one suspends sockets.
protocol SocketPoolLayer: AsyncSocketPool {
    var base: any AsyncSocketPool { get }
}

extension SocketPoolLayer {
    func prepare() async throws { try await base.prepare() }
    func run() async throws { try await base.run() }
}

/// A socket pool that handles `Expect: 100-continue`, which FlyingFox does not support.
///
/// The handler reads the body in its own task, so the pending 100 response is passed as a task-local value. It is
/// sent just before the first wait for body bytes (RFC 9110 §10.1.1), and not at all when the body has already
/// arrived.
struct ContinuePool: SocketPoolLayer {
    let base: any AsyncSocketPool

    /// An interim response that is sent at most once.
    final class Pending: Sendable {
        private let sent = Mutex(false)

        func takeOnce() -> Bool {
            !sent.withLock { Swift.exchange(&$0, with: true) }
        }
    }

    @TaskLocal static var pending: Pending?

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        if events.contains(.read), let pending = Self.pending, pending.takeOnce() {
            // 25 bytes to an idle socket: the kernel accepts all of them, or the connection is closed.
            _ = try socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}

/// A socket pool that sets `TCP_NODELAY` on every connection.
///
/// FlyingFox writes the header and the body of a response separately. With Nagle's algorithm the kernel holds back
/// the second write until the client has acknowledged the first, which a client on a persistent connection delays by
/// up to 40 ms (RFC 1122 §4.2.3.4). FlyingFox has no hook for accepted sockets, but it suspends each of them here
/// before it reads a request, so the option is set here.
struct NoDelayPool: SocketPoolLayer {
    let base: any AsyncSocketPool

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        if events.contains(.read) {
            try socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        }
        try await base.suspendSocket(socket, untilReadyFor: events)
    }
}
