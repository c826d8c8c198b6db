internal import SortieBase

extension Workspace {
    /// The plugins of a service: the workspace's list, then the service's; an entry of the service replaces the one of the same name.
    package func plugins(of service: Service) -> [PluginSetting] {
        let own = Set(service.plugins.map(\.name))
        return plugins.filter { !own.contains($0.name) } + service.plugins
    }

    /// The plugins of an endpoint: those of its service, with its own in addition or in the place of those with the same name, or only its own.
    ///
    /// Those of an endpoint that bypasses plugins are all there, because they still observe its calls.
    package func plugins(of endpoint: Endpoint, in service: Service) -> [PluginSetting] {
        let inherited = plugins(of: service)
        guard let use = endpoint.pluginUse, use != .none else { return inherited }
        let place = endpoint.location ?? SourceLocation(file: endpoint.target)
        var own = use.own.map { PluginSetting($0, location: place) }
        guard case .adding = use else { return own }
        let replaced = inherited.map { setting in
            own.firstIndex { $0.name == setting.name }.map { own.remove(at: $0) } ?? setting
        }
        return replaced + own
    }

    /// The public parameters of a service's requests; those of the service replace the workspace's of the same name.
    package func publicParameters(of service: Service) -> [Parameter] {
        let own = Set(service.publicParameters.map(\.name))
        return (publicParameters.filter { !own.contains($0.name) } + service.publicParameters).filter(\.isEnabled)
    }
}
