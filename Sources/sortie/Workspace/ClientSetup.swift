internal import SortieNetworking
internal import WorkspaceModel

extension Client.Configuration {
    /// A client for the requests of a workspace: limits, envelopes, plugins and encryption as its files say.
    init(for workspace: Workspace, plugins: WorkspacePlugins) {
        var (requests, connections): ([String: Int], [String: Int]) = ([:], [:])
        for service in workspace.services {
            requests[service.folder] = service.maximumRequests
            connections[service.folder] = service.maximumConnections
        }
        self.init(channelLimits: requests, connectionLimits: connections, services: plugins.services)
    }
}
