internal import WorkspaceModel

/// Puts the output of the steps of a run into the order of the run.
///
/// The output of a step that ends before an earlier one waits. It is kept by the name of the step, because indices change when a list is evaluated.
struct StepSequence<Output> {
    private var names: [String]
    private var waiting: [String: Output] = [:]
    /// The number of steps whose output was returned.
    private var count = 0

    init(_ record: RunRecord) {
        names = record.steps.map(\.name)
    }

    /// Applies added steps; none of the steps from the position on was returned.
    mutating func expand(_ expansion: RunExpansion) {
        names.replaceSubrange(expansion.range, with: expansion.steps.map(\.name))
    }

    /// Whether a step has its output already.
    func has(_ index: Int) -> Bool { index < count || waiting[names[index]] != nil }

    /// Adds the output of a step, once, and returns what is next in the order of the run.
    mutating func add(_ output: Output, of index: Int) -> [Output] {
        guard !has(index) else { return [] }
        waiting[names[index]] = output
        var ready: [Output] = []
        while count < names.count, let next = waiting.removeValue(forKey: names[count]) {
            ready.append(next)
            count += 1
        }
        return ready
    }

    /// Removes and returns what waits for steps that did not end, in the order of the run.
    mutating func removeWaiting() -> [Output] {
        defer { waiting = [:] }
        return waiting.isEmpty ? [] : names[count...].compactMap { waiting[$0] }
    }
}
