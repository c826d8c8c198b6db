/// One try of a call: a redirect hop or a retry is a further attempt.
public struct Attempt: Hashable, Sendable {
    /// The URL that was asked.
    public var url: HTTPURL
    /// The method that was used; a redirect can change it.
    public var method: HTTPMethod
    /// The address that was connected to, without the port; nil when none was reached.
    public var address: String?
    /// Why it was that address; nil where a proxy or a Unix socket stood instead.
    public var addressChoice: AddressChoice?
    /// Whether a connection was used again.
    public var isConnectionReused = false
    /// The status that came back, if one did.
    public var status: Int?
    /// Why it failed, if it did.
    public var error: NetworkError?
    /// How long was waited before it, in seconds.
    public var delay = 0.0
    /// The cookies of the jar that went with it.
    public var sentCookies: [Cookie] = []
    /// What became of the cookies that its answer set.
    public var setCookies: [CookieVerdict] = []
    /// The chain of certificates that the server showed, its own first; empty where no new TLS connection was made.
    public var certificates: [PresentedCertificate] = []
    /// Whether the server's certificate was not verified because the request allows any.
    public var isUnverified = false
    /// Its moments.
    public var timing = Timing()

    /// An attempt that has not begun.
    public init(url: HTTPURL, method: HTTPMethod) {
        self.url = url
        self.method = method
    }
}
