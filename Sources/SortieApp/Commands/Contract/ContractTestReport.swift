internal import HistoryModel
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The results of `sortie contract test`.
struct ContractTestReport {
    /// What is tested: the endpoint of an operation.
    struct Place {
        let endpoint: Endpoint
        /// The request of the endpoint.
        let usual: Request
        /// The path of the server.
        let base: String
    }

    private let seed: UInt64
    private let output: OutputOptions
    private let program: ProgramContext
    /// The file of the JUnit report; nil for none.
    private let junit: String?
    private var record: RunRecord
    private let start = ContinuousClock.now
    private var requests = 0
    private var operations = 0
    private var findings: [JSONValue] = []
    /// The findings that were reported, because many requests show the same one.
    private var known: Set<String> = []
    /// The findings of the operation that is tested.
    private var pending: [StepFailure] = []
    /// Where the requests of findings become endpoints; nil for no place.
    var saved: ContractTestEndpoints?

    init(_ target: String, seed: UInt64, output: OutputOptions, junit: String?, in program: ProgramContext) {
        (self.seed, self.output, self.junit, self.program) = (seed, output, junit, program)
        record = RunRecord(run: "contract test \(target)", kind: .batch, steps: [])
    }

    /// The lines that are not an object of `--json`.
    private func write(_ text: String) {
        if junit == "-" { program.errors.raw(text) } else if !output.json { program.output.write(text) }
    }

    mutating func skip(_ name: String, _ reason: String) {
        program.errors.line(VisibleLine.of("\(name): \(reason)"))
        var step = StepRecord(name: name, target: name, row: 0)
        (step.state, step.reason) = (.skipped, reason)
        record.steps.append(step)
    }

    mutating func add(_ finding: ContractTest.Finding, _ place: Place, redaction: Redaction) throws {
        let operation = finding.operation
        // Each invalid value that is accepted is a separate fault.
        let subject = finding.category == .acceptedInvalid ? finding.name : finding.message
        guard known.insert("\(operation) \(finding.category) \(subject)").inserted else { return }
        let message = redaction.masked(finding.message)
        var lines = try (finding.earlier + [finding.exchange]).flatMap { exchange in
            let sent = (name: operation, exchange: exchange.masked(by: redaction))
            return try CurlExport.text(of: WorkspaceExport.source(of: [sent], redaction: redaction)).split(separator: "\n").map(String.init)
        }
        var members: [JSONValue.Member] = [
            .init("operation", .string(operation)), .init("kind", .string(finding.kind)), .init("case", .string(finding.name)),
            .init("category", .string(finding.category.rawValue)), .init("message", .string(message)),
            .init("curl", .string(lines.joined(separator: "\n"))),
        ]
        // The requests before the last one of a sequence make what it needs.
        if finding.sequence.isEmpty, let target = try saved?.save(finding, of: place, redaction: redaction) {
            members.append(.init("endpoint", .string(target)))
            lines.append("# saved as \(target)")
        }
        findings.append(.object(members))
        let head = "\(finding.kind): \(finding.name)"
        pending.append(StepFailure(.response, subject: finding.category.rawValue, actual: "\(head): \(message)\n" + lines.joined(separator: "\n")))
        write((["✗ \(operation)  \(head): \(message)"] + lines.map { "    \($0)" }).map { VisibleLine.of($0) + "\n" }.joined())
    }

    mutating func end(_ operation: String, requests count: Int) {
        operations += 1
        add(count, of: operation)
    }

    mutating func endMethods(of path: String, requests count: Int) { if count > 0 { add(count, of: "other methods of \(path)") } }

    private mutating func add(_ count: Int, of name: String) {
        requests += count
        var step = StepRecord(name: name, target: name, row: 0)
        (step.state, step.failures) = (pending.isEmpty ? .done : .failed, pending)
        record.steps.append(step)
        pending = []
        write(VisibleLine.of("\(name)  \(ItemCount.text(count, "request"))") + "\n")
    }

    mutating func finish(isCancelled: Bool) throws {
        if output.json {
            let record: JSONValue = [
                "seed": .integer(seed), "operations": .integer(operations), "requests": .integer(requests), "findings": .array(findings),
            ]
            program.output.write(record.text + "\n")
        }
        if let junit {
            record.duration = (ContinuousClock.now - start) / .seconds(1)
            let text = JUnitReport.text(of: [record])
            if junit == "-" { program.output.document(text) } else { try OutputFile.write(text, to: junit, program.folders, program.outputWaits) }
        }
        let summary =
            "\(ItemCount.text(operations, "operation")), \(ItemCount.text(requests, "request")) with the seed \(seed), "
            + ItemCount.text(findings.count, "finding")
        if isCancelled { throw CommandFailure(.interrupted, "the test was cancelled: \(summary)") }
        if !findings.isEmpty { throw CommandFailure(.response, name: "contract", summary) }
        program.errors.line(summary)
    }
}
