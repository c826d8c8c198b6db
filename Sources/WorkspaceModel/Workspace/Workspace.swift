package import SortieBase
package import SortieHTTP

/// A workspace: services with endpoints, environments and runs, as its files describe them.
package struct Workspace: Hashable, Sendable {
    /// The name for display.
    package var name: String
    /// The absolute path of the folder it was loaded from.
    package var folder: String
    /// The environments in the order of the file.
    package var environments: [WorkspaceEnvironment] = []
    /// The name of the file of another tool in the folder that is used in place, `.` for all of them; nil for a workspace with `workspace.yaml`.
    package var foreignFile: String?
    /// The environment that is selected initially.
    package var initialEnvironment: String?
    /// The variables of all environments.
    package var variables: [String: String] = [:]
    /// The style of nested parameters and the character encoding.
    package var parameters = ParameterStyle()
    /// The public parameters of every request, in the order of the file.
    package var publicParameters: [Parameter] = []
    /// The sources of secrets by name.
    package var secrets: [String: SecretSource] = [:]
    /// The hosts that may receive a secret, by its name; a secret that is not in it is not restricted.
    package var secretHosts: [String: [HostPattern]] = [:]
    /// How long the output of the command of a secret is used, by the name of the secret; otherwise the command is run for each request.
    package var secretLifetimes: [String: Duration] = [:]
    /// Names of header fields, parameters and JSON keys that are masked in addition to the standard ones.
    package var redact: [String] = []
    /// Values that are no secrets although their names are those of credentials, so that no check reports them and saving does not ask.
    package var publicValues: Set<String> = []
    /// The plugins of every service, in order.
    package var plugins: [PluginSetting] = []
    /// The programs that take part in the calls of every service, in order.
    package var hooks: [HookSetting] = []
    /// The digests of the files of the workspace that the commands of hooks, secrets and tunnels name, by the name.
    package var programDigests: [String: String] = [:]
    /// The time limits, used where a service or an endpoint sets none.
    package var timeouts = Timeouts()
    /// The use of cached responses by GET and HEAD endpoints that set none; nil caches none.
    package var cache: CacheSetting?
    /// The absolute path of the folder for cached responses on disk; nil for the cache folder of the user.
    package var cacheFolder: String?
    /// The largest size of the cached responses in bytes, in memory and again on disk; nil for 20 MiB.
    package var cacheLimit: Int?
    /// The absolute path of the folder for downloads whose endpoint names no destination; nil for that of the user.
    package var downloadFolder: String?
    /// The trust for all services; texts may contain `{{templates}}`.
    @FileTrust package var trust = TrustPolicy()
    /// The proxy of services without one; nil for none.
    package var proxy: ProxyTemplate?
    /// The folders of the services that are listed first, in this order; the others follow by name.
    package var order: [String] = []
    /// The services in the order in which they are listed.
    package var services: [Service] = [] {
        didSet { index = WorkspaceIndex() }
    }
    fileprivate var index = WorkspaceIndex()
    /// The runs in the order of their names.
    package var runs: [RunDefinition] = []
    /// The errors and warnings in the files.
    package var problems: [Diagnostic] = []
    /// The errors among them because of which a part of a file is missing here.
    package var readingErrors: [Diagnostic] = []
    /// The files that cannot be used, sorted by name; the other properties lack their content.
    package var unreadable: [UnreadableFile] = []
    /// The home folder, where paths of `{{$file PATH}}` that begin with `~/` begin; nil where there is none.
    package var home: String?
    /// The paths of the files outside of the workspace to which the descriptions in it refer, by the absolute path of the document.
    package var outsideReferences: [String: Set<String>] = [:]
    /// Where the paths in the files lead, which decides what is outside of the workspace.
    package var realPaths = RealPaths()
    /// The places of the variables and the secrets in the files.
    package var variablePlaces: [VariableKey: SourceLocation] = [:]
    /// The values in the files of variables that the command line replaces.
    package var replacedValues: [VariableKey: String] = [:]
    /// The places where templates use each variable, in the order of the files.
    package var variableUses: [String: [SourceLocation]] = [:]

    /// Creates an empty workspace.
    package init(name: String, folder: String) {
        (self.name, self.folder) = (name, folder)
    }

    /// The path that identifies the workspace: its folder, or the file of another tool, of which a folder may have several.
    package var identity: String { FilePath.joining(folder, foreignFile ?? ".") }

    /// The endpoints of all services, in order.
    package var endpoints: [Endpoint] { services.flatMap(\.endpoints) }

    /// The endpoint with a target.
    package func endpoint(_ target: String) -> Endpoint? {
        index.endpoint(target, in: services).map { services[$0.service].endpoints[$0.endpoint] }
    }

    /// The folder of an endpoint's file, to which its paths are relative.
    package func fileFolder(of endpoint: Endpoint) -> String { endpoint.fileFolder(in: folder) }

    /// The service in a folder.
    package func service(_ folder: String) -> Service? {
        index.service(folder, in: services).map { services[$0] }
    }

    /// The variables that an environment defines; none without an environment.
    package func variables(of environment: String?) -> [String: String] { environments.first { $0.name == environment }?.variables ?? [:] }
}

