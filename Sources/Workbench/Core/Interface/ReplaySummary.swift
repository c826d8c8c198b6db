internal import HistoryModel
public import SortieHTTP
public import WorkspaceModel

/// A summary of what a replay of an exchange would do.
public struct ReplaySummary: Hashable, Sendable {
    /// The number of the exchange.
    public var number: Int64
    /// The method and URL, such as `POST http://127.0.0.1:8080/orders`.
    public var title: String
    /// What is created anew instead of being sent as before: `signature`, `token`, `cookies`.
    public var fresh: [String]
    /// The files that changed since they were sent.
    public var changed: [String]
    /// The missing secrets, each with its remedy; the exchange cannot be replayed without them.
    public var missing: [String]
    /// The endpoint of the exchange.
    public var target: String?
    /// The kind of its endpoint.
    public var kind: Endpoint.Kind
    /// The download to be queued; nil for other kinds.
    public var download: QueuedTransfer?

    /// Creates a summary.
    public init(
        number: Int64, title: String, fresh: [String] = [], changed: [String] = [], missing: [String] = [], target: String? = nil,
        kind: Endpoint.Kind = .data, download: QueuedTransfer? = nil
    ) {
        self.number = number
        self.title = title
        self.fresh = fresh
        self.changed = changed
        self.missing = missing
        self.target = target
        self.kind = kind
        self.download = download
    }
}

/// The timing of a replay of several exchanges.
public enum ReplayPace: Hashable, Sendable {
    /// Sends each exchange when the previous one has ended.
    case inOrder
    /// Sends each exchange with the original delay after the first.
    case original
}
