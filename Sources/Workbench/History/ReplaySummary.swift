public import Model

/// What sending an exchange of the history again means, before it is done.
public struct ReplaySummary: Hashable, Sendable {
    /// Its number.
    public var number: Int64
    /// `POST http://127.0.0.1:8080/orders`.
    public var title: String
    /// What is made anew instead of being sent as it was: `signature`, `token`, `cookies`.
    public var fresh: [String]
    /// Files that are not what they were when they were sent.
    public var changed: [String]
    /// Secrets that cannot be had, each with the way out; it cannot be sent then.
    public var missing: [String]
    /// The endpoint it came from.
    public var target: String?
    /// What it does.
    public var kind: Endpoint.Kind
    /// The download that goes into the queue; nil for anything else.
    public var download: QueuedTransfer?

    /// What sending it again means.
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

/// How several exchanges are sent again.
public enum ReplayPace: Hashable, Sendable {
    /// Each when the one before has ended.
    case inOrder
    /// Each as long after the first as it was then.
    case original
}

/// Several exchanges that are being sent again.
struct ReplayBatch: Sendable {
    /// What is expected of each that has not ended: the status it had.
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

    /// One of them ended; false where it is none of them.
    mutating func end(_ id: CallID, with exchange: Exchange?) -> Bool {
        guard let item = pending.removeValue(forKey: id) else { return false }
        // A status or a rule that makes an answer an error leaves it an answer.
        if exchange?.response == nil { failed += 1 }
        if let status = exchange?.response?.status, status == item.status { same += 1 }
        return true
    }

    /// What came of them: `5 replayed, 4 with the same status`.
    var text: String {
        var text = "\(count) replayed, \(same == count ? "all" : same == 0 ? "none" : "\(same)") with the same status"
        if failed > 0 { text += ", \(failed) without an answer" }
        return text
    }
}