extension Workspace {
    /// The endpoint and its captured value to which a name such as `login.token` or `shop/login.token` refers outside of runs; nil for another name.
    ///
    /// A name without a service means the endpoint of the same service where there is one.
    ///
    /// - Throws: An error that lists the endpoints, where a name without a service is that of several ones.
    package func earlierValue(named name: String, for user: Endpoint) throws(TemplateError) -> EarlierValue? {
        let candidates = index.captures(name, in: services).map { services[$0.service].endpoints[$0.endpoint] }
        return try EarlierValue(named: name, for: user, among: candidates)
    }

    /// Whether an endpoint captures the value of a name; also where several ones do.
    package func captures(_ name: String, for user: Endpoint) -> Bool {
        guard name.contains(".") else { return false }
        do { return try earlierValue(named: name, for: user) != nil } catch { return true }
    }

    /// The endpoint whose captured value another one uses by a name; nil for another name, and for an ambiguous one, with which no request is sent.
    package func endpoint(ofEarlier name: String, for user: Endpoint) -> Endpoint? {
        do { return try earlierValue(named: name, for: user).flatMap { endpoint($0.target) } } catch { return nil }
    }

    /// The names of all values that endpoints capture, as other endpoints use them.
    package var earlierNames: Set<String> { index.capturedNames(in: services) }
}

extension Workspace {
    /// The hooks of an endpoint's calls, in order: those of the workspace, of its service, and its own.
    package func hooks(of endpoint: Endpoint?, in service: Service) -> [HookSetting] {
        hooks + service.hooks + (endpoint?.hooks ?? [])
    }

    /// The hooks of an endpoint's calls, in order; none for a request that no file describes.
    package func hooks(of endpoint: Endpoint) -> [HookSetting] {
        service(endpoint.serviceName).map { hooks(of: endpoint, in: $0) } ?? []
    }

    /// All hooks in the files.
    package var allHooks: [HookSetting] {
        hooks + services.flatMap { $0.hooks + $0.endpoints.flatMap(\.hooks) }
    }
}

extension Workspace {
    /// The trust of a service in an environment: its own over that of the environment and of the workspace; the passphrase is a template.
    package func trust(of service: Service?, in environment: String?) -> TrustPolicy {
        var result = service?.trust ?? TrustPolicy()
        if let environment = environments.first(where: { $0.name == environment }) { result.inherit(from: environment.trust) }
        result.inherit(from: trust)
        return result
    }

    /// The use of cached responses that an endpoint inherits; nil for one whose responses are not cached by default.
    package func cache(for endpoint: Endpoint) -> CacheSetting? {
        (endpoint.method == .get || endpoint.method == .head) && endpoint.kind == .data ? cache : nil
    }

    /// The style of an endpoint's parameters: that of its file over those of its service and of the workspace.
    package func parameterStyle(of endpoint: Endpoint) -> ParameterStyle {
        if endpoint.inherits == false { return endpoint.parameters ?? .init() }
        return (endpoint.parameters ?? .init()).over(service(endpoint.serviceName)?.parameters ?? .init()).over(parameters)
    }
}

extension BodyTemplate {
    /// Whether parameters of the query can be sent in this body: a form, or no body at all.
    package var takesParameters: Bool {
        switch self {
        case .none, .form: true
        case .json, .plist, .text, .file, .multipart, .graphQL: false
        }
    }
}

