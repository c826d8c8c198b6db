internal import SortieHTTP

/// The result of a cache lookup.
enum CacheLookup: Sendable {
    /// A response that is delivered without revalidation.
    case fresh(CachedResponse, age: Duration)
    /// A response that the server must validate. The request is sent with `validators`; a 304 is passed to
    /// ``ResponseCache/revalidated(_:by:rules:)``.
    case stale(CachedResponse, age: Duration, validators: Headers)
    /// No usable response.
    case miss(reason: String)

    /// The decision as a dry run shows it.
    var prospect: String {
        switch self {
        case .fresh(let entry, let age):
            "would be served from the cache without a request: \(age.inSeconds) old, \(Self.freshness(entry, age))"
        case .stale(_, let age, let validators):
            "the cached response is \(age.inSeconds) old; it would be revalidated with "
                + validators.fields.map(\.name).joined(separator: " and ")
        case .miss(let reason): "would be requested from the server: \(reason)"
        }
    }

    /// The decision for the log and the trace.
    var explanation: String {
        switch self {
        case .fresh(let entry, let age): "served from the cache: \(age.inSeconds) old, \(Self.freshness(entry, age))"
        case .stale(_, let age, let validators):
            "the cached response is \(age.inSeconds) old; revalidating it with \(validators.fields.map(\.name).joined(separator: " and "))"
        case .miss(let reason): "not from the cache: \(reason)"
        }
    }

    /// An expired response is delivered only where the policy permits it.
    private static func freshness(_ entry: CachedResponse, _ age: Duration) -> String {
        age < entry.lifetime ? "fresh for \((entry.lifetime - age).inSeconds) more" : "expired \((age - entry.lifetime).inSeconds) ago"
    }
}

/// Whether the cache stored a response, and why.
enum CacheStoreOutcome: Hashable, Sendable {
    case stored(reason: String)
    case refused(reason: String)

    /// The reason as a sentence.
    var reason: String {
        switch self {
        case .stored(let reason), .refused(let reason): reason
        }
    }
}

extension Duration {
    /// Whole seconds as text: `3 s`.
    var inSeconds: String { "\(max(0, components.seconds)) s" }
}

/// The directives of `Cache-Control` (RFC 9111 §5.2), names in lower case.
struct CacheControl: Hashable, Sendable {
    private var directives: [String: String] = [:]

    /// Parses every `Cache-Control` field.
    ///
    /// The first of two equal directives counts (RFC 9111 §4.2.1).
    ///
    /// `Pragma: no-cache` means `no-cache` where there is no `Cache-Control` (RFC 9111 §5.4).
    init(_ headers: Headers) {
        let values = headers.values(of: "Cache-Control")
        for value in values {
            for part in Self.parts(of: value) {
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let first = pair.first else { continue }
                let name = first.trimmingOptionalWhitespace.lowercased()
                let argument = pair.count == 2 ? pair[1].trimmingOptionalWhitespace.filter { $0 != "\"" } : ""
                if !name.isEmpty, directives[name] == nil { directives[name] = argument }
            }
        }
        if values.isEmpty, headers.values(of: "Pragma").contains(where: { $0.lowercased().contains("no-cache") }) {
            directives["no-cache"] = ""
        }
    }

    /// Whether a directive is present, with or without an argument.
    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The argument of `max-age`; nil when it is missing or not a number of seconds.
    var maximumAge: Duration? {
        guard let text = directives["max-age"], text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty else { return nil }
        // RFC 9111 §1.2.2: a number that is too large counts as 2³¹.
        return .seconds(min(Int64(text) ?? 1 << 31, 1 << 31))
    }

    /// Splits at commas that are not inside quotes: `no-cache="a, b"` is one directive.
    private static func parts(of value: String) -> [Substring] {
        var isQuoted = false
        return value.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }
}

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
        (self.methods, self.tag, self.policy, self.isOnDisk) = (methods, tag, policy, isOnDisk)
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
