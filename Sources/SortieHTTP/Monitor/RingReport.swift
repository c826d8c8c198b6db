internal import SortieBase

/// The server in use in a service's ring.
public struct RingReport: Hashable, Sendable {
    /// The service's name.
    public var service: String
    /// The environment that defines the servers.
    public var environment: String?
    /// The index of the server in the ring, from 0.
    public var index: Int

    /// Creates a report.
    package init(service: String, environment: String?, index: Int) {
        self.service = service
        self.environment = environment
        self.index = index
    }

    package var record: JSONValue {
        ["service": .string(service), "environment": .optional(environment), "server": .integer(index + 1)]
    }
}
