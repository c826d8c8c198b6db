internal import SortieBase
internal import SortieHTTP

/// The capabilities that endpoints, services and runs of a workspace use in one environment.
struct WorkspaceUse {
    package let workspace: Workspace
    /// The environment; nil for a workspace without environments, where all servers of the services count.
    package let environment: String?
    let downloadFolder: String?
    private let shared: VariableDefinitions
    /// The path of the workspace's folder, with symbolic links resolved.
    private let root: String

    init(_ workspace: Workspace, environment: String?, downloadFolder: String?) {
        (self.workspace, self.environment, self.downloadFolder) = (workspace, environment, downloadFolder)
        var captured = RunValues()
        captured.open = workspace.earlierNames
        shared = VariableDefinitions(workspace, environment: environment).adding(captured)
        root = workspace.realPaths[workspace.folder]
    }

    /// The capabilities and the names of captured values that were found.
    private struct Found {
        var capabilities: Set<Capability> = []
        /// The names with a dot in the templates.
        var dotted: Set<String> = []

        mutating func insert(_ capability: Capability) { capabilities.insert(capability) }
    }

    /// How an endpoint is sent.
    private struct Sending {
        /// The steps of a run with hooks, which may capture a value of any name.
        var hookSteps: [String: [CaptureSource]] = [:]
        /// The variables of a step, or those that the user typed.
        var variables: [String: String] = [:]
        /// The variables of the workspace with what the data and the captures of a run define; nil outside of a run.
        var ofRun: VariableDefinitions?
        /// What a step of a run has from its list.
        var values = RunValues()
        /// The captured values of a run by name, with the endpoints and their origins; nil outside of a run.
        var captures: [String: [CaptureSource]]?
        /// Whether what the service uses for the origins of the endpoint is added, or has been.
        var addsService = true
    }

    /// An endpoint that captures a value, and the origins that send it.
    private struct CaptureSource {
        let target: String
        let origins: Set<String>
    }

    /// The capabilities that all files of the workspace require.
    var ofEverything: Set<Capability> {
        var found = ofDefinitions
        for service in workspace.services { found.formUnion(ofFiles(of: service)) }
        for run in workspace.runs { found.formUnion(of(run)) }
        return found
    }

    /// The capabilities that the files of a service and of its endpoints require.
    func ofFiles(of service: Service) -> Set<Capability> {
        var found = of(service)
        // Sending an endpoint does not fetch it.
        if let url = service.contract?.url { found.insert(Capability(.description, url)) }
        // The endpoints whose values they use have files, too.
        for endpoint in service.endpoints { found.formUnion(ofOwn(endpoint, in: service, Sending(addsService: false)).capabilities) }
        return found
    }

    /// Whether the user signs in, or types secrets, for a request.
    var asksForSecrets: Bool {
        workspace.services.contains { service in
            service.endpoints.contains { endpoint in
                let definitions = shared.adding(endpoint.variables)
                let settings = oauth2(of: endpoint, in: service)
                return settings?.grant.isInteractive == true || definitions.references(of: settings?.texts ?? []).asksForSecret
                    || sent(by: endpoint, in: service, definitions).0.asksForSecret
            }
        }
    }

    /// The capabilities in the definitions of secrets and variables, used or not, so that permission is also requested when the user types one of
    /// their names.
    var ofDefinitions: Set<Capability> {
        var found = Found()
        for source in workspace.secrets.values { add(source, to: &found) }
        if let folder = workspace.downloadFolder { addDestination(folder, from: workspace.folder, to: &found) }
        for (name, hosts) in workspace.secretHosts { for host in hosts { found.insert(Capability(.secret, name, to: host.description)) } }
        add(shared.references(of: workspace.environments.flatMap(\.variables.values) + workspace.variables.values), to: &found)
        // Also for a URL that the user types, which belongs to no service.
        addPlace(nil, shared, [], to: &found)
        return found.capabilities
    }

    /// The capabilities that reading the descriptions of services needs.
    var ofDescriptions: Set<Capability> {
        var found = Found()
        for contract in workspace.services.compactMap(\.contract) where contract.mode != .off { add(contract, to: &found) }
        return found.capabilities
    }

    /// The capabilities that a service uses for each of its endpoints.
    package func of(_ service: Service) -> Set<Capability> {
        var found = Found()
        addPlace(service, shared, [], to: &found)
        return found.capabilities
    }

