internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

internal import struct FoundationEssentials.Date

/// The last exchange of an endpoint from the history, shown until the endpoint is sent in this session.
struct LastResponse: Sendable {
    /// The stored exchange.
    var past: PastExchange
    /// The time of reading it.
    var moment: HistoryMoment
    /// The time of reading it, in seconds since the program started.
    var loadedAt: Double

    /// Its age, such as `2 h ago`.
    ///
    /// - Parameter now: Seconds since the program started.
    func age(at now: Double) -> String {
        Self.age(seconds: moment.now.timeIntervalSince(past.item.startedAt) + max(0, now - loadedAt))
    }

    static func age(seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 1 else { return "just now" }
        let units: [(size: Double, name: String)] = [(86_400 * 365, "year"), (86_400 * 30, "month"), (86_400, "day")]
        if let unit = units.first(where: { seconds >= $0.size }) { return ItemCount.text(Int(min(seconds / unit.size, 1e6)), unit.name) + " ago" }
        if seconds >= 3600 { return "\(Int(seconds / 3600)) h ago" }
        return seconds >= 60 ? "\(Int(seconds / 60)) min ago" : "\(Int(seconds)) s ago"
    }
}

/// Loading the last exchange of an endpoint.
struct LastResponseJob: Job {
    static let isReplaced = true

    var target: EndpointID
}

/// The last responses of endpoints.
struct LastResponsesState: FeatureState {
    /// Whether last responses are read: once the program has started.
    var isOn = false
    /// The last responses by the call that shows them.
    var byCall: [CallID: LastResponse] = [:]
    /// The endpoints whose last exchange was read, or is known not to exist.
    var known: Set<EndpointID> = []
}

extension AppState {
    /// The stored exchange that a call of the response pane shows; nil for a call of this session.
    func lastResponse(_ call: Call) -> LastResponse? { states[LastResponsesState.self].byCall[call.id] }

    /// Whether the last exchange of the open endpoint is being read.
    var readsLastResponse: Bool { pendingJobs(LastResponseJob.self).values.contains { $0.target == openTarget } }
}

extension LastResponse {
    /// What differs from a request that is sent now, and what of the exchange is incomplete.
    ///
    /// - Parameters:
    ///   - environment: The selected environment.
    ///   - servers: The servers of the endpoint's service in that environment; empty where they are not known.
    func notes(environment: String?, servers: [HTTPURL]) -> [String] {
        let item = past.item
        var places: [String] = []
        if let sent = item.environment, sent != environment { places.append("in the environment \(sent)") }
        let url = past.exchange.request.url
        if !servers.isEmpty, !servers.contains(where: { $0.origin == url.origin }) { places.append("to \(url.origin)") }
        var notes = places.isEmpty ? [] : ["It was sent \(places.joined(separator: ", "))."]
        if !past.unreadable.isEmpty { notes.append("Damaged in the history and left out: \(past.unreadable.joined(separator: ", "))") }
        return notes
    }
}

extension PastExchange {
    /// Where the body is instead of the history, or why it is missing; nil where it is there.
    var bodyNote: (text: String, isWarning: Bool)? {
        if let file { return ("Saved to \(file)", false) }
        return missingBody.map { ("Body: \($0)", true) }
    }
}
