internal import SortieHTTP
internal import Synchronization

internal import struct FoundationEssentials.Date

/// The response cache of a client, in memory and, where a request asks for it, on disk.
///
/// It is a private cache whose lifetimes the user sets: an endpoint's `cache: 60s` decides how long a response is
/// fresh, not the server's `max-age`. The server still decides whether a response may be stored (`no-store`) or used
/// without revalidation (`no-cache`). The cache may be used from any thread.
final class ResponseCache: Sendable {
    /// The default limit of the total size: 20 MiB.
    static let defaultLimit = 20 << 20
    /// The largest stored body in bytes.
    ///
    /// Larger bodies are in spool files.
    static let largestBody = 1 << 20

    /// The number of URLs whose last invalidation is recorded.
    ///
    /// It matters only for responses in flight.
    private static let keptInvalidations = 1024

    // Internal for the extensions in other files.
    let state: Mutex<State>
    /// The entries on disk; nil where nothing is stored there.
    let disk: DiskCache?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let date: @Sendable () -> Date

    struct State {
        var entries: LeastRecentlyUsed<CacheKey, CachedResponse>
        /// The keys of each URL, for the reason of a miss and for invalidation.
        var keys: [Fingerprint: Set<CacheKey>] = [:]
        var generation: UInt64 = 0
        /// The generation in which an unsafe request last invalidated a URL.
        var invalidated = LeastRecentlyUsed<Fingerprint, UInt64>(limit: ResponseCache.keptInvalidations)

        mutating func remove(_ key: CacheKey) {
            entries.remove(key)
            keys[key.target]?.remove(key)
            if keys[key.target]?.isEmpty == true { keys[key.target] = nil }
        }

        /// Inserts an entry under a new generation; returns the number of entries removed to make room.
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

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - limit: The largest total size of all entries in bytes.
    ///   - folder: The folder for entries on disk, which have the same limit; nil for none.
    ///   - now: A monotonic clock. The default also counts the time in which the machine is suspended, so that responses age meanwhile.
    ///   - date: The wall-clock time, which determines the age of entries on disk.
    init(
        limit: Int = defaultLimit, folder: String? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        date: @escaping @Sendable () -> Date = { Date() }
    ) {
        state = Mutex(State(entries: LeastRecentlyUsed(limit: limit)))
        disk = folder.map { DiskCache(folder: $0, limit: limit) }
        self.now = now
        self.date = date
    }

    /// A counter that grows with each stored entry and each invalidation.
    var generation: UInt64 { state.withLock { $0.generation } }

    /// The number of entries.
    var count: Int { state.withLock { $0.entries.count } }

    /// The total size of all entries in bytes.
    var cost: Int { state.withLock { $0.entries.cost } }

    /// Looks up a request.
    ///
    /// Removes an entry that can no longer be used.
    ///
    /// - Parameter foresees: Whether the lookup only determines the result: it does not count as a use and removes nothing.
    func lookup(_ request: Request, key: CacheKey, rules: CacheRules, foresees: Bool = false) -> CacheLookup {
        if let objection = rules.objection(to: request) { return .miss(reason: objection) }
        if rules.policy == .reload { return .miss(reason: "the policy is reload") }
        let now = now()
        return state.withLock { state in
            func drop() { if !foresees { state.remove(key) } }
            guard let entry = foresees ? state.entries.peek(key) : state.entries.use(key) else {
                return .miss(reason: Self.absence(of: key, in: state))
            }
            if entry.tag != rules.tag {
                drop()
                return .miss(reason: "the entry belongs to another sensitive tag")
            }
            guard CachedResponse.variant(of: request, for: entry.response) == entry.variant else {
                return .miss(reason: "the entry is for other values of \(entry.response.headers["Vary"] ?? "the request's headers")")
            }
            return Self.judge(entry, request, rules, age: now - entry.storedAt, drop: drop)
        }
    }

    /// Stores a response that passed every validation under the key of its lookup.
    ///
    /// - Parameter generation: The generation of the cache before the request was sent.
    func store(
        _ response: Response, for request: Request, key: CacheKey, rules: CacheRules, since generation: UInt64 = .max
    ) -> CacheStoreOutcome {
        if let objection = rules.objection(to: request) { return .refused(reason: objection) }
        if let objection = Self.objection(to: response) { return refuse(key, objection) }
        guard let variant = CachedResponse.variant(of: request, for: response) else { return refuse(key, "the response says Vary: *") }
        var kept = response
        // A copy, so that the entry does not retain a mapped file or a larger buffer that its cost does not include.
        kept.body = BodyBytes(response.body.prefix(response.body.count))
        kept.isFromCache = true
        let entry = CachedResponse(
            key: key, method: request.method, url: request.url, service: request.service, response: kept, storedAt: now(), date: currentDate,
            lifetime: rules.lifetime, tag: rules.tag, variant: variant, generation: 0)
        var isOvertaken = false
        let gone: Int? = state.withLock { state in
            isOvertaken = (state.invalidated.peek(key.target) ?? 0) > generation
            return isOvertaken || state.entries.limit < entry.cost ? nil : state.put(entry)
        }
        if isOvertaken { return .refused(reason: "not stored: the URL was modified while the response was in flight") }
        guard let gone else { return refuse(key, "the response is larger than the whole cache") }
        let room =
            gone == 0 ? "" : gone == 1 ? "; the least recently used entry was removed" : "; the \(gone) least recently used entries were removed"
        return .stored(reason: "stored for \(rules.lifetime.inSeconds), \(entry.cost) bytes\(room)")
    }

    /// Removes all entries.
    func removeAll() {
        state.withLock { state in
            state.entries.removeAll()
            state.keys = [:]
        }
    }

    /// Removes every entry of a URL (RFC 9111 §4.4), also on disk; returns their number.
    @discardableResult
    func removeAll(of url: HTTPURL) -> Int {
        let target = Fingerprint([CacheKey.canonical(url)])
        let removed = state.withLock { state in
            let keys = state.keys[target] ?? []
            for key in keys { state.remove(key) }
            state.generation += 1
            _ = state.invalidated.put(state.generation, for: target, cost: 1)
            return Set(keys.map(\.id))
        }
        guard let disk else { return removed.count }
        return removed.union(disk.removeAll(of: target)).count
    }

    /// The time of the cache's clock.
    var currentTime: ContinuousClock.Instant { now() }

    /// The wall-clock time in whole milliseconds, which is what the disk stores.
    var currentDate: Date { Date(timeIntervalSince1970: (date().timeIntervalSince1970 * 1000).rounded() / 1000) }

    /// A response that may not be stored also removes the previous entry, which is outdated.
    private func refuse(_ key: CacheKey, _ reason: String) -> CacheStoreOutcome {
        state.withLock { $0.remove(key) }
        return .refused(reason: reason)
    }
}
