public import SortieHTTP
public import WorkspaceModel

public import struct FoundationEssentials.Date

/// The summary of one exchange of the history, for a row of the list.
///
/// It contains no secrets.
public struct HistoryItem: Hashable, Sendable, Identifiable {
    /// The end of an exchange.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// A response arrived, with any status.
        case answered
        /// No usable response arrived.
        case failed
        /// The call was cancelled.
        case cancelled
        /// A newer call superseded this one.
        case superseded
    }

    /// The number in the store, which increases and is never reused.
    public var number: Int64
    /// The identity of the call.
    public var id: RequestID
    /// The start of the call.
    public var startedAt: Date
    /// The folder of the workspace; nil for a URL of the command line.
    public var workspace: String?
    /// The service's folder.
    public var service: String?
    /// The endpoint's name in the workspace.
    public var target: String?
    /// The environment of the request.
    public var environment: String?
    /// The run that contains the call as a step.
    public var run: String?
    /// The kind of the call.
    public var kind: Endpoint.Kind
    /// The method.
    public var method: HTTPMethod
    /// The URL.
    public var url: String
    /// The outcome.
    public var outcome: Outcome
    /// The status of the response.
    public var status: Int?
    /// The code of ``NetworkError`` of a failure.
    public var error: String?
    /// The duration in seconds.
    public var duration: Double
    /// The number of sent body bytes.
    public var sentBytes: Int64
    /// The number of received body bytes.
    public var receivedBytes: Int64
    /// The number of attempts.
    public var attempts: Int
    /// The user's tags, without blanks.
    public var tags: [String]
    /// The user's note.
    public var note: String
    /// Whether the user pinned the exchange.
    public var isPinned: Bool

    /// Creates a summary.
    public init(
        number: Int64, id: RequestID, startedAt: Date, workspace: String? = nil, service: String? = nil, target: String? = nil,
        environment: String? = nil, run: String? = nil, kind: Endpoint.Kind = .data, method: HTTPMethod = .get, url: String,
        outcome: Outcome = .answered, status: Int? = nil, error: String? = nil, duration: Double = 0, sentBytes: Int64 = 0,
        receivedBytes: Int64 = 0, attempts: Int = 1, tags: [String] = [], note: String = "", isPinned: Bool = false
    ) {
        self.number = number
        self.id = id
        self.startedAt = startedAt
        self.workspace = workspace
        self.service = service
        self.target = target
        self.environment = environment
        self.run = run
        self.kind = kind
        self.method = method
        self.url = url
        self.outcome = outcome
        self.status = status
        self.error = error
        self.duration = duration
        self.sentBytes = sentBytes
        self.receivedBytes = receivedBytes
        self.attempts = attempts
        self.tags = tags
        self.note = note
        self.isPinned = isPinned
    }
}
