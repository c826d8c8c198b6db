internal import Model
internal import Synchronization

/// Answers in memory, so that a question asked again soon costs no round (S1.23–S1.26, S2.11).
///
/// It is a private cache by the person's own word: an endpoint's `cache: 60s` decides how long an answer is fresh, not the server's `max-age`. The
/// server still decides whether an answer may be kept at all (`no-store`) or used without asking (`no-cache`). It may be used from any thread.
final class ResponseCache: Sendable {
    /// The most that all entries may take together: 20 MiB (S1.24).
    static let defaultLimit = 20 << 20
    /// The largest body that is kept; larger ones are in spool files.
    static let largestBody = 1 << 20

    /// For how many URLs the last invalidation is known; it concerns only responses that are under way.
    private static let keptInvalidations = 1024

    // Internal for the parts of this type in other files.
    let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    struct State {
        var entries: LeastRecentlyUsed<CacheKey, CachedResponse>
        /// The keys of a URL: for the reason of a miss and to forget a URL that was written to.
        var keys: [Fingerprint: Set<CacheKey>] = [:]
        var generation: UInt64 = 0
        /// The generation in which an unsafe request last invalidated a URL.
        var invalidated = LeastRecentlyUsed<Fingerprint, UInt64>(limit: ResponseCache.keptInvalidations)

        mutating func remove(_ key: CacheKey) {
            entries.remove(key)
            keys[key.target]?.remove(key)
            if keys[key.target]?.isEmpty == true { keys[key.target] = nil }
        }

        /// Puts an entry in under a generation of its own; returns how many others had to go.
        mutating func put(_ entry: CachedResponse) -> Int {
            generation += 1
            var entry = entry
            entry.generation = generation
            let gone = entries.put(entry, for: entry.key, cost: entry.cost)
            keys[entry.key.target, default: []].insert(entry.key)
            for key in gone { remove(key) }
            return gone.count
        }
    }

    /// An empty cache.
    ///
    /// - Parameter now: the clock, monotonic. The default also counts the time that the machine is suspended: an answer ages while a laptop is shut.
    init(limit: Int = defaultLimit, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) {
        state = Mutex(State(entries: LeastRecentlyUsed(limit: limit)))
        self.now = now
    }

    /// How far it is: grows with each entry and each invalidation.
    var generation: UInt64 { state.withLock { $0.generation } }

    /// How many entries there are.
    var count: Int { state.withLock { $0.entries.count } }

    /// What all entries take together, in bytes.
    var cost: Int { state.withLock { $0.entries.cost } }

    /// What is there for a request; an entry that cannot be used any more is dropped.
    func lookup(_ request: Request, key: CacheKey, policy: CachePolicy) -> CacheLookup {
        if let objection = policy.objection(to: request) { return .miss(reason: objection) }
        let now = now()
        return state.withLock { state in
            guard let entry = state.entries.use(key) else { return .miss(reason: Self.absence(of: key, in: state)) }
            if entry.sensitiveTag != policy.sensitiveTag {
                state.remove(key)
                return .miss(reason: "the entry belongs to another sensitive tag")
            }
            guard CachedResponse.variant(of: request, for: entry.response) == entry.variant else {
                return .miss(reason: "the entry answers other values of \(entry.response.headers["Vary"] ?? "the request's headers")")
            }
            return Self.judge(entry, request, policy, age: now - entry.storedAt) { state.remove(key) }
        }
    }

    /// The same as a lookup would find, without counting as a use and without dropping anything.
    func foresee(_ request: Request, key: CacheKey, policy: CachePolicy) -> CacheLookup {
        if let objection = policy.objection(to: request) { return .miss(reason: objection) }
        let now = now()
        return state.withLock { state in
            guard let entry = state.entries.peek(key) else { return .miss(reason: Self.absence(of: key, in: state)) }
            guard entry.sensitiveTag == policy.sensitiveTag else { return .miss(reason: "the entry belongs to another sensitive tag") }
            guard CachedResponse.variant(of: request, for: entry.response) == entry.variant else {
                return .miss(reason: "the entry answers other values of \(entry.response.headers["Vary"] ?? "the request's headers")")
            }
            return Self.judge(entry, request, policy, age: now - entry.storedAt) {}
        }
    }

    /// Keeps an answer that passed every validation (S1.26), under the key it was looked up by.
    ///
    /// - Parameter generation: that of the cache before the request was sent.
    func store(
        _ response: Response, for request: Request, key: CacheKey, policy: CachePolicy, since generation: UInt64 = .max
    ) -> CacheVerdict {
        if let objection = policy.objection(to: request) { return .refused(reason: objection) }
        if let objection = Self.objection(to: response) { return refuse(key, objection) }
        guard let variant = CachedResponse.variant(of: request, for: response) else { return refuse(key, "the answer says Vary: *") }
        var kept = response
        // A copy, so that an entry never keeps a mapped file or a larger buffer alive behind its cost.
        kept.body = BodyBytes(response.body.prefix(response.body.count))
        kept.isFromCache = true
        let entry = CachedResponse(
            key: key, response: kept, storedAt: now(), lifetime: policy.lifetime, sensitiveTag: policy.sensitiveTag, variant: variant,
            generation: 0)
        var isOvertaken = false
        let gone: Int? = state.withLock { state in
            isOvertaken = (state.invalidated.peek(key.target) ?? 0) > generation
            return isOvertaken || state.entries.limit < entry.cost ? nil : state.put(entry)
        }
        if isOvertaken { return .refused(reason: "not kept: the URL was written to while the response was under way") }
        guard let gone else { return refuse(key, "the answer is larger than the whole cache") }
        let room = gone == 0 ? "" : gone == 1 ? "; the entry used longest ago made room" : "; the \(gone) entries used longest ago made room"
        return .stored(reason: "kept for \(policy.lifetime.inSeconds), \(entry.cost) bytes\(room)")
    }

    /// Forgets everything.
    func removeAll() {
        state.withLock { state in
            state.entries.removeAll()
            state.keys = [:]
        }
    }

    /// Forgets every answer of a URL (RFC 9111 §4.4); returns how many.
    @discardableResult
    func removeAll(of url: HTTPURL) -> Int {
        let target = Fingerprint([CacheKey.canonical(url)])
        return state.withLock { state in
            let keys = state.keys[target] ?? []
            for key in keys { state.remove(key) }
            state.generation += 1
            _ = state.invalidated.put(state.generation, for: target, cost: 1)
            return keys.count
        }
    }

    /// The time by the cache's clock.
    var currentTime: ContinuousClock.Instant { now() }

    /// An answer that may not be kept also ends what was kept before it: the server has something else now.
    private func refuse(_ key: CacheKey, _ reason: String) -> CacheVerdict {
        state.withLock { $0.remove(key) }
        return .refused(reason: reason)
    }
}
