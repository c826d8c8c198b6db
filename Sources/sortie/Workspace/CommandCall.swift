internal import Model
internal import Networking

/// What `send`, `download` and `upload` begin with and end with: the request, its cookies, and the client that knows its workspace.
struct CommandCall {
    /// The request; a command may change what it sends.
    var request: Request
    /// What is masked of what is told.
    let redaction: LiveRedaction
    private let cookies: KeptCookies?
    private let capture: TrafficCapture?
    /// Also keeps alive what the client's plugins ask.
    private let setup: WorkspaceClient

    /// Resolves the request; nothing is sent.
    ///
    /// - Parameter edit: what the command has to say of the endpoint beside its options.
    init(_ command: CommandRequest, output: OutputOptions, editing edit: (inout Endpoint) throws -> Void = { _ in }) throws {
        redaction = LiveRedaction(showsSecrets: output.showSecrets)
        let (request, workspace) = try command.resolved(hiding: redaction, editing: edit)
        self.request = request
        cookies = try command.sending.cookies.map { try KeptCookies(path: $0, environment: request.environment) }
        setup = try WorkspaceClient(workspace, source: command.source, cookies: cookies, hiding: redaction)
        // A dry run sends nothing that could be recorded.
        capture = command.sending.dryRun ? nil : try TrafficCapture.begin(command.sending.capture, of: setup.client, masking: redaction)
    }

    /// Lets a large file take its time: only silence ends it, unless the command line says otherwise.
    mutating func liftTimeLimit(unless sending: SendingOptions) {
        if sending.timeout == nil { request.options.timeouts.total = nil }
    }

    /// The client of the workspace.
    var client: Client { setup.client }

    /// Tells what would be sent for a request, and sends nothing.
    func showDryRun(of request: Request, output: OutputOptions) async throws {
        let dryRun = await client.dryRun(request)
        try DryRunResult(dryRun: dryRun, redaction: redaction.current, asJSON: output.json).deliver()
    }

    /// Delivers what came of it, keeps the cookies, and ends the recording.
    ///
    /// These are kept whatever became of the answer; that they could not be is said after it was delivered.
    func end(_ deliver: () throws -> Void) throws {
        let (saving, recording) = (Result { try cookies?.save() }, Result { try capture?.finish() })
        try deliver()
        try saving.get()
        try recording.get()
    }
}
