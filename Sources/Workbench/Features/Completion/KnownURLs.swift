internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// The URLs that were used before: those of the workspace, and those of the loaded part of the history.
struct KnownURLs {
    private let state: AppState

    init(_ state: AppState) { self.state = state }

    /// The paths of the endpoint's service first, then complete URLs.
    var completions: [Completion] {
        var texts: Set<String> = []
        var result: [Completion] = []
        func add(_ text: some StringProtocol, _ source: String) {
            let text = String(text.prefix { !"?#".contains($0) })
            guard !text.isEmpty, texts.insert(text).inserted else { return }
            result.append(Completion(text, source: source))
        }
        let open = state.openEndpoint
        let hasServer = open.map { RequestFeature.hasServer($0, state) } ?? false
        if hasServer, let service = open.flatMap({ state.workspace.service($0.serviceName) }) {
            for endpoint in service.endpoints where endpoint.id != open?.id { add(endpoint.path, endpoint.name) }
        }
        for service in state.workspace.services {
            let servers = state.environment.flatMap { service.servers[$0] } ?? []
            for server in servers { add(server, "server of \(service.name)") }
            for endpoint in service.endpoints where endpoint.id != open?.id {
                if endpoint.path.contains("://") {
                    add(endpoint.path, endpoint.name)
                } else if let server = servers.first, endpoint.path.hasPrefix("/") {
                    add((server.hasSuffix("/") ? String(server.dropLast()) : server) + endpoint.path, endpoint.name)
                }
            }
        }
        for item in state.history.window.items { add(state.redaction.masked(item.url), "history") }
        return result
    }
}
