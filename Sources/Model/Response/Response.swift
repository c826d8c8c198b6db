/// What a server answered.
///
/// A 4xx or 5xx is a response, not an error.
public struct Response: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The reason phrase, empty in HTTP/2.
    public var reason: String
    /// `1.0`, `1.1` or `2`.
    public var httpVersion: String
    /// The fields in the order they came.
    public var headers: Headers
    /// The fields that came after the body.
    public var trailers: Headers
    /// The body, decoded.
    public var body: BodyBytes
    /// Why the body is not whole, in words; nil when it is.
    public var truncation: String?
    /// How many bytes came over the wire for the body, before decoding.
    public var wireBytes: Int64
    /// Address and port of the server, `127.0.0.1:8080`.
    public var remoteAddress: String?
    /// Whether it came from the cache.
    public var isFromCache: Bool

    /// A response.
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

    /// The value of `Content-Type`.
    public var contentType: String? { headers["Content-Type"] }

    /// Whether the status is one of success (200–299), S0.14.
    public var isSuccess: Bool { (200..<300).contains(status) }
}
