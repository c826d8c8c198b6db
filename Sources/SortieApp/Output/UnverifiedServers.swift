internal import SortieHTTP
internal import WorkspaceModel

/// Warns on stderr about servers whose certificates are not verified: others on the network can read and change the traffic.
enum UnverifiedServers {
    /// Warns about the servers of a request, and names the file or the option that disables verification.
    static func report(_ request: Request, of workspace: Workspace, to errors: StandardError) {
        guard request.options.trust.isInsecure else { return }
        let service = request.service.flatMap { workspace.service($0) }
        let isInFile = workspace.trust(of: service, in: request.environment).isInsecure
        let source = isInFile ? service.map(file) ?? "workspace.yaml" : nil
        var reported: Set<String> = []
        for url in [request.url] + request.otherServers where url.scheme == .https && reported.insert(url.origin).inserted {
            warn(url.origin, source ?? "--insecure", errors)
        }
    }

    /// Warns about the servers of services, in the notation of the files.
    ///
    /// - Parameter environment: the environment whose servers are used; nil for those of all environments.
    static func report(_ services: [Service], of workspace: Workspace, environment: String?, to errors: StandardError) {
        for (server, file) in servers(of: services, in: workspace, environment: environment) { warn(server, file, errors) }
    }

    /// The servers of services whose certificates are not verified, in the notation of the files, each with the file that disables verification.
    static func servers(of services: [Service], in workspace: Workspace, environment: String?) -> [(server: String, file: String)] {
        services.flatMap { service in
            var found: Set<String> = []
            let rings = service.servers.filter { ring in
                (environment == nil || ring.key == environment) && workspace.trust(of: service, in: ring.key).isInsecure
            }.sorted { $0.key < $1.key }
            return rings.flatMap(\.value).filter { !$0.lowercased().hasPrefix("http://") && found.insert($0).inserted }
                .map { (Redaction.standard.maskedURL($0), file(of: service)) }
        }
    }

    /// The file that disables verification.
    private static func file(of service: Service) -> String {
        service.trust.isInsecure ? service.location?.file ?? "\(service.folder)/service.yaml" : "workspace.yaml"
    }

    private static func warn(_ server: String, _ source: String, _ errors: StandardError) {
        errors.line("sortie: warning: certificates of \(server) are not verified (\(source))")
    }
}
