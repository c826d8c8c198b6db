internal import WorkspaceModel

/// What the response pane shows.
enum CallKey: Hashable, Sendable {
    /// The latest call of an endpoint, if there is one.
    case endpoint(EndpointID)
    /// A stored exchange, or a replay that is not the latest call of an endpoint.
    case call(CallID)

    /// The endpoint whose latest call is shown; nil for a single call.
    var endpoint: EndpointID? {
        if case .endpoint(let id) = self { id } else { nil }
    }
}
