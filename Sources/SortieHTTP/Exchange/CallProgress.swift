/// The progress of a running request, in bytes of its bodies.
public struct CallProgress: Hashable, Sendable {
    /// The number of bytes of the request body that were sent.
    public var sent: Int64
    /// The length of the request body; nil when unknown.
    public var sentTotal: Int64?
    /// The number of bytes of the response body that were received, before decoding.
    public var received: Int64
    /// The length of the response body; nil when unknown.
    public var receivedTotal: Int64?

    /// Creates the progress of both directions.
    public init(sent: Int64 = 0, sentTotal: Int64? = nil, received: Int64 = 0, receivedTotal: Int64? = nil) {
        self.sent = sent
        self.sentTotal = sentTotal
        self.received = received
        self.receivedTotal = receivedTotal
    }
}
