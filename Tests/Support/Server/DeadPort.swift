import Glibc

/// A port of this machine where no server is, and none can come while this value lives.
public final class DeadPort: Sendable {
    /// What happens to who connects.
    public enum Manner: Sendable {
        /// The connection is refused at once.
        case refusing
        /// Nothing is answered at all, so that the client's connect timeout is what ends it.
        case silent
    }

    /// The port.
    public let port: UInt16
    /// `http://ADDRESS:PORT`, without a slash at the end.
    public let url: String
    private let descriptors: [Int32]

    /// Takes a free port (or the one given) of a numeric loopback address.
    public init(_ manner: Manner, address: String = "127.0.0.1", port: UInt16 = 0) throws {
        let socket = try LoopbackSocket(address: address, port: port)
        self.port = socket.port
        url = "http://\(LoopbackSocket.host(address)):\(socket.port)"
        // Bound and not listening: the system refuses, and gives the port to nobody else.
        guard manner == .silent else {
            descriptors = [socket.descriptor]
            return
        }
        // A full queue of connections that nobody accepts: the system drops every further SYN.
        listen(socket.descriptor, 0)
        descriptors = [socket.descriptor] + (0..<4).compactMap { _ in Self.client(of: socket.descriptor) }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    private static func client(of server: Int32) -> Int32? {
        var (address, size) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard getsockname(server, generic, &size) == 0 else { return nil }
                let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
                let client = socket(Int32(generic.pointee.sa_family), type, 0)
                _ = connect(client, generic, size)
                return client
            }
        }
    }
}
