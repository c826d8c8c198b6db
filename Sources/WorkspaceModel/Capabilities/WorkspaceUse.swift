internal import SortieBase
internal import SortieHTTP

/// What endpoints, services and runs of a workspace use of this machine in one environment.
struct WorkspaceUse {
    package let workspace: Workspace
    /// The environment; nil for a workspace without one, whose services then count with all their servers.
    package let environment: String?
    let downloadFolder: String?
    private let shared: VariableDefinitions
    /// The real path of the workspace's folder.
    private let root: String
    /// Receives every path whose real place matters, before it is classified.
    private let notePath: (String) -> Void

    init(_ workspace: Workspace, environment: String?, downloadFolder: String?, notePath: @escaping (String) -> Void = { _ in }) {
        self.workspace = workspace
        self.environment = environment
        self.downloadFolder = downloadFolder
        self.notePath = notePath
        shared = VariableDefinitions(workspace, environment: environment)
        root = workspace.links[workspace.folder] ?? workspace.folder
        notePath(workspace.folder)
    }

    /// What all files of the workspace ask for.
    var ofEverything: Set<Capability> {
        var found = ofDefinitions
        for service in workspace.services {
            found.formUnion(of(service))
            for endpoint in service.endpoints { found.formUnion(ofOwn(endpoint, in: service)) }
        }
        for run in workspace.runs { found.formUnion(of(run)) }
        return found
    }

    /// What the definitions of secrets and variables name, used or not, so that a user who types a name of one is asked as well.
    var ofDefinitions: Set<Capability> {
        var found: Set<Capability> = []
        for source in workspace.secrets.values { found.insert(Capability(source)) }
        for (name, hosts) in workspace.secretHosts { for host in hosts { found.insert(Capability(.secret, name, to: host.description)) } }
        add(shared.references(of: workspace.environments.flatMap(\.variables.values) + workspace.variables.values), to: &found)
        return found
    }

    /// What a service uses whichever of its endpoints is sent.
    package func of(_ service: Service) -> Set<Capability> { of(service, shared) }

    /// What a service uses where names have these definitions: an endpoint may define variables.
    private func of(_ service: Service, _ definitions: VariableDefinitions) -> Set<Capability> {
        var found: Set<Capability> = []
        func use(_ text: String) -> TemplateReferences {
            let references = definitions.references(of: text)
            add(references, to: &found)
            return references
        }
        let origins = servers(of: service).flatMap { Self.origins(of: $0, definitions) }
        if service.trust.isInsecure { for origin in origins { found.insert(Capability(.insecure, origin)) } }
        if !service.addresses.fixed.isEmpty {
            let addresses = service.addresses.fixed.map(\.description).joined(separator: ", ")
            for origin in origins { found.insert(Capability(.address, addresses, to: origin)) }
        }
        if let authority = service.trust.certificateAuthorityFile {
            for origin in origins { found.insert(Capability(.authority, real(authority), to: origin)) }
        }
        for server in servers(of: service) { _ = use(server) }
        for path in [service.trust.certificateAuthorityFile, service.trust.clientCertificateFile].compactMap({ $0 }) { addFile(path, to: &found) }
        if let key = service.trust.clientKeyFile { found.insert(Capability(.clientKey, real(key))) }
        if let proxy = service.proxy {
            for url in definitions.expansions(of: proxy.url) { found.insert(Capability(.proxy, url)) }
            for text in [proxy.url] + proxy.except { _ = use(text) }
            if let authority = proxy.certificateAuthorityFile { addFile(authority, to: &found) }
        }
        if case .https(let server) = service.addresses.source {
            for url in definitions.expansions(of: server) { found.insert(Capability(.nameServer, url)) }
            _ = use(server)
            // The name of a host that contains a secret is sent to the name server.
            let names = definitions.references(of: Array(origins)).names
            let receivers = Self.origins(of: server, definitions)
            for name in names { for origin in receivers where mayReceive(name, origin) { found.insert(Capability(.secret, name, to: origin)) } }
        }
        if let passphrase = service.clientKeyPassphrase { _ = use(passphrase) }
        for plugin in workspace.plugins(of: service) { for text in plugin.templates { _ = use(text) } }
        return found
    }