extension Workspace {
    /// The plugins of a service: the workspace's list, then the service's; an entry of the service replaces the one of the same name.
    package func plugins(of service: Service) -> [PluginSetting] {
        let own = Set(service.plugins.map(\.name))
        return plugins.filter { !own.contains($0.name) } + service.plugins
    }

    /// The plugins of an endpoint: those of its service, with its own in addition or in the place of those with the same name, or only its own.
    ///
    /// Those of an endpoint that bypasses plugins are all there, because they still observe its calls.
    package func plugins(of endpoint: Endpoint, in service: Service) -> [PluginSetting] {
        let inherited = plugins(of: service)
        guard let use = endpoint.pluginUse, use != .none else { return inherited }
        let place = endpoint.location ?? SourceLocation(file: endpoint.target)
        var own = use.own.map { PluginSetting($0, location: place) }
        guard case .adding = use else { return own }
        let replaced = inherited.map { setting in
            own.firstIndex { $0.name == setting.name }.map { own.remove(at: $0) } ?? setting
        }
        return replaced + own
    }

    /// The public parameters of a service's requests; those of the service replace the workspace's of the same name.
    package func publicParameters(of service: Service) -> [Parameter] {
        let own = Set(service.publicParameters.map(\.name))
        return (publicParameters.filter { !own.contains($0.name) } + service.publicParameters).filter(\.isEnabled)
    }
}

extension Workspace {
    /// The tags of an endpoint: its own, then those of its service.
    package func tags(of endpoint: Endpoint) -> [String] {
        let inherited = service(endpoint.serviceName)?.tags ?? []
        return inherited.isEmpty ? endpoint.tags : endpoint.tags + inherited.filter { !endpoint.tags.contains($0) }
    }

    /// All tags of the workspace, sorted.
    package var tags: [String] { Set(services.flatMap { $0.tags + $0.endpoints.flatMap(\.tags) }).sorted() }
}

extension Endpoint {
    /// Why a text is not a tag; nil for a valid one.
    ///
    /// A tag is one word, because filters separate words by spaces and begin a tag with `#`, and lists separate tags by commas.
    package static func tagProblem(_ tag: String) -> String? {
        if tag.isEmpty { return "a tag is empty" }
        let isWord = !tag.contains { $0.isWhitespace || $0 == "," || $0 == "#" }
        return isWord ? nil : "the tag “\(tag.prefix(40))” must be one word without commas and #; write one such as smoke"
    }
}

extension Workspace {
    /// The error in the file that describes `content`; nil where it can be used or does not exist.
    package func problem(of content: UnreadableFile.Content) -> Diagnostic? {
        if let file = unreadable.first(where: { $0.content == content }) { return file.problem }
        // A run with an error in one of its steps must not send the steps before it.
        guard case .run(let name) = content, let run = run(named: name), let file = run.location?.file else { return nil }
        return problems.first { $0.severity == .error && $0.location.file == file } ?? problem(ofStepsOf: run, ignoresUnreadable: true)
    }

    /// The first error in the file of an endpoint's target, or of `runs/NAME`, also where the file was not read because it is a link out of the workspace.
    package func fileProblem(of target: String) -> Diagnostic? {
        let files = [target + ".yaml", target + ".yml"]
        return problems.first { $0.severity == .error && files.contains($0.location.file) }
    }

    /// The first error because of which a part is missing in the files whose settings the steps of a run have; see ``sendingProblem(of:ignoresUnreadable:)``.
    ///
    /// The error of an endpoint's file that cannot be read is one of them, unless an earlier version of the endpoint is there.
    package func problem(ofStepsOf run: RunDefinition, ignoresUnreadable: Bool = false) -> Diagnostic? {
        guard !readingErrors.isEmpty else { return nil }
        let targets = Set(run.steps.map(\.target)).sorted()
        return targets.lazy.compactMap { target in
            guard let endpoint = endpoint(target) else { return problem(of: .endpoint(EndpointID(target))) }
            return sendingProblem(of: endpoint, ignoresUnreadable: ignoresUnreadable)
        }.first
    }

