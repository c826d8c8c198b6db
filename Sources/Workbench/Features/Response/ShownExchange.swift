internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// Exchanges that the response pane shows instead of the open endpoint's response.
extension ResponseFeature {
    private static let pastKey = "past"

    /// Shows a past exchange.
    ///
    /// - Parameter target: Its endpoint, which is open; nil when the workspace does not have it.
    static func show(_ past: PastExchange, of target: String?, _ moment: HistoryMoment, _ state: inout AppState) -> [Effect] {
        let item = past.item
        dismissPast(&state)
        state.lastNumber += 1
        var sent = past.exchange.request.origin?.endpoint ?? Endpoint(target: item.target ?? pastKey, name: item.url, path: item.url)
        sent.method = item.method
        sent.kind = item.kind
        var call = Call(CallID(state.lastNumber), sent)
        call.finish(past.exchange)
        if let response = past.exchange.response { call.grow(to: response.body, isFinal: true, mode: nil) }
        state.calls[pastKey] = call
        state.responses[pastKey] = ResponseState(tab: target.flatMap { state.responses[$0]?.tab } ?? .body)
        state.responses.past = PastView(
            key: pastKey, past: past, moment: moment.long(item.startedAt), fullMoment: moment.full(item.startedAt),
            name: target == nil ? item.url : nil)
        state.focus(.response)
        return state.continueIndex(pastKey)
    }

    /// Shows a replay without an endpoint in the workspace.
    static func showReplay(_ call: Call, _ key: String, _ state: inout AppState) {
        dismissPast(&state)
        if state.responses[key] == nil { state.responses[key] = ResponseState() }
        state.responses.past = PastView(key: key, name: call.name)
    }

    /// Shows the open endpoint's own response again.
    static func dismissPast(_ state: inout AppState) {
        guard let past = state.responses.past else { return }
        state.responses.past = nil
        forgetSearches(of: past.key, &state)
        forget(past.key, &state)
    }

    /// Removes a call without an endpoint once it has ended and is not shown.
    static func forget(_ key: String, _ state: inout AppState) {
        guard !key.contains("/"), state.responses.past?.key != key, state.calls[key]?.isInFlight != true else { return }
        state.calls[key] = nil
        state.responses[key] = nil
    }

    /// Cancels the searches of the previous response.
    static func forgetSearches(of target: String, _ state: inout AppState) {
        state.stopJobs { ($0 as? SearchJob)?.target == target || ($0 as? CountMatchesJob)?.target == target }
    }
}
