internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

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
        self.redaction = redaction
        self.isOneOfSeveral = isOneOfSeveral
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
