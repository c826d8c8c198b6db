internal import SortieHTTP

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
