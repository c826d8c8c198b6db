public import SortieHTTP
public import WorkspaceModel

public import struct FoundationEssentials.Date

/// One exchange of the history in short: what a row of the list shows.
///
/// Nothing in it is secret.
public struct HistoryItem: Hashable, Sendable, Identifiable {
    /// How an exchange ended.
    public enum Outcome: String, Hashable, Codable, Sendable, CaseIterable {
        /// An answer came; whatever its status.
        case answered
        /// No answer that could be used.
        case failed
        /// Somebody stopped it.
        case cancelled
        /// A newer one took over.
        case superseded
    }

    /// Its number in the store: counts up, and is never given twice.
    public var number: Int64
    /// The call's identity.
    public var id: RequestID
    /// When it was asked for.
    public var startedAt: Date
    /// The folder of the workspace it was made in; nil for a URL of the command line.
    public var workspace: String?
    /// The service's folder.
    public var service: String?
    /// The endpoint's name in the workspace.
    public var target: String?
    /// The environment it was made for.
    public var environment: String?
    /// The run that it was a step of.
    public var run: String?
    /// What it did.
    public var kind: Endpoint.Kind
    /// The method.
    public var method: HTTPMethod
    /// Where it went.
    public var url: String
    /// How it ended.
    public var outcome: Outcome
    /// The status that came.
    public var status: Int?
    /// Why it failed: the code of ``NetworkError``.
    public var error: String?
    /// How long it took, in seconds.
    public var duration: Double
    /// Bytes of body that went out.
    public var sentBytes: Int64
    /// Bytes of body that are here.
    public var receivedBytes: Int64
    /// How many attempts were made.
    public var attempts: Int
    /// Words that a person gave it, without blanks.
    public var tags: [String]
    /// What a person wrote about it.
    public var note: String
    /// Whether a person wants it kept.
    public var isPinned: Bool

    /// An exchange in short.
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
