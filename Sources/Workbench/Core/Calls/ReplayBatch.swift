internal import HistoryModel
internal import SortieHTTP

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
        if failed > 0 { text += ", \(failed) without a response" }
        return text
    }
}
