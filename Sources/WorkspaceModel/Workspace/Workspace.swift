package import SortieBase
package import SortieHTTP

/// A workspace: services with endpoints, environments and runs, as its files describe them.
package struct Workspace: Hashable, Sendable {
    /// The name for display.
    package var name: String
    /// The absolute path of the folder it was loaded from.
    package var folder: String
    /// The environments in the order of the file.
    package var environments: [WorkspaceEnvironment]
    /// The environment that is selected initially.
    package var initialEnvironment: String?
    /// The variables of all environments.
    package var variables: [String: String]
    /// The style of nested parameters and the character encoding.
    package var parameters: ParameterStyle
    /// The public parameters of every request, in the order of the file.
    package var publicParameters: [Parameter]
    /// The sources of secrets by name.
    package var secrets: [String: SecretSource]
    /// The hosts that may receive a secret, by its name; a secret that is not in it is not restricted.
    package var secretHosts: [String: [HostPattern]] = [:]
    /// How long the output of the command of a secret is used, by the name of the secret; otherwise the command is run for each request.
    package var secretLifetimes: [String: Duration] = [:]
    /// Names of header fields, parameters and JSON keys that are masked in addition to the standard ones.
    package var redact: [String]
    /// The plugins of every service, in order.
    package var plugins: [PluginSetting]
    /// The programs that take part in the calls of every service, in order.
    package var hooks: [HookSetting] = []
    /// The digests of the files of the workspace that the commands of hooks, secrets and tunnels name, by the name.
    package var programDigests: [String: String] = [:]
    /// The time limits, used where a service or an endpoint sets none.
    package var timeouts: Timeouts
    /// The use of cached responses by GET and HEAD endpoints that set none; nil caches none.
    package var cache: CacheSetting?
    /// The absolute path of the folder for cached responses on disk; nil for the cache folder of the user.
    package var cacheFolder: String?
    /// The largest size of the cached responses in bytes, in memory and again on disk; nil for 20 MiB.
    package var cacheLimit: Int?
    /// The absolute path of the folder for downloads whose endpoint names no destination; nil for that of the user.
    package var downloadFolder: String?
    /// The trust settings for all services.
    package var trust = TrustSettings()
    /// The proxy of services without one; nil for none.
    package var proxy: ProxyTemplate?
    /// The services in the order of their folders.
    package var services: [Service]
    /// The runs in the order of their names.
    package var runs: [RunDefinition]
    /// The errors and warnings in the files.
    package var problems: [Diagnostic]
    /// The errors among them because of which a part of a file is missing here.
    package var readingErrors: [Diagnostic] = []
    /// The files that cannot be used, sorted by name; the other properties lack their content.
    package var unreadable: [UnreadableFile]
    /// The home folder, where paths of `{{$file PATH}}` that begin with `~/` begin; nil where there is none.
    package var home: String?
    /// Paths named in the files that lead elsewhere through symbolic links, with their targets; may include the workspace's folder.
    package var links: [String: String] = [:]
    /// The places of the variables and the secrets in the files.
    package var variablePlaces: [VariableKey: SourceLocation] = [:]
    /// The values in the files of variables that the command line replaces.
    package var replacedValues: [VariableKey: String] = [:]
    /// The places where templates use each variable, in the order of the files.
    package var variableUses: [String: [SourceLocation]] = [:]

    /// Creates an empty workspace.
    package init(name: String, folder: String) {
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

    /// The endpoints of all services, in order.
    package var endpoints: [Endpoint] { services.flatMap(\.endpoints) }

    /// The endpoint with a target.
    package func endpoint(_ target: String) -> Endpoint? {
        services.first { target.hasPrefix($0.folder + "/") }?.endpoints.first { $0.target == target }
    }

    /// The folder of an endpoint's file, to which its paths are relative.
    package func fileFolder(of endpoint: Endpoint) -> String { endpoint.fileFolder(in: folder) }

    /// The service in a folder.
    package func service(_ folder: String) -> Service? {
        services.first { $0.folder == folder }
    }
}
