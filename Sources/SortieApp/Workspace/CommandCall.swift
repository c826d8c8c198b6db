internal import SortieNetworking
internal import WorkspaceModel

/// The common part of `send`, `download` and `upload`: the request, its cookies, and the client of its workspace.
struct CommandCall {
    let program: ProgramContext
    /// The request, which a command may change.
    var request: Request
    /// The masking rules of the output.
    let redaction: LiveRedaction
    /// The expectation of the endpoint; nil where it has none.
    var check: ResponseCheck?
    /// The request for further calls; nil for a call that is not sent again.
    private(set) var repetition: RequestRepetition?
    /// The download settings of the endpoint, with the absolute path of the destination; nil where it has none.
    private(set) var download: DownloadSettings?
    /// Whether the body is recorded as a snapshot instead of compared.
    private(set) var recordsSnapshots = false
    /// The folder for downloads of the workspace's files; nil where they name none.
    private let downloadFolder: String?
    private let permission: WorkspacePermission
    private let cookies: StoredCookies?
    private let capture: TrafficCapture?
    let history: HistoryRecorder?
    /// Also retains the objects that the client's plugins use.
    private let setup: WorkspaceClient

    /// Resolves the request without sending it.
    ///
    /// - Parameters:
    ///   - concurrency: the number of calls that a bench has in flight, which go to no history; nil for one call.
    ///   - showsSignIn: whether it is displayed also without a terminal how the user signs in for an access token.
    ///   - edit: changes of the endpoint that the command makes in addition to its options.
    init(
        _ command: CommandRequest, output: OutputOptions, concurrency: Int? = nil, showsSignIn: Bool = false,
        editing edit: (inout Endpoint) throws -> Void = { _ in }
    ) async throws {
        let redaction = LiveRedaction(showsSecrets: output.showSecrets)
        let resolved = try await command.resolved(hiding: redaction, editing: edit)
        try self.init(
            resolved.request, of: resolved.workspace, in: command.program, permission: resolved.permission, sending: command.sending,
            source: command.source,
            output: output, redaction: redaction, concurrency: concurrency, showsSignIn: showsSignIn)
        recordsSnapshots = command.recordsSnapshots
        (check, download, repetition) = (resolved.check, resolved.download, resolved.repetition)
    }

    /// Creates a call of a resolved request.
    init(
        _ request: Request, of workspace: Workspace, in program: ProgramContext, permission: WorkspacePermission, sending: SendingOptions,
        source: WorkspaceOptions,
        output: OutputOptions, redaction: LiveRedaction, concurrency: Int? = nil, showsSignIn: Bool = false
    ) throws {
        self.program = program
        self.redaction = redaction
        self.request = request
        self.permission = permission
        downloadFolder = workspace.downloadFolder
        UnverifiedServers.report(request, of: workspace, to: program.errors)
        cookies = try sending.cookies.map { try StoredCookies(path: $0, environment: request.environment, in: program) }
        setup = try WorkspaceClient(
            workspace, in: program, source: source, locations: sending.locations, cookies: cookies, permission: permission, hiding: redaction,
            load: concurrency.map { ClientLoad(lane: request.service ?? request.url.origin, concurrency: $0) }, showsSignIn: showsSignIn)
        // A dry run sends nothing that could be recorded or stored.
        capture = sending.dryRun ? nil : try TrafficCapture.begin(sending.capture, of: setup.client, masking: redaction, in: program)
        history =
            sending.dryRun || concurrency != nil
            ? nil : HistoryRecorder.begin(output, of: setup.client, workspace: workspace, in: program, hiding: redaction)
    }

    /// The folder for a download whose endpoint and command name none; nil for the current folder.
    ///
    /// - Throws: For a folder outside the workspace that the user has not permitted.
    func permittedDownloadFolder() throws -> String? {
        guard let downloadFolder else { return nil }
        try permission.requireDownloads(in: downloadFolder)
        return downloadFolder
    }

    /// The client of the workspace.
    var client: Client { setup.client }

    /// Prints the request of a dry run without sending it.
    func showDryRun(of request: Request, output: OutputOptions) async throws {
        let dryRun = await client.dryRun(request)
        try DryRunResult(output: program.output, dryRun: dryRun, redaction: redaction.current, asJSON: output.json).deliver()
    }

    /// Delivers the result, stores the cookies and the history, and ends the recording.
    ///
    /// These are stored regardless of the result; a failure to store them is reported after the delivery.
    func end(_ deliver: () async throws -> Void) async throws {
        // After the requested output, which need not wait for the disk.
        defer { history?.end(warningOn: program.errors) }
        let (saving, recording) = (Result { try cookies?.save(now: program.now()) }, Result { try capture?.finish() })
        try await deliver()
        try saving.get()
        try recording.get()
    }
}
