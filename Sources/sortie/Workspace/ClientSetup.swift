internal import Model
internal import Networking

extension Client.Configuration {
    /// A client for the requests of a workspace: limits, envelopes, plugins and encryption as its files say.
    init(for workspace: Workspace, plugins: WorkspacePlugins) {
        var limits: [String: Int] = [:]
        for service in workspace.services {
            limits[service.folder] = [service.maximumRequests, service.maximumConnections].compactMap { $0 }.min()
        }
        self.init(channelLimits: limits, services: plugins.services)
    }
}
