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
        self.number = number
        self.item = item
        self.isAdded = isAdded
    }

    /// The name of a repetition of a step: `detail#2`, `detail[3]#2` in the third row of the data.
    package static func name(of step: String, _ number: Int) -> String { "\(step)#\(number)" }
}
