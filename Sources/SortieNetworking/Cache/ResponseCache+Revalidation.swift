internal import SortieHTTP
internal import Synchronization

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
        let named = fresh.values(of: "Connection").flatMap { $0.split(separator: ",") }
            .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
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
