extension Workspace {
    /// The plugins of a service: the workspace's list, then the service's; an entry of the service replaces the one of the same name.
    package func plugins(of service: Service) -> [PluginSetting] {
        let own = Set(service.plugins.map(\.name))
        return plugins.filter { !own.contains($0.name) } + service.plugins
    }

    /// Whether the plugins of the service in a folder write the debug log.
    package func hasDebugLog(_ folder: String?) -> Bool {
        guard let service = folder.flatMap({ service($0) }) else { return false }
        return plugins(of: service).contains { $0.kind == .debugLog() }
    }

    /// The public parameters of a service's requests; those of the service replace the workspace's of the same name.
    package func publicParameters(of service: Service) -> [Parameter] {
        let own = Set(service.publicParameters.map(\.name))
        return (publicParameters.filter { !own.contains($0.name) } + service.publicParameters).filter(\.isEnabled)
    }
}
