/// The limits of requests that wait for the network.
public struct ParkingRules: Hashable, Sendable {
    /// The time after which a waiting request fails.
    public var lifetime: Duration
    /// The largest number of waiting requests.
    public var mostRequests: Int
    /// The largest total size of the bodies of waiting requests, in bytes.
    public var mostBytes: Int64
    /// The longest random pause before each request that is sent again, so that a recovered server is not overloaded.
    public var drainPause: Duration
    /// The first pause before the oldest request of a service is retried while this machine has a network.
    ///
    /// It doubles with every failure.
    public var firstProbe: Duration
    /// The longest such pause.
    public var longestProbe: Duration

    /// Creates rules.
    ///
    /// The defaults are a day, 1,000 requests and 16 MiB.
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

    /// The pause before the next attempt after `failures` consecutive failures.
    ///
    /// `chance` from 0 to 1 shortens it by up to half.
    func probePause(failures: Int, chance: Double) -> Duration {
        let doubled = firstProbe * (1 << min(max(0, failures - 1), 20))
        return min(doubled, longestProbe) * (1 - chance / 2)
    }
}
