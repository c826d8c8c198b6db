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
        let (request, limits) = try request()
        if sending.dryRun {
            StandardOutput.write(DryRun(request: request, showsSecrets: output.showSecrets, asJSON: output.json).text)
            return
        }
        let client = Client(.init(channelLimits: limits))
        let id = client.makeID()
        let interruption = Interruption { Task { await client.cancel(id) } }
        let reporter = SendReporter(output: output)
        var exchange: Exchange?
        for await event in client.events(request, id: id) {
            reporter.report(event)
            if case .finished(let finished) = event { exchange = finished }
        }
        withExtendedLifetime(interruption) {}
        guard let exchange else { throw CommandFailure(.network, "the request ended without a result") }
        try SendResult(exchange: exchange, options: result, output: output).deliver()
    }

    /// The request and how many may be in flight by service.
    private func request() throws -> (Request, [String: Int]) {
        let isURL = HTTPURL.isAbsolute(target)
        let workspace: Workspace
        if isURL, WorkspaceSource.folder(named: source.workspace) == nil || source.workspace == nil {
            workspace = Workspace(name: "", folder: ".")
        } else {
            workspace = try WorkspaceSource.load(named: source.workspace)
        }
        var endpoint = try isURL ? Endpoint(target: target, name: target, path: target) : found(in: workspace)
        if isURL { endpoint.location = SourceLocation(file: "the command line") }
        try parts.apply(to: &endpoint, isURL: isURL)

        let environment = try WorkspaceSource.environment(source.environment, of: workspace)
        let plan = RequestPlan(workspace: workspace, environment: environment, overrides: [try source.layer()])
        let values = LiveValues(folder: workspace.folder, secrets: workspace.secrets, mayAsk: true)
        var request: Request
        do { request = try plan.request(for: endpoint, in: values.scope(of: endpoint, plan: plan)) } catch {
            throw isURL ? CommandFailure(.usage, error.message) : CommandFailure(error)
        }
        if isURL { request.target = nil }
        try sending.apply(to: &request.options)
        try trust.apply(to: &request.options.trust)
        try sending.applyResolve(to: &request)
        return (request, workspace.channelLimits)
    }

    private func found(in workspace: Workspace) throws -> Endpoint {
        if let endpoint = workspace.endpoint(target) { return endpoint }
        let nearest = Suggestion.nearest(to: target, in: workspace.endpoints.map(\.target)).map { "did you mean \($0)? " } ?? ""
        throw CommandFailure(
            .usage, name: "unknownTarget", "the workspace \(workspace.name) has no endpoint \(target)",
            hint: nearest + "sortie list shows all; a URL begins with http:// or https://")
    }
}

extension Workspace {
    /// How many requests of each service may be in flight, where its file says so.
    var channelLimits: [String: Int] {
        var limits: [String: Int] = [:]
        for service in services {
            limits[service.folder] = [service.maximumRequests, service.maximumConnections].compactMap { $0 }.min()
        }
        return limits
    }
}
