import SortieHTTP
import SortieNetworking
import Testing

/// Tests the client's side of a WebSocket handshake (RFC 6455 §4.1).
@Suite struct WebSocketHandshakeTests {
    private static let handshake = WebSocketHandshake(key: "dGhlIHNhbXBsZSBub25jZQ==")
    private static let good: Headers = [
        HeaderField("Upgrade", "WebSocket"), HeaderField("Connection", "keep-alive, Upgrade"),
        HeaderField("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    ]

    private static func rule(
        status: Int = 101, without name: String = "", adding fields: [HeaderField] = [], subprotocols: String? = nil
    ) -> WebSocketError.Rule? {
        let headers = Headers(good.fields.filter { !$0.isNamed(name) } + fields)
        do throws(WebSocketError) { try handshake.check(status: status, headers: headers, subprotocols: subprotocols) } catch { return error.rule }
        return nil
    }

    @Test func `the accept value of the example in section 1-3 is computed`() {
        #expect(Self.handshake.accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(Self.rule() == nil)
    }

    @Test func `each handshake has a new key of 16 bytes`() {
        let keys = [WebSocketHandshake().key, WebSocketHandshake().key]
        #expect(keys[0] != keys[1])
        #expect(keys.allSatisfy { $0.count == 24 && $0.hasSuffix("==") })
    }

    @Test(arguments: [200, 301, 401, 426, 503])
    func `another status than 101 is rejected`(status: Int) {
        #expect(Self.rule(status: status) == .status)
    }

    @Test func `a response without Upgrade, or to another protocol, is rejected`() {
        #expect(Self.rule(without: "Upgrade") == .upgrade)
        #expect(Self.rule(without: "Upgrade", adding: [HeaderField("Upgrade", "h2c")]) == .upgrade)
    }

    @Test func `a response without Connection is rejected`() {
        #expect(Self.rule(without: "Connection") == .connection)
    }

    @Test func `a missing, wrong or repeated accept value is rejected`() {
        #expect(Self.rule(without: "Sec-WebSocket-Accept") == .accept)
        #expect(Self.rule(without: "Sec-WebSocket-Accept", adding: [HeaderField("Sec-WebSocket-Accept", "S3pPLMBiTxaQ9kYGzzhZRbK+xOo=")]) == .accept)
        #expect(Self.rule(adding: [HeaderField("Sec-WebSocket-Accept", Self.handshake.accept)]) == .accept)
    }

    @Test func `an extension is rejected where none is requested`() {
        #expect(Self.rule(adding: [HeaderField("Sec-WebSocket-Extensions", "permessage-deflate")]) == .extensions)
    }

    @Test func `an agreement to the offered extension is returned`() throws {
        let headers = Headers(Self.good.fields + [HeaderField("Sec-WebSocket-Extensions", "permessage-deflate; server_no_context_takeover")])
        let compression = try Self.handshake.check(status: 101, headers: headers, subprotocols: nil, offersCompression: true)
        #expect(compression?.serverForgetsMessages == true)
    }

    @Test func `the extension is offered in place of those of the request`() {
        let fields = Self.handshake.fields([HeaderField("Sec-WebSocket-Extensions", "x")], offersCompression: true)
        #expect(fields.fields.filter { $0.isNamed("Sec-WebSocket-Extensions") }.map(\.value) == [WebSocketCompression.offer])
    }

    @Test func `a subprotocol must be one of those that were requested`() {
        let chat = [HeaderField("Sec-WebSocket-Protocol", "chat")]
        #expect(Self.rule(adding: chat) == .subprotocol)
        #expect(Self.rule(adding: chat, subprotocols: "superchat, Chat") == .subprotocol)
        #expect(Self.rule(adding: chat + chat, subprotocols: "chat") == .subprotocol)
        #expect(Self.rule(adding: chat, subprotocols: "superchat,\tchat ") == nil)
    }

    @Test func `the fields of the handshake replace those of the request`() {
        let fields = Self.handshake.fields([
            HeaderField("Host", "a"), HeaderField("Sec-WebSocket-Extensions", "x"), HeaderField("sec-websocket-key", "x"),
            HeaderField("Sec-WebSocket-Protocol", "chat"),
        ])
        #expect(
            fields.fields.map(\.name) == ["Host", "Sec-WebSocket-Protocol", "Connection", "Upgrade", "Sec-WebSocket-Version", "Sec-WebSocket-Key"])
        #expect(fields["Sec-WebSocket-Key"] == Self.handshake.key)
    }
}