    /// Adds what a service, or the workspace for a URL without a service, uses for requests to origins.
    ///
    /// - Parameters:
    ///   - definitions: those of the endpoint, because it may define variables.
    ///   - receivers: the origins of the endpoint in addition to those of the servers.
    private func addPlace(_ service: Service?, _ definitions: VariableDefinitions, _ receivers: Set<String>, to found: inout Found) {
        let servers = service.map { self.servers(of: $0) } ?? []
        let ofServers = servers.flatMap { definitions.origins(of: WebSocketURL.http($0)) }
        let origins = receivers.union(ofServers.map { Self.moved($0, to: service, requiresTLS: service?.requiresTLS) })
        for server in servers { add(definitions.references(of: server), to: &found) }
        addTrust(of: service, for: origins, to: &found)
        if let proxy = workspace.proxy(of: service) {
            for url in definitions.expansions(of: proxy.url) where !url.isEmpty { found.insert(Capability(.proxy, url)) }
            add(definitions.references(of: [proxy.url] + proxy.except), to: &found)
            if let script = proxy.scriptPermission(digests: workspace.programDigests) { found.insert(Capability(.proxyScript, script)) }
            if let file = proxy.scriptFile { addFile(file, to: &found) }
            if let authority = proxy.certificateAuthorityFile { addFile(authority, to: &found) }
        }
        guard let service else { return }
        if !service.addresses.fixed.isEmpty {
            for origin in origins { found.insert(Capability(addresses: service.addresses.fixed, of: origin)) }
        }
        if let tunnel = service.tunnel { found.insert(Capability(.command, tunnel.permissionText(digests: workspace.programDigests))) }
        if case .https(let server) = service.addresses.source {
            for url in definitions.expansions(of: server) { found.insert(Capability(.nameServer, url)) }
            add(definitions.references(of: server), to: &found)
            // A host name that contains a secret is sent to the name server.
            let names = definitions.references(of: Array(origins)).names
            let receivers = definitions.origins(of: server)
            for name in names { for origin in receivers where mayReceive(name, origin) { found.insert(Capability(.secret, name, to: origin)) } }
        }
        for plugin in workspace.plugins(of: service) { add(definitions.references(of: plugin.kind.templates), to: &found) }
        add(workspace.hooks(of: nil, in: service), definitions, to: &found)
    }

    private func addTrust(of service: Service?, for origins: Set<String>, to found: inout Found) {
        let trust = workspace.trust(of: service, in: environment)
        if trust.isInsecure { for origin in origins { found.insert(Capability(.insecure, origin)) } }
        if let authority = trust.certificateAuthorityFile {
            for origin in origins { found.insert(Capability(.authority, workspace.realPaths[authority], to: origin)) }
        }
        let files = [trust.certificateAuthorityFile, trust.clientCertificateFile].compactMap { $0 } + trust.pinFiles
        for path in files { addFile(path, to: &found) }
        if let key = trust.clientKeyFile { found.insert(Capability(.clientKey, workspace.realPaths[key])) }
        if let passphrase = trust.clientKeyPassphrase { add(shared.references(of: passphrase), to: &found) }
    }

    /// The capabilities that an endpoint uses, including those of its service and plugins, and of the endpoints whose captured values it uses.
    ///
    /// - Parameter variables: the variables that the user typed.
    package func of(_ endpoint: Endpoint, variables: [String: String] = [:]) -> Set<Capability> {
        of(endpoint, Sending(variables: variables))
    }

    /// The capabilities of an endpoint, and of those that are sent before it.
    private func of(_ endpoint: Endpoint, _ sending: Sending) -> Set<Capability> {
        var found: Set<Capability> = []
        var visited: Set<String> = [endpoint.target]
        // A list instead of recursion, because the endpoints of a workspace may each need a value of the one before.
        var waiting = [(endpoint, sending)]
        while let (endpoint, sending) = waiting.popLast() {
            let service = workspace.service(endpoint.serviceName)
            let own = ofOwn(endpoint, in: service, sending)
            found.formUnion(own.capabilities)
            if let service { found.formUnion(of(service)) }
            waiting += sentEndpoints(by: endpoint, in: service, sending, dotted: own.dotted, &visited)
        }
        return found
    }

