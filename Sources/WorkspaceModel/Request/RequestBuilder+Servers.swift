package import SortieHTTP

extension RequestBuilder {
    /// The servers of a service in the environment, without those whose templates need a secret or an earlier response.
    package func serverURLs(of service: String) -> [HTTPURL] {
        guard let environment, let servers = workspace.service(service)?.servers[environment] else { return [] }
        let scope = scope(of: Endpoint(target: "\(service)/x", name: "", path: "/")) { _, _ in nil }
        return servers.compactMap { server in
            do { return try HTTPURL(parsing: scope.resolve(server, as: .url)) } catch { return nil }
        }
    }
}
