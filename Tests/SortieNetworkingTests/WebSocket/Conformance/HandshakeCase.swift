import SortieHTTP
import Support
import Testing

@testable import SortieNetworking

/// A response to the handshake of a client, and what the client must do (RFC 6455 §4.1).
struct HandshakeCase: Sendable, CustomTestStringConvertible {
    enum Result: Sendable, Equatable {
        case opens
        case fails(NetworkError.Code, rule: WebSocketError.Rule? = nil)
    }

    let title: String
    let result: Result
    /// The value of `Sec-WebSocket-Protocol` in the request.
    let subprotocols: String?
    /// The size of the segments of the response; nil for one.
    let chop: Int?
    private let response: String

    /// - Parameter response: The response, in which `{accept}` is the right value of `Sec-WebSocket-Accept`.
    init(_ title: String, _ response: String, subprotocols: String? = nil, chop: Int? = nil, _ result: Result) {
        self.title = title
        self.response = response
        self.subprotocols = subprotocols
        self.chop = chop
        self.result = result
    }

    /// The bytes of the response to a request.
    func bytes(for request: ReceivedRequest) -> [UInt8] {
        let accept = WebSocketHandshake(key: request["Sec-WebSocket-Key"] ?? "").accept
        return Array(response.split(separator: "{accept}", omittingEmptySubsequences: false).joined(separator: accept).utf8)
    }

    var testDescription: String { title }

    private static let status = "HTTP/1.1 101 Switching Protocols\r\n"
    private static let upgrade = "Upgrade: websocket\r\n"
    private static let connection = "Connection: Upgrade\r\n"
    private static let accept = "Sec-WebSocket-Accept: {accept}\r\n"
    private static let all101 = status + upgrade + connection + accept

    static let all = accepted + rejected + others

    private static let accepted: [HandshakeCase] = [
        HandshakeCase("the required fields", all101 + "\r\n", .opens),
        HandshakeCase("the required fields, octet by octet", all101 + "\r\n", chop: 1, .opens),
        HandshakeCase("another reason phrase", "HTTP/1.1 101 x\r\n" + upgrade + connection + accept + "\r\n", .opens),
        HandshakeCase(
            "fields in other case, with white space",
            status + "UPGRADE:WebSocket \r\nconnection:\tkeep-alive , uPGRADE\r\nsec-websocket-accept:   {accept}  \r\n\r\n", .opens),
        HandshakeCase("interim responses before", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + all101 + "\r\n", .opens),
        HandshakeCase("one of the requested subprotocols", all101 + "Sec-WebSocket-Protocol: b\r\n\r\n", subprotocols: "a, b", .opens),
        HandshakeCase("no subprotocol although some were requested", all101 + "\r\n", subprotocols: "a, b", .opens),
    ]

    private static let rejected: [HandshakeCase] = [
        HandshakeCase("no Upgrade", status + connection + accept + "\r\n", .fails(.badResponse, rule: .upgrade)),
        HandshakeCase("another Upgrade", status + "Upgrade: h2c\r\n" + connection + accept + "\r\n", .fails(.badResponse, rule: .upgrade)),
        HandshakeCase("no Connection", status + upgrade + accept + "\r\n", .fails(.badResponse, rule: .connection)),
        HandshakeCase("Connection: close", status + upgrade + "Connection: close\r\n" + accept + "\r\n", .fails(.badResponse, rule: .connection)),
        HandshakeCase("no Sec-WebSocket-Accept", status + upgrade + connection + "\r\n", .fails(.badResponse, rule: .accept)),
        HandshakeCase(
            "the Sec-WebSocket-Accept of another key", status + upgrade + connection + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
            .fails(.badResponse, rule: .accept)),
        HandshakeCase("two fields Sec-WebSocket-Accept", all101 + accept + "\r\n", .fails(.badResponse, rule: .accept)),
        HandshakeCase("an unrequested extension", all101 + "Sec-WebSocket-Extensions: x-unknown\r\n\r\n", .fails(.badResponse, rule: .extensions)),
        HandshakeCase("an unrequested subprotocol", all101 + "Sec-WebSocket-Protocol: a\r\n\r\n", .fails(.badResponse, rule: .subprotocol)),
        HandshakeCase(
            "a subprotocol in other case", all101 + "Sec-WebSocket-Protocol: A\r\n\r\n", subprotocols: "a", .fails(.badResponse, rule: .subprotocol)),
        HandshakeCase(
            "two subprotocols", all101 + "Sec-WebSocket-Protocol: a\r\nSec-WebSocket-Protocol: b\r\n\r\n", subprotocols: "a, b",
            .fails(.badResponse, rule: .subprotocol)),
    ]

    private static let others: [HandshakeCase] =
        [200, 204, 304, 400, 401, 403, 404, 407, 426, 500, 503].map { status in
            HandshakeCase("the status \(status)", "HTTP/1.1 \(status) x\r\nContent-Length: 0\r\n\r\n", .fails(.status))
        } + [
            HandshakeCase("a redirect without a target", "HTTP/1.1 302 x\r\nContent-Length: 0\r\n\r\n", .fails(.status)),
            HandshakeCase("another protocol", "SSH-2.0-OpenSSH_9.2\r\n", .fails(.badResponse)),
            HandshakeCase("no response", "", .fails(.connectionLost)),
            HandshakeCase("a header without an end", all101, .fails(.connectionLost)),
        ]
}