    private func definitions(of endpoint: Endpoint, _ sending: Sending) -> VariableDefinitions {
        (sending.ofRun ?? shared).adding(sending.variables, endpoint.variables).adding(sending.values)
    }

    /// The capabilities that an endpoint uses beyond those that its service uses for all endpoints.
    private func ofOwn(_ endpoint: Endpoint, in service: Service?, _ sending: Sending) -> Found {
        var found = Found()
        let definitions = definitions(of: endpoint, sending)
        let (sent, origins) = sent(by: endpoint, in: service, definitions)
        // Most endpoints add nothing to their service.
        let addsNothing = !sending.addsService && definitions.isSame(as: shared)
        if !addsNothing || service.map({ origins.isSubset(of: self.origins(of: $0)) }) != true { addPlace(service, definitions, origins, to: &found) }
        add(sent, to: &found)
        for name in sent.names {
            // A secret is never sent to an origin that `hosts:` excludes.
            for origin in origins where mayReceive(name, origin) { found.insert(Capability(.secret, name, to: origin)) }
        }
        addCaptures(sent.dotted, of: endpoint, sending, for: origins, to: &found)
        for other in tokenTargets(of: endpoint, in: service).compactMap({ workspace.endpoint($0) }) {
            add(CaptureSource(target: other.target, origins: self.origins(of: other, Sending())), for: origins, to: &found)
        }

        if endpoint.auth(in: service) == .negotiate { for origin in origins { found.insert(Capability(.ticket, origin)) } }
        if let settings = oauth2(of: endpoint, in: service) {
            add(settings, definitions, for: origins, to: &found)
            for receiver in settings.receivers {
                let names = definitions.references(of: receiver.texts).dotted
                addCaptures(names, of: endpoint, sending, for: Set(definitions.origins(of: receiver.url)), to: &found)
            }
        }
        if let service, case .https(let server) = service.addresses.source {
            // A host name that contains a captured value is sent to the name server.
            let names = definitions.references(of: servers(of: service) + [endpoint.path]).dotted
            addCaptures(names, of: endpoint, sending, for: Set(definitions.origins(of: server)), to: &found)
        }

        let folder = workspace.fileFolder(of: endpoint)
        for path in endpoint.body.files + [endpoint.grpc?.proto].compactMap(\.self) {
            add(definitions.references(of: path), to: &found)
            for path in definitions.expansions(of: path) { addFile(Self.joined(folder, path), to: &found) }
        }
        // A value of the response is a part of the file's name and cannot lead to another folder.
        if let destination = endpoint.download.flatMap(\.to).map(ResponseFileName.withoutReferences) {
            add(definitions.references(of: destination), to: &found)
            for path in definitions.expansions(of: destination) { addDestination(path, from: folder, to: &found) }
        } else if endpoint.kind == .download, let destination = workspace.downloadFolder {
            addDestination(destination, from: folder, to: &found)
        }
        let cache = endpoint.cache ?? workspace.cache(for: endpoint)
        if cache?.isOnDisk == true, let path = workspace.cacheFolder.flatMap(outside) {
            found.insert(Capability(.cacheFolder, path))
        }
        if let tag = cache?.tag { add(definitions.references(of: tag), to: &found) }
        add(definitions.references(of: (endpoint.expectation?.conditions ?? []).map(\.value)), to: &found)
        if case .file(let path)? = endpoint.expectation?.schema { addFile(Self.joined(folder, path), to: &found) }
        for path in endpoint.examples.flatMap(\.response.body.files) { addFile(Self.joined(folder, path), to: &found) }
        if let contract = workspace.contract(of: endpoint) { add(contract, to: &found) }
        add(definitions.references(of: endpoint.pluginUse?.own.flatMap(\.templates) ?? []), to: &found)
        add(endpoint.hooks, definitions, to: &found)
        return found
    }

    /// Adds the captured values that are sent to other origins than those from which they come.
    ///
    /// A captured value may depend on a secret, such as an access token, or contain it.
    private func addCaptures(
        _ names: Set<String>, of endpoint: Endpoint, _ sending: Sending, for receivers: Set<String>, to found: inout Found
    ) {
        for name in names {
            for source in sources(of: name, for: endpoint, sending) { add(source, for: receivers, to: &found) }
        }
    }

    private func add(_ source: CaptureSource, for receivers: Set<String>, to found: inout Found) {
        for origin in receivers.subtracting(source.origins) { found.insert(Capability(.captured, source.target, to: origin)) }
    }

