internal import HistoryModel
internal import SortieHTTP

/// The counts of a replay of several exchanges; the replays themselves are in ``Operations``.
struct ReplayBatch: Sendable {
    /// The number of replays.
    let count: Int
    private(set) var ended = 0
    private var same = 0
    private var failed = 0
    private var startedAt: Double?
    private(set) var elapsed = 0.0
    var isCancelling = false

    init(count: Int) {
        self.count = count
    }

    /// Whether all replays have the status of their exchange.
    var isSame: Bool { same == count }

    /// Counts the end of a replay; nil for one that was not sent.
    mutating func end(_ item: HistoryItem, with exchange: Exchange?) {
        ended += 1
        // A response counts as such even when its status or a rule makes it an error.
        if exchange?.response == nil { failed += 1 }
        if let response = exchange?.response, response.status == item.status, response.grpcStatus?.code == item.grpcStatus { same += 1 }
    }

    /// Updates the elapsed time.
    mutating func tick(_ now: Double) {
        let start = startedAt ?? now
        startedAt = start
        elapsed = max(0, now - start)
    }

    /// The result, such as `5 replayed, 4 with the same status`.
    var text: String {
        var text = "\(count) replayed, \(isSame ? "all" : same == 0 ? "none" : "\(same)") with the same status"
        if failed > 0 { text += ", \(failed) without a response" }
        return text
    }
}
