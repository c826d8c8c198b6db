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
