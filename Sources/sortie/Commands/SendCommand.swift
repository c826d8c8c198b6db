internal import ArgumentParser
internal import Model
internal import Networking

/// `sortie send`: one request, from a script.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send an endpoint of the workspace, or a request to a URL.",
        discussion:
            "The body goes to stdout as it is. With --json one record with request, response and timing goes there instead.")

    @Argument(help: "SERVICE/ENDPOINT of the workspace, or a URL.")
    var target: String

    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Result") var result: ResultOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        let redaction = LiveRedaction(showsSecrets: output.showSecrets)
        let (request, workspace) = try CommandRequest(target: target, parts: parts, sending: sending, trust: trust, source: source)
            .resolved(hiding: redaction)
        let cookies = try sending.cookies.map { try KeptCookies(path: $0, environment: request.environment) }
        let setup = try WorkspaceClient(workspace, source: source, cookies: cookies, hiding: redaction)
        let client = setup.client
        if sending.dryRun {
            let dryRun = await client.dryRun(request)
            return try DryRunResult(dryRun: dryRun, redaction: redaction.current, asJSON: output.json).deliver()
        }
        let id = client.makeID()
        let interruption = Interruption { Task { await client.cancel(id) } }
        let reporter = SendReporter(output: output, redaction: redaction)
        var exchange: Exchange?
        for await event in client.events(request, id: id) {
            reporter.report(event)
            if case .finished(let finished) = event { exchange = finished }
        }
        withExtendedLifetime(interruption) {}
        // Cookies are kept whatever became of the answer; that they could not be is said after it was delivered.
        let keeping = Result { try cookies?.save() }
        guard let exchange else { throw CommandFailure(.network, "the request ended without a result") }
        try SendResult(exchange: exchange, options: result, output: output, redaction: redaction.current).deliver()
        try keeping.get()
    }
}
