/// When a ring of servers goes on to the next one by itself (S1.14, S1.15).
public struct ServerSwitchRule: Hashable, Sendable {
    /// How many of the last answers and failures are looked at; before there are so many nothing is switched.
    public var after: Int
    /// The share of failures among them at which the server is left.
    public var errorRate: Double
    /// Whether a 5xx counts as a failure; it is an answer, so not where nothing is said.
    public var countsServerErrors: Bool

    /// A rule: 40 requests and a tenth of failures where nothing else is said.
    public init(after: Int = 40, errorRate: Double = 0.1, countsServerErrors: Bool = false) {
        self.after = after
        self.errorRate = errorRate
        self.countsServerErrors = countsServerErrors
    }

    /// Whether so many failures among the last `after` are enough; whole numbers are compared, so that 4 of 40 are a tenth.
    public func isReached(failures: Int) -> Bool {
        failures > 0 && failures * 10_000 >= Int((errorRate * 10_000).rounded()) * after
    }
}

/// Which server of a ring is in use (S1.8), and how often it was changed (S1.15).
public struct ServerTurn: Hashable, Sendable {
    /// Which one, from 0.
    public var index: Int
    /// How often the server was changed: what was asked of an earlier one says nothing about this one.
    public var generation: Int

    /// A turn.
    public init(index: Int, generation: Int) {
        self.index = index
        self.generation = generation
    }
}
