/// How far a running request is, in bytes of its bodies.
public struct Progress: Hashable, Sendable {
    /// Bytes of the request's body that were sent.
    public var sent: Int64
    /// All bytes of the request's body; nil when not known.
    public var sentTotal: Int64?
    /// Bytes of the response's body that arrived, as they came over the wire.
    public var received: Int64
    /// All bytes of the response's body; nil when not known.
    public var receivedTotal: Int64?

    /// Progress of both directions.
    public init(sent: Int64 = 0, sentTotal: Int64? = nil, received: Int64 = 0, receivedTotal: Int64? = nil) {
        self.sent = sent
        self.sentTotal = sentTotal
        self.received = received
        self.receivedTotal = receivedTotal
    }
}
