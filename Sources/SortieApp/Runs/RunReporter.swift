internal import Foundation
package import SortieHTTP
internal import SortieTerminal
package import WorkspaceModel

/// Reports a run: a line for each step that ends, and a progress line on stderr on a terminal.
struct RunReporter {
    private let program: ProgramContext
    private let output: OutputOptions
    private let template: OutputTemplate?
    /// Whether the lines have the order of the run, so that the output of a batch is the same each time; on a terminal they appear at once.
    private let isOrdered: Bool
    private let lines: LineOutput
    /// The ended steps, with their notes.
    private var ended: StepSequence<(step: StepRecord, note: String?)>
    private let redaction: LiveRedaction
    /// The environment, where the run is carried out in several: the steps are printed in a table after all of them.
    private let environment: String?
    private var width: Int
    private var record: RunRecord
    /// How many steps were sent and have ended, how many were skipped, and which are under way.
    private var sent: Int
    private var skipped: Int
    private var active: Set<Int> = []
    private var received: [Int: Int64] = [:]
    private var hasProgress = false

    init(
        program: ProgramContext, plan: RunPlan, record: RunRecord, output: OutputOptions, lines: LineOutput, template: OutputTemplate? = nil,
        redaction: LiveRedaction,
        environment: String? = nil
    ) {
        (self.program, self.lines) = (program, lines)
        isOrdered = !lines.isTerminal
        self.record = record
        ended = StepSequence(record)
        sent = record.sentCount
        skipped = record.skippedCount
        (self.output, self.template, self.redaction, self.environment) = (output, template, redaction, environment)
        width = min(32, plan.steps.map(\.name.count).max() ?? 0)
    }

    /// Reports the steps that the start of a run skips, and those that were interrupted and are not sent again.
    mutating func begin() {
        for (index, step) in record.steps.enumerated() where step.state.isEnd {
            end(index, step, note: step.isComplete ? step.reason ?? "done before" : nil)
        }
    }

    /// Processes the state of a step, and reports its end.
    mutating func step(_ index: Int, _ step: StepRecord) {
        let before = record.steps[index]
        if step.wasSent != before.wasSent { sent += step.wasSent ? 1 : -1 }
        if (step.state == .skipped) != (before.state == .skipped) { skipped += step.state == .skipped ? 1 : -1 }
        if step.state.isEnd || step.state == .waiting { active.remove(index) } else { active.insert(index) }
        if step.state.isEnd { received[index] = nil }
        record.steps[index] = step
        if step.state.isEnd { end(index, step, note: step.reason.map { "skipped: \(redaction.current.masked($0))" }) }
        showProgress()
    }

    /// Processes steps that were added; those from the position on are not being sent, but may have been done before.
    mutating func expanded(_ expansion: RunExpansion) {
        record.apply(expansion)
        ended.expand(expansion)
        width = min(32, max(width, expansion.steps.map(\.name.count).max() ?? 0))
        showProgress()
    }

    /// Processes the progress of a step.
    mutating func progressed(_ index: Int, _ progress: CallProgress) {
        received[index] = progress.received
        showProgress()
    }

    /// Prints lines about the call of a step on stderr, each with the step's name.
    mutating func verbose(_ index: Int, _ lines: [String]) {
        guard !lines.isEmpty else { return }
        clear()
        for line in lines { program.errors.line("\(label)\(record.steps[index].name) \(line)") }
    }

    /// Prints a warning about a step on stderr.
    mutating func warn(_ index: Int, _ text: String) {
        clear()
        program.errors.line("sortie: warning: \(label)\(record.steps[index].name): \(text)")
    }

    /// The environment before the name of a step, where there are several.
    private var label: String { environment.map { $0 + ": " } ?? "" }

    /// Reports the end of a step, after those of earlier steps where the lines are ordered.
    private mutating func end(_ index: Int, _ step: StepRecord, note: String?) {
        guard isOrdered else { return printLines(of: step, note: note) }
        for (step, note) in ended.add((step, note), of: index) { printLines(of: step, note: note) }
    }

