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
        self.position = position
        self.replacesStep = replacesStep
        self.steps = steps
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
