internal import SortieTerminal
internal import WorkspaceModel

extension Command {
    static let chooseServer = Command.named("chooseServer")
}

/// Switching a service to another server of its ring.
struct ServersFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .monitor, [.character("s")], .chooseServer, "Server", "Switch the service to another server", hint: 1, unless: Self.reason),
            Binding(.everywhere, [], .chooseServer, "Server", "Switch the service to another server", unless: Self.reason),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .chooseServer else { return nil }
        guard let service = Self.service(state) else { return [] }
        state.stopEditing()
        let (servers, environment) = (Self.servers(of: service, state), state.environment)
        let current = state.serverIndex(of: service) % max(1, servers.count)
        let items = servers.enumerated().map { index, server in
            ListPopup.Item(
                key: "\(index + 1)", label: server, detail: index == current ? "in use" : "", isCurrent: index == current
            ) { state in
                state.notify("Requests of \(service.name) go to its server \(index + 1) of \(servers.count)")
                return [.switchServer(service: service.folder, environment: environment, to: index, of: servers.count)]
            }
        }
        state.show(ListPopup(title: "Server of \(service.name)", items: items, guideAddress: "addresses#servers"))
        return []
    }

    private static func servers(of service: Service, _ state: AppState) -> [String] { state.environment.flatMap { service.servers[$0] } ?? [] }

    /// The service of the selected row of Monitor, the selected service, the open one, or that of the open endpoint.
    static func service(_ state: AppState) -> Service? {
        if state.focus == .bottom, state.bottomTab == .monitor { return state.monitor.selectedService.flatMap { state.workspace.service($0) } }
        if case .service(let folder) = state.services.selected, state.focus == .services { return state.workspace.service(folder) }
        return state.shownService ?? state.openEndpoint.flatMap { state.workspace.service($0.serviceName) }
    }

    static func noService(_ state: AppState) -> String? { service(state) == nil ? "No service of the workspace is selected" : nil }

    static func reason(_ state: AppState) -> String? {
        if let reason = noService(state) { return reason }
        guard let service = service(state) else { return nil }
        guard servers(of: service, state).count < 2 else { return nil }
        return "\(service.name) has a single server in \(state.environment ?? "this environment")"
    }
}

extension MonitorState {
    /// The folder of the service to which the selected row belongs.
    fileprivate var selectedService: String? {
        rows.prefix(min(selected, max(0, rows.count - 1)) + 1).reversed().lazy.compactMap { row -> String? in
            if case .place(.service, let name, _, _) = row { return name }
            return nil
        }.first
    }
}