    /// The endpoints that capture the value of a name.
    private func sources(of name: String, for endpoint: Endpoint, _ sending: Sending) -> [CaptureSource] {
        if let captures = sending.captures { return captures[name] ?? hookSources(of: name, sending) }
        guard let other = workspace.endpoint(ofEarlier: name, for: endpoint) else { return [] }
        return [CaptureSource(target: other.target, origins: origins(of: other, sending))]
    }

    /// The endpoints of a step whose hooks may capture the value of a name.
    private func hookSources(of name: String, _ sending: Sending) -> [CaptureSource] {
        name.capturingSteps.flatMap { sending.hookSteps[$0] ?? [] }
    }

    /// The origins to which an endpoint is sent with all its secrets, as far as the files and the given variables determine it.
    private func origins(of endpoint: Endpoint, _ sending: Sending) -> Set<String> {
        let definitions = definitions(of: endpoint, sending)
        let (sent, origins) = sent(by: endpoint, in: workspace.service(endpoint.serviceName), definitions)
        return origins.filter { origin in sent.names.allSatisfy { mayReceive($0, origin) } }
    }

    /// The origins of the servers of a service, without the variables of an endpoint.
    private func origins(of service: Service) -> Set<String> {
        let origins = servers(of: service).flatMap { shared.origins(of: WebSocketURL.http($0)) }
        return Set(origins.map { Self.moved($0, to: service, requiresTLS: service.requiresTLS) })
    }

    /// The endpoints from which the plugins of an endpoint get tokens.
    private func tokenTargets(of endpoint: Endpoint, in service: Service?) -> [String] {
        service.map { workspace.plugins(of: endpoint, in: $0) }?.compactMap { plugin in
            guard case .token(let token) = plugin.kind else { return nil }
            return token.refresh?.target
        } ?? []
    }

    /// The endpoints that are sent before an endpoint, for its token and for the captured values in its templates, except those that were visited.
    ///
    /// - Parameter dotted: The names with a dot in its templates.
    private func sentEndpoints(
        by endpoint: Endpoint, in service: Service?, _ sending: Sending, dotted: Set<String>, _ visited: inout Set<String>
    ) -> [(Endpoint, Sending)] {
        // Variables that the user typed apply to all requests, those of a step to its own.
        let next = Sending(variables: sending.captures == nil ? sending.variables : [:])
        var targets = tokenTargets(of: endpoint, in: service)
        if sending.captures == nil {
            targets += dotted.sorted().compactMap { workspace.endpoint(ofEarlier: $0, for: endpoint)?.target }
        }
        return targets.compactMap { target in
            guard visited.insert(target).inserted else { return nil }
            return workspace.endpoint(target).map { ($0, next) }
        }
    }

    /// Adds the programs of hooks, and the values that they receive in their environment.
    private func add(_ hooks: [HookSetting], _ definitions: VariableDefinitions, to found: inout Found) {
        for hook in hooks {
            found.insert(Capability(.command, hook.permissionText(digests: workspace.programDigests)))
            add(definitions.references(of: Array(hook.environment.values)), to: &found)
        }
    }

    /// The references in the sent templates of an endpoint, and the origins that receive them.
    private func sent(by endpoint: Endpoint, in service: Service?, _ definitions: VariableDefinitions) -> (TemplateReferences, Set<String>) {
        let servers = service.map { self.servers(of: $0) } ?? []
        var own = endpoint
        // Its texts are sent to the token endpoint.
        if case .oauth2 = own.auth { own.auth = .none }
        let sent = definitions.references(of: own.sentTemplates + servers + (service.map { sentTemplates(of: $0, for: endpoint) } ?? []))
        // Variables may make a path an absolute URL.
        let bases = definitions.expansions(of: endpoint.path).map(WebSocketURL.http).filter { HTTPURL.isAbsolute($0) || Self.mayBecomeAbsolute($0) }
        let origins = (bases + servers.map(WebSocketURL.http)).flatMap { definitions.origins(of: $0) }
        return (sent, Set(origins.map { Self.moved($0, to: service, requiresTLS: endpoint.requiresTLS ?? service?.requiresTLS) }))
    }

