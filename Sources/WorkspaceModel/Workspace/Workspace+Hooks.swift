extension Workspace {
    /// The hooks of an endpoint's calls, in order: those of the workspace, of its service, and its own.
    package func hooks(of endpoint: Endpoint?, in service: Service) -> [HookSetting] {
        hooks + service.hooks + (endpoint?.hooks ?? [])
    }

    /// The hooks of an endpoint's calls, in order; none for a request that no file describes.
    package func hooks(of endpoint: Endpoint) -> [HookSetting] {
        service(endpoint.serviceName).map { hooks(of: endpoint, in: $0) } ?? []
    }

    /// All hooks in the files.
    package var allHooks: [HookSetting] {
        hooks + services.flatMap { $0.hooks + $0.endpoints.flatMap(\.hooks) }
    }
}
