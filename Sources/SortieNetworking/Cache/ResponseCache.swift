internal import FoundationEssentials
internal import SortieHTTP
internal import Synchronization

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
        (self.now, self.date) = (now, date)
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

/// Entries on disk are also in memory while the program runs; these methods keep both equal. They block.
extension ResponseCache {
    /// Takes over the entry of a key as it is on disk, where other programs may have replaced or removed it.
    ///
    /// - Returns: A sentence about a damaged file that was removed.
    func readDisk(_ key: CacheKey, tag: String?) -> String? {
        // Entries with credentials are never on disk.
        guard let disk, key.credentials == nil else { return nil }
        switch disk.load(key) {
        case .none:
            forget(key)
            return nil
        case .damaged(let sentence):
            forget(key)
            return sentence
        case .entry(let head, let body):
            let wall = currentDate
            // A time in the future means that the clock was set back: the entry counts as expired.
            let age: Duration =
                head.date > wall ? .seconds(1 << 31) : .milliseconds(Int64((wall.timeIntervalSince(head.date) * 1000).rounded()))
            let isSameTag = head.tag == tag.map { Fingerprint([$0]).hex }
            guard let method = HTTPMethod(head.method), let url = HTTPURL(ifValid: head.url) else { return nil }
            var entry = CachedResponse(
                key: key, method: method, url: url, service: head.service, response: head.response(body: body), storedAt: currentTime - age,
                date: head.date, lifetime: .milliseconds(head.lifetime), tag: isSameTag ? tag : "another", variant: head.variant, generation: 0)
            entry.isOnDisk = true
            state.withLock { state in
                let known = state.entries.peek(key)
                // An unchanged entry keeps its generation, so that a revalidation in flight still applies to it.
                if let known, known.isOnDisk, known.date == entry.date { return }
                if let known, !known.isOnDisk, known.date > entry.date { return }
                _ = state.put(entry)
            }
            return nil
        }
    }

    /// Stores the entry of a key on disk, or removes it there when it is no longer in memory.
    ///
    /// - Returns: What was done; nil where there is no entry.
    func writeDisk(_ key: CacheKey, request: Request, isEncrypted: Bool) -> CacheStoreOutcome? {
        guard let disk else { return .refused(reason: "kept in memory only: this client has no cache folder") }
        guard key.credentials == nil else { return .refused(reason: "kept in memory only: the request has credentials") }
        guard let entry = state.withLock({ $0.entries.peek(key) }) else {
            disk.remove(key)
            return nil
        }
        if let objection = CacheSecrets.objection(to: entry, request: request, isEncrypted: isEncrypted) {
            disk.remove(key)
            return .refused(reason: "kept in memory only: \(objection)")
        }
        let count: Int
        do throws(NetworkError) { count = try disk.store(entry) } catch {
            return .refused(reason: "kept in memory only: \(error.message)")
        }
        let isCurrent = state.withLock { state in
            guard var same = state.entries.peek(key) else { return false }
            guard same.generation == entry.generation else { return true }
            same.isOnDisk = true
            // The entry keeps its generation, because its content is the same.
            _ = state.entries.put(same, for: key, cost: same.cost)
            return true
        }
        guard isCurrent else {
            // A write to the URL has invalidated it meanwhile.
            disk.remove(key)
            return .refused(reason: "removed from the disk: the URL was modified meanwhile")
        }
        let room =
            count == 0 ? "" : count == 1 ? "; the least recently used file was removed" : "; the \(count) least recently used files were removed"
        return .stored(reason: "stored on disk\(room)")
    }

    /// All entries, the most recently stored one first, and the damaged files that were removed.
    func listing() -> (entries: [CacheEntry], problems: [String]) {
        let onDisk: (entries: [CacheEntry], problems: [String]) = disk?.entries() ?? ([], [])
        let known = Set(onDisk.entries.map(\.id))
        // Another program may have removed a file since it was read.
        let inMemory = state.withLock { $0.all }.filter { !$0.isOnDisk && !known.contains($0.key.id) }.map(\.entry)
        return ((inMemory + onDisk.entries).sorted { ($1.storedAt, $0.id) < ($0.storedAt, $1.id) }, onDisk.problems)
    }

