/// The steps of the same run in several environments, side by side: a row for each step, a column for each environment.
package struct RunTable: Hashable, Sendable {
    /// A step.
    package struct Row: Hashable, Sendable {
        /// The name of the step.
        package let name: String
        /// The index of the step in the record of each environment; nil where the environment has no such step.
        package let steps: [Int?]
    }

    /// The rows in the order of the run; a step that only later environments have follows the one before it there.
    package let rows: [Row]
    /// The row of each step, by environment.
    private let rowsOfSteps: [[Int]]

    /// Creates the table of the steps of each environment.
    package init(_ columns: [[StepRecord]]) {
        var names: [String] = []
        var known: Set<String> = []
        for steps in columns {
            var position = 0
            for step in steps {
                if known.insert(step.name).inserted {
                    names.insert(step.name, at: position)
                    position += 1
                } else if let index = names[position...].firstIndex(of: step.name) {
                    position = index + 1
                }
            }
        }
        let indices = columns.map { steps in Dictionary(steps.enumerated().map { ($1.name, $0) }) { first, _ in first } }
        rows = names.map { name in Row(name: name, steps: indices.map { $0[name] }) }
        let byName = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        rowsOfSteps = columns.map { steps in steps.map { byName[$0.name] ?? 0 } }
    }

    /// The row of a step; nil where the environment has no step at the index.
    package func row(ofStep index: Int, inColumn column: Int) -> Int? {
        guard rowsOfSteps.indices.contains(column), rowsOfSteps[column].indices.contains(index) else { return nil }
        return rowsOfSteps[column][index]
    }

    /// Whether the outcomes of a step differ: its state, its status, or whether there is such a step.
    package static func differ(_ steps: [StepRecord?]) -> Bool {
        guard let first = steps.first else { return false }
        return steps.contains { differ(first, $0) }
    }

    /// Whether the outcomes of a step in two environments differ.
    package static func differ(_ one: StepRecord?, _ other: StepRecord?) -> Bool {
        one?.statusText != other?.statusText || one?.state.name != other?.state.name
    }
}
