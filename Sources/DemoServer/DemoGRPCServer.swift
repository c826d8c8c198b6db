internal import CHTTP2
import FlyingFox
import FlyingSocks
import Glibc

/// The demo's gRPC server on the loopback interface: HTTP/2 without TLS on a separate port, because FlyingFox supports only HTTP/1.1.
///
/// It has the service `shop.Orders` and server reflection. libnghttp2, which libcurl brings, is loaded when it starts.
package actor DemoGRPCServer {
    /// The largest number of connections; a further one is closed at once.
    private static let connectionLimit = 64

    private let requestedPort: UInt16
    private let interval: Duration
    private var task: Task<Void, Never>?
    private var connectionCount = 0

    /// Creates a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - port: The TCP port to listen on; 0 lets the system choose a free one.
    ///   - interval: The time between two messages of a stream.
    package init(port: UInt16 = 0, interval: Duration = .milliseconds(700)) {
        requestedPort = port
        self.interval = interval
    }

    /// Starts to listen and returns the port.
    ///
    /// - Throws: ``DemoServer/StartError`` when libnghttp2 cannot be loaded or the port cannot be opened.
    @discardableResult
    package func start() async throws -> UInt16 {
        if let problem = chttp2_load() {
            throw DemoServer.StartError(description: "\(String(cString: problem)); install the package libnghttp2-14")
        }
        let pool = HTTPServer.defaultPool()
        let listener: AsyncSocket
        let port: UInt16
        do {
            try await pool.prepare()
            let socket = try Socket(domain: AF_INET)
            do {
                try socket.setValue(true, for: .localAddressReuse)
                try socket.bind(to: .inet(ip4: "127.0.0.1", port: requestedPort))
                try socket.listen()
                guard case .ip4(_, let own) = try socket.sockname() else { throw SocketError.unsupportedAddress }
                port = own
                listener = try AsyncSocket(socket: socket, pool: pool)
            } catch {
                try socket.close()
                throw error
            }
        } catch {
            throw DemoServer.StartError(port: requestedPort, error, remedy: "; try --grpc-port 0")
        }
        let services = try GRPCServices(interval: interval)
        task = Task {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    do { try await pool.run() } catch {
                        // The server stops.
                    }
                }
                await self.accept(on: listener, services, &group)
                group.cancelAll()
            }
        }
        return port
    }

    /// Closes the port and all connections; returns when all of them have ended.
    package func stop() async {
        task?.cancel()
        await task?.value
        task = nil
    }

    private func accept(on listener: AsyncSocket, _ services: GRPCServices, _ group: inout DiscardingTaskGroup) async {
        while !Task.isCancelled {
            do {
                let socket = try await listener.accept()
                guard connectionCount < Self.connectionLimit else {
                    try socket.close()
                    continue
                }
                connectionCount += 1
                group.addTask { await self.serve(socket, services) }
            } catch {
                // The client has disconnected already, there are no descriptors, or the server stops.
                do { try await ContinuousClock().sleep(for: .milliseconds(100)) } catch { break }
            }
        }
        Self.close(listener)
    }

    private func serve(_ socket: AsyncSocket, _ services: GRPCServices) async {
        do {
            try socket.socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
            try await GRPCConnection(socket: socket, services: services).run()
        } catch {
            // The client has disconnected already, or there is no memory for the connection.
        }
        Self.close(socket)
        connectionCount -= 1
    }

    private static func close(_ socket: AsyncSocket) {
        do { try socket.close() } catch {
            // The descriptor is closed nevertheless (close(2)).
        }
    }
}
