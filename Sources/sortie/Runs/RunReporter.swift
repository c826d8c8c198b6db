internal import Foundation
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Reports a run: a line for each step that ends, and a progress line on stderr on a terminal.
struct RunReporter {
    private let plan: RunPlan
    private let output: OutputOptions
    private let template: OutputTemplate?
    /// Whether the lines have the order of the run, so that the output of a batch is the same each time; on a terminal they appear at once.
    private let isOrdered = !StandardOutput.isTerminal
    /// The ended steps whose lines wait for those of earlier steps, with their notes.
    private var ended: [Int: (step: StepRecord, note: String?)] = [:]
    private var next = 0
    private let redaction: LiveRedaction
    private var width: Int
    private var record: RunRecord
    /// How many steps have ended, and which are under way.
    private var finished: Int
    private var active: Set<Int> = []
    private var received: [Int: Int64] = [:]
    private var hasProgress = false

    init(plan: RunPlan, record: RunRecord, output: OutputOptions, template: OutputTemplate? = nil, redaction: LiveRedaction) {
        self.plan = plan
        self.record = record
        finished = record.finishedCount
        self.output = output
        self.template = template
        self.redaction = redaction
        width = min(32, plan.steps.map(\.name.count).max() ?? 0)
    }

    /// Reports the steps that the start of a run skips.
    mutating func begin() {
        for (index, step) in record.steps.enumerated() where step.isComplete { end(index, step, note: step.reason ?? "done before") }
    }

    /// Processes the state of a step, and reports its end.
    mutating func step(_ index: Int, _ step: StepRecord) {
        if step.state.isEnd != record.steps[index].state.isEnd { finished += step.state.isEnd ? 1 : -1 }
        if step.state.isEnd || step.state == .waiting { active.remove(index) } else { active.insert(index) }
        if step.state.isEnd { received[index] = nil }
        record.steps[index] = step
        if step.state.isEnd { end(index, step, note: step.reason.map { "skipped: \(redaction.current.masked($0))" }) }
        showProgress()
    }

    /// Processes steps that were added; those before the position have ended, and those from it on wait.
    mutating func expanded(_ expansion: RunExpansion) {
        record.apply(expansion)
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
        for line in lines { StandardError.line("\(record.steps[index].name) \(line)") }
    }

    /// Reports the end of a step, after those of earlier steps where the lines are ordered.
    private mutating func end(_ index: Int, _ step: StepRecord, note: String?) {
        guard isOrdered else { return tell(step, note: note) }
        ended[index] = (step, note)
        while let (step, note) = ended.removeValue(forKey: next) {
            tell(step, note: note)
            next += 1
        }
    }

    /// Reports the result of the run.
    mutating func end(_ record: RunRecord) {
        // A step before these did not end.
        for index in ended.keys.sorted() { if let (step, note) = ended[index] { tell(step, note: note) } }
        ended = [:]
        clear()
        guard !output.json, template == nil else { return }
        let done = record.steps.count { $0.state == .done }
        let skipped = record.steps.count { $0.reason != nil }
        let line =
            "\(record.run): \(record.state.rawValue), \(done) of \(record.steps.count) steps done\(skipped > 0 ? ", \(skipped) skipped" : "") "
            + "in \(Self.time(record.duration))"
        StandardOutput.write(VisibleLine.of(line) + "\n")
    }

    private mutating func tell(_ step: StepRecord, note: String?) {
        clear()
        let failures = step.failures.map { "step \(step.name): \(redaction.current.masked($0.description))" }
        guard !output.json else {
            for line in failures { StandardError.line(line) }
            return
        }
        if let template {
            let redaction = redaction.current
            StandardOutput.write(template.line { step.field($0, redaction) })
            return
        }
        var line = "\(Self.mark(step.state)) \(step.name.padded(to: width))"
        if let status = step.status { line += "  \(status)" } else { line += "  \(note ?? step.state.name)" }
        if let seconds = step.seconds { line += "  \(Self.time(seconds))" }
        if let note, step.status != nil { line += "  \(note)" }
        StandardOutput.write(([line] + failures.map { "    " + $0 }).map { VisibleLine.of($0) + "\n" }.joined())
    }

    private mutating func showProgress() {
        guard StandardError.isTerminal, !output.json else { return }
        guard let first = active.first else { return clear() }
        let total = max(1, record.steps.count)
        let bar = String(repeating: "█", count: finished * 20 / total).padding(toLength: 20, withPad: "─", startingAt: 0)
        var text = "\(bar) \(finished)/\(record.steps.count)"
        if active.count == 1 {
            let step = record.steps[first]
            text += "  \(step.name) \(step.state.name)"
            if let bytes = received[first], bytes > 0 { text += "  ↓ \(ByteCount(bytes).text)" }
        } else {
            text += "  \(active.count) in flight"
        }
        hasProgress = true
        StandardError.raw("\r\u{1b}[K" + VisibleText.of(text))
    }

    private mutating func clear() {
        if hasProgress { StandardError.raw("\r\u{1b}[K") }
        hasProgress = false
    }

    private static func mark(_ state: StepRecord.State) -> String {
        switch state {
        case .done: "✓"
        case .failed: "✗"
        default: "–"
        }
    }

    private static func time(_ seconds: Double) -> String {
        seconds < 1 ? "\(Int((seconds * 1000).rounded())) ms" : "\((seconds * 10).rounded() / 10) s"
    }
}
