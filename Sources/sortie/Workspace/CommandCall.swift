internal import SortieNetworking
internal import WorkspaceModel

/// What `send`, `download` and `upload` begin with and end with: the request, its cookies, and the client that knows its workspace.
struct CommandCall {
    /// The request; a command may change what it sends.
    var request: Request
    /// What is masked of what is told.
    let redaction: LiveRedaction
    /// What the endpoint expects of the response; nil where it expects nothing.
    var check: ResponseCheck?
    /// Whether `-v` prints the blocks of the debug log: not where the plugin debugLog does.
    let showsBlocks: Bool
    private let cookies: KeptCookies?
    private let capture: TrafficCapture?
    private let history: HistoryRecorder?
    /// Also keeps alive what the client's plugins ask.
    private let setup: WorkspaceClient

    /// Resolves the request; nothing is sent.
    ///
    /// - Parameter edit: what the command has to say of the endpoint beside its options.
    init(_ command: CommandRequest, output: OutputOptions, editing edit: (inout Endpoint) throws -> Void = { _ in }) async throws {
        let redaction = LiveRedaction(showsSecrets: output.showSecrets)
        let (request, workspace, permission, check) = try await command.resolved(hiding: redaction, editing: edit)
        try self.init(
            request, of: workspace, permission: permission, sending: command.sending, source: command.source, output: output, redaction: redaction)
        self.check = check
    }

    /// A call of a request that is resolved.
    init(
        _ request: Request, of workspace: Workspace, permission: WorkspacePermission, sending: SendingOptions, source: WorkspaceOptions,
        output: OutputOptions, redaction: LiveRedaction
    ) throws {
        self.redaction = redaction
        self.request = request
        UnverifiedServers.report(request, of: workspace)
        showsBlocks = !workspace.hasDebugLog(request.service)
        cookies = try sending.cookies.map { try KeptCookies(path: $0, environment: request.environment) }
        setup = try WorkspaceClient(
            workspace, source: source, locations: sending.locations, cookies: cookies, permission: permission, hiding: redaction)
        // A dry run sends nothing that could be recorded or kept.
        capture = sending.dryRun ? nil : try TrafficCapture.begin(sending.capture, of: setup.client, masking: redaction)
        history = sending.dryRun ? nil : HistoryRecorder.begin(output, of: setup.client, workspace: workspace, hiding: redaction)
    }

    /// The client of the workspace.
    var client: Client { setup.client }

    /// Tells what would be sent for a request, and sends nothing.
    func showDryRun(of request: Request, output: OutputOptions) async throws {
        let dryRun = await client.dryRun(request)
        try DryRunResult(dryRun: dryRun, redaction: redaction.current, asJSON: output.json).deliver()
    }

    /// Delivers what came of it, keeps the cookies and the history, and ends the recording.
    ///
    /// These are kept whatever became of the answer; that they could not be is said after it was delivered.
    func end(_ deliver: () throws -> Void) throws {
        // After what was asked for, which need not wait for the disk.
        defer { history?.end() }
        let (saving, recording) = (Result { try cookies?.save() }, Result { try capture?.finish() })
        try deliver()
        try saving.get()
        try recording.get()
    }
}
