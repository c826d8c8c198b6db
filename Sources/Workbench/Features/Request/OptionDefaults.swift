internal import SortieHTTP
internal import WorkspaceModel

/// The inherited values of an endpoint's options, and their sources.
struct OptionDefaults: Hashable, Sendable {
    private var service: Service?
    private var workspaceTimeouts: Timeouts
    /// The options of every request.
    let options = RequestOptions()

    init(of endpoint: Endpoint, in workspace: Workspace) {
        service = workspace.service(endpoint.serviceName)
        workspaceTimeouts = workspace.timeouts
    }

    /// The inherited time limits.
    var timeouts: Timeouts { service?.timeouts ?? workspaceTimeouts }

    /// The source of an inherited option: the service's name, `workspace` or `default`.
    func source(of option: OptionRow) -> String {
        switch option {
        case .connect: source(of: \.connect)
        case .idle: source(of: \.idle)
        case .total: totalSource
        default: "default"
        }
    }

    private var totalSource: String {
        guard timeouts.isTotalExplicit else { return "default" }
        if let service, !timeouts.hasSameTotal(as: workspaceTimeouts) { return service.name }
        return "workspace"
    }

    private func source<Limit: Equatable>(of limit: KeyPath<Timeouts, Limit>) -> String {
        if let service, timeouts[keyPath: limit] != workspaceTimeouts[keyPath: limit] { return service.name }
        return workspaceTimeouts[keyPath: limit] == Timeouts()[keyPath: limit] ? "default" : "workspace"
    }
}
