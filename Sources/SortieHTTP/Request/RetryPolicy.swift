/// The retry policy of a request.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of retries.
    public var limit: Int
    /// Whether all methods are retried; otherwise only idempotent ones, and requests with an Idempotency-Key.
    public var repeatsAnyMethod: Bool
    /// Whether the request is parked while there is no network.
    public var parksWhenOffline: Bool

    /// Creates a policy.
    public init(limit: Int = 0, parksWhenOffline: Bool = false, repeatsAnyMethod: Bool = false) {
        self.limit = limit
        self.parksWhenOffline = parksWhenOffline
        self.repeatsAnyMethod = repeatsAnyMethod
    }
}
