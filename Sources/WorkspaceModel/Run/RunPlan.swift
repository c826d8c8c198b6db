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
        let named = Array(zip(definition.uniqueStepNames, definition.steps))
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
    package static func stepsPerRow(of definition: RunDefinition) -> Int { count(of: definition.steps) }

    private static func count(of steps: some Sequence<RunDefinition.Step>) -> Int {
        steps.reduce(0) { count, step in
            guard case .forEach(_, .list(let items)) = step.loop else { return count + 1 }
            return count + items.count
        }
    }

    /// The name of a step of the file, in a plan without rows; of a step that is repeated for a list, that of the first repetition.
    package func name(ofStep index: Int) -> String? {
        let first = Self.count(of: definition.steps[..<index])
        return steps.indices.contains(first) ? steps[first].name : nil
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

/// The steps of an ended run that are sent again when it continues.
extension RunPlan {
    /// Creates the steps of a run for a record; the values of the rows are empty.
    package init(_ definition: RunDefinition, rowsOf record: RunRecord) {
        let count = record.steps.last.map { $0.row + 1 } ?? 0
        self.init(definition, rows: definition.dataFile == nil ? nil : Array(repeating: [:], count: count))
    }

    /// The record with the steps reset that are sent when the run continues at the named steps.
    ///
    /// In a batch these are the named steps and those that are not complete. In a chain they are the named steps, those of the first one's parallel
    /// group that are not complete, and all steps after the group. An interrupted step is reset only if it is named, because the server may have
    /// received it; a chain stops at it, and an interrupted step of a later row keeps its row as it is. Lists after the first named step are evaluated
    /// again, and repetitions by a condition are counted from the beginning.
    package func continuing(_ record: RunRecord, at named: Set<Int>) -> RunRecord {
        let named = Set(named.flatMap { record.loopStart(of: $0)...$0 })
        guard let first = named.min() else { return record }
        func isIncomplete(_ index: Int) -> Bool { !record.steps[index].isComplete && record.steps[index].state != .interrupted }
        guard record.kind == .chain else { return record.resetting { named.contains($0) || isIncomplete($0) } }
        let group = group(of: first, in: record)
        let row = record.steps[first].row
        let unsettled = record.steps.indices.filter { record.steps[$0].state == .interrupted && !named.contains($0) }
        let keptRows = Set(unsettled.map { record.steps[$0].row }).subtracting([row])
        return record.resetting { index in
            let step = record.steps[index]
            if named.contains(index) { return true }
            if step.state == .interrupted || keptRows.contains(step.row) { return false }
            return index >= group.upperBound || group.contains(index) && isIncomplete(index)
        }
    }

    /// The interrupted steps, which are not named, after which the chain would send steps again that it sent before.
    ///
    /// Those of the first named step's group and of other rows are not among them: they stay as they are.
    package func unnamedInterrupted(in record: RunRecord, continuingAt named: Set<Int>) -> [Int] {
        guard record.kind == .chain, let first = named.min() else { return [] }
        let row = record.steps[first].row
        return record.steps.indices[group(of: first, in: record).upperBound...].filter { index in
            record.steps[index].row == row && record.steps[index].state == .interrupted && !named.contains(index)
        }
    }

    /// The step that prevents a run from being continued at a step: in a chain, the first one before its parallel group that is not complete.
    package func obstacle(to record: RunRecord, continuingAt index: Int) -> Int? {
        guard record.kind == .chain else { return nil }
        return record.steps[..<group(of: index, in: record).lowerBound].firstIndex { !$0.isComplete }
    }

    /// The steps of the parallel group of a step in its row; the step alone where it is in none.
    private func group(of index: Int, in record: RunRecord) -> Range<Int> {
        guard let steps = steps(of: record), let group = steps[index].definition.group else { return index..<(index + 1) }
        func isMember(_ other: Int) -> Bool {
            steps.indices.contains(other) && steps[other].definition.group == group && steps[other].row == steps[index].row
        }
        var (start, end) = (index, index + 1)
        while isMember(start - 1) { start -= 1 }
        while isMember(end) { end += 1 }
        return start..<end
    }
}

/// Steps that are added to a run in progress.
package struct RunExpansion: Hashable, Sendable {
    /// The index of the first new step.
    package var position: Int
    /// Whether the new steps replace the step at the position, which stood for a list.
    package var replacesStep: Bool
    /// The new steps, which wait.
    package var steps: [StepRecord]

    /// Creates an expansion.
    package init(position: Int, replacesStep: Bool, steps: [StepRecord]) {
        (self.position, self.replacesStep, self.steps) = (position, replacesStep, steps)
    }

    /// The indices that are replaced.
    package var range: Range<Int> { position..<(position + (replacesStep ? 1 : 0)) }

    /// The index that a step has after the expansion.
    package func newIndex(of index: Int) -> Int { index < range.upperBound ? index : index + steps.count - range.count }
}

extension RunRecord {
    /// Adds steps; returns false where the record has no such position.
    @discardableResult
    package mutating func apply(_ expansion: RunExpansion) -> Bool {
        guard expansion.position >= 0, expansion.range.upperBound <= steps.count else { return false }
        steps.replaceSubrange(expansion.range, with: expansion.steps)
        failedStep = failedStep.map(expansion.newIndex)
        return true
    }
}

/// The position of a step among the repetitions of a loop.
package struct StepRepetition: Hashable, Sendable {
    /// The number, from 1.
    package var number: Int
    /// The item of a list that was evaluated while the run was in progress; nil for other repetitions.
    package var item: String?
    /// Whether the repetition was added while the run was in progress; the first one by a condition is a step of the plan.
    package var isAdded: Bool

    /// Creates a repetition.
    package init(number: Int, item: String? = nil, isAdded: Bool = false) {
        (self.number, self.item, self.isAdded) = (number, item, isAdded)
    }

    /// The name of a repetition of a step: `detail#2`, `detail[3]#2` in the third row of the data.
    package static func name(of step: String, _ number: Int) -> String { "\(step)#\(number)" }
}