    /// Removes the entries that fulfil a condition, in memory and on disk; returns their number.
    func remove(where condition: (CacheEntry) -> Bool) -> Int {
        var removed: Set<String> = []
        for entry in state.withLock({ $0.all }) where condition(entry.entry) {
            state.withLock { $0.remove(entry.key) }
            removed.insert(entry.key.id)
        }
        return removed.union(disk?.remove(where: condition) ?? []).count
    }

    /// Removes an entry from memory that is no longer on disk.
    private func forget(_ key: CacheKey) {
        state.withLock { if $0.entries.peek(key)?.isOnDisk == true { $0.remove(key) } }
    }
}

extension ResponseCache.State {
    /// All entries.
    var all: [CachedResponse] { keys.values.joined().compactMap { entries.peek($0) } }
}

extension ResponseCache {
    /// Removes the entries that an unsafe request may have changed: those of its URL and, on the same origin, of
    /// `Location` and `Content-Location` (RFC 9111 §4.4).
    ///
    /// Only a response without an error (2xx or 3xx) invalidates. A request with one of
    /// ``RequestOptions/cachedMethods`` counts as a query and does not invalidate.
    ///
    /// - Parameter urls: The URLs of the resource. The first one is the base of relative references.
    /// - Returns: The number of removed entries.
    func invalidate(after response: Response, to request: Request, urls: [HTTPURL]) -> Int {
        guard !request.method.isSafe, (200..<400).contains(response.status), let base = urls.first else { return 0 }
        if request.options.cachedMethods.contains(request.method) { return 0 }
        var targets = urls
        for name in ["Location", "Content-Location"] {
            guard let reference = response.headers[name], !reference.isEmpty else { continue }
            // A reference that is not a valid URL cannot name an entry.
            do throws(HTTPURL.ParseError) {
                let url = try base.resolving(reference: reference)
                if url.origin == base.origin { targets.append(url) }
            } catch { continue }
        }
        return Set(targets).reduce(0) { $0 + removeAll(of: $1) }
    }
}

extension ResponseCache {
    /// The result of a revalidation.
    enum Revalidation: Sendable {
        /// The cached response with updated fields: the response of the call.
        case confirmed(Response, reason: String)
        /// The 304 refers to another version; the request must be sent again without the validators.
        case unusable(reason: String)
    }

    /// Updates a stale entry with the fields of a 304 response and makes it fresh again (RFC 9111 §4.3.4).
    func revalidated(_ entry: CachedResponse, by notModified: Response, rules: CacheRules) -> Revalidation {
        guard notModified.status == 304 else {
            return .unusable(reason: "the server responded with \(notModified.status), which confirms no cached response")
        }
        if let tag = notModified.headers["ETag"], let own = entry.response.headers["ETag"], Self.opaque(tag) != Self.opaque(own) {
            state.withLock { $0.removeIfSame(entry) }
            return .unusable(reason: "the server confirmed a different version of the response")
        }
        var renewed = entry
        renewed.response.headers = Self.update(entry.response.headers, by: notModified.headers)
        renewed.storedAt = currentTime
        renewed.date = currentDate
        renewed.lifetime = rules.lifetime
        let mayStay = !CacheControl(renewed.response.headers).has("no-store")
        state.withLock { state in
            // The entry may have been removed or replaced since the lookup; then it must not be restored.
            guard state.entries.peek(entry.key)?.generation == entry.generation else { return }
            state.remove(entry.key)
            if mayStay, renewed.cost <= state.entries.limit { _ = state.put(renewed) }
        }
        return .confirmed(renewed.response, reason: "the server confirmed the cached response (304)")
    }

