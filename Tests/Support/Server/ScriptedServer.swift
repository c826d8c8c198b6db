/// A real HTTP server on this machine that behaves, and misbehaves, exactly as a script says.
///
/// The nth connection runs the nth script; the last script serves all later connections too. Each connection has a thread
/// of its own with blocking sockets. The server stops when the last reference to it goes away.
public final class ScriptedServer: Sendable {
    private let core: ServerCore

    /// The numeric address it listens on.
    public let address: String
    /// The port it listens on.
    public var port: UInt16 { core.port }
    /// `http://ADDRESS:PORT`, without a slash at the end.
    public var url: String { "http://\(authority)" }
    /// `ADDRESS:PORT`, the way a Host header has it.
    public var authority: String { "\(LoopbackSocket.host(address)):\(port)" }

    /// Listens on `address` and `port` (0 takes a free one) and runs `scripts`.
    ///
    /// - Parameter receiveBuffer: how many bytes the system keeps for the server to read, roughly; nil leaves that to the system.
    public init(address: String = "127.0.0.1", port: UInt16 = 0, receiveBuffer: Int32? = nil, _ scripts: [Script]) throws {
        self.address = address
        core = try ServerCore(address: address, port: port, receiveBuffer: receiveBuffer, scripts: scripts)
        core.start()
    }

    /// The same script for every connection.
    public convenience init(address: String = "127.0.0.1", port: UInt16 = 0, _ script: Script) throws {
        try self.init(address: address, port: port, [script])
    }

    /// Sends these raw responses, one for each request on a connection, then closes the connection.
    public convenience init(answering responses: String...) throws {
        try self.init(Script(responses.flatMap { [Step.readRequest, .send($0)] }))
    }

    /// Answers each request with this response; keeps connections alive.
    public convenience init(answering answer: HTTPAnswer) throws { try self.init(.answering(answer)) }

    /// Answers each request with what the closure returns; keeps connections alive.
    public convenience init(_ answer: @escaping @Sendable (ReceivedRequest) -> HTTPAnswer) throws {
        try self.init(.answering(answer))
    }

    deinit { core.stop() }

    /// Every request received so far, in the order received; one that broke off is there too, marked incomplete.
    public var requests: [ReceivedRequest] { core.state.current.requests }

    /// How many connections are open now.
    public var openConnections: Int { core.state.current.open.count }

    /// How many connections were accepted so far.
    public var acceptedConnections: Int { core.state.current.accepted }

    /// Waits until at least `count` requests have been received, and returns all received by then.
    public func waitForRequests(_ count: Int, within limit: Duration = .seconds(10)) async throws -> [ReceivedRequest] {
        try await core.state.wait("\(count) requests", within: limit, describe: \.summary) {
            $0.requests.count >= count ? $0.requests : nil
        }
    }

    /// Waits until at least `count` connections have been accepted.
    public func waitForConnections(accepted count: Int, within limit: Duration = .seconds(10)) async throws {
        try await core.state.wait("\(count) accepted connections", within: limit, describe: \.summary) {
            $0.accepted >= count ? () : nil
        }
    }

    /// Waits until exactly `count` connections are open, 0 to see that a client has closed its connections.
    public func waitForConnections(open count: Int, within limit: Duration = .seconds(10)) async throws {
        try await core.state.wait("\(count) open connections", within: limit, describe: \.summary) {
            $0.open.count == count ? () : nil
        }
    }

    /// Closes the port and all connections, and waits for their threads to end; harmless when stopped already.
    public func stop() { core.stop() }
}
