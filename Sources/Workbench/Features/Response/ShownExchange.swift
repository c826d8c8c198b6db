internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// Exchanges that the response pane shows instead of the open endpoint's response.
extension ResponseFeature {
    /// Shows a past exchange.
    ///
    /// - Parameter endpoint: Its endpoint, which is open; nil when the workspace does not have it.
    static func show(_ past: PastExchange, of endpoint: EndpointID?, _ moment: HistoryMoment, _ state: inout AppState) -> [Effect] {
        let item = past.item
        dismissPast(&state)
        let id = state.calls.show(item, past.exchange)
        state.responses[.call(id)] = ResponseState(tab: endpoint.flatMap { state.responses[.endpoint($0)]?.tab } ?? .body)
        state.responses.past = PastView(
            call: id, past: past, moment: moment.long(item.startedAt), fullMoment: moment.full(item.startedAt),
            name: endpoint == nil ? item.url : nil)
        state.focus(.response)
        return past.exchange.response.map { grow(id, to: $0.body, isFinal: true, &state) } ?? []
    }

    /// Shows a replay without an endpoint in the workspace.
    static func showReplay(_ call: Call, _ state: inout AppState) {
        dismissPast(&state)
        state.calls.show(call.id)
        if state.responses[.call(call.id)] == nil { state.responses[.call(call.id)] = ResponseState() }
        state.responses.past = PastView(call: call.id, name: call.name)
    }

    /// Shows the open endpoint's own response again.
    static func dismissPast(_ state: inout AppState) {
        guard let past = state.responses.past else { return }
        state.responses.past = nil
        forgetSearches(of: .call(past.call), &state)
        state.calls.show(nil)
        if state.calls[past.call] == nil { state.responses[.call(past.call)] = nil }
    }

    /// Cancels the searches of the previous response.
    static func forgetSearches(of target: CallKey, _ state: inout AppState) {
        state.stopJobs {
            ($0 as? SearchJob)?.target == target || ($0 as? CountMatchesJob)?.target == target || ($0 as? FilterJob)?.target == target
                || ($0 as? IndexResultsJob)?.target == target
        }
    }
}
