import SortieHTTP
import Support
import Testing

@testable import SortieNetworking

/// Tests WebSocket connections over libcurl's `CURLOPT_CONNECT_ONLY`.
@Suite(.fewAtOnce)
struct WebSocketConnectionTests {
    /// The response to the handshake of a request, followed by bytes in the same segment.
    private static func upgrade(_ frames: [UInt8] = [], adding fields: String = "") -> Step {
        .respond { request in
            let accept = WebSocketHandshake(key: request["Sec-WebSocket-Key"] ?? "").accept
            return Array(
                ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\(fields)\r\n")
                    .utf8) + frames
        }
    }

    private static func text(_ text: String) -> [UInt8] { [0x81, UInt8(text.utf8.count)] + Array(text.utf8) }
    private static let close: [UInt8] = [0x88, 2, 0x03, 0xe8]

    /// On a busy machine the thread of a server may wait for longer than the usual limits.
    private static let patient = WebSocketClosingLimits(.seconds(300))

    /// Only the time for a Close frame is long: most servers here leave it to the client to close the socket.
    private static let patientForClose: WebSocketClosingLimits = {
        var limits = WebSocketClosingLimits()
        limits.closeFrame = .seconds(300)
        return limits
    }()

    private func open(
        _ url: String, closingLimits: WebSocketClosingLimits = patientForClose, _ configure: @Sendable (inout Request) -> Void = { _ in }
    ) async throws -> WebSocket {
        var request = try Request.to(url)
        configure(&request)
        let client = Client()
        return try await withDeadline(.seconds(300), "the handshake") { [request] in
            try await client.webSocket(request, closingLimits: closingLimits)
        }
    }

    private func contents(of socket: WebSocket) async throws -> [String] {
        try await withDeadline(.seconds(300), "the end of the connection") {
            var contents: [String] = []
            for try await event in socket.events {
                switch event.content {
                case .message(.text(let text)): contents.append("\(event.direction) \(text)")
                case .message(.binary(let bytes)): contents.append("\(event.direction) \(bytes)")
                case .close(let close): contents.append("\(event.direction) close \(close.code ?? 0)")
                case .reconnected: contents.append("reconnected")
                }
            }
            return contents
        }
    }

