/// Which server of a service's ring is in use (S1.8).
public struct RingReport: Hashable, Sendable {
    /// The service's name.
    public var service: String
    /// The environment whose servers they are.
    public var environment: String?
    /// The position of the server in the ring, from 0.
    public var index: Int

    /// A report.
    public init(service: String, environment: String?, index: Int) {
        self.service = service
        self.environment = environment
        self.index = index
    }

    var record: JSONValue {
        ["service": .string(service), "environment": .optional(environment), "server": .integer(index + 1)]
    }
}
