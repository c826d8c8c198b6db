internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// Showing the last response of an endpoint that was not sent in this session.
extension HistoryFeature {
    /// Requests the last exchange of the open endpoint, unless it was sent in this session or its last exchange is known.
    static func requestLast(_ state: inout AppState) -> [Effect] {
        let last = state.states[LastResponsesState.self]
        guard last.isOn, state.history.isOn, let target = state.openTarget, state.workspace.endpoint(target) != nil,
            let endpoint = state.endpoint(target), state.calls[.endpoint(target)] == nil, !last.known.contains(target), !state.readsLastResponse
        else { return [] }
        let job = state.nextJob(LastResponseJob(target: target))
        return [.history(job, .last(endpoint, workspace: state.workspace.folder))]
    }

    /// Shows the last exchange of an endpoint, unless the endpoint was sent meanwhile.
    static func lastLoaded(_ past: PastExchange?, _ moment: HistoryMoment, of target: EndpointID, _ state: inout AppState) -> [Effect] {
        state.states[LastResponsesState.self].known.insert(target)
        guard let past, state.calls[.endpoint(target)] == nil, let endpoint = state.endpoint(target) else { return [] }
        let id = state.calls.record(past.exchange, of: endpoint)
        let calls = state.calls
        var last = state.states[LastResponsesState.self]
        last.byCall = last.byCall.filter { calls[$0.key] != nil }
        last.byCall[id] = LastResponse(past: past, moment: moment, loadedAt: state.now)
        state.states[LastResponsesState.self] = last
        return past.exchange.response.map { ResponseFeature.grow(id, to: $0.body, isFinal: true, &state) } ?? []
    }

    /// Handles a failure to read the last exchange; the history tab shows the reason.
    static func lastFailed(_ target: EndpointID, _ sentence: String, _ state: inout AppState) {
        state.states[LastResponsesState.self].known.insert(target)
        state.log.append(LogEntry(.warning, source: target.path, "the last response cannot be read: \(sentence)"))
    }

    /// Removes deleted exchanges from the pane; the exchange before them is read instead.
    static func forgetDeleted(_ numbers: [Int64], _ state: inout AppState) {
        for (id, last) in state.states[LastResponsesState.self].byCall where numbers.contains(last.past.item.number) {
            state.states[LastResponsesState.self].byCall[id] = nil
            guard let endpoint = state.calls[id]?.endpoint, state.calls.isLatest(id) else { continue }
            state.states[LastResponsesState.self].known.remove(endpoint)
            ResponseFeature.forgetSearches(of: .endpoint(endpoint), &state)
            state.responses[.endpoint(endpoint)]?.startOver()
            state.calls.withdraw(id)
        }
    }
}
