/// The rule for automatically switching to the next server of a ring.
public struct ServerSwitchRule: Hashable, Sendable {
    /// The number of recent results that are evaluated; no switch takes place before there are this many.
    public var after: Int
    /// The share of failures at which the server is switched.
    public var errorRate: Double
    /// Whether a 5xx status counts as a failure; false by default, because it is a response.
    public var countsServerErrors: Bool
    /// The response field with which a server of the ring switches to the server with that number, from 1; nil for none.
    ///
    /// A number above the number of servers counts modulo, so that a server cannot name one that the service does not have.
    public var field: String?

    /// Creates a rule; the default is a tenth of failures among 40 requests.
    public init(after: Int = 40, errorRate: Double = 0.1, countsServerErrors: Bool = false, field: String? = nil) {
        self.after = after
        self.errorRate = errorRate
        self.countsServerErrors = countsServerErrors
        self.field = field
    }

    /// Whether the number of failures among the last `after` results requires a switch.
    ///
    /// Integers are compared, so that 4 of 40 are exactly a tenth.
    package func isReached(failures: Int) -> Bool {
        failures > 0 && failures * 10_000 >= Int((errorRate * 10_000).rounded()) * after
    }
}

/// The active server of a ring, and the number of switches.
public struct ServerTurn: Hashable, Sendable {
    /// The index of the server, from 0.
    public var index: Int
    /// The number of switches; results of requests from an earlier generation do not count for the active server.
    public var generation: Int

    /// Creates a value.
    package init(index: Int, generation: Int) {
        self.index = index
        self.generation = generation
    }
}
