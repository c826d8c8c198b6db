/// One step of a run as it is sent: for one row of the data, where the run is repeated for rows.
package struct RunStep: Hashable, Sendable {
    /// The name in reports, unique in the run: `login`, or `login[2]` for the second row.
    package var name: String
    /// The step in the run's file.
    package var definition: RunDefinition.Step
    /// The index of the row, from 0.
    package var row: Int
    /// The row's values by column.
    package var values: [String: String]
}

/// The steps of a run in order, repeated for each row of data.
package struct RunPlan: Hashable, Sendable {
    /// The run.
    package var definition: RunDefinition
    /// The steps, row by row.
    package var steps: [RunStep]

    /// Creates the steps of a run; without rows each step occurs once.
    ///
    /// Steps with the same name get numbers, so that each name is unique.
    package init(_ definition: RunDefinition, rows: [[String: String]]? = nil) {
        self.definition = definition
        var names: [String: Int] = [:]
        let unique = definition.steps.map { step in
            names[step.name, default: 0] += 1
            return names[step.name] == 1 ? step.name : "\(step.name)-\(names[step.name] ?? 1)"
        }
        let named = Array(zip(unique, definition.steps))
        steps = (rows ?? [[:]]).enumerated().flatMap { row, values in
            named.map { name, step in
                RunStep(name: rows == nil ? name : "\(name)[\(row + 1)]", definition: step, row: row, values: values)
            }
        }
    }

    /// The index of a step by its name; a name without a row number means the first row.
    package func index(of name: String) -> Int? {
        steps.firstIndex { $0.name == name } ?? steps.firstIndex { $0.name == "\(name)[1]" }
    }

    /// The record of the run before a request was sent.
    package func newRecord(environment: String?) -> RunRecord {
        RunRecord(
            run: definition.name, kind: definition.kind, environment: environment,
            steps: steps.map { StepRecord(name: $0.name, target: $0.definition.target, row: $0.row) })
    }

    /// Whether a record belongs to these steps, so that the run can be continued from it.
    package func matches(_ record: RunRecord) -> Bool {
        record.kind == definition.kind && record.steps.map(\.name) == steps.map(\.name)
            && record.steps.map(\.target) == steps.map(\.definition.target)
    }
}
