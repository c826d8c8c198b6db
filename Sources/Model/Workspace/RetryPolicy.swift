/// How a failed request is tried again.
public struct RetryPolicy: Hashable, Codable, Sendable {
    /// How many more attempts it gets.
    public var limit: Int
    /// Whether also what may change something on the server is sent again; else only idempotent methods, and requests with an Idempotency-Key.
    public var repeatsAnyMethod: Bool
    /// Whether it waits for the network when there is none (S3.16).
    public var parksWhenOffline: Bool

    /// A policy.
    public init(limit: Int = 0, parksWhenOffline: Bool = false, repeatsAnyMethod: Bool = false) {
        self.limit = limit
        self.parksWhenOffline = parksWhenOffline
        self.repeatsAnyMethod = repeatsAnyMethod
    }
}
