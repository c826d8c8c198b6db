public import Model

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

/// A replay of several exchanges.
struct ReplayBatch: Sendable {
    /// The exchanges that have not ended, with their original status.
    var pending: [CallID: HistoryItem]
    let count: Int
    var same = 0
    var failed = 0
    var startedAt: Double?
    var elapsed = 0.0
    var isCancelling = false

    init(_ pending: [CallID: HistoryItem]) {
        self.pending = pending
        count = pending.count
    }

    var ended: Int { count - pending.count }

    /// Records the end of a call; false when it is not part of this replay.
    mutating func end(_ id: CallID, with exchange: Exchange?) -> Bool {
        guard let item = pending.removeValue(forKey: id) else { return false }
        // A response counts as such even when its status or a rule makes it an error.
        if exchange?.response == nil { failed += 1 }
        if let status = exchange?.response?.status, status == item.status { same += 1 }
        return true
    }

    /// The result, such as `5 replayed, 4 with the same status`.
    var text: String {
        var text = "\(count) replayed, \(same == count ? "all" : same == 0 ? "none" : "\(same)") with the same status"
        if failed > 0 { text += ", \(failed) without an answer" }
        return text
    }
}
