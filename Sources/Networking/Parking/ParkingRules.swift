/// How long and how many requests wait for the network (S3.16).
public struct ParkingRules: Hashable, Sendable {
    /// After which time a request is given up.
    public var lifetime: Duration
    /// How many requests may wait at once.
    public var mostRequests: Int
    /// How many bytes the bodies of those who wait may have together.
    public var mostBytes: Int64
    /// The longest pause before each request when they go out again, so that a server that came back is not run over; drawn anew for each.
    public var drainPause: Duration
    /// The first pause before the oldest request of a service is tried again while this machine has a network; it doubles with every failure.
    public var firstProbe: Duration
    /// The longest of these pauses.
    public var longestProbe: Duration

    /// Rules; a day, 1,000 requests and 16 MiB where nothing else is said.
    public init(
        lifetime: Duration = .seconds(86_400), mostRequests: Int = 1000, mostBytes: Int64 = 16 << 20,
        drainPause: Duration = .milliseconds(250), firstProbe: Duration = .seconds(2), longestProbe: Duration = .seconds(60)
    ) {
        self.lifetime = lifetime
        self.mostRequests = mostRequests
        self.mostBytes = mostBytes
        self.drainPause = drainPause
        self.firstProbe = firstProbe
        self.longestProbe = longestProbe
    }

    /// The pause before the next try after `failures` failures in a row; `chance` from 0 to 1 takes away up to half of it.
    func probePause(failures: Int, chance: Double) -> Duration {
        let doubled = firstProbe * (1 << min(max(0, failures - 1), 20))
        return min(doubled, longestProbe) * (1 - chance / 2)
    }
}
