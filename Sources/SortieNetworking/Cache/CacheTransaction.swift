internal import SortieHTTP

/// The cache transaction of one request: lookup, validation by a 304, and storing the response (S1.23–S1.26, S2.11).
final class CacheTransaction {
    /// The result of a validation.
    enum Confirmation: Hashable {
        /// The response is usable.
        case done
        /// The 304 refers to another version; the request must be sent again without validators.
        case askAgain
    }

    private let cache: ResponseCache
    private let request: Request
    private let key: CacheKey
    private let policy: CachePolicy
    /// The generation of the cache when the request was sent.
    ///
    /// A response that an unsafe request has overtaken is not stored.
    private let generation: UInt64
    private let call: Call
    private var stale: CachedResponse?
    private var isFromCache = false

    /// - Parameters:
    ///   - request: The request before its body is encrypted, because encryption gives different bytes for equal bodies.
    ///   - identity: Credentials that are added to the request later.
    init(cache: ResponseCache, request: Request, lifetime: Duration, identity: [String], call: Call) {
        self.cache = cache
        self.request = request
        self.call = call
        key = CacheKey(request, identity: identity)
        policy = CachePolicy(lifetime: lifetime, methods: request.options.cachedMethods)
        generation = cache.generation
    }

    /// Returns a fresh response, or nil.
    ///
    /// Adds the validators of a stale response to the request.
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

    /// Replaces a 304 by the stored response that it validates.
    func confirm(_ exchange: inout Exchange) throws(NetworkError) -> Confirmation {
        guard let stale, let response = exchange.response, response.status == 304 else { return .done }
        switch cache.revalidated(stale, by: response, policy: policy) {
        case .confirmed(let kept, let reason):
            call.decided(.cache, reason)
            exchange.response = kept
            isFromCache = true
            return .done
        case .unusable(let reason):
            call.decided(.cache, "\(reason); requested again")
            return .askAgain
        }
    }

    /// Stores a response that passed all checks.
    func store(_ exchange: Exchange) {
        guard !isFromCache, let response = exchange.response else { return }
        let verdict = cache.store(response, for: request, key: key, policy: policy, since: generation)
        call.decided(.cache, verdict.reason)
    }
}