    /// What an endpoint uses, with what its service and its plugins do for it.
    ///
    /// - Parameter variables: those of the steps that send it.
    package func of(_ endpoint: Endpoint, variables: [String: String] = [:], trail: [String] = []) -> Set<Capability> {
        let service = workspace.service(endpoint.serviceName)
        return ofOwn(endpoint, in: service, variables: variables, trail: trail).union(service.map { of($0) } ?? [])
    }

    /// What an endpoint uses beside what its service does for every endpoint.
    private func ofOwn(
        _ endpoint: Endpoint, in service: Service?, variables: [String: String] = [:], trail: [String] = []
    ) -> Set<Capability> {
        var found: Set<Capability> = []
        let definitions = shared.adding(variables, endpoint.variables)
        if let service, !variables.isEmpty || !endpoint.variables.isEmpty { found.formUnion(of(service, definitions)) }
        let (sent, origins) = sent(by: endpoint, in: service, definitions)
        add(sent, to: &found)
        for name in sent.names {
            // One that `hosts:` refuses is never sent there.
            for origin in origins where mayReceive(name, origin) { found.insert(Capability(.secret, name, to: origin)) }
        }

        let folder = workspace.fileFolder(of: endpoint)
        for path in endpoint.body.files {
            add(definitions.references(of: path), to: &found)
            for path in definitions.expansions(of: path) { addFile(Self.joined(folder, path), to: &found) }
        }
        if let destination = endpoint.download?.to {
            add(definitions.references(of: destination), to: &found)
            for path in definitions.expansions(of: destination) { addDestination(path, from: folder, to: &found) }
        }
        let checks = (endpoint.expectation?.json ?? []) + (endpoint.expectation?.headers ?? [])
        add(definitions.references(of: checks.map(\.value)), to: &found)
        for plugin in service.map({ workspace.plugins(of: $0) }) ?? [] {
            guard case .token(let token) = plugin.kind, let target = token.refresh?.target, !trail.contains(target),
                let refresh = workspace.endpoint(target)
            else { continue }
            found.formUnion(of(refresh, trail: trail + [endpoint.target, target]))
        }
        return found
    }

    /// What the templates of an endpoint refer to that is sent, and the origins that receive it.
    private func sent(by endpoint: Endpoint, in service: Service?, _ definitions: VariableDefinitions) -> (TemplateReferences, Set<String>) {
        let servers = service.map { self.servers(of: $0) } ?? []
        let sent = definitions.references(of: endpoint.sentTemplates + servers + (service.map { sentTemplates(of: $0, for: endpoint) } ?? []))
        // Variables may make a path absolute.
        let bases = definitions.expansions(of: endpoint.path).filter { HTTPURL.isAbsolute($0) || $0.hasPrefix("{{") }
        return (sent, Set((bases + servers).flatMap { Self.origins(of: $0, definitions) }))
    }

    /// The secrets that an endpoint would send to origins that `hosts:` refuses, as far as the files alone tell.
    func refusedSecrets(of endpoint: Endpoint, in service: Service) -> [(name: String, origin: String)] {
        let definitions = shared.adding(endpoint.variables)
        let (sent, origins) = sent(by: endpoint, in: service, definitions)
        // An absolute URL is sent there, whatever servers the service has.
        let absolute = HTTPURL.isAbsolute(endpoint.path) ? Set(Self.origins(of: endpoint.path, definitions)) : origins
        return sent.secrets.sorted().flatMap { name in
            absolute.sorted().filter { !mayReceive(name, $0) }.map { (name, $0) }
        }
    }

    /// Whether an origin may receive a secret; one with a template may be any.
    private func mayReceive(_ name: String, _ origin: String) -> Bool {
        guard let hosts = workspace.secretHosts[name], Template(origin).isPlain, let url = Self.url(origin) else { return true }
        return hosts.contains { $0.matches(url.hostForLookup) }
    }

