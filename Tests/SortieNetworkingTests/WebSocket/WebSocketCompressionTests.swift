import SortieHTTP
import Support
import Testing

@testable import SortieNetworking

/// Tests permessage-deflate (RFC 7692): with the package websockets as the server, the cases 12 and 13 of autobahn's list, and with a server that
/// sends exact bytes.
@Suite(.fewAtOnce)
struct WebSocketCompressionTests {
    /// One server for all cases; it ends with the process.
    private static let server = Result { try CompressedMessagesServer() }

    @Test func `the table has every case of the list once`() {
        let groups = (1...5).map { "12.\($0)" } + (1...7).map { "13.\($0)" }
        #expect(CompressionCase.all.map(\.number) == groups.flatMap { group in (1...18).map { "\(group).\($0)" } })
    }

    @Test(.enabled(if: WebSocketServer.isAvailable), arguments: CompressionCase.all)
    func `compressed messages are received, and sent back compressed`(_ row: CompressionCase) async throws {
        let request = try Request.to(try Self.server.get().url + "/?" + row.query)
        let run = try await withDeadline(.seconds(300), "the end of the connection") {
            var run = ConformanceRun()
            await run.open(request)
            return run
        }
        #expect(run.otherError == nil)
        #expect(run.violatedRule == nil)
        #expect(run.receivedClose == .some(1000))
        #expect(run.messages.count == CompressionCase.messages)
        #expect(run.messages.allSatisfy { $0.frame.payload.count == row.size })
    }

    // MARK: Exact bytes

    /// A connection on which the server sends a response with these extensions, then bytes, and a Close frame after `size` bytes of the client.
    private static func run(
        _ bytes: [UInt8], extensions: String? = "permessage-deflate", reply size: Int = 8, closes: Bool = false, limit: Int = 64 << 20
    ) async throws -> ConformanceRun {
        let field = extensions.map { "Sec-WebSocket-Extensions: \($0)\r\n" } ?? ""
        let close: [Step] = closes ? [.send(ServerFrame.close(1000))] : []
        return try await ConformanceRun(
            Script(
                [.readRequest, ConformanceRun.upgrade(adding: field), .send(bytes), .readBytes(size)] + close + [.shutdownWrite, .readBytes(.max)]),
            maximumMessageBytes: limit)
    }

    private static func compressed(_ payload: [UInt8], opcode: UInt8 = 1, isFinal: Bool = true) -> [UInt8] {
        ServerFrame.bytes(opcode, payload, isFinal: isFinal, reserved: 4)
    }

