/// The start times of recent refreshes, to stop a loop in which the server rejects every new token.
struct RefreshHistory: Sendable {
    /// The maximum number of refreshes that may start within ``window``.
    static let limit = 5
    /// The period in which refreshes are counted.
    static let window = Duration.seconds(30)

    private var starts: [ContinuousClock.Instant] = []

    /// Records a refresh that starts now; returns nil when it may start, else the time until the next one may.
    mutating func admit(at now: ContinuousClock.Instant) -> Duration? {
        starts.removeAll { now - $0 >= Self.window }
        if let first = starts.first, starts.count >= Self.limit { return Self.window - (now - first) }
        starts.append(now)
        return nil
    }
}