    /// What a run uses with all its steps.
    package func of(_ run: RunDefinition) -> Set<Capability> {
        var found: Set<Capability> = []
        if let file = run.dataFile { addFile(file, to: &found) }
        for step in run.steps {
            guard let endpoint = workspace.endpoint(step.target) else { continue }
            found.formUnion(of(endpoint, variables: step.variables))
            let definitions = shared.adding(step.variables, endpoint.variables)
            for text in (step.expectation?.json ?? []).map(\.value) + (step.expectation?.headers ?? []).map(\.value) + step.variables.values {
                add(definitions.references(of: text), to: &found)
            }
        }
        return found
    }

    // MARK: Texts

    private func servers(of service: Service) -> [String] {
        environment.map { service.servers[$0] ?? [] } ?? service.servers.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// What a service adds to the requests of an endpoint.
    private func sentTemplates(of service: Service, for endpoint: Endpoint) -> [String] {
        var texts = service.headers.enabledTexts
        if endpoint.auth == .inherit { texts += service.auth.templates }
        guard endpoint.pluginUse != Endpoint.PluginUse.none else { return texts }
        texts += workspace.publicParameters(of: service).enabledTexts
        for plugin in workspace.plugins(of: service) {
            // The secret of a signature and the key of an encryption are used here and never sent.
            if case .token(let token) = plugin.kind { texts += [token.value].compactMap { $0 } }
        }
        return texts
    }

    /// The origins of a server or a URL, templates without a plain value as they stand.
    private static func origins(of text: String, _ definitions: VariableDefinitions) -> [String] {
        // Without what follows the authority, so that its length cannot keep the origin from being expanded.
        var text = text
        if let scheme = text.firstRange(of: "://"), let end = text[scheme.upperBound...].firstIndex(where: { "/?#".contains($0) }) {
            text = String(text[..<end])
        }
        return definitions.expansions(of: text).map { text in
            if Template(text).isPlain, let url = Self.url(text) { return url.origin }
            guard let scheme = text.firstRange(of: "://") else { return text }
            let rest = text[scheme.upperBound...]
            return String(text[..<(rest.firstIndex { "/?#".contains($0) } ?? text.endIndex)])
        }
    }

    private static func url(_ text: String) -> HTTPURL? {
        do { return try HTTPURL(parsing: text) } catch { return nil }
    }

    // MARK: Capabilities

    private func add(_ references: TemplateReferences, to found: inout Set<Capability>) {
        for name in references.secrets { if let source = workspace.secrets[name] { found.insert(Capability(source)) } }
        for name in references.environment { found.insert(Capability(.environment, name)) }
        for path in references.files { addFile(Self.joined(workspace.folder, path), to: &found) }
    }

    private func addFile(_ path: String, to found: inout Set<Capability>) {
        guard let path = outside(path) else { return }
        found.insert(Capability(.file, path))
    }

    private func addDestination(_ path: String, from folder: String, to found: inout Set<Capability>) {
        let path = path.hasPrefix("~") ? path : Self.joined(folder, path)
        guard let path = outside(path) else { return }
        // A template may become a path that leads out of the folder again.
        if let downloadFolder, Template(path).isPlain, (FilePath.normalized(path) + "/").hasPrefix(downloadFolder + "/") { return }
        found.insert(Capability(.download, path))
    }

    /// The real path of a file that is not in the workspace; nil for one that is.
    private func outside(_ path: String) -> String? {
        // A path with a template that only a run knows may be any.
        guard Template(path).isPlain else { return path }
        let real = real(path)
        return real == root || real.hasPrefix(root + "/") ? nil : real
    }

    private func real(_ path: String) -> String {
        notePath(path)
        return workspace.links[path] ?? path
    }

    private static func joined(_ folder: String, _ path: String) -> String {
        Template(path).isPlain && !path.hasPrefix("~") ? FilePath.joining(folder, path) : path
    }
}

extension Capability {
    /// What getting a secret's value does.
    init(_ source: SecretSource) {
        switch source {
        case .command(let text): self.init(.command, text)
        case .environment(let name): self.init(.environment, name)
        }
    }
}
