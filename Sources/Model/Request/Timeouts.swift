/// How long a request may take, in three parts (S2.12, X1).
public struct Timeouts: Hashable, Codable, Sendable {
    /// From the start of an attempt until the connection, TLS included, stands.
    public var connect: Duration
    /// Without a byte in either direction.
    public var idle: Duration
    /// For the whole call, redirects and waiting for admission included; nil for no limit.
    public var total: Duration?

    /// Limits of a request; the defaults are those of the contract.
    public init(connect: Duration = .seconds(10), idle: Duration = .seconds(30), total: Duration? = .seconds(60)) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}