    /// The stored fields, replaced by the fields of the same name in a 304 (RFC 9111 §3.2).
    ///
    /// Fields that describe the stored bytes are kept, and fields that concern one connection are not added.
    private static func update(_ stored: Headers, by fresh: Headers) -> Headers {
        let kept = [
            "content-length", "content-encoding", "content-type", "content-range", "transfer-encoding", "trailer", "connection", "keep-alive",
            "upgrade", "te", "proxy-authenticate", "proxy-authentication-info", "proxy-connection",
        ]
        let named = fresh.tokens(of: "Connection")
        return stored.overlaid(with: Headers(fresh.fields.filter { field in !(kept + named).contains(field.name.lowercased()) }))
    }

    /// An entity tag without its weakness prefix, because a 304 uses weak comparison (RFC 9110 §13.1.2).
    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}

extension ResponseCache.State {
    /// Removes an entry unless it was replaced.
    mutating func removeIfSame(_ entry: CachedResponse) {
        if entries.peek(entry.key)?.generation == entry.generation { remove(entry.key) }
    }
}

extension ResponseCache {
    /// Why a lookup found no entry, as a sentence.
    static func absence(of key: CacheKey, in state: State) -> String {
        let isOthers = state.keys[key.target]?.contains { $0.question == key.question } ?? false
        return isOthers ? "the entry belongs to other credentials" : "no entry"
    }

    /// Decides whether an entry is fresh, stale or unusable.
    ///
    /// `drop` removes an entry that has expired and has no validator.
    static func judge(_ entry: CachedResponse, _ request: Request, _ rules: CacheRules, age: Duration, drop: () -> Void) -> CacheLookup {
        let asked = CacheControl(request.headers)
        // The shortest of the lifetime when the response was stored, the current setting, and the request's
        // `max-age`. A shorter setting takes effect at once.
        let lifetime = min(entry.lifetime, rules.lifetime, asked.maximumAge ?? .seconds(1 << 31))
        let isConfirmedEachTime = CacheControl(entry.response.headers).has("no-cache")
        if rules.policy == .cacheElseLoad || rules.policy == .cacheOnly {
            var entry = entry
            entry.lifetime = lifetime
            return .fresh(entry, age: age)
        }
        let isRefused = asked.has("no-cache") || rules.policy == .revalidate
        if age < lifetime, !isConfirmedEachTime, !isRefused {
            var entry = entry
            entry.lifetime = lifetime
            return .fresh(entry, age: age)
        }
        // With other methods than GET and HEAD a matching If-None-Match makes the server refuse the request (RFC 9110
        // §13.1.2).
        let validators = request.method == .get || request.method == .head ? entry.validators : []
        if !validators.fields.isEmpty { return .stale(entry, age: age, validators: validators) }
        if rules.policy == .revalidate { return .miss(reason: "the entry has no validator, and the policy is revalidate") }
        if isRefused { return .miss(reason: "the request says no-cache") }
        if isConfirmedEachTime { return .miss(reason: "the response says no-cache") }
        // Another request may still accept the entry when only this one requires a younger response.
        if age >= min(entry.lifetime, rules.lifetime) { drop() }
        return .miss(reason: "expired \((age - lifetime).inSeconds) ago")
    }

    /// Why a response is not stored, as a sentence; nil when it may be stored.
    static func objection(to response: Response) -> String? {
        // The statuses that are cacheable by default (RFC 9110 §15.1), except 206, which is a partial response.
        let statuses: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
        if !statuses.contains(response.status) { return "a response with status \(response.status) is not stored" }
        if CacheControl(response.headers).has("no-store") { return "the response says no-store" }
        if let truncation = response.truncation { return "the body is incomplete: \(truncation)" }
        if response.body.count > largestBody { return "the body is larger than 1 MiB" }
        return nil
    }
}
