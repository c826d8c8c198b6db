internal import Model

/// What Response shows in place of the open endpoint's latest call: an exchange of the history, or one that is sent again without an endpoint.
struct PastView: Sendable {
    /// Under which ``AppState/calls`` and ``AppState/responses`` have it; never a target, which has a slash in it.
    let key: String
    /// The exchange as it was kept; nil for one that is being sent again.
    var past: PastExchange?
    /// When it was asked for, in words; of today the time alone.
    var moment = ""
    /// The same with its day.
    var fullMoment = ""
    /// What stands in the title where no endpoint of the workspace does.
    var name: String?

    /// The lines above the body: which one it is, and what of it is not as it was.
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
        if let missing = past.missingRequestBody { lines.append(("What was sent: \(missing)", true)) }
        if let missing = past.missingBody { lines.append(("The body: \(missing)", true)) }
        if let file = past.file { lines.append(("Saved to \(file)", false)) }
        return lines
    }
}