    /// “Hello” as in the examples of RFC 7692 §7.2.3.
    private static let hello: [UInt8] = [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
    /// “Hello” with a reference to the message before.
    private static let helloAgain: [UInt8] = [0xf2, 0x00, 0x11, 0x00, 0x00]

    struct Example: Sendable, CustomTestStringConvertible {
        let title: String
        let bytes: [UInt8]
        let texts: [String]

        init(_ title: String, _ bytes: [UInt8], _ texts: [String] = ["Hello"]) {
            self.title = title
            self.bytes = bytes
            self.texts = texts
        }

        var testDescription: String { title }
    }

    private static let examples: [Example] = [
        Example("one block", compressed(hello)),
        Example("two fragments", compressed(Array(hello[..<3]), isFinal: false) + ServerFrame.bytes(0, Array(hello[3...]))),
        Example(
            "two fragments with a ping between",
            compressed(Array(hello[..<3]), isFinal: false) + ServerFrame.ping() + ServerFrame.bytes(0, Array(hello[3...]))),
        Example("a reference to the message before", compressed(hello) + compressed(helloAgain), ["Hello", "Hello"]),
        Example("a block without compression", compressed([0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00])),
        Example("a final block", compressed([0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00])),
        Example(
            "a reference to the message before a final block", compressed([0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00]) + compressed(helloAgain),
            ["Hello", "Hello"]),
        Example("two blocks", compressed([0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00])),
        Example("an empty message", compressed([0x00]), [""]),
        Example("a message that is not compressed", ServerFrame.text("Hello")),
        Example(
            "a message without compression between two compressed ones", compressed(hello) + ServerFrame.text("x") + compressed(helloAgain),
            ["Hello", "x", "Hello"]),
        Example("a message in fragments whose last one is empty", compressed(hello, isFinal: false) + ServerFrame.bytes(0)),
    ]

    @Test(arguments: examples) func `the data of a compressed message has the forms of RFC 7692`(_ example: Example) async throws {
        let run = try await Self.run(example.bytes, reply: example.texts.reduce(0) { $0 + 6 + $1.utf8.count }, closes: true)
        #expect(run.messages == example.texts.map { .text($0) })
        #expect(run.receivedClose == .some(1000) && run.violatedRule == nil)
    }

    @Test(
        arguments: [
            ("RSV1 without an agreement", compressed(hello), nil, .reservedBits),
            (
                "RSV1 on a continuation", compressed(Array(hello[..<3]), isFinal: false) + compressed(Array(hello[3...]), opcode: 0),
                "permessage-deflate", .reservedBits
            ),
            ("RSV1 on a ping", compressed(hello, opcode: 9), "permessage-deflate", .reservedBits),
            ("RSV1 on a Close frame", compressed([], opcode: 8), "permessage-deflate", .reservedBits),
            ("RSV2", ServerFrame.bytes(1, hello, reserved: 6), "permessage-deflate", .reservedBits),
            ("a message without data", compressed([]), "permessage-deflate", .compressedData),
            ("an invalid block type", compressed([0x07]), "permessage-deflate", .compressedData),
            (
                "an invalid second part", compressed([0xf2, 0x48], isFinal: false) + ServerFrame.bytes(0, [0xff, 0xff, 0xff]), "permessage-deflate",
                .compressedData
            ),
            ("the end of the message within a block", compressed(Array(hello[..<3])), "permessage-deflate", .compressedData),
            ("a reference to nothing", compressed(helloAgain), "permessage-deflate", .compressedData),
            (
                "a reference to the message before where there is none", compressed(hello) + compressed(helloAgain),
                "permessage-deflate; server_no_context_takeover", .compressedData
            ),
            ("an invalid text", compressed([0xfa, 0x0f, 0x00]), "permessage-deflate", .textEncoding),
        ] as [(String, [UInt8], String?, WebSocketError.Rule)])
    func `invalid compressed messages close the connection`(title: String, bytes: [UInt8], extensions: String?, rule: WebSocketError.Rule)
        async throws
    {
        let run = try await Self.run(bytes, extensions: extensions)
        #expect(run.violatedRule == rule)
        let code = WebSocketError(rule).closeCode
        #expect(run.frames.last == ClientFrame(isFinal: true, reserved: 0, opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 0xff)]))
    }

    @Test func `a small message that becomes larger than the limit is rejected before it is decompressed`() async throws {
        // A stored block is followed by blocks that repeat a byte 258 times with two bits, a thousandfold expansion.
        let bomb = try #require(WebSocketDeflater(WebSocketCompression()).compress([UInt8](repeating: 0, count: 1 << 20)))
        #expect(bomb.count < 10_000)
        let run = try await Self.run(Self.compressed(bomb, opcode: 2), limit: (1 << 20) - 1)
        #expect(run.messages.isEmpty && run.violatedRule == .messageLimit)
        #expect(run.frames.last?.payload == [0x03, 0xf1])
        let whole = try await Self.run(Self.compressed(bomb, opcode: 2), reply: 100, closes: true, limit: 1 << 20)
        #expect(whole.messages == [.binary([UInt8](repeating: 0, count: 1 << 20))])
    }

    /// A connection that the client closes, after which the server sends bytes; its closing takes any time.
    private static func closed(_ bytes: [UInt8], after sent: [UInt8] = [], then steps: Step...) async throws -> (
        contents: [WebSocketEvent], error: NetworkError?
    ) {
        let count = (sent.isEmpty ? 0 : ClientFrame.size(ofPayload: sent.count)) + ClientFrame.size(ofPayload: 2)
        let upgrade = ConformanceRun.upgrade(adding: "Sec-WebSocket-Extensions: permessage-deflate\r\n")
        let server = try ScriptedServer(Script([.readRequest, upgrade, .readBytes(count), .send(bytes)] + steps))
        let request = try Request.to(server.url)
        return try await withDeadline(.seconds(300), "the end of the connection") {
            let socket = try await Client().webSocket(request, closingLimits: WebSocketClosingLimits(.seconds(3600)))
            if !sent.isEmpty { try await socket.send(.binary(sent)) }
            socket.close(try WebSocketClose(code: 1000))
            // Nothing is read before the connection has ended, so that what waits finds no room.
            try await server.waitForConnections(open: 0)
            var contents: [WebSocketEvent] = []
            do throws(NetworkError) { for try await event in socket.events { contents.append(event) } } catch { return (contents, error) }
            return (contents, nil)
        }
    }

    @Test func `messages after the client's Close frame count with their size before the compression, so that small ones cannot hold the connection`()
        async throws
    {
        let bomb = try #require(WebSocketDeflater(WebSocketCompression()).compress([UInt8](repeating: 0, count: 1 << 20)))
        let many = [[UInt8]](repeating: Self.compressed(bomb, opcode: 2), count: 20).flatMap { $0 }
        let run = try await Self.closed(many, then: .expectClose)
        #expect(run.error?.code == .timedOut, "\(String(describing: run.error))")
        #expect(run.contents.count { $0.direction == .received } <= WebSocketChannel.budget >> 20)
    }

    @Test func `a message that finds no room after the client's Close frame is not decompressed`() async throws {
        // The sent message takes the room.
        let sent = [UInt8](repeating: 0x61, count: WebSocketChannel.budget)
        let run = try await Self.closed(Self.compressed([0x07]) + ServerFrame.close(1000), after: sent, then: .shutdownWrite, .readBytes(.max))
        #expect(run.error == nil, "\(String(describing: run.error))")
        #expect(run.contents.last?.content == .close(try WebSocketClose(code: 1000)) && run.contents.last?.direction == .received)
    }

    @Test func `a message is sent compressed, and refers to the one before`() async throws {
        let text = String(repeating: "Hello, compression. ", count: 20)
        let run = try await Self.run(
            ServerFrame.text(text) + ServerFrame.text(text), reply: try Self.size(of: [text, text], WebSocketCompression()), closes: true)
        let frames = run.frames.filter { $0.opcode == 1 }
        try #require(frames.map(\.reserved) == [4, 4])
        #expect(frames[0].payload.count < 60 && frames[1].payload.count < frames[0].payload.count)
        let inflater = WebSocketInflater(WebSocketCompression())
        for frame in frames {
            var message: [UInt8] = []
            try inflater.decompress(frame.payload[...], isLast: true, into: &message, limit: 1000)
            #expect(String(decoding: message, as: UTF8.self) == text)
        }
    }

    @Test func `a client that must forget messages sends each one alone`() async throws {
        let text = String(repeating: "Hello, compression. ", count: 20)
        let extensions = "permessage-deflate; client_no_context_takeover"
        let parameters = try #require(try WebSocketCompression(accepted: [extensions]))
        let run = try await Self.run(
            ServerFrame.text(text) + ServerFrame.text(text), extensions: extensions, reply: try Self.size(of: [text, text], parameters), closes: true)
        let frames = run.frames.filter { $0.opcode == 1 }
        try #require(frames.map(\.reserved) == [4, 4])
        #expect(frames[0] == frames[1])
    }

    /// The number of bytes that a client sends for texts.
    private static func size(of texts: [String], _ parameters: WebSocketCompression) throws -> Int {
        let deflater = WebSocketDeflater(parameters)
        return try texts.reduce(0) { $0 + ClientFrame.size(ofPayload: try #require(deflater.compress(Array($1.utf8))).count) }
    }

    @Test(arguments: [(8, 0), (9, 4)] as [(Int, UInt8)])
    func `a window of 256 bytes, which zlib does not have, means messages that are not compressed`(bits: Int, reserved: UInt8) async throws {
        let run = try await Self.run(
            ServerFrame.text("Hello"), extensions: "permessage-deflate; client_max_window_bits=\(bits)", reply: 11, closes: true)
        #expect(run.frames.filter { $0.opcode == 1 }.map(\.reserved) == [reserved])
    }

    @Test func `empty messages and those over 1 MiB are sent as they are`() {
        let deflater = WebSocketDeflater(WebSocketCompression())
        #expect(deflater.compress([]) == nil)
        #expect(deflater.compress([UInt8](repeating: 0, count: WebSocketDeflater.largestMessage + 1)) == nil)
        #expect(deflater.compress([UInt8](repeating: 0, count: WebSocketDeflater.largestMessage)) != nil)
    }

    @Test(
        arguments: [
            ("x-unknown", .extensions), ("permessage-deflate; server_max_window_bits=99", .extensionParameters),
            ("permessage-deflate; unknown", .extensionParameters),
        ] as [(String, WebSocketError.Rule)])
    func `an agreement that was not offered fails the handshake`(extensions: String, rule: WebSocketError.Rule) async throws {
        let run = try await Self.run([], extensions: extensions)
        #expect(run.violatedRule == rule && run.frames.isEmpty)
    }

    @Test func `nothing is offered where compressed responses are not requested, or the field is removed`() async throws {
        for configure: @Sendable (inout RequestOptions) -> Void in [
            { $0.decompresses = false }, { $0.removedFields = ["sec-websocket-extensions"] }, { _ in },
        ] {
            let server = try ScriptedServer(answering: "HTTP/1.1 403 x\r\nContent-Length: 0\r\n\r\n")
            let request = try Request.to(server.url, configure)
            await #expect(throws: NetworkError.self) { try await Client().webSocket(request) }
            let isOffered = request.options.decompresses && request.options.removedFields.isEmpty
            #expect(server.requests.first?["Sec-WebSocket-Extensions"] == (isOffered ? "permessage-deflate; client_max_window_bits" : nil))
        }
    }

    @Test func `the agreement is a decision about the connection`() async throws {
        let server = try ScriptedServer(
            Script(
                .readRequest, ConformanceRun.upgrade(adding: "Sec-WebSocket-Extensions: permessage-deflate\r\n"), .send(ServerFrame.close(1000)),
                .shutdownWrite))
        let events = Watched<[CallEvent]>([])
        let request = try Request.to(server.url)
        let socket = try await withDeadline(.seconds(300), "the handshake") {
            try await Client().webSocket(request, closingLimits: WebSocketClosingLimits(.seconds(60))) { event in events.change { $0.append(event) } }
        }
        try await withDeadline(.seconds(300), "the end of the connection") { for try await _ in socket.events {} }
        #expect(events.current.decisions(.connection).contains("the server agreed to compressed messages: permessage-deflate"))
    }
}
