public import struct FoundationEssentials.Date

/// One attempt of a call on the wire, with the data for a recording (S3.3); redirects and retries are further attempts.
public struct RecordedHop: Hashable, Sendable {
    /// The call it belongs to.
    public var call: RequestID
    /// The number of the attempt in the call, from 1.
    public var attempt: Int
    /// The start of the attempt, after its waiting time.
    public var startedAt: Date
    /// The request, including the changes of plugins.
    public var request: Request
    /// The sent header fields, including those of the engine.
    public var sentHeaders: Headers
    /// The number of sent bytes of the request's body.
    public var sentBodyBytes: Int64
    /// The response; nil without one.
    public var response: Response?
    /// Whether the response's body was written to a file and is not in ``response``.
    public var isBodyElsewhere = false
    /// The time in the request queue in seconds; nil without waiting.
    public var queued: Double?
    /// The time of the name resolution in seconds; nil without a lookup.
    public var lookup: Double?
    /// The times of the phases.
    public var timing = Timing()
    /// The connected address, without the port.
    public var address: String?
    /// The local port, which identifies the connection.
    public var localPort: Int?
    /// Whether a connection was reused.
    public var isConnectionReused = false
    /// The reason for a failure; nil without one.
    public var error: NetworkError?
    /// The simulated network conditions; nil without any.
    public var conditions: String?

    /// Creates an attempt without a result.
    public init(call: RequestID, attempt: Int, startedAt: Date, request: Request) {
        self.call = call
        self.attempt = attempt
        self.startedAt = startedAt
        self.request = request
        sentHeaders = request.headers
        sentBodyBytes = 0
    }
}
