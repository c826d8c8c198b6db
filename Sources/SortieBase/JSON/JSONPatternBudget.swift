/// The patterns of an evaluation: they share a budget of steps, and each is read once.
package final class JSONPatternBudget {
    private var left: Int
    private var known: [String: TextPattern] = [:]

    /// The maximum number of read patterns that are kept; a pattern may come from the text, so that there may be many.
    private static let keptPatterns = 16

    /// - Parameter steps: The steps of all comparisons together; each comparison also has the limit of ``TextPattern/maximumSteps``.
    package init(steps: Int = TextPattern.maximumSteps) { left = steps }

    /// Whether a comparison ended because of the budget.
    package private(set) var isExhausted = false

    /// Whether a text contains a match of a pattern.
    package func isFound(_ pattern: String, in text: String) throws(PatternError) -> Bool {
        let compiled: TextPattern
        if let pattern = known[pattern] {
            compiled = pattern
        } else {
            compiled = try TextPattern(pattern)
            if known.count >= Self.keptPatterns { known = [:] }
            known[pattern] = compiled
        }
        let budget = min(left, TextPattern.maximumSteps)
        var steps = budget
        defer { left -= budget - max(steps, 0) }
        do throws(PatternError) {
            return try compiled.isFound(in: text, steps: &steps)
        } catch {
            isExhausted = steps <= 0
            throw error
        }
    }
}
