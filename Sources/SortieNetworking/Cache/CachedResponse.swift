internal import SortieHTTP

internal import struct FoundationEssentials.Date

/// A cached response with the data that determines whether it may be used.
struct CachedResponse: Sendable {
    /// The key of the request.
    let key: CacheKey
    /// The method of the request.
    let method: HTTPMethod
    /// The URL of the request.
    let url: HTTPURL
    /// The service of the request.
    let service: String?
    /// The response, marked as one from the cache.
    var response: Response
    /// When the response was stored or last validated.
    var storedAt: ContinuousClock.Instant
    /// ``storedAt`` in wall-clock time, for the disk and for display, in whole milliseconds.
    var date: Date
    /// How long the response is fresh.
    var lifetime: Duration
    /// A value on which the response depends beside the request.
    var tag: String?
    /// A hash of the request's values of the fields that the response's `Vary` names (RFC 9111 §4.1).
    var variant: String
    /// Identifies the write that created the entry: a late validation must not replace a newer response.
    var generation: UInt64
    /// Whether the entry is on disk.
    var isOnDisk = false

    /// The entry for programs and users.
    var entry: CacheEntry {
        CacheEntry(
            id: key.id, method: method, url: url, service: service, response: response, storedAt: date, lifetime: lifetime, isOnDisk: isOnDisk,
            size: cost)
    }

    /// The size of the entry in bytes: body, fields, and a fixed overhead.
    var cost: Int { Self.cost(of: response) }

    static func cost(of response: Response) -> Int {
        let fields = response.headers.fields + response.trailers.fields
        return response.body.count + fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } + overhead
    }

    /// The overhead for key, index and fixed fields, so that many empty responses also stay within the limit.
    static let overhead = 512

    /// The conditional fields with which the server can validate the response (RFC 9110 §13.1); empty when it has no
    /// validator.
    var validators: Headers {
        var headers = Headers()
        if let tag = response.headers["ETag"] { headers.append("If-None-Match", tag) }
        if let date = response.headers["Last-Modified"] { headers.append("If-Modified-Since", date) }
        return headers
    }

    /// A hash of the values of `request` in the fields named by `Vary`; nil for `Vary: *`, which matches no request.
    static func variant(of request: Request, for response: Response) -> String? {
        let names = response.headers.values(of: "Vary").flatMap { $0.split(separator: ",") }
            .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
        guard !names.contains("*") else { return nil }
        return Fingerprint(names.sorted().flatMap { [$0, request.headers.values(of: $0).joined(separator: ",")] }).hex
    }
}
