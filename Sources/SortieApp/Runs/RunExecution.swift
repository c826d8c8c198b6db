internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// One run of a command in one environment, with its client, its history, and its output while it is in progress.
struct RunExecution {
    let program: ProgramContext
    let setup: RunSetup
    /// The record at the start.
    let record: RunRecord
    let store: RunStore
    let source: WorkspaceOptions
    let locations: LocationOptions
    let output: OutputOptions
    /// Where the lines about the steps go.
    let lines: LineOutput
    let template: OutputTemplate?
    /// The HAR file that records the exchanges.
    let capture: String?
    let redaction: LiveRedaction
    /// Whether the same run is carried out in other environments, too.
    let isOneOfSeveral: Bool
    /// What is ignored when the responses are compared with those of the previous run; nil where they are not compared.
    let comparing: CompareRules?

    /// Runs the steps and prints them.
    ///
    /// - Parameter followsAnother: Whether a record of another environment precedes this one in the same document.
    /// - Throws: When the run cannot start; nothing is printed then.
    func run(followsAnother: Bool) async throws -> RunOutcome {
        let baseline = try await baseline()
        var exchanges: [String: RequestID] = [:]
        let connection = try WorkspaceClient(
            setup.workspace, in: program, source: source, locations: locations, cookies: nil, permission: setup.permission, hiding: redaction)
        let capture = try TrafficCapture.begin(capture, of: connection.client, masking: redaction, in: program)
        let history = HistoryRecorder.begin(
            output, of: connection.client, workspace: setup.workspace, in: program, hiding: redaction, keepsAllBodies: baseline != nil)
        let journal = RunWriter(store, redaction: { redaction.always }) { program.errors.line("sortie: warning: \($0)") }
        let (events, continuation) = AsyncStream<RunEvent>.makeStream()
        let backlog = EventBacklog()
        let runner = setup.runner(
            from: record, client: connection.client,
            ended: { id in
                capture?.release(id)
                history?.release(id)
            },
            keep: { checkpoint in
                await journal.keep(checkpoint)
                await backlog.waitForRoom()
                // A body that the history leaves out cannot be compared.
                if baseline != nil { await history?.waitForRoom() }
            }
        ) { event in
            backlog.add()
            continuation.yield(event)
            if case .finished = event { continuation.finish() }
        }
        let interruption = Interruption(in: program) { runner.cancel() }
        let running = Task { await runner.run() }
        var reporter = RunReporter(
            program: program, plan: setup.plan, record: record, output: output, lines: lines, template: template, redaction: redaction,
            environment: isOneOfSeveral ? setup.environment : nil)
        var writer = output.json ? RunJSONWriter(record, in: program, redaction: redaction, isOneOfSeveral: isOneOfSeveral) : nil
        if followsAnother, output.json { program.output.write(", ") }
        writer?.begin(record)
        reporter.begin()
        let captured = CapturedSecrets(plan: setup.plan, workspace: setup.workspace, hide: redaction.hide)
        var held: [Int: [CallEvent]] = [:]
        // Steps may be added.
        var current = record
        func printLines(_ index: Int, _ event: CallEvent) {
            reporter.verbose(index, CallLines(redaction: redaction.current).lines(of: event))
        }
        for await event in events {
            if output.verbose, case .call(let index, let event) = event {
                // The captured values of a step are known as secrets after its end.
                if captured.has(current.steps[index]) { held[index, default: []].append(event) } else { printLines(index, event) }
            }
            switch event {
            case .expanded(let expansion):
                current.apply(expansion)
                reporter.expanded(expansion)
                writer?.expanded(expansion)
            case .step(let index, let step):
                if step.state.isEnd { for event in held.removeValue(forKey: index) ?? [] { printLines(index, event) } }
                reporter.step(index, step)
                if step.state.isEnd { writer?.end(index, step) }
            case .call(let index, .progressed(let progress)): reporter.progressed(index, progress)
            case .call(let index, .finished(let exchange)):
                exchanges[current.steps[index].name] = exchange.id
                if let notice = exchange.undecodedNotice {
                    reporter.warn(index, notice)
                }
                for notice in exchange.notices {
                    reporter.warn(index, redaction.current.masked(notice))
                }
                writer?.take(current.steps[index].name, exchange)
            case .call, .paused, .finished: break
            }
            backlog.remove()
        }
        let end = await running.value
        withExtendedLifetime((interruption, connection)) {}
        defer { history?.end(warningOn: program.errors) }
        var result = RunOutcome(end: end.masked(by: redaction.current))
        do { try capture?.finish() } catch let failure as CommandFailure { result.problems.append(failure) }
        reporter.end(end)
        writer?.finish(end, monitor: connection.client.monitor.snapshot(), hasDifferences: baseline != nil)
        guard let baseline else { return result }
        history?.end(warningOn: program.errors)
        let report = output.json || template != nil ? nil : RunComparisonReport(environment: isOneOfSeveral ? setup.environment : nil)
        do throws(WorkspaceError) {
            let comparison = try await baseline.comparison(of: end, exchanges) { step in
                if let report { lines.write(report.text(of: step)) }
                writer?.difference(step)
            }
            if let report { lines.write(report.text(of: comparison)) }
            result.comparison = comparison
        } catch {
            result.problems.append(CommandFailure(error))
        }
        writer?.finishDifferences()
        return result
    }

    /// The responses of earlier runs; nil where they are not compared.
    private func baseline() async throws -> RunBaseline? {
        guard let comparing else { return nil }
        let (run, folder, names) = (setup.plan.definition.name, HistoryRecorder.folder(of: setup.workspace), setup.workspace.redact)
        do {
            return try await BlockingExecutor.shared.run { [program, environment = setup.environment] () throws(WorkspaceError) in
                try RunBaseline(
                    of: run, in: folder, environment: environment, ignoring: comparing, masking: names,
                    store: .open(stateFolder: program.folders.state))
            }
        } catch { throw CommandFailure(error) }
    }
}

extension RunRecord {
    /// The record for reports: without captured values, and with secrets masked in the reasons of failures.
    fileprivate func masked(by redaction: Redaction) -> RunRecord {
        var record = self
        for step in record.steps.indices { record.steps[step] = record.steps[step].masked(by: redaction) }
        return record
    }
}
