internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// The request of a command: an endpoint of the workspace or a URL, with the options of the command line.
struct CommandRequest {
    let program: ProgramContext
    /// `SERVICE/ENDPOINT`, or a URL, which may have no scheme.
    private(set) var target: String
    let options: RequestCommandOptions
    private(set) var source: WorkspaceOptions
    /// The workspace where the command has read it; nil to read that of the options.
    var workspace: Workspace?
    /// How the command keeps the history, for requests that are sent for captured values; nil keeps none.
    var output: OutputOptions?
    /// Whether the body is recorded as a snapshot instead of compared.
    var recordsSnapshots = false
    /// Whether violations of the contract fail the command.
    var failsByContract = false
    /// The download of a workbench that the command continues, whose endpoint is sent instead of the one that the target names; nil for none.
    var left: LeftDownload?
    /// Whether the command opens WebSocket connections; others send requests and refuse them.
    var opensWebSocket = false

    /// Resolves the request with the settings of its workspace and the options of the command line.
    ///
    /// - Parameter edit: changes of the endpoint that the command makes after applying its options.
    func resolved(hiding redaction: LiveRedaction, editing edit: (inout Endpoint) throws -> Void) async throws -> ResolvedRequest {
        if let command = try foreign() { return try await command.resolved(hiding: redaction, editing: edit) }
        let subject = try subject(hiding: redaction)
        let (workspace, sending) = (subject.workspace, options.sending)
        var endpoint = subject.endpoint
        if !opensWebSocket, let problem = endpoint.sendingProblem() { throw CommandFailure(.usage, problem.programLine) }
        var timeouts = RequestBuilder(workspace: workspace, environment: nil).timeouts(of: endpoint)
        if let total = try sending.total { timeouts.total = total }
        program.input.limitPipes(by: timeouts)
        try options.parts.apply(to: &endpoint, hiding: redaction, sending.locations, in: program)
        try options.parts.applyPlugins(to: &endpoint, of: workspace)
        try edit(&endpoint)

        redaction.add(names: workspace.redact)
        let environment = try WorkspaceSource.environment(source.environment, of: workspace)
        let given = try source.layer(hiding: redaction, sending.locations, in: program).merging(left?.overrides ?? [:]) { $1 }
        var builder = RequestBuilder(workspace: workspace, environment: environment, overrides: [given])
        if let server = sending.server {
            try checkServer(server, of: endpoint, in: workspace, environment: environment)
            builder.turn = { _, _ in ServerTurn(index: server - 1, generation: 0) }
        }
        let permission = try WorkspacePermission.ofCommand(workspace, in: program, isTrusted: source.isTrusted, isForced: sending.locations.isForced)
        try permission.require(permission.missing(for: endpoint, environment: environment))
        let needs = TemplateNeedsScan(workspace, environment: environment, overrides: given).needs(of: endpoint)
        try TerminalPrompt.requireValues(of: needs.prompts, given: given, in: program)

        let recorders = Recorders()
        // The captured values in the responses are masked, because they are known as secrets when the request is resolved.
        defer { recorders.end(warningOn: program.errors) }
        var values = try values(for: endpoint, of: subject, permission, hiding: redaction)
        values.earlier = EarlierContext(
            sending.dryRun ? nil : earlierResponses(of: workspace, permission, hiding: redaction, recorders), builder, for: endpoint)
        let templates = CommandTemplates(
            endpoint: endpoint, preparation: RequestPreparation(builder, values), isURL: subject.isURL, usesOneServer: sending.server != nil,
            redaction: redaction)
        var prepared = try await Interruption.cancelling(in: program) { try await templates.resolve(cancelledBy: $0) }
        let usesNetrc = try apply(to: &prepared, of: workspace, hiding: redaction)
        try SecretArgument.refuseSharedInput(with: prepared.request, in: program)
        var download = endpoint.download
        download?.to = prepared.destination.map { FilePath.joining(workspace.fileFolder(of: endpoint), program.folders.expanding($0)) }
        let repetition = RequestRepetition(templates: templates, first: prepared, usesNetrc: usesNetrc)
        return ResolvedRequest(prepared: prepared, workspace: workspace, permission: permission, download: download, repetition: repetition)
    }

    /// The command for an endpoint in a file that another tool wrote; nil for other targets.
    private func foreign() throws -> CommandRequest? {
        guard left == nil, source.workspace == nil, workspace == nil, let foreign = try ForeignFiles.request(target, in: program) else { return nil }
        program.errors.warn(foreign.warnings)
        var command = self
        (command.target, command.source.workspace, command.workspace) = (foreign.target, foreign.path, foreign.workspace)
        return command
    }

    /// What the target names.
    private struct Subject {
        let workspace: Workspace
        let endpoint: Endpoint
        /// Whether the target is a URL or the command of another program.
        let isURL: Bool
        /// The files of the body that are in the endpoint's file; those of a typed command are typed as well.
        let files: [String]
    }

