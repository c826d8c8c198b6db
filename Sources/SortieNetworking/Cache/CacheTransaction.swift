internal import SortieHTTP

/// The cache transaction of one request: lookup, validation by a 304, and storing the response.
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
    private let rules: CacheRules
    /// Whether the service encrypts bodies.
    private let isEncrypted: Bool
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
    init(cache: ResponseCache, request: Request, rules: CacheRules, identity: [String], isEncrypted: Bool, call: Call) {
        (self.cache, self.request, self.rules, self.isEncrypted, self.call) = (cache, request, rules, isEncrypted, call)
        key = CacheKey(request, identity: identity)
        generation = cache.generation
    }

    /// Returns a stored response that may be used, or nil.
    ///
    /// Adds the validators of a stale response to the request.
    ///
    /// - Throws: `notCached` when there is no response and the request may not be sent.
    func begin(_ request: inout Request) async throws(NetworkError) -> Response? {
        if rules.isOnDisk, let notice = await BlockingExecutor.shared.run({ [cache, key, rules] in cache.readDisk(key, tag: rules.tag) }) {
            call.decided(.cache, notice)
        }
        let found = cache.lookup(request, key: key, rules: rules)
        call.decided(.cache, found.explanation)
        switch found {
        case .fresh(let entry, _):
            isFromCache = true
            return entry.response
        case .stale(let entry, _, let validators):
            stale = entry
            request.headers = request.headers.overlaid(with: validators)
            return nil
        case .miss(let reason):
            if rules.policy == .cacheOnly { throw .notCached(reason) }
            return nil
        }
    }

    /// Replaces a 304 by the stored response that it validates.
    func confirm(_ exchange: inout Exchange) async throws(NetworkError) -> Confirmation {
        guard let stale, let response = exchange.response, response.status == 304 else { return .done }
        switch cache.revalidated(stale, by: response, rules: rules) {
        case .confirmed(let kept, let reason):
            call.decided(.cache, reason)
            exchange.response = kept
            isFromCache = true
            await writeDisk()
            return .done
        case .unusable(let reason):
            call.decided(.cache, "\(reason); requested again")
            return .askAgain
        }
    }

    /// Stores a response that passed all checks.
    func store(_ exchange: Exchange) async {
        guard !isFromCache, let response = exchange.response else { return }
        let outcome = cache.store(response, for: request, key: key, rules: rules, since: generation)
        call.decided(.cache, outcome.reason)
        await writeDisk()
    }

    /// Makes the disk equal to the memory.
    private func writeDisk() async {
        guard rules.isOnDisk else { return }
        let done = await BlockingExecutor.shared.run { [cache, key, request, isEncrypted] in
            cache.writeDisk(key, request: request, isEncrypted: isEncrypted)
        }
        if let done { call.decided(.cache, done.reason) }
    }
}

extension NetworkError {
    /// The error of a request that may only be served from the cache.
    static func notCached(_ reason: String) -> NetworkError {
        NetworkError(.notCached, "the cache has no response: \(reason)", hint: "the policy cacheOnly never sends a request; use another one once")
    }
}
