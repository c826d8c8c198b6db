internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Sending requests.
struct SendingFeature: Feature {
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? { command == .send ? state.send() : nil }

    func alert(_ state: AppState) -> Span? {
        let service = state.openEndpoint.flatMap { state.workspace.service($0.serviceName) }
        return service?.trust.isInsecure == true ? Span("TLS not verified", .warning) : nil
    }
}
