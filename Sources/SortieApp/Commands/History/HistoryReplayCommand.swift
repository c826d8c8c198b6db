internal import ArgumentParser
internal import HistoryModel
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// `sortie history replay`: sends an exchange of the history again.
struct HistoryReplayCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Send an exchange of the history again, unchanged.",
        discussion: """
            Sends the same bytes, except values that were not stored or are valid only once: secrets are fetched again; signatures, tokens and \
            cookies are current. Differences are printed on stderr. Secrets come from the workspace; give a secret of the command line again with -H.
            """)

    @Argument(help: ArgumentHelp("Its number, its id, or last.", valueName: "id"), completion: .exchange)
    var reference: String

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("A header field that replaces the original one; @file has one on each line.", valueName: "name: value|@file")
    )
    var headers: [String] = []

    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Result") var result: ResultOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        let past = try HistoryReference(reference).exchange(in: HistoryStore.open(stateFolder: program.folders.state), program)
        guard past.item.kind != .webSocket else {
            let target = past.item.target ?? "the URL"
            throw CommandFailure(.usage, "number \(past.item.number) is a WebSocket connection", hint: "sortie listen opens \(target) again")
        }
        let isDownload = past.item.kind == .download
        if try result.template(output) != nil, isDownload {
            throw CommandFailure(.usage, "--format: number \(past.item.number) is a download", hint: "--json prints the result of a download")
        }
        try sending.locations.check(result.output ?? (isDownload ? past.file ?? "." : nil), .writing, in: program)
        try sending.locations.check(sending.cookies, .writing, in: program)
        try sending.locations.check(sending.capture, .writing, in: program)
        if let name = try source.environment, name != past.item.environment {
            let then = past.item.environment.map { "the environment \($0)" } ?? "no environment"
            throw CommandFailure(
                .usage, "number \(past.item.number) was sent in \(then) and is replayed there",
                hint: "use sortie send to send the endpoint in another environment"
            )
        }
        var source = source
        source.workspace = source.workspace ?? past.item.workspace
        let workspace = try source.workspace.map { try WorkspaceSource.load(named: $0, in: program) } ?? program.workspaceOfURLs
        let redaction = LiveRedaction(names: workspace.redact, showsSecrets: output.showSecrets)
        var timeouts = Timeouts()
        if let total = try sending.total { timeouts.total = total }
        program.input.limitPipes(by: timeouts)
        let permission = try WorkspacePermission.ofCommand(workspace, in: program, isTrusted: source.isTrusted, isForced: sending.locations.isForced)
        try permission.require(permission.missing(for: past, in: workspace))
        let setup = ReplaySetup(
            workspace: workspace, overrides: [try source.layer(hiding: redaction, sending.locations, in: program)], mayAsk: true,
            permission: permission,
            redaction: redaction)
        let (fields, removed) = try HeaderOption.read(headers, sending.locations, in: program)
        let plan = try await Interruption.cancelling(in: program) { cancellation in
            let plan = await setup.plan(past, given: fields, cancelledBy: cancellation)
            // A cancelled plan has a refusal instead of an error.
            if cancellation.isCancelled { throw CancellationError() }
            return plan
        }
        if let refusal = plan.refusal {
            throw CommandFailure(
                .usage, name: "incomplete", "number \(past.item.number): \(refusal)",
                hint:
                    "give a field with -H 'NAME: VALUE', a variable with --var NAME=VALUE; sortie history show \(past.item.number) shows the request")
        }
        let notes = plan.changed + plan.fresh
        if !notes.isEmpty { program.errors.line("sortie: replay: unchanged, except: \(notes.joined(separator: ", "))") }
        var prepared = try setup.request(of: plan, for: past)
        var request = prepared.request
        request.options.removedFields.formUnion(removed.map { $0.lowercased() })
        request.options.removedFields.subtract(fields.map { $0.name.lowercased() })
        try sending.apply(to: &request.options, in: program)
        try trust.apply(to: &request.options.trust, hiding: redaction, sending.locations, in: program)
        try sending.applyResolve(to: &request)
        try prepared.replace(with: request)
        let call = try CommandCall(
            prepared, of: workspace, in: program, permission: permission, sending: sending, source: source, output: output, redaction: redaction)
        if sending.dryRun { return try await call.showDryRun(of: prepared, output: output) }
        if isDownload {
            try await call.download(to: result.output, as: past, sending: sending, output: output)
        } else {
            try await call.send(result: result, output: output)
        }
    }
}

extension CommandCall {
    /// Downloads again; an existing file is not replaced.
    fileprivate func download(to path: String?, as past: PastExchange, sending: SendingOptions, output: OutputOptions) async throws {
        var download = Download(
            request, to: try path.map { try DownloadOptions.destination($0, in: program) } ?? past.file.map { .file($0) } ?? .folder("."))
        download.collision = .keepBoth
        download.wantsDigest = output.json
        if let retry = sending.retry { download.retryLimit = retry }
        try await run(download, output: output)
    }
}
