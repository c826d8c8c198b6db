public import struct FoundationEssentials.Date

/// One attempt of a call: one request to one address, with its result.
///
/// A redirect or a retry is a further attempt.
public struct Attempt: Hashable, Sendable {
    /// The requested URL.
    public var url: HTTPURL
    /// The request method; a redirect can change it.
    public var method: HTTPMethod
    /// The wall-clock time at which the attempt started, after the wait in the queue and the name lookup.
    public var startedAt: Date
    /// The header fields that were sent, including those of the engine.
    public var sentHeaders: Headers = []
    /// The body of the request as it was sent; in a stored exchange the body of the call's request, before a service encrypted it.
    public var body = RequestBody.none
    /// The number of body bytes sent.
    public var sentBodyBytes: Int64 = 0
    /// The response without its body; nil without a response.
    ///
    /// The body of the last attempt is in ``Exchange/response``.
    public var response: Response?
    /// Whether the response body was written elsewhere, for example to a file, and is not in the exchange.
    package var isBodyElsewhere = false
    /// The address of the connection, without the port; nil when no connection was made.
    public var address: String?
    /// The local port, which identifies the connection; nil when no connection was made.
    public var localPort: Int?
    /// Why this address was chosen; nil for a proxy or a Unix socket.
    package var addressChoice: AddressChoice?
    /// Whether an existing connection was reused.
    public var isConnectionReused = false
    /// The error of the attempt; nil without one.
    public var error: NetworkError?
    /// The wait before the attempt, in seconds.
    public var delay = 0.0
    /// The duration of the name lookup before the attempt, in seconds; nil when no lookup was necessary.
    package var lookup: Double?
    /// The network conditions that were simulated, as text; nil for none.
    package var conditions: String?
    /// The cookies of the jar that were sent.
    public var sentCookies: [Cookie] = []
    /// The decisions about the cookies that the response set.
    package var setCookies: [CookieDecision] = []
    /// The certificate chain of the server, its own certificate first; empty where no new TLS connection was made.
    package var certificates: [PresentedCertificate] = []
    /// Whether the server's certificate was not verified because the request allows any.
    public var isUnverified = false
    /// Its timing.
    public var timing = Timing()

    /// Creates an attempt without a result.
    package init(url: HTTPURL, method: HTTPMethod, startedAt: Date) {
        (self.url, self.method, self.startedAt) = (url, method, startedAt)
    }

    /// The status of the response; nil without one.
    public var status: Int? { response?.status }
}
