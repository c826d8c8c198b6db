internal import ArgumentParser
internal import Glibc
internal import SortieNetworking
internal import WorkspaceModel

/// `sortie listen`: prints the messages of a WebSocket connection or the events of an event stream.
struct ListenCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Print the messages of a WebSocket connection or of an event stream.",
        discussion: """
            A ws:// or wss:// URL, and an endpoint with kind: webSocket, opens a WebSocket connection; other targets request server-sent \
            events. Each received message is one line, in which line breaks are displayed as ␊; a binary message is base64. With --json each message is one JSON object with direction, \
            time and type; sent messages are printed too.

            Lines of standard input are sent as text messages when it is a file or a pipe, or with -i. At its end the connection stays open. The exit \
            code is 0 when the connection was closed with 1000 or 1001, or by --for or --count, and 1 for another code.
            """)

    @Argument(help: "SERVICE/ENDPOINT of the workspace, or a ws://, wss://, http:// or https:// URL.", completion: .target)
    var target: String

    @OptionGroup(title: "Listening") var options: ListenOptions
    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        let duration = try options.duration()
        try options.checkCount()
        var command = CommandRequest(
            program: program, target: WebSocketURL.http(target), parts: parts, sending: sending, trust: trust, source: source, output: output)
        command.opensWebSocket = true
        var isWebSocket = WebSocketURL.isWebSocket(target)
        let call = try await CommandCall(command, output: output) { endpoint in
            if isWebSocket { endpoint.kind = .webSocket } else { isWebSocket = endpoint.opensWebSocket }
        }
        if sending.dryRun { return try await call.showDryRun(of: call.request, output: output) }
        call.history?.prepare()
        let listening = Listening(
            program: program, client: call.client, request: call.request, duration: duration, count: options.count,
            sendsInput: options.interactive || !program.input.isTerminal, asJSON: output.json, redaction: call.redaction,
            onEvent: call.verboseObserver(output))
        // Writing to a slow reader blocks.
        let work = Task(executorPreference: BlockingExecutor.shared) { [isWebSocket] in
            if isWebSocket { try await listening.webSocket() } else { try await listening.serverSentEvents() }
        }
        let interruption = Interruption(in: program) { work.cancel() }
        let result = await work.result
        withExtendedLifetime(interruption) {}
        try await call.end {
            do { try result.get() } catch let error as NetworkError { throw CommandFailure(call.redaction.current.masked(error)) }
        }
    }
}
