internal import WorkspaceModel

/// The tabs of a service in the request pane.
enum ServiceTab: String, PaneTab {
    case servers = "Servers"
    case headers = "Headers"
    case auth = "Auth"
    case trust = "Trust"
    case settings = "Settings"

    var title: String { rawValue }

    /// The tab of a setting.
    init(of key: ServiceKey) {
        switch key.root {
        case "https", "switchServers", "addresses", "proxy", "tunnel": self = .servers
        case "trust": self = .trust
        default: self = .settings
        }
    }

    /// The key of `service.yaml` whose rows are a list on the tab; nil for a tab without a list.
    var listKey: String? {
        switch self {
        case .servers: "servers"
        case .headers: "headers"
        case .auth, .trust, .settings: nil
        }
    }
}

/// The state of services in the request pane.
struct ServicePane: FeatureState {
    /// What is being edited in place.
    enum Editing: Hashable, Sendable {
        case row(RequestState.RowEdit)
        case text(ServiceKey, TextArea)
    }

    var tab = ServiceTab.servers
    /// The selected row by tab.
    var selected: [ServiceTab: Int] = [:]
    var editing: Editing?

    var row: Int {
        get { selected[tab] ?? 0 }
        set { selected[tab] = newValue }
    }

    /// Whether a row is one of the list of the tab, or of its values.
    func isInList(_ row: RequestRow) -> Bool { row.listIndex != nil || tab == .headers }
}

extension AppState {
    /// The state of services in the request pane.
    var servicePane: ServicePane {
        get { states[ServicePane.self] }
        _modify { yield &states[ServicePane.self] }
    }

    /// The service that the request pane shows, with changes that are not in its file yet.
    var editedService: Service? { shownService.map { serviceChanges.changes[$0.folder]?.service ?? $0 } }
}

extension Service {
    /// The servers as rows of an environment and a URL, in the order of the environments; one row without a URL for an environment without servers.
    func serverList(in environments: [String]) -> [Parameter] {
        let others = servers.keys.filter { !environments.contains($0) }.sorted()
        return (environments + others).flatMap { name in
            (servers[name].flatMap { $0.isEmpty ? nil : $0 } ?? [""]).map { Parameter(name, $0) }
        }
    }

    /// Sets the servers to rows of an environment and a URL.
    mutating func setServers(_ list: [Parameter]) {
        servers = Dictionary(grouping: list, by: \.name).mapValues { $0.map(\.value) }
    }

    /// The service without rows that were added and are still empty, as it is written.
    var withoutEmptyRows: Service {
        var result = self
        result.servers = servers.mapValues { $0.filter { !$0.isEmpty } }.filter { !$0.value.isEmpty }
        result.headers.removeAll { $0.name.isEmpty && $0.value.isEmpty }
        return result
    }
}