    private func subject(hiding redaction: LiveRedaction) throws -> Subject {
        let pasted = left == nil && self.workspace == nil ? try pastedCommand() : nil
        let (url, read) = left == nil && self.workspace == nil && pasted == nil ? try typedURL() : (nil, self.workspace)
        let isURL = url != nil || pasted != nil
        if left == nil, self.workspace == nil { try checkTarget(isURL: isURL) }
        try options.sending.locations.check(options.sending.cookies, .writing, in: program)
        try options.sending.locations.check(options.sending.capture, .writing, in: program)
        let workspace: Workspace
        // A URL is sent without the workspace above it; only the masking rules of that workspace apply.
        if isURL, source.workspace == nil {
            workspace = program.workspaceOfURLs
            redaction.add(names: WorkspaceSource.redactedNames(in: program))
        } else {
            workspace = try read ?? WorkspaceSource.load(named: source.workspace, in: program)
        }
        var endpoint = try left?.transfer.endpoint ?? pasted ?? url.map { Endpoint(target: $0, name: $0, path: $0) } ?? found(in: workspace)
        if isURL {
            endpoint.location = SourceLocation(file: "the command line")
        } else {
            if let problem = workspace.sendingProblem(of: endpoint) { throw CommandFailure(problem) }
            // A mistyped condition is an unknown key, without which the response is not checked.
            program.errors.warn(workspace.unknownKeys(of: [endpoint]))
        }
        return Subject(workspace: workspace, endpoint: endpoint, isURL: isURL, files: pasted == nil ? endpoint.body.files : [])
    }

    /// The values of templates, without those of earlier responses.
    private func values(
        for endpoint: Endpoint, of subject: Subject, _ permission: WorkspacePermission, hiding redaction: LiveRedaction
    ) throws -> LiveValues {
        var values = LiveValues(subject.workspace, mayAsk: true, permission: permission, used: redaction.hide)
        (values.recordsSnapshots, values.failsByContract) = (recordsSnapshots, failsByContract)
        if failsByContract, subject.workspace.contract(of: endpoint) == nil { throw CommandFailure.missingContract(of: endpoint.target) }
        values.timeLimit = try options.sending.total
        let folder = subject.workspace.fileFolder(of: endpoint)
        values.typedFiles = Set(endpoint.body.files.filter { !subject.files.contains($0) }.map { FilePath.joining(folder, $0) })
        return values
    }

    /// Applies the options of the command line to a request; returns whether its credentials are those of `.netrc`.
    private func apply(to prepared: inout PreparedRequest, of workspace: Workspace, hiding redaction: LiveRedaction) throws -> Bool {
        let sending = options.sending
        var request = prepared.request
        let usesNetrc = try options.parts.applyNetrc(to: &request, of: workspace, hiding: redaction, sending.locations, in: program)
        // Base64 is not encryption and reveals the password.
        if let field = request.headers["Authorization"], field.lowercased().hasPrefix("basic ") { redaction.hide(String(field.dropFirst(6))) }
        try sending.apply(to: &request.options, in: program)
        try options.trust.apply(to: &request.options.trust, hiding: redaction, sending.locations, in: program)
        try sending.applyResolve(to: &request)
        redaction.learn(from: request)
        try prepared.replace(with: request)
        return usesNetrc
    }

    /// The recorders of the requests that were sent for captured values.
    private final class Recorders: Sendable {
        private let active = Mutex<[HistoryRecorder]>([])

        func add(_ recorder: HistoryRecorder) { active.withLock { $0.append(recorder) } }

        func end(warningOn errors: StandardError) {
            let ended = active.withLock { Swift.exchange(&$0, with: []) }
            for recorder in ended { recorder.end(warningOn: errors) }
        }
    }

    /// The responses whose values the templates use; their requests have a client of their own, without the cookies of the command.
    private func earlierResponses(
        of workspace: Workspace, _ permission: WorkspacePermission, hiding redaction: LiveRedaction, _ recorders: Recorders
    ) -> EarlierResponses {
        EarlierResponses(permission: permission, hide: redaction.hide) { [program, source, locations = options.sending.locations, output] prepared in
            let setup = try WorkspaceClient(
                workspace, in: program, source: source, locations: locations, cookies: nil, permission: permission, hiding: redaction)
            if let output, let recorder = HistoryRecorder.begin(output, of: setup.client, workspace: workspace, in: program, hiding: redaction) {
                recorders.add(recorder)
            }
            return await setup.client.exchange(prepared.request)
        }
    }

    /// Rejects a number that no server of the endpoint's service has.
    private func checkServer(_ number: Int, of endpoint: Endpoint, in workspace: Workspace, environment: String?) throws {
        let service = workspace.service(endpoint.serviceName)
        let servers = endpoint.hasWholeURL ? [] : environment.flatMap { service?.servers[$0] } ?? []
        guard (1...max(1, servers.count)).contains(number), !servers.isEmpty else {
            let place = environment.map { " in \($0)" } ?? ""
            let hint =
                servers.isEmpty ? "only endpoints of a service with servers have a server to choose" : "write a number from 1 to \(servers.count)"
            throw CommandFailure(.usage, "\(target) has no server \(number)\(place)", hint: hint)
        }
    }

