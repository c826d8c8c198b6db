/// The names that a step of a run knows beside those of all files: its variables, and what was captured before it.
struct StepNames {
    /// The variables of the step, and what its condition of a repetition compares.
    var own: Set<String>
    /// The number of the steps and groups before the step or its group.
    let turn: Int
    /// The captured values of all steps, each with the turn of the first step that captures it; one dictionary for all steps.
    var captured: [String: Int] = [:]

    /// Whether the step can use a name; of the captured values only those of earlier turns.
    func contains(_ name: String) -> Bool { own.contains(name) || captured[name].map { $0 < turn } ?? false }

    /// All names that the step can use.
    var names: Set<String> { own.union(captured.filter { $0.value < turn }.keys) }
}
