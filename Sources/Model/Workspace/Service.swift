/// A service: a folder with `service.yaml`, its servers and what all of its endpoints share.
public struct Service: Hashable, Sendable {
    /// The folder's name, first part of every target in it.
    public var folder: String
    /// What a person calls it.
    public var name: String
    /// What it is for.
    public var summary: String?
    /// Servers by environment, a ring each (S1.8); templates unresolved.
    public var servers: [String: [String]]
    /// Header fields of every endpoint.
    public var headers: [Parameter]
    /// Names of header fields that are sent by default and that its endpoints leave out.
    public var removedHeaders: [String] = []
    /// Who asks, for endpoints that inherit.
    public var auth: Auth
    /// How many requests may be in flight; nil for the default.
    public var maximumRequests: Int?
    /// How many connections may be open; nil for the default.
    public var maximumConnections: Int?
    /// Whom to trust.
    public var trust: TrustPolicy
    /// The passphrase of the client key, a template: usually the name of a secret.
    public var clientKeyPassphrase: String?
    /// Limits of time; nil for the workspace's.
    public var timeouts: Timeouts?
    /// Where the addresses of its hosts come from (IP-direct).
    public var addresses: AddressSettings
    /// When its ring of servers goes on by itself.
    public var serverSwitch: ServerSwitchRule
    /// The proxy.
    public var proxy: ProxyTemplate?
    /// The wrapper around its results, where there is one (S2.28).
    public var envelope: Envelope?
    /// Its plugins, in order, after those of the workspace.
    public var plugins: [PluginSetting]
    /// How nested parameters and characters are written.
    public var parameters: ParameterStyle
    /// Parameters that its requests carry beside those of the workspace (S0.29); they win over these.
    public var publicParameters: [Parameter]
    /// The endpoints below it, in the order of their targets.
    public var endpoints: [Endpoint]
    /// The service's file.
    public var location: SourceLocation?

    /// A service without endpoints.
    public init(folder: String, name: String) {
        self.folder = folder
        self.name = name
        servers = [:]
        headers = []
        auth = .none
        trust = .system
        addresses = AddressSettings()
        serverSwitch = ServerSwitchRule()
        plugins = []
        parameters = ParameterStyle()
        publicParameters = []
        endpoints = []
    }
}
