import Foundation
import SortieBase
import SortieHTTP
import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests what is recorded of WebSocket connections, the first message and opening a lost connection again, with the server of the package websockets.
@Suite(.fewAtOnce)
struct WebSocketRecordTests {
    private let client = Client()
    /// Nil where this machine does not have the package; its tests are then skipped.
    private let server: WebSocketServer?

    init() throws {
        server = WebSocketServer.isAvailable ? try WebSocketServer.start() : nil
    }

    private func open(
        _ url: String? = nil, body: RequestBody = .none, retries: Int = 0, _ configure: (inout Request) -> Void = { _ in }
    ) async throws -> WebSocket {
        var request = try Request.to(try url ?? #require(server).url)
        request.body = body
        request.options.retry = RetryPolicy(limit: retries)
        configure(&request)
        return try await connect(request)
    }

    private func connect(_ request: Request) async throws -> WebSocket {
        // On a busy machine the server may close the connection later than the usual limits.
        try await withDeadline(.seconds(300), "the handshake") { [client] in
            try await client.webSocket(request, closingLimits: WebSocketClosingLimits(.seconds(300)))
        }
    }

    /// Reads up to an event with a text or of a kind, and returns what was read.
    @discardableResult
    private func read(_ socket: WebSocket, until last: String) async throws -> [String] {
        try await withDeadline(.seconds(300), "\(last) of the server") {
            var found: [String] = []
            for try await event in socket.events {
                switch event.content {
                case .message(.text(let text)): found.append(text)
                case .message(.binary(let bytes)): found.append("\(bytes)")
                case .close(let close): found.append("close \(close.code ?? 0)")
                case .reconnected: found.append("reconnected")
                }
                if found.last == last { break }
            }
            return found
        }
    }

    private func bytes(_ body: BodyBytes) -> [UInt8] { body.withUnsafeBytes { Array($0) } }

    /// The recorded lines without their times.
    private func lines(_ socket: WebSocket) -> [String] {
        let text = String(decoding: bytes(socket.recordedBody), as: UTF8.self)
        return text.split(separator: "\n").map { String($0).replacing(/"\d\d:\d\d:\d\d\.\d\d\d"/, with: "TIME") }
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `messages are recorded as lines with direction, time, size and content`() async throws {
        let socket = try await open()
        for message: WebSocketMessage in [.text("[1,\n 2]"), .text("a \"quoted\" word"), .binary([0, 255]), .text("{broken")] {
            try await socket.send(message)
        }
        // The server sends its messages in order, so all were received; it sends none after a Close frame.
        try await read(socket, until: "echo: {broken")
        socket.close(.normalClosure)
        try await read(socket, until: "nothing")
        // The order of messages of both directions depends on the server.
        let sent = lines(socket).filter { $0.hasPrefix(#"{"sent""#) }
        #expect(
            sent == [
                #"{"sent":TIME,"bytes":7,"data":[1,2]}"#, #"{"sent":TIME,"bytes":15,"data":"a \"quoted\" word"}"#,
                #"{"sent":TIME,"bytes":2,"base64":"AP8="}"#, #"{"sent":TIME,"bytes":7,"data":"{broken"}"#,
                #"{"sent":TIME,"bytes":2,"close":1000,"reason":""}"#,
            ])
        #expect(lines(socket).contains(#"{"received":TIME,"bytes":13,"data":"echo: [1,\n 2]"}"#))
        #expect(lines(socket).last == #"{"received":TIME,"bytes":2,"close":1000,"reason":""}"#)
        let exchange = socket.recordedExchange
        #expect(exchange.error == nil && exchange.response.map { bytes($0.body) } == bytes(socket.recordedBody) && exchange.notices.isEmpty)
        #expect(exchange.response?.contentType == Response.webSocketRecordType)
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `fragments of a message are one message`() async throws {
        let socket = try await open(body: .text("fragments", contentType: nil))
        #expect(try await read(socket, until: "one two three").last == "one two three")
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `observers of calls get the connection at its end, with the body of the request as the first message`() async throws {
        let recorded = Mutex<[CompletedCall]>([])
        client.core.archive.use { call in recorded.withLock { $0.append(call) } }
        let socket = try await open(body: .text("bye", contentType: nil))
        #expect(recorded.withLock { $0.isEmpty })
        #expect(try await read(socket, until: "nothing") == ["bye", "close 1011", "close 1011"])
        let calls = recorded.withLock { $0 }
        #expect(calls.map(\.kind) == [.webSocket])
        let exchange = try #require(calls.first?.exchange)
        #expect(exchange.response?.status == 101 && exchange.response.map { bytes($0.body) } == bytes(socket.recordedBody))
        #expect(exchange.request.body == .text("bye", contentType: nil))
        #expect(exchange.error == NetworkError(.closed, "the server closed the connection with 1011: overload") && exchange.notices.isEmpty)
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `a lost connection is opened again where retries are allowed, and the first message is sent again`() async throws {
        let socket = try await open(body: .text("hello", contentType: nil), retries: 2)
        try await read(socket, until: "echo: hello")
        // The count of retries begins again with each received message.
        for _ in 0..<3 {
            try await socket.send(.text("die"))
            #expect(try await read(socket, until: "echo: hello") == ["die", "reconnected", "hello", "echo: hello"])
        }
        #expect(lines(socket).contains { $0.hasPrefix(#"{"reconnected":TIME,"bytes":0,"reason":"127.0.0.1:"#) })
        socket.close(.normalClosure)
        try await read(socket, until: "nothing")
        #expect(socket.recordedExchange.error == nil)
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `the times of events do not decrease where a connection is opened again`() async throws {
        let socket = try await open(body: .text("hello", contentType: nil), retries: 2)
        try await read(socket, until: "echo: hello")
        try await socket.send(.text("die"))
        let events = try await withDeadline(.seconds(300), "the messages of the second connection") {
            var events: [WebSocketEvent] = []
            for try await event in socket.events {
                events.append(event)
                if event.content == .message(.text("echo: hello")) { break }
            }
            return events
        }
        #expect(events.count == 4)
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time }, "\(events)")
    }

    @Test func `observers of calls get a refused handshake with its error`() async throws {
        let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
        let recorded = Mutex<[CompletedCall]>([])
        client.core.archive.use { call in recorded.withLock { $0.append(call) } }
        let error = await #expect(throws: NetworkError.self) { try await open(server.url) }
        let calls = recorded.withLock { $0 }
        #expect(calls.map(\.kind) == [.webSocket] && calls.first?.exchange.response?.status == 200)
        #expect(error?.code == .status && calls.first?.exchange.error == error, "\(calls)")
        withExtendedLifetime(server) {}
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `a lost connection is not opened more often than the limit without a message in between`() async throws {
        let socket = try await open(body: .text("die", contentType: nil), retries: 2)
        let error = await #expect(throws: NetworkError.self) { try await read(socket, until: "nothing") }
        #expect(error?.code == .connectionLost)
        #expect(lines(socket).count { $0.hasPrefix(#"{"reconnected""#) } == 2)
        #expect(socket.recordedExchange.error?.code == .connectionLost)
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `a failed attempt to open a connection again is part of its call`() async throws {
        let recorded = Mutex<[CompletedCall]>([])
        client.core.archive.use { call in recorded.withLock { $0.append(call) } }
        var gone: WebSocketServer? = try WebSocketServer.start()
        let socket = try await open(try #require(gone).url, body: .text("hello", contentType: nil), retries: 1)
        try await read(socket, until: "echo: hello")
        gone = nil
        let error = await #expect(throws: NetworkError.self) { try await read(socket, until: "nothing") }
        let calls = recorded.withLock { $0 }
        #expect(calls.count == 1 && calls.first?.exchange.error == error && error?.code == .connectionRefused, "\(calls)")
    }

    @Test(.enabled(if: WebSocketServer.isAvailable)) func `a lost connection is not opened again without retries`() async throws {
        let socket = try await open()
        try await socket.send(.text("die"))
        await #expect(throws: NetworkError.self) { try await read(socket, until: "reconnected") }
    }

    @Test(.enabled(if: WebSocketServer.isAvailable)) func `a connection that the server closes is not opened again`() async throws {
        let socket = try await open(retries: 3)
        try await socket.send(.text("bye"))
        #expect(try await read(socket, until: "reconnected") == ["bye", "close 1011", "close 1011"])
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `wss follows the trust and the pins of the request`() async throws {
        let certificates = try Certificates.shared()
        let server = try WebSocketServer.start(identity: certificates.localhost)
        let hello = RequestBody.text("hello", contentType: nil)
        let untrusted = await #expect(throws: NetworkError.self) { try await open(server.url, body: hello) }
        #expect(untrusted?.code == .untrustedCertificate)
        let wrongPin = try Certificates.pin(of: certificates.expired.certificate)
        let unpinned = await #expect(throws: NetworkError.self) {
            try await open(server.url, body: hello) {
                $0.options.trust.certificateAuthorityFile = certificates.certificateAuthority
                $0.options.trust.pins = [wrongPin]
            }
        }
        #expect(unpinned?.code == .pinMismatch)
        let pin = try Certificates.pin(of: certificates.localhost.certificate)
        let socket = try await open(server.url, body: hello) {
            $0.options.trust.certificateAuthorityFile = certificates.certificateAuthority
            $0.options.trust.pins = [pin]
        }
        #expect(try await read(socket, until: "echo: hello").last == "echo: hello")
        withExtendedLifetime(server) {}
    }

    @Test func `a file as the first message is refused`() async throws {
        let error = await #expect(throws: NetworkError.self) {
            var request = try Request.to("http://127.0.0.1:1/")
            request.body = .file(path: "/etc/hostname", contentType: nil)
            return try await connect(request)
        }
        #expect(error?.code == .invalidOption && error?.hint?.contains("text:") == true)
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `a record beyond the limit of bodies ends with a notice, and the connection stays open`() async throws {
        let socket = try await open(body: .text("many 100", contentType: nil)) { $0.options.maximumBodyBytes = 500 }
        try await read(socket, until: #"{"number": 99}"#)
        try await socket.send(.text("more"))
        try await read(socket, until: "echo: more")
        #expect(socket.recordedExchange.notices.count == 1)
        #expect(socket.recordedExchange.notices.first?.hasPrefix("later messages are not recorded: ") == true)
        #expect(socket.recordedBody.count <= 500)
    }
}
