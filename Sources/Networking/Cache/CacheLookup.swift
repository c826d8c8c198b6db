internal import Model

/// What the cache has for a request.
enum CacheLookup: Sendable {
    /// An answer to deliver as it is.
    case fresh(CachedResponse, age: Duration)
    /// An answer that the server must confirm: the request goes out with `validators`, a 304 goes to ``ResponseCache/revalidated(_:by:policy:)``.
    case stale(CachedResponse, age: Duration, validators: Headers)
    /// Nothing.
    case miss(reason: String)

    /// The decision before it is taken, for a dry run.
    var prospect: String {
        switch self {
        case .fresh(let entry, let age):
            "would be answered from the cache, without asking: \(age.inSeconds) old, fresh for \((entry.lifetime - age).inSeconds) more"
        case .stale(_, let age, let validators):
            "the cached answer is \(age.inSeconds) old; the server would be asked to confirm it by "
                + validators.fields.map(\.name).joined(separator: " and ")
        case .miss(let reason): "would be asked, not from the cache: \(reason)"
        }
    }

    /// The decision as the log and the trace tell it.
    var explanation: String {
        switch self {
        case .fresh(let entry, let age): "answered from the cache: \(age.inSeconds) old, fresh for \((entry.lifetime - age).inSeconds) more"
        case .stale(_, let age, let validators):
            "the cached answer is \(age.inSeconds) old; asking the server to confirm it by \(validators.fields.map(\.name).joined(separator: " and "))"
        case .miss(let reason): "not from the cache: \(reason)"
        }
    }
}

/// Whether the cache took an answer, and why.
enum CacheVerdict: Hashable, Sendable {
    /// It is in the cache now.
    case stored(reason: String)
    /// It is not.
    case refused(reason: String)

    /// The reason, a sentence.
    var reason: String {
        switch self {
        case .stored(let reason), .refused(let reason): reason
        }
    }
}

extension Duration {
    /// Whole seconds as a person reads them: `3 s`.
    var inSeconds: String { "\(max(0, components.seconds)) s" }
}
