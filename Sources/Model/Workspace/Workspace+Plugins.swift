extension Workspace {
    /// The plugins of a service: the workspace's list, then the service's; an entry of the service stands for the one of the same name.
    public func plugins(of service: Service) -> [PluginSetting] {
        let own = Set(service.plugins.map(\.name))
        return plugins.filter { !own.contains($0.name) } + service.plugins
    }

    /// Whether the plugins of the service with that folder print the blocks of the debug log.
    public func hasDebugLog(_ folder: String?) -> Bool {
        guard let service = folder.flatMap({ service($0) }) else { return false }
        return plugins(of: service).contains { $0.kind == .debugLog }
    }

    /// The public parameters that go with requests of a service; those of the service stand for the workspace's of the same name.
    public func publicParameters(of service: Service) -> [Parameter] {
        let own = Set(service.publicParameters.map(\.name))
        return (publicParameters.filter { !own.contains($0.name) } + service.publicParameters).filter(\.isEnabled)
    }
}
