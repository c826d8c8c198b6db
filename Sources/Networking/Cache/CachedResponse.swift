internal import Model

/// A response in the cache, with what is needed to judge it.
struct CachedResponse: Sendable {
    /// What it answers.
    let key: CacheKey
    /// The answer, marked as one of the cache.
    var response: Response
    /// When it was kept, or last confirmed by the server.
    var storedAt: ContinuousClock.Instant
    /// How long it is fresh.
    var lifetime: Duration
    /// What it depends on beside the request.
    var sensitiveTag: String?
    /// The values that the request had in the fields named by the answer's `Vary` (RFC 9111 §4.1), hashed.
    var variant: Fingerprint
    /// Which storing made this entry: a late confirmation must not replace a newer answer.
    var generation: UInt64

    /// What the entry takes of the limit, in bytes: body, fields, and a fixed share for what is kept around them.
    var cost: Int { Self.cost(of: response) }

    static func cost(of response: Response) -> Int {
        let fields = response.headers.fields + response.trailers.fields
        return response.body.count + fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } + overhead
    }

    /// Key, index and the fixed fields of an entry, so that a flood of empty answers stays within the limit as well.
    static let overhead = 512

    /// The fields with which the server can confirm the answer (RFC 9110 §13.1); empty when it gave no validator.
    var validators: Headers {
        var headers = Headers()
        if let tag = response.headers["ETag"] { headers.append("If-None-Match", tag) }
        if let date = response.headers["Last-Modified"] { headers.append("If-Modified-Since", date) }
        return headers
    }

    /// A hash of what `request` has in the fields that `response` varies by; nil for `Vary: *`, which no request matches.
    static func variant(of request: Request, for response: Response) -> Fingerprint? {
        let names = response.headers.values(of: "Vary").flatMap { $0.split(separator: ",") }
            .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
        guard !names.contains("*") else { return nil }
        return Fingerprint(names.sorted().flatMap { [$0, request.headers.values(of: $0).joined(separator: ",")] })
    }
}
