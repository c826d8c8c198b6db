public import struct FoundationEssentials.Date

/// A stored response, as programs and users see it.
public struct CacheEntry: Hashable, Sendable, Identifiable {
    /// Twelve hexadecimal digits that identify the entry in memory and on disk.
    public var id: String
    /// The method of the request.
    public var method: HTTPMethod
    /// The URL of the request.
    public var url: HTTPURL
    /// The service of the request; nil for a request without one.
    public var service: String?
    /// The response with its body.
    public var response: Response
    /// When the response was stored or last validated.
    public var storedAt: Date
    /// How long the response is fresh.
    public var lifetime: Duration
    /// Whether the entry is on disk; other entries end with the program.
    public var isOnDisk: Bool
    /// The number of bytes that count towards the limit of the cache.
    public var size: Int

    /// Creates an entry.
    public init(
        id: String, method: HTTPMethod, url: HTTPURL, service: String? = nil, response: Response, storedAt: Date, lifetime: Duration,
        isOnDisk: Bool = false, size: Int
    ) {
        (self.id, self.method, self.url, self.service, self.response) = (id, method, url, service, response)
        (self.storedAt, self.lifetime, self.isOnDisk, self.size) = (storedAt, lifetime, isOnDisk, size)
    }

    /// The age in seconds at a time; 0 where the clock was set back.
    public func age(at now: Date) -> Double { max(0, now.timeIntervalSince(storedAt)) }

    /// Whether the response may be used without revalidation at a time; a time before it was stored means that the clock was set back.
    public func isFresh(at now: Date) -> Bool { now >= storedAt && .seconds(now.timeIntervalSince(storedAt)) < lifetime }
}
