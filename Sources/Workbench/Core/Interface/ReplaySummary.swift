internal import HistoryModel
import SortieHTTP
package import WorkspaceModel

/// A summary of what a replay of an exchange would do.
package struct ReplaySummary: Hashable, Sendable {
    /// The number of the exchange.
    package var number: Int64
    /// The method and URL, such as `POST http://127.0.0.1:8080/orders`.
    package var title: String
    /// What is created anew instead of being sent as before: `signature`, `token`, `cookies`.
    package var fresh: [String]
    /// The files that changed since they were sent.
    package var changed: [String]
    /// The missing secrets, each with its remedy; the exchange cannot be replayed without them.
    package var missing: [String]
    /// What the user is asked for before the exchange can be sent.
    package var prompts: [PromptQuestion] = []
    /// The endpoint of the exchange.
    package var target: String?
    /// The kind of its endpoint.
    package var kind: Endpoint.Kind
    /// The download to be queued; nil for other kinds.
    package var download: QueuedTransfer?

    /// Creates a summary.
    package init(
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
package enum ReplayPace: Hashable, Sendable {
    /// Sends each exchange when the previous one has ended.
    case inOrder
    /// Sends each exchange with the original delay after the first.
    case original
}
