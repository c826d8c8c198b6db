package import SortieBase
internal import SortieHTTP

/// Finds endpoints that cannot be sent, because one of their servers may not receive a secret that they use (`hosts:`).
package enum SecretHostCheck {
    /// One problem for each endpoint, secret and origin, with the location of the endpoint.
    package static func problems(of workspace: Workspace) -> [Diagnostic] {
        guard !workspace.secretHosts.isEmpty else { return [] }
        let environments: [String?] = workspace.environments.isEmpty ? [nil] : workspace.environments.map(\.name)
        var found: [Diagnostic] = []
        for environment in environments {
            let use = WorkspaceUse(workspace, environment: environment, downloadFolder: nil)
            for service in workspace.services {
                for endpoint in service.endpoints {
                    for (name, origin) in use.refusedSecrets(of: endpoint, in: service) {
                        let hosts = (workspace.secretHosts[name] ?? []).map(\.description).joined(separator: ", ")
                        let problem = Diagnostic(
                            endpoint.location ?? SourceLocation(file: endpoint.target),
                            "the secret \(name) may not be sent to \(origin); secrets: \(name): hosts: in workspace.yaml permits "
                                + (hosts.isEmpty ? "no host" : hosts))
                        if !found.contains(problem) { found.append(problem) }
                    }
                }
            }
        }
        return found
    }
}
