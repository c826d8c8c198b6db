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
        let rows = RunTable(records.map(\.steps)).rows.map { row in
            (name: row.name, steps: zip(records, row.steps).map { record, index in index.map { record.steps[$0] } })
        }
        let width = min(32, rows.map(\.name.count).max() ?? 0)
        let titles = records.map { $0.environment ?? "" }
        let columns = records.indices.map { column in
            max(titles[column].count, rows.map { Self.cell($0.steps[column]).count }.max() ?? 0)
        }
        var lines = [Self.line("  " + "".padded(to: width), zip(titles, columns))]
        for row in rows {
            let differs = RunTable.differ(row.steps)
            let head = "\(Self.mark(row.steps)) \(row.name.padded(to: width))"
            lines.append(Self.line(head, zip(row.steps.map(Self.cell), columns)) + (differs ? "  differs" : ""))
            for (title, step) in zip(titles, row.steps) {
                for text in step.map(Self.explanations) ?? [] { lines.append("    \(title): \(text)") }
            }
        }
        let titleWidth = titles.map(\.count).max() ?? 0
        lines += zip(titles, records).map { "\($0.padded(to: titleWidth))  \($1.resultText)" }
        let count = rows.count { RunTable.differ($0.steps) }
        lines.append("\(records.first?.run ?? ""): \(count == 0 ? "no step differs" : count == 1 ? "1 step differs" : "\(count) steps differ")")
        return lines.map { VisibleLine.of($0.trimmingEnd) + "\n" }.joined()
    }

    private static func mark(_ steps: [StepRecord?]) -> String {
        let states = steps.compactMap { $0?.state }
        return (states.contains(.failed) ? .failed : states.first { $0 != .done } ?? .done).mark
    }

    private static func cell(_ step: StepRecord?) -> String {
        guard let step else { return "–" }
        let result = step.statusText ?? step.state.name
        return step.seconds.map { "\(result)  \(StepRecord.timeText($0))" } ?? result
    }

    private static func explanations(of step: StepRecord) -> [String] {
        step.failures.map(\.description) + (step.reason.map { ["skipped: \($0)"] } ?? [])
    }

    private static func line(_ head: String, _ cells: some Sequence<(String, Int)>) -> String {
        head + cells.map { "  " + $0.padded(to: $1) }.joined()
    }
}