    /// The origin that receives the requests for an origin, which the table of the service may move to TLS.
    private static func moved(_ origin: String, to service: Service?, requiresTLS: Bool?) -> String {
        guard requiresTLS == true, let ports = service?.tlsPorts, !ports.isEmpty else { return origin }
        return HTTPURL(ifValid: origin)?.movedToTLS(by: ports)?.origin ?? origin
    }

    /// Whether the values of templates may complete the scheme of an absolute URL.
    private static func mayBecomeAbsolute(_ path: String) -> Bool {
        guard let start = path.firstRange(of: "{{") else { return false }
        let literal = path[..<start.lowerBound].lowercased()
        return ["http://", "https://", "ws://", "wss://"].contains { $0.hasPrefix(literal) }
    }

    /// The OAuth 2 settings of an endpoint or its service; nil for other credentials.
    private func oauth2(of endpoint: Endpoint, in service: Service?) -> OAuth2? {
        guard case .oauth2(let settings) = endpoint.auth(in: service) else { return nil }
        return settings
    }

    /// Adds the secrets that the endpoints for tokens receive, and the tokens for them, or for a sign-in of the user, that the servers receive.
    private func add(_ settings: OAuth2, _ definitions: VariableDefinitions, for origins: Set<String>, to found: inout Found) {
        add(definitions.references(of: settings.texts), to: &found)
        for receiver in settings.receivers {
            let names = definitions.references(of: receiver.texts).names
            for origin in definitions.origins(of: receiver.url) {
                for name in names where mayReceive(name, origin) { found.insert(Capability(.secret, name, to: origin)) }
            }
        }
        guard settings.grant.isInteractive || !definitions.references(of: settings.texts).names.isEmpty else { return }
        // A receiver of the code of a sign-in can exchange it for a token of the user.
        let issuers = Set(settings.receivers.flatMap { definitions.origins(of: $0.url) })
        let receivers = settings.grant.isInteractive ? origins.union(definitions.origins(of: settings.tokenURL)) : origins
        for issuer in issuers {
            for origin in receivers where origin != issuer { found.insert(Capability(.token, issuer, to: origin)) }
        }
    }

    /// The secrets that an endpoint would send to origins that `hosts:` excludes, as far as the files determine it.
    func refusedSecrets(of endpoint: Endpoint, in service: Service) -> [(name: String, origin: String)] {
        let definitions = shared.adding(endpoint.variables)
        let (sent, origins) = sent(by: endpoint, in: service, definitions)
        // A request with an absolute URL is sent to its origin, independent of the servers of the service.
        let ofPath = definitions.origins(of: WebSocketURL.http(endpoint.path)).map {
            Self.moved($0, to: service, requiresTLS: endpoint.requiresTLS ?? service.requiresTLS)
        }
        let absolute = endpoint.hasWholeURL ? Set(ofPath) : origins
        return sent.secrets.sorted().flatMap { name in
            absolute.sorted().filter { !mayReceive(name, $0) }.map { (name, $0) }
        }
    }

    /// Whether an origin may receive a secret; an origin with a template may become any origin.
    private func mayReceive(_ name: String, _ origin: String) -> Bool {
        guard let hosts = workspace.secretHosts[name], Template(origin).isPlain, let url = HTTPURL(ifValid: origin) else { return true }
        return hosts.contains { $0.matches(url.hostForLookup) }
    }

    /// The capabilities that a run uses with all its steps.
    package func of(_ run: RunDefinition) -> Set<Capability> {
        var found = Found()
        var values = RunValues()
        if let file = run.dataFile {
            addFile(file, to: &found)
            values.open.formUnion(run.dataColumns ?? [])
        }
        let steps = run.steps.compactMap { step in workspace.endpoint(step.target).map { (step, $0) } }
        for (step, endpoint) in steps {
            for capture in endpoint.captures + step.captures { values.open.insert("\(step.name).\(capture.name)") }
        }
        let common = Sending(ofRun: shared.adding(values), captures: [:])
        let sendings = steps.map { step, _ in
            var sending = common
            sending.variables = step.variables
            sending.values.add(step.loop)
            return sending
        }
        var (captures, hookSteps): ([String: [CaptureSource]], [String: [CaptureSource]]) = ([:], [:])
        for ((step, endpoint), sending) in zip(steps, sendings) {
            let (named, hasHooks) = (endpoint.captures + step.captures, !workspace.hooks(of: endpoint).isEmpty)
            guard hasHooks || !named.isEmpty else { continue }
            let source = CaptureSource(target: endpoint.target, origins: origins(of: endpoint, sending))
            for capture in named { captures["\(step.name).\(capture.name)", default: []].append(source) }
            if hasHooks { hookSteps[step.name, default: []].append(source) }
        }
        for ((step, endpoint), given) in zip(steps, sendings) {
            var sending = given
            (sending.captures, sending.hookSteps) = (captures, hookSteps)
            found.capabilities.formUnion(of(endpoint, sending))
            let definitions = definitions(of: endpoint, sending)
            if case .file(let path)? = step.expectation?.schema, let file = step.location?.file {
                addFile(Self.joined(FilePath.folder(of: FilePath.joining(workspace.folder, file)), path), to: &found)
            }
            for text in (step.expectation?.conditions ?? []).map(\.value) + step.templates {
                add(definitions.references(of: text), to: &found)
            }
        }
        return found.capabilities
    }

