internal import Model

/// How all requests of one service are treated (S4.6): immutable, taken along by each call when it begins.
public struct ServiceConfiguration: Sendable {
    /// The plugins of this service, after those of the client.
    public var plugins: [any Plugin]
    /// Whether a status outside 200–299 is an error.
    ///
    /// Off, because a workbench shows what came (S2.29).
    public var validatesStatus: Bool

    /// A configuration without anything special.
    public init(plugins: [any Plugin] = [], validatesStatus: Bool = false) {
        self.plugins = plugins
        self.validatesStatus = validatesStatus
    }
}
