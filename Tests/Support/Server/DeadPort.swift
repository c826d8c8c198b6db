import Glibc

/// A port of this machine without a server, which no server can use during the lifetime of this value.
public final class DeadPort: Sendable {
    /// The reaction to connections.
    public enum Manner: Sendable {
        /// The connection is refused immediately.
        case refusing
        /// There is no reaction, so that the client's connect timeout expires.
        case silent
    }

    /// The port.
    public let port: UInt16
    /// `http://ADDRESS:PORT`, without a slash at the end.
    public let url: String
    private let descriptors: [Int32]
    private let address: String

    /// Reserves a free port, or the given one, of a numeric loopback address.
    public init(_ manner: Manner, address: String = "127.0.0.1", port: UInt16 = 0) throws {
        let socket = try LoopbackSocket(address: address, port: port)
        self.port = socket.port
        self.address = address
        url = "http://\(LoopbackSocket.host(address)):\(socket.port)"
        // Bound but not listening: the system refuses connections, and does not assign the port again.
        guard manner == .silent else {
            descriptors = [socket.descriptor]
            return
        }
        // The queue of unaccepted connections is full, so the system drops every further SYN.
        listen(socket.descriptor, 0)
        descriptors = [socket.descriptor] + (0..<4).compactMap { _ in Self.client(of: socket.descriptor) }
    }

    /// Starts a server on the port, which remains reserved until then and while the server runs.
    ///
    /// The port must be refusing connections.
    public func open(_ script: Script) throws -> ScriptedServer {
        let descriptor = try checked(fcntl(descriptors[0], F_DUPFD_CLOEXEC, 3), "fcntl")
        return try ScriptedServer(address: address, socket: LoopbackSocket(descriptor: descriptor, port: port), [script])
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
