internal import SortieBase

/// The response of a server.
///
/// A 4xx or 5xx status is a response, not an error.
public struct Response: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The reason phrase; empty in HTTP/2.
    public var reason: String
    /// `1.0`, `1.1` or `2`.
    public var httpVersion: String
    /// The header fields in the order of arrival.
    public var headers: Headers
    /// The trailer fields.
    public var trailers: Headers
    /// The informational responses that preceded this one, such as 103 with links (RFC 8297), in their order; without 100, and at most 16.
    public var informational: [InformationalResponse] = []
    /// The decoded body.
    public var body: BodyBytes
    /// Why the body is incomplete, as a sentence; nil when it is complete.
    public var truncation: String?
    /// The number of body bytes received, before decoding.
    public var wireBytes: Int64
    /// The address and port of the server, such as `127.0.0.1:8080`.
    public var remoteAddress: String?
    /// Whether the response came from the cache.
    public var isFromCache: Bool

    /// Creates a response.
    public init(
        status: Int, reason: String = "", httpVersion: String = "1.1", headers: Headers = [], trailers: Headers = [],
        body: BodyBytes = .empty, truncation: String? = nil, wireBytes: Int64 = 0, remoteAddress: String? = nil,
        isFromCache: Bool = false
    ) {
        self.status = status
        self.reason = reason
        self.httpVersion = httpVersion
        self.headers = headers
        self.trailers = trailers
        self.body = body
        self.truncation = truncation
        self.wireBytes = wireBytes
        self.remoteAddress = remoteAddress
        self.isFromCache = isFromCache
    }

    /// The status line and the fields, without the body.
    public var head: Response {
        var head = self
        head.body = .empty
        return head
    }

    /// The media type of the body: the value of `Content-Type`, and for an opened WebSocket connection that of the recorded messages.
    public var contentType: String? { isWebSocket ? Self.webSocketRecordType : headers["Content-Type"] }

    /// Whether the response opens a WebSocket connection (RFC 6455 §4.2.2).
    package var isWebSocket: Bool { status == 101 && headers["Upgrade"]?.lowercased() == "websocket" }

    /// The media type of recorded messages: lines of JSON.
    package static let webSocketRecordType = "application/vnd.sortie.websocket+jsonl"

    /// Whether the status means success (200–299).
    public var isSuccess: Bool { (200..<300).contains(status) }
}

/// A response with a status from 102 to 199, which precedes the final one (RFC 9110 §15.2).
public struct InformationalResponse: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The reason phrase; empty in HTTP/2.
    public var reason: String
    /// The header fields in the order of arrival.
    public var headers: Headers

    /// Creates an informational response.
    public init(status: Int, reason: String = "", headers: Headers = []) {
        (self.status, self.reason, self.headers) = (status, reason, headers)
    }
}
