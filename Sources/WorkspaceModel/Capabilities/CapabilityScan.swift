package import SortieHTTP

/// Finds the capabilities that a workspace requires on this machine, from its parsed files alone (`Security.md` 2).
///
/// Values that the user types on the command line or into a draft are not in ``all``, so they do not require permission.
package struct CapabilityScan: Hashable, Sendable {
    private let workspace: Workspace
    private let downloadFolder: String?
    /// All capabilities that the files of the workspace require, used by an endpoint or not.
    package let all: Set<Capability>
    /// Whether requests of the workspace depend on secrets, so that values of their responses are sent to other origins with permission only.
    package let protectsCaptures: Bool

    /// Scans the files of a workspace.
    ///
    /// Nothing is executed or read; symbolic links of the paths are resolved until ``RealPaths/close()`` (``Workspace/realPaths``).
    ///
    /// - Parameter downloadFolder: the default folder of downloads; a destination in it requires no permission.
    package init(_ workspace: Workspace, downloadFolder: String? = nil) {
        (self.workspace, self.downloadFolder) = (workspace, downloadFolder)
        let all = Self.everything(in: workspace, downloadFolder)
        protectsCaptures = Self.protectsCaptures(all, workspace)
        self.all = protectsCaptures ? all : all.filter { $0.kind != .captured }
    }

    private static func protectsCaptures(_ capabilities: Set<Capability>, _ workspace: Workspace) -> Bool {
        if capabilities.contains(where: \.isOfSecrets) || typesCredentials(workspace) { return true }
        return capabilities.contains { $0.kind == .captured } && asksForSecrets(workspace)
    }

    /// Whether the user signs in, or types secrets, for requests.
    private static func asksForSecrets(_ workspace: Workspace) -> Bool {
        uses(of: workspace, nil).contains { $0.asksForSecrets }
    }

    /// The uses in each environment, because its servers use only its variables.
    private static func uses(of workspace: Workspace, _ downloadFolder: String?) -> some Sequence<WorkspaceUse> {
        let environments: [String?] = workspace.environments.isEmpty ? [nil] : workspace.environments.map(\.name)
        return environments.lazy.map { WorkspaceUse(workspace, environment: $0, downloadFolder: downloadFolder) }
    }

    /// Whether templates have a variable with the name of a credential that no file defines, which the user therefore types.
    private static func typesCredentials(_ workspace: Workspace) -> Bool {
        let redaction = Redaction(adding: workspace.redact)
        return workspace.variableUses.keys.contains { name in
            redaction.isSecretPath(name) && !name.contains(".") && workspace.variables[name] == nil
                && !workspace.environments.contains { $0.variables[name] != nil }
        }
    }

    /// What reading the descriptions of services needs.
    package var ofDescriptions: Set<Capability> {
        WorkspaceUse(workspace, environment: nil, downloadFolder: downloadFolder).ofDescriptions.intersection(all)
    }

    private static func everything(in workspace: Workspace, _ downloadFolder: String?) -> Set<Capability> {
        uses(of: workspace, downloadFolder).reduce(into: []) { $0.formUnion($1.ofEverything) }
    }

    /// The part of the capabilities in ``all`` that sending an endpoint uses.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint as it is sent, including the values that the user typed.
    ///   - environment: the chosen environment; nil where there is none.
    package func needed(by endpoint: Endpoint, environment: String?) -> Set<Capability> {
        WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder).of(endpoint).intersection(all)
    }

    /// The capabilities that a run requires with all its steps.
    ///
    /// Those of a run file outside `runs/` are not part of ``all``.
    package func needed(by run: RunDefinition, environment: String?) -> Set<Capability> {
        needed(WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder).of(run), in: workspace)
    }

    private func needed(_ found: Set<Capability>, in workspace: Workspace) -> Set<Capability> {
        protectsCaptures || Self.protectsCaptures(found, workspace) ? found : found.filter { $0.kind != .captured }
    }

    /// What a changed or new endpoint needs beyond ``all``; the other files are not scanned.
    ///
    /// - Parameter changed: The workspace with the endpoint.
    package func added(by endpoint: Endpoint, in changed: Workspace) -> Set<Capability> { added(in: changed) { $0.of(endpoint) } }

    /// What the files of a service with changed settings need beyond ``all``; the other files are not scanned.
    ///
    /// - Parameter changed: The workspace with the service.
    package func added(by service: Service, in changed: Workspace) -> Set<Capability> { added(in: changed) { $0.ofFiles(of: service) } }

    private func added(in changed: Workspace, _ used: (WorkspaceUse) -> Set<Capability>) -> Set<Capability> {
        let found = Self.uses(of: changed, downloadFolder).reduce(into: Set<Capability>()) { $0.formUnion(used($1)) }
        return needed(found, in: changed).subtracting(all)
    }

    /// The capabilities that an endpoint uses beyond those in the files: values that the user typed into it and into variables.
    package func typed(in endpoint: Endpoint, variables: [String: String], environment: String?) -> Set<Capability> {
        WorkspaceUse(workspace, environment: environment, downloadFolder: downloadFolder).of(endpoint, variables: variables).subtracting(all)
    }
}

