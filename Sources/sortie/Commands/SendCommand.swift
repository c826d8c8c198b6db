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
        let (request, workspace) = try request(hiding: redaction)
        if sending.dryRun {
            let dryRun = DryRun(request: request, redaction: redaction.current, asJSON: output.json)
            StandardOutput.write(dryRun.text)
            return
        }
        let cookies = try sending.cookies.map { try KeptCookies(path: $0, environment: request.environment) }
        var configuration = Client.Configuration(for: workspace)
        if let cookies { configuration.cookies = cookies.jars }
        let client = Client(configuration)
        let id = client.makeID()
        let interruption = Interruption { Task { await client.cancel(id) } }
        let reporter = SendReporter(output: output, redaction: redaction.current)
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

    /// The request and the workspace that it belongs to.
    private func request(hiding redaction: LiveRedaction) throws -> (Request, Workspace) {
        let isURL = HTTPURL.isAbsolute(target)
        try checkTarget(isURL: isURL)
        let workspace: Workspace
        if isURL, WorkspaceSource.folder(named: source.workspace) == nil || source.workspace == nil {
            workspace = Workspace(name: "", folder: ".")
        } else {
            workspace = try WorkspaceSource.load(named: source.workspace)
        }
        var endpoint = try isURL ? Endpoint(target: target, name: target, path: target) : found(in: workspace)
        if isURL { endpoint.location = SourceLocation(file: "the command line") }
        try parts.apply(to: &endpoint, isURL: isURL)

        redaction.add(names: workspace.redact)
        let environment = try WorkspaceSource.environment(source.environment, of: workspace)
        let plan = RequestPlan(workspace: workspace, environment: environment, overrides: [try source.layer()])
        let values = LiveValues(folder: workspace.folder, secrets: workspace.secrets, mayAsk: true, used: redaction.hide)
        var request: Request
        do { request = try plan.request(for: endpoint, in: values.scope(of: endpoint, plan: plan)) } catch {
            var problem = error
            problem.message = redaction.current.masked(problem.message)
            throw isURL ? CommandFailure(.usage, problem.message) : CommandFailure(problem)
        }
        if isURL { request.target = nil }
        try sending.apply(to: &request.options)
        try trust.apply(to: &request.options.trust)
        try sending.applyResolve(to: &request)
        return (request, workspace)
    }

    /// What is neither a URL that can be sent nor anything that a workspace could name.
    private func checkTarget(isURL: Bool) throws {
        guard !isURL else { return }
        if target.contains("://") {
            throw CommandFailure(
                .usage, name: "invalidURL", "“\(target)” is not a URL that can be sent", hint: "a URL begins with http:// or https://")
        }
        guard WorkspaceSource.folder(named: source.workspace) == nil else { return }
        throw CommandFailure(
            .file, name: "workspace", "there is no workspace.yaml here or above",
            hint: "name the workspace's folder with -w FOLDER; a URL begins with http:// or https://")
    }

    private func found(in workspace: Workspace) throws -> Endpoint {
        if let endpoint = workspace.endpoint(target) { return endpoint }
        // The file may be there and be broken.
        let files = [target + ".yaml", target + ".yml"]
        if let problem = workspace.problems.first(where: { $0.severity == .error && files.contains($0.location.file) }) {
            throw CommandFailure(problem)
        }
        let nearest = Suggestion.nearest(to: target, in: workspace.endpoints.map(\.target)).map { "did you mean \($0)? " } ?? ""
        throw CommandFailure(
            .usage, name: "unknownTarget", "the workspace \(workspace.name) has no endpoint \(target)",
            hint: nearest + "sortie list shows all; a URL begins with http:// or https://")
    }
}
