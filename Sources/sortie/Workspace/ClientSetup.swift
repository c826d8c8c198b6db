internal import Model
internal import Networking

extension Client.Configuration {
    /// A client for the requests of a workspace: limits, envelopes and public parameters as its files say.
    init(for workspace: Workspace) {
        var limits: [String: Int] = [:]
        var services: [String: ServiceConfiguration] = [:]
        for service in workspace.services {
            limits[service.folder] = [service.maximumRequests, service.maximumConnections].compactMap { $0 }.min()
            if let envelope = service.envelope { services[service.folder] = ServiceConfiguration(envelope: envelope) }
        }
        self.init(channelLimits: limits, services: services)
    }
}