extension Capability {
    /// Whether a response may depend on something that is secret.
    fileprivate var isOfSecrets: Bool {
        switch kind {
        case .command, .environment, .file, .clientKey, .secret, .token, .ticket, .storedSecret: true
        case .download, .cacheFolder, .insecure, .proxy, .proxyScript, .nameServer, .description, .address, .authority, .captured: false
        }
    }
}

extension Request {
    /// What sending the request with its resolved values uses on this machine, besides files and secrets.
    ///
    /// The counterpart of ``CapabilityScan``, which computes the same from the files.
    package var capabilities: [Capability] {
        let urls = [url] + otherServers
        var found: [Capability] = []
        if let proxy = options.proxy { found.append(Capability(.proxy, proxy.description)) }
        if let script = options.decidingProxyScript { found.append(Capability(.proxyScript, script.permission)) }
        if let server = options.resolution.server { found.append(Capability(.nameServer, server.origin)) }
        if let key = options.trust.clientKeyFile { found.append(Capability(.clientKey, key)) }
        for url in urls {
            if options.trust.isInsecure { found.append(Capability(.insecure, url.origin)) }
            if options.credential == .negotiate { found.append(Capability(.ticket, url.origin)) }
            if let authority = options.trust.certificateAuthorityFile { found.append(Capability(.authority, authority, to: url.origin)) }
            if let host = options.resolution.configured(for: url) {
                let addresses = host.further + host.fixed.filter { !host.further.contains($0) }
                if !addresses.isEmpty { found.append(Capability(addresses: addresses, of: url.origin)) }
            }
            for issuer in tokenIssuers where issuer != url.origin { found.append(Capability(.token, issuer, to: url.origin)) }
        }
        return found
    }

    /// The origins that issue the access token of the request, where it is issued for a secret or for a sign-in of the user.
    private var tokenIssuers: Set<String> {
        guard case .oauth2(let settings) = options.credential else { return [] }
        let isSecret = settings.grant.isInteractive || secrets.uses.contains { use in settings.texts.contains { $0.contains(use.value) } }
        guard isSecret else { return [] }
        // The request for a token refuses a URL that cannot be read.
        return Set(settings.receivers.compactMap { HTTPURL(ifValid: $0.url)?.origin })
    }
}

/// The values outside the workspace to which the templates of a text refer, through any number of variables.
struct TemplateReferences: Hashable, Sendable {
    /// The names of the workspace's secrets.
    package var secrets: Set<String> = []
    /// The names of environment variables (`{{$env.NAME}}`).
    package var environment: Set<String> = []
    /// The paths of files (`{{$file PATH}}`).
    package var files: Set<String> = []
    /// The names with a dot, which may be those of captured values (`login.token`).
    var dotted: Set<String> = []
    /// Whether the user is asked for a secret (`{{$promptSecret LABEL}}`).
    var asksForSecret = false

    /// Whether the text refers to no value outside the workspace.
    package var isEmpty: Bool { secrets.isEmpty && environment.isEmpty && files.isEmpty }

    package mutating func formUnion(_ other: TemplateReferences) {
        secrets.formUnion(other.secrets)
        environment.formUnion(other.environment)
        files.formUnion(other.files)
        dotted.formUnion(other.dotted)
        asksForSecret = asksForSecret || other.asksForSecret
    }

    /// The names of the values in a list, in the notation of templates.
    package var names: [String] {
        (Array(secrets) + environment.map { "$env.\($0)" } + files.map { "$file \($0)" }).sorted()
    }
}
