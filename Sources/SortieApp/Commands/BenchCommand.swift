internal import ArgumentParser
internal import SortieNetworking

/// `sortie bench`: calls an endpoint many times and reports its latencies.
struct BenchCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure an endpoint of the workspace or a URL with many calls.",
        discussion: """
            Prints percentiles of the latencies, calls per second, statuses, failures and a histogram. A call fails without a response, with a status \
            of 400 or above that expect: neither names nor accepts, or where the response is not what the endpoint's file expects; the exit code is 1 \
            then. All calls that end are in the latencies, failed ones too, and so is opening connections. Ctrl-C prints the result so far.

            Values such as {{$uuid}} differ for each call; secrets, files and prompts are read once. The response cache is not used. Bodies are not \
            kept, and nothing goes into the history. -v prints the first call.

            One machine makes the load. For more, sortie export TARGET --as locust writes a file for several machines (sortie guide import).
            """
    ).parsedAlone

    @Argument(help: "SERVICE/ENDPOINT of the workspace, or a URL.", completion: .target)
    var target: String

    @OptionGroup(title: "Load") var options: BenchOptions
    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        let plan = try options.plan()
        guard sending.capture == nil else {
            throw CommandFailure(.usage, "--capture records no bench", hint: "sortie send --capture records one call")
        }
        let command = CommandRequest(program: program, target: target, options: request, source: source)
        let call = try await CommandCall(command, output: output, concurrency: plan.concurrency)
        guard !call.request.readFiles.contains(Request.standardInput) else {
            throw CommandFailure(.usage, "the body is standard input, which can be sent once", hint: "write it to a file, and name that file")
        }
        if sending.dryRun { return try await call.showDryRun(of: call.prepared, output: output) }
        guard var requests = call.repetition else { return }
        try requests.change {
            // A cached response measures no server, and traffic in the background has only some of the places.
            $0.cacheLifetime = nil
            $0.traffic = .refresh
        }
        if program.ownsProcess { try FileLimit.raise(for: plan.concurrency) }
        let run = BenchRun(plan, client: call.client, requests: requests, redaction: call.redaction, observer: call.verboseObserver(output))
        // On Swift's shared thread pool, which belongs to requests.
        let work = Task { await run.run() }
        let interruption = Interruption(in: program) { work.cancel() }
        let progress = Task(executorPreference: BlockingExecutor.shared) { [output] in
            await BenchProgressLine.show(run, output: output, errors: program.errors)
        }
        let result = await work.value
        progress.cancel()
        await progress.value
        withExtendedLifetime(interruption) {}
        try await call.end { try deliver(result, of: call, in: program) }
    }

    private func deliver(_ result: BenchResult, of call: CommandCall, in program: ProgramContext) throws {
        let (redaction, request) = (call.redaction.current, call.request)
        for notice in result.tally.notices { program.errors.line("sortie: warning: \(redaction.masked(notice))") }
        if output.json {
            program.output.write(result.record(of: request, redaction).text + "\n")
        } else {
            let place = [request.target, request.environment].compactMap(\.self).joined(separator: ", ")
            let url = redaction.maskedURL(request.url.description)
            let subject = "\(request.method.rawValue) \(url)" + (place.isEmpty ? "" : "  (\(place))")
            program.output.write(BenchText(result: result, subject: subject, redaction: redaction).lines.map { $0 + "\n" }.joined())
        }
        if let failure = result.failure { throw failure }
    }
}
