internal import BodyViews
internal import HistoryModel
internal import SortieBase
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
        let connection = try WorkspaceClient(
            setup.workspace, in: program, source: source, locations: locations, cookies: nil, permission: setup.permission, hiding: redaction)
        let capture = try TrafficCapture.begin(capture, of: connection.client, masking: redaction, in: program)
        let history = HistoryRecorder.begin(
            output, of: connection.client, workspace: setup.workspace, in: program, hiding: redaction, keepsAllBodies: baseline != nil)
        let journal = RunWriter(store, redaction: { redaction.always }) { program.errors.line("sortie: warning: \($0)") }
        let (events, continuation) = AsyncStream<RunEvent>.makeStream()
        // The run waits for a slow reader of stdout.
        let backlog = WaitableCounter(limit: 1000)
        let runner = setup.runner(
            from: record, client: connection.client,
            ended: { id in
                capture?.release(id)
                history?.release(id)
            },
            keep: { checkpoint in
                await journal.keep(checkpoint)
                await backlog.wait()
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
        if followsAnother, output.json { program.output.write(", ") }
        var printer = RunPrinter(self)
        for await event in events {
            printer.take(event)
            backlog.subtract()
        }
        let end = await running.value
        withExtendedLifetime((interruption, connection)) {}
        defer { history?.end(warningOn: program.errors) }
        var result = RunOutcome(end: end.masked(by: redaction.current))
        do { try capture?.finish() } catch let failure as CommandFailure { result.problems.append(failure) }
        printer.reporter.end(end)
        printer.writer?.finish(end, monitor: connection.client.monitor.snapshot(), hasDifferences: baseline != nil)
        guard let baseline else { return result }
        history?.end(warningOn: program.errors)
        let report = output.json || template != nil ? nil : RunComparisonReport(environment: isOneOfSeveral ? setup.environment : nil)
        do throws(WorkspaceError) {
            let comparison = try await baseline.comparison(of: end, printer.exchanges) { step in
                if let report { lines.write(report.text(of: step)) }
                printer.writer?.difference(step)
            }
            if let report { lines.write(report.text(of: comparison)) }
            result.comparison = comparison
        } catch {
            result.problems.append(CommandFailure(error))
        }
        printer.writer?.finishDifferences()
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

/// Prints a run while it is in progress.
private struct RunPrinter {
    var reporter: RunReporter
    /// The document of `--json`; nil for lines.
    var writer: RunJSONWriter?
    /// The exchanges of the steps that have ended, by their names.
    private(set) var exchanges: [String: RequestID] = [:]
    private let isVerbose: Bool
    private let redaction: LiveRedaction
    private let captured: CapturedSecrets
    /// The record, to which steps may be added.
    private var current: RunRecord
    /// The events of steps whose captured values are not yet known as secrets.
    private var held: [Int: [CallEvent]] = [:]

    init(_ run: RunExecution) {
        let record = run.record
        (isVerbose, redaction, current) = (run.output.verbose, run.redaction, record)
        reporter = RunReporter(
            program: run.program, plan: run.setup.plan, record: record, output: run.output, lines: run.lines, template: run.template,
            redaction: run.redaction, environment: run.isOneOfSeveral ? run.setup.environment : nil)
        if run.output.json {
            writer = RunJSONWriter(record, in: run.program, redaction: run.redaction, isOneOfSeveral: run.isOneOfSeveral)
        }
        captured = CapturedSecrets(plan: run.setup.plan, workspace: run.setup.workspace, hide: run.redaction.hide)
        writer?.begin(record)
        reporter.begin()
    }

    mutating func take(_ event: RunEvent) {
        if isVerbose, case .call(let index, let event) = event {
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
        case .call(let index, .finished(let exchange)): finish(index, exchange)
        case .call, .paused, .finished: break
        }
    }

    private mutating func finish(_ index: Int, _ exchange: Exchange) {
        exchanges[current.steps[index].name] = exchange.id
        for notice in [exchange.undecodedNotice].compactMap(\.self) + exchange.notices {
            reporter.warn(index, redaction.current.masked(notice))
        }
        for warning in exchange.checkWarnings(masked: redaction.current) { reporter.warn(index, warning) }
        writer?.take(current.steps[index].name, exchange)
    }

    private mutating func printLines(_ index: Int, _ event: CallEvent) {
        reporter.verbose(index, CallLines(redaction: redaction.current).lines(of: event))
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

/// The differences between the responses of a run and earlier ones as lines: `-` for the earlier response, `+` for the new one.
///
/// Each step is printed when it was compared, so that no other comparison is in memory.
///
/// `history diff`, which the lines name, prints each difference completely.
struct RunComparisonReport {
    private let label: String

    /// The maximum number of lines about the body of one step, and of names in the line about steps without an earlier response.
    private static let lineLimit = 20
    private static let nameLimit = 5

    /// - Parameter environment: The environment, where the run is carried out in several.
    init(environment: String? = nil) {
        label = environment.map { "\($0): " } ?? ""
    }

    /// The lines about one step, each with a line break; empty where its response is equal, or has no earlier one.
    func text(of comparison: StepComparison) -> String {
        let step = comparison.step
        let difference = comparison.difference
        let lines: [String]
        switch (step.result, difference) {
        case (.different, let difference?):
            let head = "\(step.name) differs from \(HistoryTime.full(difference.left.startedAt)):"
            lines = [head] + Self.lines(of: difference).map { "    " + $0 }
        case (.noResponse, let difference?):
            let status = difference.left.status.map { "\($0)" } ?? difference.left.outcome.rawValue
            lines = ["\(step.name) has no response now; on \(HistoryTime.full(difference.left.startedAt)) it had \(status)"]
        case (.unknown, _):
            let notes = difference?.body.notes.joined(separator: " ") ?? "the history does not have its response"
            lines = ["\(step.name) cannot be compared: \(notes)"]
        case (.equal, _), (.new, _), (.different, nil), (.noResponse, nil): return ""
        }
        return Self.text([label + lines[0]] + lines.dropFirst())
    }

    /// The lines about the whole run, each with a line break.
    func text(of comparison: RunComparison) -> String {
        let new = comparison.steps(.new).map(\.name)
        let isNamed = !new.isEmpty && !comparison.hasNoBaseline
        let further = new.count > Self.nameLimit ? " and \(new.count - Self.nameLimit) more" : ""
        let names = new.prefix(Self.nameLimit).joined(separator: ", ") + further
        return Self.text((isNamed ? ["\(label)without an earlier response: \(names)"] : []) + [label + comparison.summary])
    }

    private static func text(_ lines: [String]) -> String { lines.map { VisibleLine.of($0) + "\n" }.joined() }

    private static func lines(of difference: ExchangeComparison) -> [String] {
        var lines: [String] = []
        for fact in difference.facts where fact.isDifferent && fact.counts {
            lines += ["- \(fact.name): \(fact.left ?? "–")", "+ \(fact.name): \(fact.right ?? "–")"]
        }
        for header in difference.headers where header.isDifferent && header.counts {
            lines += header.left.map { "- \(header.name): \($0)" } + header.right.map { "+ \(header.name): \($0)" }
        }
        let body = Self.lines(of: difference.body)
        lines += body.prefix(lineLimit)
        if body.count > lineLimit {
            lines.append("… \(body.count - lineLimit) more lines: sortie history diff \(difference.left.number) \(difference.right.number)")
        }
        return lines
    }

    private static func lines(of body: BodyComparison) -> [String] {
        guard body.isDifferent else { return [] }
        if body.form == .json, !body.changes.isEmpty {
            return body.changes.flatMap { change in
                [
                    change.left.map { "- \(change.path): \(shortened($0.text))" }, change.right.map { "+ \(change.path): \(shortened($0.text))" },
                ].compactMap(\.self)
            }
        }
        let lines = body.lines.compactMap { line -> String? in
            switch line.kind {
            case .removed: "- \(shortened(line.text))"
            case .added: "+ \(shortened(line.text))"
            case .same, .ignored, .folded: nil
            }
        }
        return lines.isEmpty ? body.notes : lines
    }

    private static func shortened(_ text: String) -> String { text.count > 160 ? text.prefix(159) + "…" : text }
}

/// Writes the record of `run --json` to stdout while the run is in progress, so that written steps are not kept in memory.
///
/// Steps are written in the order of the run; a step that ends before an earlier one is buffered as text.
struct RunJSONWriter {
    private let program: ProgramContext
    private let redaction: LiveRedaction
    /// The exchanges of steps that have not ended, by the name of the step.
    private var exchanges: [String: Exchange] = [:]
    private var ended: StepSequence<String>
    private var isFirst = true
    private var hasDifference = false

    /// Whether the record is part of a document with those of other environments.
    private let isOneOfSeveral: Bool

    init(_ record: RunRecord, in program: ProgramContext, redaction: LiveRedaction, isOneOfSeveral: Bool = false) {
        self.program = program
        ended = StepSequence(record)
        (self.redaction, self.isOneOfSeveral) = (redaction, isOneOfSeveral)
    }

    /// Begins with the steps that were already done.
    mutating func begin(_ record: RunRecord) {
        program.output.write(record.jsonStart)
        for (index, step) in record.steps.enumerated() where step.state.isEnd { end(index, step) }
    }

    /// Adds the exchange of a step.
    mutating func take(_ step: String, _ exchange: Exchange) {
        exchanges[step] = exchange
    }

    /// Applies added steps.
    mutating func expanded(_ expansion: RunExpansion) {
        ended.expand(expansion)
    }

    /// Writes a step that has ended.
    mutating func end(_ index: Int, _ step: StepRecord) {
        guard !ended.has(index) else { return }
        let redaction = redaction.current
        let exchange = exchanges.removeValue(forKey: step.name).map { record(of: $0, redaction) }
        for text in ended.add(step.masked(by: redaction).json(exchange: exchange).text, of: index) {
            program.output.write((isFirst ? "" : ", ") + text)
            isFirst = false
        }
    }

    /// The exchange of a step; where a file for its large body cannot be written, the run continues without the body.
    private func record(of exchange: Exchange, _ redaction: Redaction) -> JSONValue {
        var bodies = RecordBodies(folder: program.temporaryFolder)
        do {
            return exchange.record(redaction: redaction, bodyFile: try bodies.file(for: exchange.response))
        } catch {
            program.errors.line("sortie: warning: \((error as? CommandFailure)?.message ?? "\(error)")")
            return exchange.record(redaction: redaction, includesBody: false)
        }
    }

    /// Writes the steps that did not end, and the result of the run.
    ///
    /// - Parameter hasDifferences: Whether the differences from the previous run follow, and then ``finishDifferences()``.
    mutating func finish(_ record: RunRecord, monitor: MonitorReport, hasDifferences: Bool) {
        for index in record.steps.indices { end(index, record.steps[index]) }
        program.output.write(record.jsonEnd(monitor: monitor, hasDifferences: hasDifferences) + (hasDifferences ? "" : lineEnd))
    }

    /// Writes the comparison of a step; a step without an earlier response has null.
    mutating func difference(_ comparison: StepComparison) {
        let record: JSONValue = ["step": .string(comparison.step.name), "difference": comparison.difference?.record ?? .null]
        program.output.write((hasDifference ? ", " : "") + record.text)
        hasDifference = true
    }

    /// Ends the record after its differences.
    func finishDifferences() {
        program.output.write(RunRecord.jsonEndOfDifferences + lineEnd)
    }

    private var lineEnd: String { isOneOfSeveral ? "" : "\n" }
}

extension StepRecord {
    /// The step for reports: without captured values, and with secrets masked in the reasons of failures.
    func masked(by redaction: Redaction) -> StepRecord {
        var step = self
        step.captures = [:]
        step.failures = failures.map { $0.masked(by: redaction) }
        if let reason { step.reason = redaction.masked(reason) }
        return step
    }
}
