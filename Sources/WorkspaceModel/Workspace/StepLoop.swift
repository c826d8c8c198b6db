/// How a step of a run is repeated.
package indirect enum StepLoop: Hashable, Sendable {
    /// Once for each item, one after the other; the item is a variable of this name.
    case forEach(variable: String, Items)
    /// Again as long as all conditions hold after the response, at most `limit` times in all, with a pause of `every` in between.
    case repeats(while: [Parameter], every: Duration, limit: Int)

    /// The items of a list.
    package enum Items: Hashable, Sendable {
        /// Literal texts, which contain no templates.
        case list([String])
        /// A template whose value is a JSON array.
        case template(String)
    }

    /// The name of the variable for the item where the file gives none.
    package static let defaultVariable = "item"
    /// The pause between repetitions where the file gives none.
    package static let defaultPause = Duration.seconds(1)
    /// The number of repetitions where the file gives none.
    package static let defaultLimit = 100

    /// The name of the variable for the item; nil for a repetition by conditions.
    package var variable: String? {
        switch self {
        case .forEach(let name, _): name
        case .repeats: nil
        }
    }

    /// The texts with templates.
    package var templates: [String] {
        switch self {
        case .forEach(_, .list): []
        case .forEach(_, .template(let text)): [text]
        case .repeats(let conditions, _, _): conditions.flatMap { [$0.name, $0.value] }
        }
    }

    /// Whether the number of repetitions is known only while the run is in progress.
    package var isOpen: Bool {
        switch self {
        case .forEach(_, .list): false
        case .forEach(_, .template), .repeats: true
        }
    }
}
