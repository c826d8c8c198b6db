/// One attempt of a call; a redirect or a retry is a further attempt.
public struct Attempt: Hashable, Sendable {
    /// The requested URL.
    public var url: HTTPURL
    /// The request method; a redirect can change it.
    public var method: HTTPMethod
    /// The address of the connection, without the port; nil when no connection was made.
    public var address: String?
    /// Why this address was chosen; nil for a proxy or a Unix socket.
    public var addressChoice: AddressChoice?
    /// Whether an existing connection was reused.
    public var isConnectionReused = false
    /// The status of the response; nil without one.
    public var status: Int?
    /// The error of the attempt; nil without one.
    public var error: NetworkError?
    /// The wait before the attempt, in seconds.
    public var delay = 0.0
    /// The cookies of the jar that were sent.
    public var sentCookies: [Cookie] = []
    /// The decisions about the cookies that the response set.
    public var setCookies: [CookieVerdict] = []
    /// The certificate chain of the server, its own certificate first; empty where no new TLS connection was made.
    public var certificates: [PresentedCertificate] = []
    /// Whether the server's certificate was not verified because the request allows any.
    public var isUnverified = false
    /// Its moments.
    public var timing = Timing()

    /// Creates an attempt that has not started.
    public init(url: HTTPURL, method: HTTPMethod) {
        self.url = url
        self.method = method
    }
}
