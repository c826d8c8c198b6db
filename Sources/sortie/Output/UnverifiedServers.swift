internal import SortieHTTP
internal import WorkspaceModel

/// Warns on stderr about servers whose certificates are not verified: others on the network can read and change the traffic.
enum UnverifiedServers {
    /// Warns about the servers of a request, and names the file or the option that disables verification.
    static func report(_ request: Request, of workspace: Workspace) {
        guard request.options.trust.isInsecure else { return }
        let service = request.service.flatMap { workspace.service($0) }
        let source = service?.trust.isInsecure == true ? service.map(file) : nil
        var reported: Set<String> = []
        for url in [request.url] + request.otherServers where url.scheme == .https && reported.insert(url.origin).inserted {
            warn(url.origin, source ?? "--insecure")
        }
    }

    /// Warns about the servers of services, in the notation of the files.
    ///
    /// - Parameter environment: the environment whose servers are used; nil for those of all environments.
    static func report(_ services: [Service], environment: String?) {
        for (server, file) in servers(of: services, environment: environment) { warn(server, file) }
    }

    /// The servers of services whose certificates are not verified, in the notation of the files, each with the file that disables verification.
    static func servers(of services: [Service], environment: String?) -> [(server: String, file: String)] {
        services.filter(\.trust.isInsecure).flatMap { service in
            var found: Set<String> = []
            let rings = service.servers.filter { environment == nil || $0.key == environment }.sorted { $0.key < $1.key }
            return rings.flatMap(\.value).filter { !$0.lowercased().hasPrefix("http://") && found.insert($0).inserted }
                .map { (Redaction.standard.maskedURL($0), file(of: service)) }
        }
    }

    private static func file(of service: Service) -> String { service.location?.file ?? "\(service.folder)/service.yaml" }

    private static func warn(_ server: String, _ source: String) {
        StandardError.line("sortie: warning: certificates of \(server) are not verified (\(source))")
    }
}