    /// The first error in the files whose settings the requests of an endpoint have; nil where there is none.
    ///
    /// What cannot be read is not part of the endpoint: without a condition, a hook or credentials its request would be another one.
    ///
    /// - Parameter ignoresUnreadable: Whether files that cannot be read as a whole are ignored, because earlier settings apply in place of theirs.
    package func sendingProblem(of endpoint: Endpoint, ignoresUnreadable: Bool = false) -> Diagnostic? {
        let unreadableFiles = ignoresUnreadable ? Set(unreadable.map(\.file)) : []
        let service = service(endpoint.serviceName)?.location?.file
        for file in [endpoint.location?.file, service, "workspace.yaml"] {
            guard let file, !unreadableFiles.contains(file) else { continue }
            if let problem = readingErrors.first(where: { $0.location.file == file }) { return problem }
        }
        return nil
    }

    /// The warnings about unknown keys in the files whose settings the requests of endpoints have: also those that the endpoints extend, and those of
    /// their services.
    package func unknownKeys(of endpoints: some Sequence<Endpoint>) -> [Diagnostic] {
        var files: Set = ["workspace.yaml"]
        for var endpoint in endpoints {
            if let file = service(endpoint.serviceName)?.location?.file { files.insert(file) }
            while let file = endpoint.location?.file, files.insert(file).inserted, let base = endpoint.extends.flatMap(self.endpoint) {
                endpoint = base
            }
        }
        return problems.filter { $0.severity == .warning && files.contains($0.location.file) && $0.isUnknownKey }
    }

    /// The warnings about a file, such as unknown keys.
    package func warnings(about file: String) -> [Diagnostic] { problems.filter { $0.severity == .warning && $0.location.file == file } }

    /// The workspace with the settings of an earlier version where the file with the settings exists but cannot be used now.
    ///
    /// A half-written `service.yaml` must not cause requests without the service's header fields, pins and limits.
    package func keepingSettings(of earlier: Workspace) -> Workspace {
        var result = self
        if problem(of: .workspace) != nil {
            result = earlier
            result.services = services
            result.runs = runs
            result.problems = problems
            result.readingErrors = readingErrors
            result.unreadable = unreadable
        }
        for index in services.indices where problem(of: .service(services[index].folder)) != nil {
            guard var service = earlier.service(services[index].folder) else { continue }
            service.endpoints = services[index].endpoints
            result.services[index] = service
        }
        return result
    }
}

/// A named set of variables, such as develop, test or release, with its own trust.
package struct WorkspaceEnvironment: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The variables; values may contain `{{templates}}`.
    package var variables: [String: String]
    /// The trust settings for all services; they take precedence over those of the workspace.
    @FileTrust package var trust = TrustPolicy()

    /// Creates an environment.
    package init(name: String, variables: [String: String] = [:]) {
        (self.name, self.variables) = (name, variables)
    }
}

/// Where the user left a workspace in the workbench.
package struct WorkspacePlace: Hashable, Sendable {
    /// Sizes of panes, with the size of the terminal in which they were chosen.
    package struct Panes: Codable, Hashable, Sendable {
        /// The size of the terminal in cells.
        package var columns: Int
        package var rows: Int
        /// The width of Services in columns; nil for the automatic one.
        package var services: Int?
        /// The share of Request of the space that it shares with Response, in thousandths; nil for the automatic one.
        package var request: Int?
        /// The height of the bottom pane in rows; nil for the automatic one.
        package var bottom: Int?
        /// The number of the pane, from 0, that had the whole screen; nil for none.
        package var zoomed: Int?

        /// Creates a value.
        package init(columns: Int, rows: Int, services: Int? = nil, request: Int? = nil, bottom: Int? = nil, zoomed: Int? = nil) {
            (self.columns, self.rows) = (columns, rows)
            (self.services, self.request, self.bottom, self.zoomed) = (services, request, bottom, zoomed)
        }
    }

    /// The absolute path of the folder.
    package var folder: String
    /// The name for display.
    package var name: String
    /// The target of the open endpoint; nil for none.
    package var open: String?
    /// The selected environment; nil for none.
    package var environment: String?
    /// The sizes of the panes; nil where the user changed none.
    package var panes: Panes?
    /// The folded rows of the tree, as the program writes them.
    package var folded: [String] = []
    /// The selected row of the tree; nil for the open endpoint.
    package var selected: String?
    /// What was chosen last in the palette, the latest first, as the program writes it.
    package var chosen: [String] = []

    /// Creates a value.
    package init(folder: String, name: String, open: String? = nil, environment: String? = nil) {
        (self.folder, self.name, self.open, self.environment) = (folder, name, open, environment)
    }
}
