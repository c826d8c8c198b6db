internal import SortieHTTP

/// The cache settings of one request.
///
/// A request without a lifetime is not cached.
struct CacheRules: Hashable, Sendable {
    /// How long a response is fresh when the endpoint sets no lifetime: 60 s.
    static let defaultLifetime = Duration.seconds(60)

    /// How long a response is fresh; zero or less turns caching off.
    var lifetime: Duration
    /// The methods whose responses are stored.
    ///
    /// Other methods may change the state of the server.
    var methods: Set<HTTPMethod>
    /// A value on which responses depend beside the request, such as a user ID.
    ///
    /// An entry with another tag is removed.
    var tag: String?
    /// How stored responses are used.
    var policy = RequestOptions.CachePolicy.use
    /// Whether the response is also stored on disk.
    var isOnDisk = false

    init(
        lifetime: Duration? = nil, methods: Set<HTTPMethod> = [.get, .head], tag: String? = nil, policy: RequestOptions.CachePolicy = .use,
        isOnDisk: Bool = false
    ) {
        self.lifetime = lifetime ?? Self.defaultLifetime
        self.methods = methods
        self.tag = tag
        self.policy = policy
        self.isOnDisk = isOnDisk
    }

    /// The settings of a request; nil for a request that is not cached.
    init?(_ options: RequestOptions) {
        guard let lifetime = options.cacheLifetime else { return nil }
        self.init(
            lifetime: lifetime, methods: options.cachedMethods, tag: options.cacheTag, policy: options.cachePolicy, isOnDisk: options.cachesOnDisk)
    }

    /// Why the cache is not used for this request, as a sentence; nil when it may be used.
    func objection(to request: Request) -> String? {
        if lifetime <= .zero { return "caching is off: the lifetime is 0" }
        if !methods.contains(request.method) { return "caching is off for \(request.method)" }
        if request.headers.contains("Range") { return "caching is off for a part of a resource (Range)" }
        switch request.body {
        case .none, .bytes: break
        case .file, .multipart: return "caching is off for a request whose body is streamed from a file"
        }
        // The sender of a conditional request expects the server's own response, which may be a 304.
        for name in ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"] where request.headers.contains(name) {
            return "the request has its own \(name)"
        }
        if CacheControl(request.headers).has("no-store") { return "the request says no-store" }
        return nil
    }
}
