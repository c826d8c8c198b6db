public import struct FoundationEssentials.Date

/// One attempt of a call as it went over the wire, with all that a record of the traffic needs (S3.3); a redirect or a repetition is a further one.
public struct RecordedHop: Hashable, Sendable {
    /// The call it belongs to.
    public var call: RequestID
    /// Which attempt of the call it is, from 1.
    public var attempt: Int
    /// When the attempt began; what it waited before comes before that.
    public var startedAt: Date
    /// What was asked, plugins included.
    public var request: Request
    /// The fields that went out, those of the engine included.
    public var sentHeaders: Headers
    /// Bytes of the request's body that went out.
    public var sentBodyBytes: Int64
    /// What came back, if anything did.
    public var response: Response?
    /// Whether the answer's body went to a file and is not in ``response``.
    public var isBodyElsewhere = false
    /// Seconds of waiting for a place before it; nil when it had one at once.
    public var queued: Double?
    /// Seconds that its name took to be looked up; nil when nothing was looked up.
    public var lookup: Double?
    /// Its moments.
    public var timing = Timing()
    /// The address that was connected to, without the port.
    public var address: String?
    /// Our own port, which tells one connection from another.
    public var localPort: Int?
    /// Whether a connection was used again.
    public var isConnectionReused = false
    /// Why it failed, if it did.
    public var error: NetworkError?
    /// How the network was made worse for it on purpose; nil when it was not.
    public var conditions: String?

    /// An attempt of which nothing came yet.
    public init(call: RequestID, attempt: Int, startedAt: Date, request: Request) {
        self.call = call
        self.attempt = attempt
        self.startedAt = startedAt
        self.request = request
        sentHeaders = request.headers
        sentBodyBytes = 0
    }
}
