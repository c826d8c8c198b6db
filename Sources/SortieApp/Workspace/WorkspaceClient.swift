internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// The client of a workspace, for the workbench and the commands: maps the workspace's files to request queues, plugins and encryption.
final class WorkspaceClient: Sendable {
    let client: Client
    private let program: ProgramContext
    private let live: LiveWorkspace
    private let debugLog: DebugLogPlugin?

    /// Creates a client; no template is resolved and nothing is sent before its first request.
    ///
    /// - Parameters:
    ///   - overrides: variables that take precedence over those of the files.
    ///   - cookies: the jars to use; nil for empty ones.
    ///   - parking: the queue of requests that may wait for the network; nil where none may, as in a command, which must end.
    ///   - debugLog: receives the blocks of services that have debugLog; nil where they are displayed in any case.
    ///   - clientKeyQuestion: prompts for the passphrase of an encrypted client key; nil where the user cannot be prompted.
    ///   - signIn: displays how the user signs in for an access token; nil where the user cannot be asked.
    ///   - load: the load that replaces limits of the files; nil without one.
    ///   - values: creates the external values of a workspace's templates.
    init(
        _ workspace: Workspace, in program: ProgramContext, overrides: [[String: String]], cookies: CookieJars? = nil, parking: OfflineQueue? = nil,
        debugLog: DebugLogPlugin? = nil, clientKeyQuestion: ClientKeyQuestion.Asking? = nil, signIn: (any OAuth2SignInPresenter)? = nil,
        load: ClientLoad? = nil, values: @escaping LiveWorkspace.Values
    ) {
        live = LiveWorkspace(workspace, overrides: overrides, values: values)
        (self.program, self.debugLog) = (program, debugLog)
        var configuration = ClientConfiguration(
            for: workspace, plugins: WorkspacePlugins(workspace, live, in: program, debugLog: debugLog), in: program)
        if let cookies { configuration.cookies = cookies }
        configuration.parking = parking
        configuration.cacheFolder = StateFolder.responses(of: workspace, cacheFolder: program.folders.cache)
        configuration.cacheLimit = workspace.cacheLimit ?? configuration.cacheLimit
        configuration.addresses = ResolvedNameWriter(program.folders)
        (configuration.clientKeyQuestion, configuration.signIn) = (clientKeyQuestion, signIn)
        configuration.protobufCompiler = ProtocCompiler(
            program: program, mayRead: { [permission = values(workspace).permission] in permission.permitsReading($0) })
        configuration.tokens = StoredTokens(workspace: workspace.folder, program.folders)
        load?.apply(to: &configuration)
        client = Client(configuration)
        live.attach(client)
    }

    /// Applies changed files to all requests that begin from now on.
    func use(_ workspace: Workspace) {
        live.use(workspace)
        program.hooks.endKept()
        program.tunnels.keep(Set(workspace.services.compactMap(\.tunnel)))
        client.use(services: WorkspacePlugins(workspace, live, in: program, debugLog: debugLog).services)
    }

    /// Lets tokens be requested at once although the last request for them failed: for a request that a person sends.
    func retryTokens() { live.retryTokens() }

    /// Resolves the host names of services that request it in advance, for every environment.
    func resolveAhead() {
        client.resolveAhead(live.namesAhead)
    }

    /// Creates the client of a command, where the user can be prompted; the secrets that it uses are hidden.
    ///
    /// The blocks of services that have debugLog go to stderr, except under a load, where writing them would be measured.
    convenience init(
        _ workspace: Workspace, in program: ProgramContext, source: WorkspaceOptions, locations: LocationOptions, cookies: StoredCookies?,
        permission: WorkspacePermission,
        hiding redaction: LiveRedaction, load: ClientLoad? = nil, showsSignIn: Bool = false
    ) throws {
        let debugLog = load == nil ? DebugLogPlugin(masking: { redaction.current }) { DebugBlock.write($0, to: program.errors) } : nil
        let question = TerminalPassphrase.asking(in: program, hiding: redaction.hide)
        self.init(
            workspace, in: program, overrides: [try source.layer(hiding: redaction, locations, in: program)], cookies: cookies?.jars,
            debugLog: debugLog,
            clientKeyQuestion: question, signIn: showsSignIn ? TerminalSignIn(program: program) : TerminalSignIn.whereSeen(in: program), load: load
        ) { workspace in
            LiveValues(workspace, mayAsk: true, permission: permission, used: redaction.hide)
        }
    }
}

/// Reads a text file that a template or a check of a response needs, such as a JSON Schema.
enum CheckFile {
    /// The text of the file at an absolute path; it may block.
    static func text(at path: String, limit: Int = JSONSchema.documentLimit) throws(TemplateError) -> String {
        let bytes: [UInt8]
        do { bytes = try WorkspaceFile.bytes(at: path, limit: limit) } catch { throw TemplateError("\(error)") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw TemplateError("\(path) is not UTF-8 text") }
        return FileText.withoutMark(text)
    }
}

/// The load that a bench puts on one service, in place of the limits of the workspace.
struct ClientLoad {
    /// The folder of the service, or the origin of a URL.
    let lane: String
    /// The number of calls in flight.
    let concurrency: Int

    /// Replaces the limits of the service, because a call that waits for a place measures the limit and not the server.
    func apply(to configuration: inout ClientConfiguration) {
        configuration.limits[lane, default: RequestLimits()].requests = concurrency
        configuration.limits[lane]?.connections = concurrency
    }
}

extension StandardFields {
    /// The fields of the program's requests.
    static func program(_ environment: [String: String]) -> StandardFields {
        StandardFields(application: "sortie", languages: languages(in: environment))
    }
}

extension ClientConfiguration {
    /// Creates a client for the requests of a workspace, with the limits, envelopes, plugins and encryption of its files.
    init(for workspace: Workspace, plugins: WorkspacePlugins, in program: ProgramContext) {
        self.init(services: plugins.services)
        for service in workspace.services { limits[service.folder] = service.limits }
        standardFields = .program(program.environment)
        spoolFolder = program.spoolFolder
        options.environmentProxies = EnvironmentProxies(program.environment)
    }
}

/// Stores the addresses of host names in the cache folder, for the workbench and the commands.
struct ResolvedNameWriter: AddressArchive {
    private let store: AddressStore

    init(_ folders: UserFolders) { store = AddressStore(cacheFolder: folders.cache) }

    func load() throws -> [ResolvedName] { try store.load() }
    func keep(_ names: [ResolvedName]) throws { try store.keep(names) }
}

/// The access tokens for which the user signed in for a workspace.
struct StoredTokens: OAuth2TokenArchive {
    /// The folder of the workspace.
    let workspace: String
    private let store: TokenStore

    init(workspace: String, _ folders: UserFolders) {
        self.workspace = workspace
        store = TokenStore(stateFolder: folders.state)
    }

    func token(for key: OAuth2TokenKey) throws -> OAuth2Token? { try store.token(of: workspace, for: key) }
    func lock(for key: OAuth2TokenKey) -> (any Sendable)? { store.lock(for: key, of: workspace) }
    func store(_ token: OAuth2Token?, for key: OAuth2TokenKey) throws { try store.store(token, of: workspace, for: key) }
}
