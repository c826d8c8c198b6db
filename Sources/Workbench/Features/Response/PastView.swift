internal import HistoryModel

/// What the response pane shows instead of the open endpoint's latest call: a past exchange, or a replay without an endpoint.
struct PastView: Sendable {
    /// The call that is shown.
    let call: CallID
    /// The stored exchange; nil for a replay in flight.
    var past: PastExchange?
    /// The formatted time of the exchange, without the date on the same day.
    var moment = ""
    /// The formatted time with the date.
    var fullMoment = ""
    /// The title when the workspace has no such endpoint.
    var name: String?

    /// The stored exchange that sending replays; nil where the workspace has its endpoint, which is sent instead.
    var replayedItem: HistoryItem? { name == nil ? nil : past?.item }

    /// The lines above the body: the exchange, and what of it is incomplete.
    var origin: [(text: String, isWarning: Bool)] {
        guard let past else { return [] }
        let item = past.item
        var facts = ["#\(item.number)", fullMoment]
        if let environment = item.environment { facts.append(environment) }
        if let run = item.run { facts.append("step of \(run)") }
        if item.isPinned { facts.append("pinned") }
        facts += item.tags.map { "#" + $0 }
        var lines: [(String, Bool)] = [("From the history: " + facts.joined(separator: " · ") + ". Secrets are masked.", false)]
        if !item.note.isEmpty { lines.append(("Note: \(item.note)", false)) }
        if !past.unreadable.isEmpty { lines.append(("Damaged in the history and left out: \(past.unreadable.joined(separator: ", "))", true)) }
        if let missing = past.missingRequestBody { lines.append(("Request body: \(missing)", true)) }
        if let missing = past.missingBody { lines.append(("Body: \(missing)", true)) }
        if let file = past.file { lines.append(("Saved to \(file)", false)) }
        return lines
    }
}
