/// How a request is sent, beside what is sent.
public struct RequestOptions: Hashable, Sendable {
    /// Which HTTP versions may be spoken.
    public enum Version: String, Hashable, Codable, Sendable, CaseIterable {
        /// HTTP/2 where TLS negotiates it, else HTTP/1.1.
        case automatic = "auto"
        /// HTTP/1.1 only.
        case http1 = "1.1"
        /// HTTP/2, over plain text by prior knowledge.
        case http2 = "2"
    }

    /// The order in which a channel admits waiting requests (S2.21).
    public enum Priority: Int, Hashable, Codable, Sendable, Comparable {
        case low, normal, high

        /// The order of the values themselves.
        public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    /// Credentials that need rounds with the server, so that the engine answers for them.
    public struct Digest: Hashable, Sendable {
        /// The user name.
        public var user: String
        /// The password.
        public var password: String

        /// A pair of both.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// Time limits.
    public var timeouts = Timeouts()
    /// How many redirects are followed; 0 follows none.
    public var maximumRedirects = 20
    /// Names in lower case of header fields that are not sent, also where the engine, a plugin or the cookie jar adds them.
    public var removedFields: Set<String> = []
    /// HTTP versions.
    public var version = Version.automatic
    /// Whether compressed bodies are asked for and decoded.
    public var decompresses = true
    /// The most decoded bytes that are taken, so that a small compressed body cannot fill the disk; nil for no limit.
    public var maximumBodyBytes: Int64? = 20 << 30
    /// The most bytes of the body that go out in a second; nil for no limit.
    public var maximumUploadRate: Int64?
    /// Whom to trust.
    public var trust = TrustPolicy.system
    /// Addresses to use for the URL's host instead of looking it up (IP-direct).
    public var addresses: [IPAddress] = []
    /// The one of the addresses that is tried first, whatever is known of it: who uses all of them at once spreads by itself.
    public var firstAddress: IPAddress?
    /// How addresses are found where there are none above.
    public var resolution = NameResolution()
    /// The proxy; nil for none.
    ///
    /// The environment's proxies count only where a workspace or a command names them.
    public var proxy: Proxy?
    /// The path of a Unix socket to connect to instead of the host.
    public var unixSocket: String?
    /// Digest credentials (RFC 7616).
    public var digest: Digest?
    /// How long the answer may be served again without asking; nil keeps nothing (S1.23).
    public var cacheLifetime: Duration?
    /// The methods whose responses ``cacheLifetime`` keeps.
    ///
    /// A request with another method that is not safe (RFC 9110 §9.2.1) invalidates what is kept of its URL. With POST among them, a POST is taken for a
    /// query: its response is kept by URL and body.
    public var cachedMethods: Set<HTTPMethod> = [.get, .head]
    /// How failures are tried again, on transport errors and on 408, 429, 502, 503 and 504, and whether the request waits for the network.
    public var retry: RetryPolicy?
    /// The order of admission.
    public var priority = Priority.normal
    /// What it is asked for, which says how much of a channel it may use (S2.13, S3.14).
    public var traffic = Traffic.refresh
    /// The network interface or the local address to send from; nil leaves it to the system (S2.14).
    public var interface: String?
    /// Whether cookies are sent and kept (S2.15).
    public var usesCookies = true
    /// What the answer must be.
    public var answer = AnswerRules()
    /// Whether plugins ask the screen for nothing while it runs and when it fails (S3.3).
    public var isQuiet = false
    /// Whether nobody is named by it: plugins add no credentials to a sign-in (S0.26).
    public var isAnonymous = false
    /// Whether the request is sent as it was given: without public parameters, tokens, signatures and encryption (S2.19).
    ///
    /// What looks at answers, and who is told of events, stays.
    public var isReadyMade = false

    /// The defaults.
    public init() {}
}
