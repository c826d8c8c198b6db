/// An HTTP server on this machine whose behaviour, including errors, is determined by scripts.
///
/// The nth connection runs the nth script; the last script also serves all later connections. Each connection has its own thread
/// with blocking sockets. The server stops with the last reference.
public final class ScriptedServer: Sendable {
    private let core: ServerCore

    /// The numeric address of the server.
    public let address: String
    /// The port of the server.
    public var port: UInt16 { core.port }
    /// `http://ADDRESS:PORT`, without a slash at the end.
    public var url: String { "http://\(authority)" }
    /// `ADDRESS:PORT`, as in a Host field.
    public var authority: String { "\(LoopbackSocket.host(address)):\(port)" }

    /// Listens on `address` and `port` (0 selects a free one) and runs `scripts`.
    ///
    /// - Parameter receiveBuffer: The approximate size of the system's receive buffer in bytes; nil for the system's default.
    public init(address: String = "127.0.0.1", port: UInt16 = 0, receiveBuffer: Int32? = nil, _ scripts: [Script]) throws {
        self.address = address
        core = try ServerCore(try LoopbackSocket(address: address, port: port), receiveBuffer: receiveBuffer, scripts: scripts)
        core.start()
    }

    /// Listens on a socket that is bound to `address`, which the server closes.
    init(address: String, socket: LoopbackSocket, _ scripts: [Script]) throws {
        self.address = address
        core = try ServerCore(socket, receiveBuffer: nil, scripts: scripts)
        core.start()
    }

    /// Runs the same script for every connection.
    public convenience init(address: String = "127.0.0.1", port: UInt16 = 0, _ script: Script) throws {
        try self.init(address: address, port: port, [script])
    }

    /// Sends these raw responses, one for each request on a connection, then closes the connection.
    public convenience init(answering responses: String...) throws {
        try self.init(Script(responses.flatMap { [Step.readRequest, .send($0)] }))
    }

    /// Sends this response to each request; keeps connections alive.
    public convenience init(answering answer: HTTPAnswer) throws { try self.init(.answering(answer)) }

    /// Sends the closure's response to each request; keeps connections alive.
    public convenience init(_ answer: @escaping @Sendable (ReceivedRequest) -> HTTPAnswer) throws {
        try self.init(.answering(answer))
    }

    deinit { core.stop() }

    /// The requests received so far, in the order of receipt, including incomplete ones.
    public var requests: [ReceivedRequest] { core.state.current.requests }

    /// The number of open connections.
    public var openConnections: Int { core.state.current.open.count }

    /// The number of connections accepted so far.
    public var acceptedConnections: Int { core.state.current.accepted }

    /// Waits until at least `count` requests are received, and returns all requests received by then.
    public func waitForRequests(_ count: Int, within limit: Duration = .seconds(300)) async throws -> [ReceivedRequest] {
        try await core.state.wait("\(count) requests", within: limit, describe: \.summary) {
            $0.requests.count >= count ? $0.requests : nil
        }
    }

    /// Waits until at least `count` connections are accepted.
    public func waitForConnections(accepted count: Int, within limit: Duration = .seconds(300)) async throws {
        try await core.state.wait("\(count) accepted connections", within: limit, describe: \.summary) {
            $0.accepted >= count ? () : nil
        }
    }

    /// Waits until exactly `count` connections are open; 0 verifies that a client closed its connections.
    public func waitForConnections(open count: Int, within limit: Duration = .seconds(300)) async throws {
        try await core.state.wait("\(count) open connections", within: limit, describe: \.summary) {
            $0.open.count == count ? () : nil
        }
    }

    /// Closes the port and all connections, and waits for their threads; does nothing when stopped already.
    public func stop() { core.stop() }
}
