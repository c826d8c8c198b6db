internal import HistoryModel
internal import WorkspaceModel

/// The latest call of an endpoint: its registration, and what the panes show of it.
enum EndpointCall {
    /// Cancels the call in flight that a new call of its endpoint replaces.
    ///
    /// Transfers and requests that wait for the network are not replaced.
    static func cancelReplaced(_ endpoint: EndpointID, reason: String? = nil, _ state: inout AppState) -> [Effect] {
        guard let id = state.calls.latest[endpoint], let old = state.calls[id], old.isPlainInFlight else { return [] }
        if let reason { LogFeature.append(.problem(reason), to: id, &state) }
        LogFeature.end(id, .cancelled, duration: old.call.elapsed, &state)
        return [.cancel(id)]
    }

    /// Cancels a call in flight that is not a transfer; has no effect where it is being cancelled already.
    static func cancel(_ id: CallID, _ state: inout AppState) -> [Effect] { state.calls.cancel(id) ? [.cancel(id)] : [] }

    /// Registers a call as the endpoint's latest one, which the response pane shows.
    static func begin(_ endpoint: Endpoint, replaying item: HistoryItem? = nil, selects: Bool = true, _ state: inout AppState) -> CallID {
        if endpoint.id == state.openTarget { ResponseFeature.dismissPast(&state) }
        let id = state.calls.begin(endpoint, replaying: item)
        wasReplaced(endpoint.id, selects: selects, &state)
        LogFeature.begin(id, &state)
        return id
    }

    /// Resets the response pane of an endpoint that has a new latest call, and selects the endpoint.
    static func wasReplaced(_ endpoint: EndpointID, selects: Bool, _ state: inout AppState) {
        let key = CallKey.endpoint(endpoint)
        state.responses[key, default: ResponseState()].startOver()
        ResponseFeature.forgetSearches(of: key, &state)
        if selects, endpoint != state.openTarget { ServicesFeature.select(.endpoint(endpoint), &state) }
    }
}