    @Test func `a GraphQL subscription is made after the server's acknowledgement, and ended after its completion`() async throws {
        let subscribe = #"{"id":"1","type":"subscribe","payload":{"query":"subscription { a }"}}"#
        // Frames of a client have a mask of four bytes.
        func size(_ text: String) -> Int { 6 + text.utf8.count }
        let next = #"{"id":"1","type":"next","payload":{"data":{"a":1}}}"#
        let server = try ScriptedServer([
            .readRequest, Self.upgrade(adding: "Sec-WebSocket-Protocol: graphql-transport-ws\r\n"), .readBytes(size(GraphQLSubscription.opening)),
            .send(Self.text(#"{"type":"connection_ack"}"#)), .readBytes(size(subscribe)),
            .send(Self.text(#"{"type":"ping"}"#) + Self.text(next) + Self.text(#"{"id":"1","type":"complete"}"#)),
            .readBytes(size(#"{"type":"pong"}"#) + size("xx")), .send(Self.close), .expectClose,
        ])
        let socket = try await open(server.url) {
            $0.headers.append("Sec-WebSocket-Protocol", "graphql-transport-ws")
            $0.body = .text(#"{"query": "subscription { a }"}"#, contentType: "application/json")
        }
        let contents = try await contents(of: socket)
        #expect(
            contents.filter { $0.hasPrefix("sent") } == [
                "sent \(GraphQLSubscription.opening)", "sent \(subscribe)", "sent {\"type\":\"pong\"}", "sent close 1000",
            ])
        #expect(contents.contains("received \(next)"))
    }

    @Test func `messages are received up to the Close frame, also those in the segment of the handshake`() async throws {
        let server = try ScriptedServer(
            Script(.readRequest, Self.upgrade(Self.text("one")), .send([0x02, 1, 7]), .send([0x80, 1, 8]), .send(Self.close), .expectClose))
        let socket = try await open(server.url)
        #expect(try await contents(of: socket) == ["received one", "received [7, 8]", "received close 1000", "sent close 1000"])
        try await server.waitForConnections(open: 0)
    }

    @Test func `the sequence of messages has those that are received, up to the Close frame`() async throws {
        let server = try ScriptedServer(
            Script(.readRequest, Self.upgrade(Self.text("one")), .readBytes(8), .send([0x82, 1, 7]), .readBytes(8), .send(Self.close), .expectClose))
        let socket = try await open(server.url)
        let messages = try await withDeadline(.seconds(300), "the end of the connection") {
            var messages: [WebSocketMessage] = []
            for try await message in socket.messages {
                messages.append(message)
                if messages.count == 1 { try await socket.send(.text("hi")) } else { try socket.close(code: 1000) }
            }
            return messages
        }
        #expect(messages == [.text("one"), .binary([7])])
        #expect(throws: NetworkError.self) { try socket.close(code: 1005) }
    }

    @Test func `the handshake has the fields of the request and those of the protocol`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(Self.close, adding: "Sec-WebSocket-Protocol: chat\r\n"), .expectClose))
        let socket = try await open(server.url + "/a?b=c") {
            $0.headers["Authorization"] = "Bearer t"
            $0.headers["Sec-WebSocket-Protocol"] = "chat, other"
        }
        #expect(socket.subprotocol == "chat")
        #expect(socket.exchange.response?.status == 101)
        let request = try #require(server.requests.first)
        #expect(request["Host"] == server.authority)
        #expect(request["Authorization"] == "Bearer t")
        #expect(request["Upgrade"] == "websocket")
        #expect(request["Sec-WebSocket-Version"] == "13")
        #expect(request["Sec-WebSocket-Extensions"] == "permessage-deflate; client_max_window_bits")
    }

    @Test func `a sent message is masked, and is an event`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(), .readBytes(8), .send(Self.close), .expectClose))
        let socket = try await open(server.url)
        try await socket.send(.text("hi"))
        #expect(try await contents(of: socket) == ["sent hi", "received close 1000", "sent close 1000"])
        let frame = try #require(server.requests.first).body
        #expect(frame.prefix(2) == [0x81, 0x82])
        #expect(frame.dropFirst(6).enumerated().map { $1 ^ frame[2 + $0] } == Array("hi".utf8))
    }

