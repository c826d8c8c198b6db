internal import SortieHTTP
internal import WorkspaceModel

/// The inherited values of an endpoint's options, and their sources.
struct OptionDefaults: Hashable, Sendable {
    private var service: Service?
    private var workspaceTimeouts: Timeouts
    /// The tags of the service.
    let tags: [String]
    /// The plugins of workspace and service.
    let plugins: [PluginSetting.Kind]
    /// The use of cached responses of the workspace; nil for none.
    let cache: CacheSetting?
    /// The endpoint that the endpoint extends; nil for none.
    let extended: Endpoint?
    /// The options of a request of the service.
    private(set) var options = RequestOptions()

    init(of endpoint: Endpoint, in workspace: Workspace) {
        let inherits = endpoint.inherits ?? true
        service = inherits ? workspace.service(endpoint.serviceName) : nil
        workspaceTimeouts = inherits ? workspace.timeouts : Timeouts()
        extended = endpoint.extends.flatMap { workspace.endpoint($0) }
        options.usesCookies = inherits
        options.requiresTLS = workspace.service(endpoint.serviceName)?.requiresTLS ?? false
        tags = workspace.service(endpoint.serviceName)?.tags ?? []
        plugins = service.map { workspace.plugins(of: $0).map(\.kind) } ?? []
        cache = inherits ? workspace.cache(for: endpoint) : nil
    }

    /// The inherited time limits.
    var timeouts: Timeouts { service?.timeouts ?? workspaceTimeouts }

    /// The names of the inherited plugins.
    var pluginText: String { plugins.isEmpty ? "no plugins" : plugins.map(\.name).joined(separator: ", ") }

    /// The source of an inherited option: the service's name, `workspace` or `default`.
    func source(of option: OptionRow) -> String {
        switch option {
        case .connect: source(of: \.connect)
        case .idle: source(of: \.idle)
        case .total: totalSource
        case .name: "file"
        case .tags: tags.isEmpty ? "default" : service?.name ?? "service"
        case .plugins: plugins.isEmpty ? "default" : service?.name ?? "service"
        case .key(.https): options.requiresTLS ? service?.name ?? "service" : "default"
        case .cache, .cachePlace, .cachePolicy: cache == nil ? "default" : "workspace"
        default: "default"
        }
    }

    private var totalSource: String {
        guard timeouts.$total != nil else { return "default" }
        if let service, !timeouts.hasSameTotal(as: workspaceTimeouts) { return service.name }
        return "workspace"
    }

    private func source<Limit: Equatable>(of limit: KeyPath<Timeouts, Limit>) -> String {
        if let service, timeouts[keyPath: limit] != workspaceTimeouts[keyPath: limit] { return service.name }
        return workspaceTimeouts[keyPath: limit] == Timeouts()[keyPath: limit] ? "default" : "workspace"
    }
}
