internal import ArgumentParser
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// `sortie upload`: uploads files unchanged from disk and reports what the server received.
struct UploadCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Upload files.",
        discussion: """
            Sends each file as the body of a separate request: with PUT to a URL, with the endpoint's method to an endpoint of the workspace. A URL \
            that ends with / gets the file's name. --field NAME, -F, and endpoints with a multipart body send all files in one request. - is standard \
            input.

            A status of 400 or above that the endpoint does not accept ends the command with 1.

            --keep-going sends all files whatever happens to some of them, and ends with the list of those that are left. Local files stay, unless \
            --delete-confirmed deletes each one that the server has accepted.
            """
    ).parsedAlone

    @Argument(help: "SERVICE/ENDPOINT of the workspace, or a URL.", completion: .target)
    var target: String

    @Argument(help: "The files; without files, the endpoint's body is sent.", completion: .file())
    var files: [String] = []

    @OptionGroup(title: "Upload") var options: UploadOptions
    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Result") var result: ResultOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        try sending.locations.check(result.output, .writing, in: program)
        _ = try result.template(output)
        var plan = try UploadPlan(files: files, options: options, parts: parts)
        let command = CommandRequest(program: program, target: target, options: request, source: source, output: output)
        let call = try await CommandCall(command, output: output) {
            try plan.edit(&$0)
            $0.kind = .upload
        }
        let items = try plan.items(of: call.prepared, in: program)
        for item in items {
            if options.deletesConfirmed {
                for file in item.prepared.request.body.files { try sending.locations.check(file, .writing, in: program) }
            }
            try SecretArgument.refuseSharedInput(with: item.prepared.request, in: program)
        }
        guard items.count == 1 || result.file == nil else {
            throw CommandFailure(.usage, "-o takes one response, but the command makes \(items.count) requests")
        }
        if sending.dryRun {
            for item in items { try await call.showDryRun(of: item.prepared, output: output, readsInput: false) }
            return
        }
        let reporter = UploadReporter(items, in: program, output: output, redaction: call.redaction)
        // A refused file is a failure, as for downloads; an expected status is compared by the endpoint's own rule.
        var delivery = result
        delivery.fail = result.fail || call.prepared.check?.namesStatus != true
        let startedAt = ContinuousClock.now
        let run = UploadRun(
            program: program, items: items, client: call.client, reporter: reporter, options: options,
            deliver: { [delivery, output, redaction = call.redaction] item, exchange in
                try UploadResult(
                    program: program, item: item, exchange: exchange, options: delivery, output: output, redaction: redaction.current,
                    startedAt: startedAt
                ).deliver()
            }, check: call.prepared.check)
        let work = Task(executorPreference: BlockingExecutor.shared) { await run.run() }
        let interruption = Interruption(in: program) { work.cancel() }
        let failure = await work.value
        withExtendedLifetime(interruption) {}
        try await call.end { if let failure { throw failure } }
    }
}