    /// Reports the result of the run.
    mutating func end(_ record: RunRecord) {
        // A step before these did not end.
        for (step, note) in ended.removeWaiting() { printLines(of: step, note: note) }
        clear()
        guard !output.json, template == nil, environment == nil else { return }
        lines.write(VisibleLine.of("\(record.run): \(record.resultText)") + "\n")
    }

    private mutating func printLines(of step: StepRecord, note: String?) {
        clear()
        let failures = step.failures.map { failure in
            let sentence = [failure.masked(by: redaction.current).description, failure.remedy?.programText].compactMap(\.self)
            return "step \(step.name): \(sentence.joined(separator: "; "))"
        }
        guard !output.json else {
            for line in failures { program.errors.line(label + line) }
            return
        }
        if let template {
            let redaction = redaction.current
            program.output.write(template.line { $0 == "environment" ? record.environment : step.field($0, redaction) })
            return
        }
        guard environment == nil else { return }
        var line = "\(step.state.mark) \(step.name.padded(to: width))"
        if let status = step.statusText { line += "  \(status)" } else { line += "  \(note ?? step.state.name)" }
        if let seconds = step.seconds { line += "  \(StepRecord.timeText(seconds))" }
        if let note, step.status != nil { line += "  \(note)" }
        lines.write(([line] + failures.map { "    " + $0 }).map { VisibleLine.of($0) + "\n" }.joined())
    }

    private mutating func showProgress() {
        guard program.errors.takesControlSequences, !output.json else { return }
        guard let first = active.first else { return clear() }
        let total = max(1, record.steps.count)
        let bar = String(repeating: "█", count: sent * 20 / total).padding(toLength: 20, withPad: "─", startingAt: 0)
        var text = "\(label)\(bar) \(sent)/\(record.steps.count)\(skipped > 0 ? ", \(skipped) skipped" : "")"
        if active.count == 1 {
            let step = record.steps[first]
            text += "  \(step.name) \(step.state.name)"
            if let bytes = received[first], bytes > 0 { text += "  ↓ \(ByteCount(bytes).text)" }
        } else {
            text += "  \(active.count) in flight"
        }
        hasProgress = true
        program.errors.raw("\r\u{1b}[K" + VisibleText.of(text))
    }

    private mutating func clear() {
        if hasProgress { program.errors.raw("\r\u{1b}[K") }
        hasProgress = false
    }
}

extension RunRecord {
    /// The result as a text for the user: the state, the number of steps, and the duration.
    var resultText: String {
        let done = steps.count { $0.state == .done }
        let skipped = steps.count { $0.reason != nil }
        return "\(state.rawValue), \(done) of \(steps.count) steps done\(skipped > 0 ? ", \(skipped) skipped" : "") "
            + "in \(StepRecord.timeText(duration))"
    }
}

extension StepRecord.State {
    /// The symbol at the beginning of a step's line.
    var mark: String {
        switch self {
        case .done: "✓"
        case .failed: "✗"
        default: "–"
        }
    }
}

extension StepRecord {
    /// A duration for the line of a step.
    static func timeText(_ seconds: Double) -> String {
        seconds < 1 ? "\(Int((seconds * 1000).rounded())) ms" : "\((seconds * 10).rounded() / 10) s"
    }
}

/// An event of a run, in order; exactly one ``finished(_:)`` ends every run, including a cancelled one.
package enum RunEvent: Hashable, Sendable {
    /// The record of a step changed.
    case step(Int, StepRecord)
    /// Steps were added; the indices of later steps change.
    case expanded(RunExpansion)
    /// An event of a step's request; its `finished` comes before the end of the step.
    case call(Int, CallEvent)
    /// No further step is sent until the run is continued, with false.
    case paused(Bool)
    /// The run ended.
    case finished(RunRecord)
}
