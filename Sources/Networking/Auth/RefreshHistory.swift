/// When the last refreshes began, to stop a server and a client that refuse each other's tokens in a circle.
struct RefreshHistory: Sendable {
    /// The most refreshes that may begin within ``window``.
    static let limit = 5
    /// The time that is looked back.
    static let window = Duration.seconds(30)

    private var starts: [ContinuousClock.Instant] = []

    /// Notes a refresh that begins now; nil when it may begin, else how long to wait for the next one.
    mutating func admit(at now: ContinuousClock.Instant) -> Duration? {
        starts.removeAll { now - $0 >= Self.window }
        if let first = starts.first, starts.count >= Self.limit { return Self.window - (now - first) }
        starts.append(now)
        return nil
    }
}
