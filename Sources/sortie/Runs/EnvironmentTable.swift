internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The results of the same run in several environments, side by side: a line for each step, a column for each environment.
struct EnvironmentTable {
    private let records: [RunRecord]

    /// - Parameter records: the masked records of the run, one for each environment.
    init(_ records: [RunRecord]) {
        self.records = records
    }

    /// The lines, each with a line break.
    var text: String {
        let names = stepNames
        let byName = records.map { Dictionary($0.steps.map { ($0.name, $0) }) { first, _ in first } }
        let rows = names.map { name in (name: name, steps: byName.map { $0[name] }) }
        let width = min(32, names.map(\.count).max() ?? 0)
        let titles = records.map { $0.environment ?? "" }
        let columns = records.indices.map { column in
            max(titles[column].count, rows.map { Self.cell($0.steps[column]).count }.max() ?? 0)
        }
        var lines = [Self.line("  " + "".padded(to: width), zip(titles, columns))]
        for row in rows {
            let differs = Self.differs(row.steps)
            let head = "\(Self.mark(row.steps)) \(row.name.padded(to: width))"
            lines.append(Self.line(head, zip(row.steps.map(Self.cell), columns)) + (differs ? "  differs" : ""))
            for (title, step) in zip(titles, row.steps) {
                for text in step.map(Self.explanations) ?? [] { lines.append("    \(title): \(text)") }
            }
        }
        let titleWidth = titles.map(\.count).max() ?? 0
        lines += zip(titles, records).map { "\($0.padded(to: titleWidth))  \($1.resultText)" }
        let count = rows.count { Self.differs($0.steps) }
        lines.append("\(records.first?.run ?? ""): \(count == 0 ? "no step differs" : count == 1 ? "1 step differs" : "\(count) steps differ")")
        return lines.map { VisibleLine.of($0.trimmingTrailingSpaces) + "\n" }.joined()
    }

    /// The names of the steps in the order of the run; a step that only later environments have follows the one before it there.
    private var stepNames: [String] {
        var names: [String] = []
        var known: Set<String> = []
        for record in records {
            var position = 0
            for step in record.steps {
                if known.insert(step.name).inserted {
                    names.insert(step.name, at: position)
                    position += 1
                } else if let index = names[position...].firstIndex(of: step.name) {
                    position = index + 1
                }
            }
        }
        return names
    }

    /// Whether the outcomes of a step differ: its state, its status, or whether there is such a step.
    private static func differs(_ steps: [StepRecord?]) -> Bool {
        Set(steps.map { $0?.state.name }).count > 1 || Set(steps.map { $0?.status }).count > 1
    }

    private static func mark(_ steps: [StepRecord?]) -> String {
        let states = steps.compactMap { $0?.state }
        return (states.contains(.failed) ? .failed : states.first { $0 != .done } ?? .done).mark
    }

    private static func cell(_ step: StepRecord?) -> String {
        guard let step else { return "–" }
        let result = step.status.map { String($0) } ?? step.state.name
        return step.seconds.map { "\(result)  \(StepRecord.timeText($0))" } ?? result
    }

    private static func explanations(of step: StepRecord) -> [String] {
        step.failures.map(\.description) + (step.reason.map { ["skipped: \($0)"] } ?? [])
    }

    private static func line(_ head: String, _ cells: some Sequence<(String, Int)>) -> String {
        head + cells.map { "  " + $0.padded(to: $1) }.joined()
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String { String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)]) }
}