    // MARK: Texts

    private func servers(of service: Service) -> [String] {
        environment.map { service.servers[$0] ?? [] } ?? service.servers.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// The texts that a service adds to the requests of an endpoint.
    private func sentTemplates(of service: Service, for endpoint: Endpoint) -> [String] {
        guard endpoint.inherits != false else { return [] }
        var texts = service.headers.enabledTexts
        if endpoint.auth == .inherit, oauth2(of: endpoint, in: service) == nil { texts += service.auth.texts }
        guard endpoint.pluginUse != Endpoint.PluginUse.none else { return texts }
        texts += workspace.publicParameters(of: service).enabledTexts
        for plugin in workspace.plugins(of: endpoint, in: service) {
            // The secret of a signature and the key of an encryption are used locally and never sent.
            if case .token(let token) = plugin.kind { texts += [token.value].compactMap { $0 } }
        }
        return texts
    }

    // MARK: Capabilities

    private func add(_ references: TemplateReferences, to found: inout Found) {
        for name in references.secrets {
            if let source = workspace.secrets[name] { add(source, to: &found) }
        }
        for name in references.environment { found.insert(Capability(.environment, name)) }
        for path in references.files {
            addFile(Self.joined(workspace.folder, workspace.home.map { FilePath.expanding(path, home: $0) } ?? path), to: &found)
        }
        found.dotted.formUnion(references.dotted)
    }

    private func add(_ source: SecretSource, to found: inout Found) {
        if case .file(let path, _) = source {
            addFile(path, to: &found)
        } else {
            found.insert(Capability(source, digests: workspace.programDigests))
        }
    }

    /// Adds the file of a description, and those to which it refers.
    private func add(_ contract: ContractSetting, to found: inout Found) {
        guard let file = contract.file else { return }
        addFile(file, to: &found)
        for path in workspace.outsideReferences(of: contract) { addFile(path, to: &found) }
    }

    private func addFile(_ path: String, to found: inout Found) {
        guard let path = outside(path) else { return }
        found.insert(Capability(.file, path))
    }

    private func addDestination(_ path: String, from folder: String, to found: inout Found) {
        let path = path.hasPrefix("~") ? path : Self.joined(folder, path)
        guard let path = outside(path) else { return }
        // A template may expand to a path that leads out of the folder.
        if let downloadFolder, Template(path).isPlain, (FilePath.normalized(path) + "/").hasPrefix(downloadFolder + "/") { return }
        found.insert(Capability(.download, path))
    }

    /// The path, with symbolic links resolved, of a file outside the workspace; nil for a file inside.
    private func outside(_ path: String) -> String? {
        // A path with a template that only a run resolves may be any path.
        guard Template(path).isPlain else { return path }
        let real = workspace.realPaths[path]
        return FilePath.isIn(root, real) ? nil : real
    }

    private static func joined(_ folder: String, _ path: String) -> String {
        Template(path).isPlain && !path.hasPrefix("~") ? FilePath.joining(folder, path) : path
    }
}

extension Capability {
    /// The capability that reading a secret's value requires.
    ///
    /// - Parameter digests: the digests of the files that commands name, by name.
    package init(_ source: SecretSource, digests: [String: String]) {
        switch source {
        case .command(let text): self.init(.command, text + ProgramFiles.text(in: [text], digests))
        case .environment(let name): self.init(.environment, name)
        case .stored(let name): self.init(.storedSecret, name)
        case .file(let path, _): self.init(.file, path)
        }
    }
}
