internal import SortieHTTP
internal import WorkspaceModel

extension AppState {
    /// The servers of a service in the selected environment, without those that need a lookup of a secret or a built-in.
    func serverURLs(of service: String) -> [HTTPURL] {
        guard let environment = environment, let servers = workspace.service(service)?.servers[environment] else { return [] }
        let plan = RequestBuilder(workspace: workspace, environment: environment)
        let scope = plan.scope(of: Endpoint(target: "\(service)/x", name: "", path: "/")) { _, _ in nil }
        return servers.compactMap { server in
            do { return try HTTPURL(parsing: scope.resolve(server, as: .url)) } catch { return nil }
        }
    }
}
