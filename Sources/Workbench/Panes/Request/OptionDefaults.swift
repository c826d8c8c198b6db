internal import Model

/// What holds for the options of an endpoint where its file says nothing, and who says so.
struct OptionDefaults: Hashable, Sendable {
    private var service: Service?
    private var workspaceTimeouts: Timeouts
    /// What every request begins with.
    let options = RequestOptions()

    init(of endpoint: Endpoint, in workspace: Workspace) {
        service = workspace.service(endpoint.serviceName)
        workspaceTimeouts = workspace.timeouts
    }

    /// Limits of time.
    var timeouts: Timeouts { service?.timeouts ?? workspaceTimeouts }

    /// Who says what holds for an option that the endpoint does not set: the service's name, `workspace` or `default`.
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
