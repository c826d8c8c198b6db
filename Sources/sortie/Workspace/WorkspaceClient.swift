internal import Model
internal import Networking

/// The client of a workspace: the one place where its files become channels, plugins and encryption, for the workbench and the commands.
final class WorkspaceClient: Sendable {
    let client: Client
    private let live: LiveWorkspace
    private let debugLog: DebugLogPlugin?

    /// A client; no template is resolved and nothing is sent before its first request.
    ///
    /// - Parameters:
    ///   - overrides: variables above those of the files.
    ///   - cookies: the jars to use; nil for empty ones.
    ///   - parking: where requests wait that may wait for the network; nil where none may, as in a command, which has to come to an end.
    ///   - debugLog: what takes the blocks of services that have debugLog; nil where they are shown anyway.
    ///   - clientKeyQuestion: asks for the passphrase of an encrypted client key; nil where the user cannot be asked.
    ///   - values: what templates of a workspace get from the world.
    init(
        _ workspace: Workspace, overrides: [[String: String]], cookies: CookieJars? = nil, parking: OfflineQueue? = nil,
        debugLog: DebugLogPlugin? = nil, clientKeyQuestion: ClientKeyQuestion.Asking? = nil, values: @escaping LiveWorkspace.Values
    ) {
        live = LiveWorkspace(workspace, overrides: overrides, values: values)
        self.debugLog = debugLog
        var configuration = Client.Configuration(for: workspace, plugins: WorkspacePlugins(workspace, live, debugLog: debugLog))
        if let cookies { configuration.cookies = cookies }
        configuration.parking = parking
        configuration.addresses = NameKeeper()
        configuration.clientKeyQuestion = clientKeyQuestion
        client = Client(configuration)
        live.attach(client)
    }

    /// The files have changed: what begins from now on is treated as they say.
    func use(_ workspace: Workspace) {
        live.use(workspace)
        client.use(services: WorkspacePlugins(workspace, live, debugLog: debugLog).services)
    }

    /// Looks up the names of the services that want it before they are needed, those of every environment.
    func resolveAhead() {
        client.resolveAhead(live.namesAhead)
    }

    /// The client of a command, where a person can be asked; the secrets that it uses are hidden.
    ///
    /// The blocks of services that have debugLog go to stderr.
    convenience init(
        _ workspace: Workspace, source: WorkspaceOptions, locations: LocationOptions, cookies: KeptCookies?, permission: WorkspacePermission,
        hiding redaction: LiveRedaction
    ) throws {
        let debugLog = DebugLogPlugin(masking: { redaction.current }) { DebugBlock.write($0) }
        let question = TerminalPassphrase.asking(hiding: redaction.hide)
        self.init(
            workspace, overrides: [try source.layer(hiding: redaction, locations)], cookies: cookies?.jars, debugLog: debugLog,
            clientKeyQuestion: question
        ) { workspace in
            LiveValues(workspace, mayAsk: true, permission: permission, used: redaction.hide)
        }
    }
}
