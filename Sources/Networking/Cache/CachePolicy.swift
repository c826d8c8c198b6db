internal import Model

/// What one request asks of the response cache; a request without a policy is not cached (S1.23).
struct CachePolicy: Hashable, Sendable {
    /// How long an answer is fresh when nobody says it: 60 s (S1.23).
    static let defaultLifetime = Duration.seconds(60)

    /// How long an answer is fresh; zero or less turns caching off.
    var lifetime: Duration
    /// The methods whose answers are kept.
    ///
    /// Others change something at the server, or may.
    var methods: Set<HTTPMethod>
    /// Whatever the answers depend on beside the request, such as a user's id: an entry with another tag is dropped.
    var sensitiveTag: String?

    init(lifetime: Duration? = nil, methods: Set<HTTPMethod> = [.get, .head], sensitiveTag: String? = nil) {
        self.lifetime = lifetime ?? Self.defaultLifetime
        self.methods = methods
        self.sensitiveTag = sensitiveTag
    }

    /// Why this request is neither answered from the cache nor kept in it, as a sentence; nil when it may be.
    func objection(to request: Request) -> String? {
        if lifetime <= .zero { return "caching is off: the lifetime is 0" }
        if !methods.contains(request.method) { return "caching is off for \(request.method)" }
        if request.headers.contains("Range") { return "caching is off for a part of a resource (Range)" }
        switch request.body {
        case .none, .bytes: break
        case .file, .multipart: return "caching is off for a request whose body is streamed from a file"
        }
        // A person who asks a conditional question wants to see the server's own answer to it, which may be a 304.
        for name in ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"] where request.headers.contains(name) {
            return "the request has an \(name) of its own"
        }
        if CacheControl(request.headers).has("no-store") { return "the request says no-store" }
        return nil
    }
}
