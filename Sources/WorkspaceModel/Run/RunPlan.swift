/// One step of a run as it is sent: for one row of the data, where the run is repeated for rows.
package struct RunStep: Hashable, Sendable {
    /// The name in reports, unique in the run: `login`, or `login[2]` for the second row.
    package var name: String
    /// The step in the run's file.
    package var definition: RunDefinition.Step
    /// The index of the row, from 0.
    package var row: Int
    /// The row's values by column, and the item of the repetition.
    package var values: [String: String]
    /// The repetition of the step; nil where it is not repeated, or its repetitions are not known yet.
    package var repetition: StepRepetition?

    /// A repetition of the step.
    package func repeated(_ repetition: StepRepetition) -> RunStep {
        var step = self
        step.name = StepRepetition.name(of: name, repetition.number)
        step.repetition = repetition
        if let item = repetition.item, let variable = definition.loop?.variable { step.values[variable] = item }
        return step
    }

    /// The record of the step before it was sent.
    package var newRecord: StepRecord {
        var record = StepRecord(name: name, target: definition.target, row: row)
        record.repetition = repetition
        if repetition == nil, case .repeats = definition.loop { record.repetition = StepRepetition(number: 1) }
        return record
    }

    /// Whether the step stands for a list that is evaluated when its turn comes.
    package var isUnknownList: Bool {
        guard repetition == nil, case .forEach(_, .template) = definition.loop else { return false }
        return true
    }
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
        guard definition.steps.contains(where: { $0.loop != nil }) else { return }
        steps = steps.flatMap { step -> [RunStep] in
            guard case .forEach(let variable, .list(let items)) = step.definition.loop else { return [step] }
            return items.enumerated().map { index, item in
                var repeated = step.repeated(StepRepetition(number: index + 1))
                repeated.values[variable] = item
                return repeated
            }
        }
    }

    /// Why the run sends nothing, although its file has steps; nil where it has steps.
    package var emptyNotice: String? {
        guard steps.isEmpty, !definition.steps.isEmpty else { return nil }
        return "the run \(definition.name) sends nothing, because its data has no rows"
    }

    /// The number of steps for each row, as far as it is known.
    package static func stepsPerRow(of definition: RunDefinition) -> Int {
        definition.steps.reduce(0) { count, step in
            guard case .forEach(_, .list(let items)) = step.loop else { return count + 1 }
            return count + items.count
        }
    }

    /// The index of a step by its name; a name without the number of a row or a repetition means the first one.
    package func index(of name: String) -> Int? { Self.index(of: name, in: steps, name: \.name) }

    static func index<Step>(of name: String, in steps: [Step], name ofStep: KeyPath<Step, String>) -> Int? {
        for candidate in [name, "\(name)[1]", StepRepetition.name(of: name, 1), StepRepetition.name(of: "\(name)[1]", 1)] {
            if let index = steps.firstIndex(where: { $0[keyPath: ofStep] == candidate }) { return index }
        }
        return nil
    }

    /// The record of the run before a request was sent.
    package func newRecord(environment: String?) -> RunRecord {
        RunRecord(
            run: definition.name, kind: definition.kind, environment: environment,
            steps: steps.map(\.newRecord))
    }

    /// Whether a record belongs to these steps, so that the run can be continued from it.
    package func matches(_ record: RunRecord) -> Bool { steps(of: record) != nil }

    /// The steps of a record, with the repetitions that were added while it was in progress; nil for a record of other steps.
    package func steps(of record: RunRecord) -> [RunStep]? {
        guard record.kind == definition.kind else { return nil }
        let records = record.steps
        guard definition.steps.contains(where: { $0.loop?.isOpen == true }) else {
            let isSame = records.count == steps.count && zip(records, steps).allSatisfy { $0.name == $1.name && $0.target == $1.definition.target }
            return isSame ? steps : nil
        }
        var found: [RunStep] = []
        found.reserveCapacity(records.count)
        for step in steps {
            let first = found.count
            if records.indices.contains(first), records[first].name == step.name, records[first].target == step.definition.target {
                found.append(step)
            }
            while step.definition.loop?.isOpen == true, records.indices.contains(found.count), let repetition = records[found.count].repetition,
                repetition.isAdded, records[found.count].name == StepRepetition.name(of: step.name, repetition.number)
            {
                found.append(step.repeated(repetition))
            }
            guard found.count > first else { return nil }
        }
        return found.count == records.count ? found : nil
    }
}
