internal import Model

/// One call's dealings with the cache: what is there before it asks, what a 304 makes of it, and what is kept afterwards (S1.23–S1.26, S2.11).
final class CacheVisit {
    /// What follows from an answer to validators.
    enum Confirmation: Hashable {
        /// The answer stands.
        case done
        /// It speaks of another version; the request must go out again without validators.
        case askAgain
    }

    private let cache: ResponseCache
    private let request: Request
    private let key: CacheKey
    private let policy: CachePolicy
    /// How far the cache was when the request went out: a response that an unsafe request overtook is not kept.
    private let generation: UInt64
    private let call: Call
    private var stale: CachedResponse?
    private var isFromCache = false

    /// - Parameters:
    ///   - request: the request before its body is encrypted, because equal bodies are encrypted differently each time.
    ///   - identity: credentials that are put on the request later.
    init(cache: ResponseCache, request: Request, lifetime: Duration, identity: [String], call: Call) {
        self.cache = cache
        self.request = request
        self.call = call
        key = CacheKey(request, identity: identity)
        policy = CachePolicy(lifetime: lifetime, methods: request.options.cachedMethods)
        generation = cache.generation
    }

    /// A fresh answer, or nil; validators of a stale one are put on the request.
    func begin(_ request: inout Request) throws(NetworkError) -> Response? {
        let found = cache.lookup(request, key: key, policy: policy)
        call.decided(.cache, found.explanation)
        switch found {
        case .fresh(let entry, _):
            isFromCache = true
            return entry.response
        case .stale(let entry, _, let validators):
            stale = entry
            request.headers = request.headers.overlaid(with: validators)
            return nil
        case .miss:
            return nil
        }
    }

    /// Puts the kept answer in the place of the 304 that confirmed it.
    func confirm(_ exchange: inout Exchange) throws(NetworkError) -> Confirmation {
        guard let stale, let response = exchange.response, response.status == 304 else { return .done }
        switch cache.revalidated(stale, by: response, policy: policy) {
        case .confirmed(let kept, let reason):
            call.decided(.cache, reason)
            exchange.response = kept
            isFromCache = true
            return .done
        case .unusable(let reason):
            call.decided(.cache, "\(reason); asked again")
            return .askAgain
        }
    }

    /// Keeps an answer that passed everything.
    func store(_ exchange: Exchange) {
        guard !isFromCache, let response = exchange.response else { return }
        let verdict = cache.store(response, for: request, key: key, policy: policy, since: generation)
        call.decided(.cache, verdict.reason)
    }
}
