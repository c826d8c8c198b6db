internal import SortieNetworking
internal import WorkspaceModel

extension StandardFields {
    /// The fields of the program's requests.
    static func program(_ environment: [String: String]) -> StandardFields {
        StandardFields(application: "sortie", languages: languages(in: environment))
    }
}

extension Client.Configuration {
    /// Creates a client for the requests of a workspace, with the limits, envelopes, plugins and encryption of its files.
    init(for workspace: Workspace, plugins: WorkspacePlugins, in program: ProgramContext) {
        var (requests, connections): ([String: Int], [String: Int]) = ([:], [:])
        var downloads: [String: Int] = [:]
        for service in workspace.services {
            requests[service.folder] = service.maximumRequests
            connections[service.folder] = service.maximumConnections
            downloads[service.folder] = service.maximumDownloads
        }
        self.init(channelLimits: requests, connectionLimits: connections, services: plugins.services)
        downloadLimits = downloads
        standardFields = .program(program.environment)
        spoolFolder = program.spoolFolder
    }
}
