internal import SortieBase

public import struct FoundationEssentials.Date

/// A request with its outcome, which panes, history and `--json` show.
public struct Exchange: Hashable, Sendable, Identifiable {
    /// The identity of the call.
    public var id: RequestID
    /// The request as the caller made it, with the URL of the server that was used last; redirects do not change it.
    public var request: Request
    /// The time at which the call started.
    public var startedAt: Date
    /// The response, including an incomplete one of a call that failed later; nil when none arrived.
    public var response: Response?
    /// The duration of the call from start to end, in seconds, for every outcome.
    ///
    /// It includes all attempts, the waits between them, and the time in queues.
    public var duration = 0.0
    /// All attempts in order.
    ///
    /// Of a call that waited long for the network, the oldest are left out.
    public var attempts: [Attempt] = []
    /// The time in request queues that is not part of ``attempts``, in seconds: the last wait of a cancelled call, and waits of attempts that
    /// were left out.
    public var otherQueued = 0.0
    /// The value that the envelope or a plugin extracted from the body.
    public var value: JSONValue?
    /// The error of the call; nil without one.
    public var error: NetworkError?
    /// The parts withheld from another origin, one sentence each, for the user: a redirect that was not followed, header fields that were not
    /// sent.
    public var notices: [String] = []
    /// The checks that plugins reported.
    package var reportedChecks: [ExchangeCheck] = []
    /// The values that plugins captured for later steps of a run, by name.
    package var reportedValues: [String: String] = [:]
    /// How the response compares with what its endpoint expects; nil where nothing is expected.
    package var expectationResult: ExpectationResult?

    /// Creates an exchange without a response.
    package init(id: RequestID, request: Request, startedAt: Date) {
        self.id = id
        self.request = request
        self.startedAt = startedAt
    }

    /// The header fields of the last attempt, including those of the engine; those of the request when nothing was sent.
    public var sentHeaders: Headers { attempts.last?.sentHeaders ?? request.headers }

    /// The number of body bytes that the last attempt sent.
    public var sentBodyBytes: Int64 { attempts.last?.sentBodyBytes ?? 0 }

    /// The timing of the last attempt; ``Timing/queued`` applies to the whole call.
    ///
    /// For a call without an attempt, only the total is known.
    public var timing: Timing {
        var timing = attempts.last?.timing ?? Timing()
        timing.queued = attempts.reduce(otherQueued) { $0 + $1.timing.queued }
        if attempts.isEmpty { timing.total = max(0, duration - timing.queued) }
        return timing
    }

    /// Whether a response came over a TLS connection whose certificate was not verified.
    public var isInsecure: Bool { attempts.contains { $0.isUnverified && $0.status != nil } }
}