    /// The target where it is a URL, or begins with a host and is not an endpoint of the workspace; nil for another target.
    ///
    /// The second value is the workspace where it had to be read.
    private func typedURL() throws -> (url: String?, read: Workspace?) {
        // White space around a URL that was copied is no part of it (WHATWG URL).
        let target = target.trimmingBlanks
        if HTTPURL.isAbsolute(target) { return (target, nil) }
        guard !Self.hasScheme(target), TypedURL.hasHost(target) else { return (nil, nil) }
        guard try WorkspaceSource.folder(named: source.workspace, in: program) != nil else { return (TypedURL.completed(target), nil) }
        let workspace = try WorkspaceSource.load(named: source.workspace, in: program)
        let isEndpoint = workspace.endpoint(target) != nil || workspace.fileProblem(of: target) != nil
        return (isEndpoint ? nil : TypedURL.completed(target), workspace)
    }

    /// Whether the target has a scheme; a URL in the path or the query of a target belongs to that, as in `localhost:8080/go?to=http://a.example`.
    private static func hasScheme(_ target: String) -> Bool {
        let authority = target.prefix { !"/?#".contains($0) }
        return authority.hasSuffix(":") && target.dropFirst(authority.count).hasPrefix("//")
    }

    /// The request of a command that is the target as one argument; nil for another target.
    ///
    /// What belongs to a service, such as a proxy, is a warning.
    private func pastedCommand() throws -> Endpoint? {
        let text = target.trimmingBlanks
        guard let kind = PastedCommand.kind(of: text) else { return nil }
        switch PastedCommands(text, for: program.folders.current, in: program) {
        case .failed(let sentence): throw CommandFailure(.usage, name: kind.rawValue, sentence)
        case .done(let endpoints, let notes):
            guard endpoints.count == 1, var endpoint = endpoints.first else {
                let remedy = "send one, or write sortie import - for a workspace of them"
                throw CommandFailure(.usage, name: kind.rawValue, "the command has \(endpoints.count) requests", hint: remedy)
            }
            for note in notes { program.errors.line("sortie: warning: \(kind.name): \(note)") }
            (endpoint.target, endpoint.name) = (endpoint.path, endpoint.path)
            return endpoint
        }
    }

    /// Rejects a target that is neither a valid URL nor a possible name in a workspace.
    private func checkTarget(isURL: Bool) throws {
        guard !target.trimmingBlanks.isEmpty else {
            throw CommandFailure(.usage, "the target is empty", hint: "name a SERVICE/ENDPOINT, of which sortie list shows all, or a URL")
        }
        // The notation of httpie.
        if let parts = target.wholeMatch(of: /(:\d*)(\/.*)?/)?.output {
            let port = parts.1 == ":" ? "" : parts.1
            throw CommandFailure(.usage, name: "invalidURL", "“\(target)” has no host", hint: "write localhost\(port)\(parts.2 ?? "")")
        }
        guard !isURL else { return }
        if Self.hasScheme(target) {
            throw CommandFailure(
                .usage, name: "invalidURL", "“\(target)” is not a URL that can be sent",
                hint: "a URL begins with http:// or https://; sortie listen opens ws:// and wss://")
        }
        guard try WorkspaceSource.folder(named: source.workspace, in: program) == nil else { return }
        throw CommandFailure(
            .file, name: "workspace", "there is no workspace.yaml here or above",
            hint: "name the workspace's folder with -w FOLDER; a URL begins with http:// or https://")
    }

    private func found(in workspace: Workspace) throws -> Endpoint {
        if let endpoint = workspace.endpoint(target) { return endpoint }
        if let problem = workspace.fileProblem(of: target) { throw CommandFailure(problem) }
        throw CommandFailure(
            .usage, name: "unknownTarget", "the workspace \(workspace.name) has no endpoint \(target)",
            hint: Suggestion.hint(for: target, in: workspace.endpoints.map(\.target), "sortie list shows all; a URL begins with http:// or https://"))
    }
}

extension CommandFailure {
    /// Creates the failure of a URL of the command line, which has no key and no file.
    init(ofTypedURL message: String, hint: String? = nil) {
        let text = message.hasPrefix("path: ") ? String(message.dropFirst("path: ".count)) : message
        guard let name = text.firstMatch(of: /^nothing defines \{\{(.*?)\}\}/)?.1 else {
            self.init(.usage, text, hint: hint)
            return
        }
        self.init(.usage, "nothing defines {{\(name)}}", hint: "give it with --var \(name)=VALUE")
    }
}

extension ProgramContext {
    /// The workspace of a URL: an empty one in the working directory.
    var workspaceOfURLs: Workspace {
        var workspace = Workspace(name: "", folder: path("."))
        workspace.home = folders.home
        return workspace
    }
}

/// The request of a command with everything that its call needs.
struct ResolvedRequest {
    let prepared: PreparedRequest
    let workspace: Workspace
    /// The permissions of the workspace.
    let permission: WorkspacePermission
    /// The download settings of the endpoint, with the absolute path of the destination; nil where it has none.
    let download: DownloadSettings?
    /// The same request for further calls.
    let repetition: RequestRepetition
}
