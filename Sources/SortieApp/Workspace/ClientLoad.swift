internal import SortieNetworking

/// The load that a bench puts on one service, in place of the limits of the workspace.
struct ClientLoad {
    /// The folder of the service, or the origin of a URL.
    let lane: String
    /// The number of calls in flight.
    let concurrency: Int

    /// Replaces the limits of the service, because a call that waits for a place measures the limit and not the server.
    func apply(to configuration: inout Client.Configuration) {
        configuration.channelLimits[lane] = concurrency
        configuration.connectionLimits[lane] = concurrency
    }
}
