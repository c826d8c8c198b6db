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
