/// A workspace: services with endpoints, environments and runs, as their files describe them.
public struct Workspace: Hashable, Sendable {
    /// What a person calls it.
    public var name: String
    /// The folder it was loaded from, absolute.
    public var folder: String
    /// The environments in the order of the file.
    public var environments: [WorkspaceEnvironment]
    /// The environment to start with.
    public var initialEnvironment: String?
    /// Variables of every environment.
    public var variables: [String: String]
    /// How nested parameters and characters are written.
    public var parameters: ParameterStyle
    /// Parameters that every request carries (S0.29), in the order of the file.
    public var publicParameters: [Parameter]
    /// Names of secrets and where their values come from.
    public var secrets: [String: SecretSource]
    /// The hosts that may receive a secret, by its name; a secret that is not in it is not restricted.
    public var secretHosts: [String: [HostPattern]] = [:]
    /// Names of headers, parameters and JSON keys that are masked beside the standard ones (S0.35).
    public var redact: [String]
    /// The plugins of every service, in order.
    public var plugins: [PluginSetting]
    /// Limits of time where nothing more special says so.
    public var timeouts: Timeouts
    /// The services in the order of their folders.
    public var services: [Service]
    /// The runs in the order of their names.
    public var runs: [RunDefinition]
    /// What is wrong with the files.
    public var problems: [Problem]
    /// The files that cannot be used, in the order of their names; what they describe is missing above.
    public var unreadable: [UnreadableFile]
    /// Paths that the files name and that lead elsewhere through symbolic links, with their targets; the workspace's folder may be among them.
    public var links: [String: String] = [:]

    /// An empty workspace.
    public init(name: String, folder: String) {
        self.name = name
        self.folder = folder
        environments = []
        variables = [:]
        parameters = ParameterStyle()
        publicParameters = []
        secrets = [:]
        redact = []
        plugins = []
        timeouts = Timeouts()
        services = []
        runs = []
        problems = []
        unreadable = []
    }

    /// All endpoints, service by service.
    public var endpoints: [Endpoint] { services.flatMap(\.endpoints) }

    /// The endpoint with that target.
    public func endpoint(_ target: String) -> Endpoint? {
        services.first { target.hasPrefix($0.folder + "/") }?.endpoints.first { $0.target == target }
    }

    /// The folder in which relative paths of an endpoint begin: that of its file.
    package func fileFolder(of endpoint: Endpoint) -> String {
        FilePath.folder(of: FilePath.joining(folder, endpoint.location?.file ?? endpoint.target))
    }

    /// The service in that folder.
    public func service(_ folder: String) -> Service? {
        services.first { $0.folder == folder }
    }
}