    @Test func `a ping is answered with its payload`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade([0x89, 1, 0x2a]), .readBytes(7), .send(Self.close), .expectClose))
        let socket = try await open(server.url)
        #expect(try await contents(of: socket) == ["received close 1000", "sent close 1000"])
        let frame = try #require(server.requests.first).body
        #expect(frame.prefix(2) == [0x8a, 0x81])
        #expect(frame[6] ^ frame[2] == 0x2a)
    }

    @Test func `a close by the client ends with the Close frame of the server`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(), .readBytes(8), .send(Self.close), .expectClose))
        let socket = try await open(server.url)
        socket.close(try WebSocketClose(code: 1000))
        #expect(try await contents(of: socket) == ["sent close 1000", "received close 1000"])
        await #expect(throws: NetworkError.self) { try await socket.send(.text("late")) }
    }

    @Test func `a connection that is cancelled with a Close frame sends it behind what was accepted, and ends as cancelled`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(), .readBytes(16), .send(Self.close), .expectClose))
        let socket = try await open(server.url)
        try await socket.send(.text("hi"))
        socket.cancel(sending: .goingAwayClosure)
        let error = await #expect(throws: NetworkError.self) { try await contents(of: socket) }
        #expect(error?.code == .cancelled)
        #expect(socket.recordedExchange.error?.code == .cancelled)
        try await server.waitForConnections(open: 0)
        let frames = try #require(server.requests.first).body
        #expect(frames.prefix(2) == [0x81, 0x82] && frames.dropFirst(8).prefix(2) == [0x88, 0x82])
        #expect(frames.dropFirst(14).enumerated().map { $1 ^ frames[10 + $0] } == [0x03, 0xe9])
    }

    @Test func `a connection that is cancelled with a Close frame can be ended before the server responds`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(), .readBytes(8), .holdOpen))
        let socket = try await open(server.url, closingLimits: Self.patient)
        socket.cancel(sending: .goingAwayClosure)
        socket.cancel()
        let error = await #expect(throws: NetworkError.self) { try await contents(of: socket) }
        #expect(error?.code == .cancelled)
        withExtendedLifetime(server) {}
    }

    @Test func `a connection that ends without a Close frame is lost`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(Self.text("one"))))
        let socket = try await open(server.url)
        let error = await #expect(throws: NetworkError.self) { try await contents(of: socket) }
        #expect(error?.code == .connectionLost)
    }

    @Test func `a violation is reported with its rule, and closes the connection with its code`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade([0x81, 1, 0xff]), .readBytes(8), .expectClose))
        let socket = try await open(server.url)
        let error = await #expect(throws: NetworkError.self) { try await contents(of: socket) }
        #expect(error?.code == .badResponse)
        #expect(error?.underlying == "textEncoding")
        try await server.waitForConnections(open: 0)
        let frame = try #require(server.requests.first).body
        #expect(frame.prefix(2) == [0x88, 0x82])
        #expect(frame.dropFirst(6).enumerated().map { $1 ^ frame[2 + $0] } == [0x03, 0xef])
    }

    @Test func `a wrong accept key is rejected`() async throws {
        let server = try ScriptedServer(
            answering: "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n")
        let error = await #expect(throws: NetworkError.self) { try await open(server.url) }
        #expect(error?.underlying == "accept")
        try await server.waitForConnections(open: 0)
    }

    @Test func `a refused handshake has its status`() async throws {
        let server = try ScriptedServer(answering: "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
        let error = await #expect(throws: NetworkError.self) { try await open(server.url) }
        #expect(error?.code == .status)
        #expect(error?.message.contains("403") == true)
    }

    @Test func `a redirect of the handshake is followed`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(Self.close), .expectClose))
        let first = try ScriptedServer(answering: "HTTP/1.1 302 Found\r\nLocation: \(server.url)/there\r\nContent-Length: 0\r\n\r\n")
        let socket = try await open(first.url)
        #expect(try await contents(of: socket) == ["received close 1000", "sent close 1000"])
        #expect(socket.exchange.attempts.count == 2)
    }

    @Test func `a proxy is asked for a tunnel, also without TLS`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(Self.close), .expectClose))
        let tunnel = try TunnelServer(to: server.port)
        let proxy = try Proxy("http://127.0.0.1:\(tunnel.port)")
        let socket = try await open("http://chat.test") { $0.options.proxy = proxy }
        #expect(try await contents(of: socket) == ["received close 1000", "sent close 1000"])
        #expect(tunnel.targets == ["chat.test:80"])
    }

    @Test func `a handshake without a response ends with the idle time limit`() async throws {
        let server = try ScriptedServer(Script(.readRequest, .holdOpen))
        let error = await #expect(throws: NetworkError.self) {
            try await open(server.url) { $0.options.timeouts = Timeouts(idle: .milliseconds(300)) }
        }
        #expect(error?.code == .timedOut)
        try await server.waitForConnections(accepted: 1)
    }

    @Test func `a server that sends without end is closed, and does not fill the memory`() async throws {
        let flood = (0..<10_000).flatMap { _ in Self.text("hello") }
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(), .sendForever(flood)))
        let socket = try await open(server.url, closingLimits: WebSocketClosingLimits())
        socket.close(try WebSocketClose(code: 1000))
        try await server.waitForConnections(open: 0)
        let count = try await withDeadline(.seconds(300), "the end of the connection") {
            var count = 0
            do throws(NetworkError) { for try await _ in socket.events { count += 1 } } catch { #expect(error.code == .timedOut) }
            return count
        }
        // Each waits with the size of its text and 64 bytes.
        #expect(count <= WebSocketChannel.budget / 69 + 2)
    }

    @Test func `cancelling while a server sends without end discards the messages that wait`() async throws {
        let flood = (0..<10_000).flatMap { _ in Self.text("hello") }
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(), .sendForever(flood)))
        let socket = try await open(server.url)
        for try await _ in socket.events { break }
        socket.cancel()
        let error = await #expect(throws: NetworkError.self) { for try await _ in socket.events { Issue.record("a message was not discarded") } }
        #expect(error?.code == .cancelled)
        try await server.waitForConnections(open: 0)
    }

    @Test func `cancelling the reading task closes the socket`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(), .expectClose))
        let socket = try await open(server.url)
        let reading = Task { for try await _ in socket.events {} }
        reading.cancel()
        await #expect(throws: NetworkError.self) { try await reading.value }
        try await server.waitForConnections(open: 0)
    }

    @Test func `releasing the connection closes the socket`() async throws {
        let server = try ScriptedServer(Script(.readRequest, Self.upgrade(), .expectClose))
        _ = try await open(server.url)
        try await server.waitForConnections(accepted: 1)
        try await server.waitForConnections(open: 0)
    }

    @Test(arguments: [([0x88, 2, 0x03, 0xe8], 1000), ([0x83, 0], 1002)] as [([UInt8], Int)])
    func `the Close frame is not lost where the client does not read everything`(frame: [UInt8], code: Int) async throws {
        let rest = [UInt8](repeating: 0, count: 8 << 20)
        let server = try ScriptedServer(
            Script(.readRequest, Self.upgrade(), .send(frame + rest), .readBytes(8), .shutdownWrite, .readBytes(.max)))
        let socket = try await open(server.url, closingLimits: Self.patient)
        do { _ = try await contents(of: socket) } catch let error as NetworkError { #expect(error.underlying == "opcode") }
        try await server.waitForConnections(open: 0)
        let frames = try ClientFrame.parse(try #require(server.requests.first).body)
        #expect(frames.map(\.payload) == [[UInt8(code >> 8), UInt8(code & 0xff)]])
    }

    @Test func `of the pings of a server that reads nothing, not all are responded to`() async throws {
        let count = 100_000
        var bytes: [UInt8] = []
        for number in 0..<count { bytes += [0x89, 125] + (0..<125).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 & 3))) } }
        let server = try ScriptedServer(
            receiveBuffer: 4096, [Script(.readRequest, Self.upgrade(), .send(bytes + Self.close), .shutdownWrite, .readBytes(.max))])
        let socket = try await open(server.url, closingLimits: Self.patient)
        #expect(try await contents(of: socket) == ["received close 1000", "sent close 1000"])
        try await server.waitForConnections(open: 0)
        let frames = try ClientFrame.parse(try #require(server.requests.first).body)
        #expect(frames.last?.opcode == 8)
        #expect((1..<count).contains(frames.count { $0.opcode == 10 }))
    }

    @Test func `a large message is received and sent whole`() async throws {
        let payload = [UInt8](repeating: 0x61, count: 3_000_000)
        let frame = [0x82, 127, 0, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: payload.count >> (24 - 8 * $0)) } + payload
        let server = try ScriptedServer(
            Script(.readRequest, Self.upgrade(frame), .readBytes(payload.count + 14), .send(Self.close), .expectClose))
        let socket = try await open(server.url)
        try await socket.send(.binary(payload))
        // The order of the two messages depends on the kernel's buffers.
        let contents = try await contents(of: socket)
        #expect(Set(contents.prefix(2)) == ["received \(payload)", "sent \(payload)"])
        #expect(contents.dropFirst(2) == ["received close 1000", "sent close 1000"])
    }
}
