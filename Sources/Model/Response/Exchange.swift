public import struct FoundationEssentials.Date

/// A request with all that came of it: the record that panes, history and `--json` show.
public struct Exchange: Hashable, Sendable, Identifiable {
    /// The call's identity.
    public var id: RequestID
    /// What was asked, as it was at last sent (after redirects: the first request).
    public var request: Request
    /// The fields that went out with the last attempt, those of the engine included.
    public var sentHeaders: Headers
    /// How many bytes of body went out.
    public var sentBodyBytes: Int64
    /// When it was asked for.
    public var startedAt: Date
    /// The answer, if one came; a partial one stays when the call failed later.
    public var response: Response?
    /// How long the call took from its start to its end, in seconds, whatever its outcome.
    ///
    /// All attempts, the waits between them, and the time in queues are included.
    public var duration = 0.0
    /// The moments of the last attempt; ``Timing/queued`` is that of the whole call.
    ///
    /// Of a call without an attempt only the total is known.
    public var timing: Timing
    /// Every attempt in order.
    public var attempts: [Attempt]
    /// What the business envelope or a plugin made of the body.
    public var value: JSONValue?
    /// Why it failed, if it did.
    public var error: NetworkError?
    /// What was withheld from another origin, a sentence each, for the user: a redirect that was not followed, fields that were not sent there.
    public var notices: [String] = []
    /// How the response compares with what its endpoint expects; nil where nothing is expected.
    public var expectationResult: ExpectationResult?

    /// An exchange that has not been answered.
    public init(id: RequestID, request: Request, startedAt: Date) {
        self.id = id
        self.request = request
        self.sentHeaders = request.headers
        self.sentBodyBytes = 0
        self.startedAt = startedAt
        self.timing = Timing()
        self.attempts = []
    }

    /// Whether a response came over a TLS connection whose certificate was not verified.
    public var isInsecure: Bool { attempts.contains { $0.isUnverified && $0.status != nil } }
}
