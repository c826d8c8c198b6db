internal import SortieBase

/// A limit of a number.
struct SchemaBound: Sendable {
    /// The keywords and their comparison.
    enum Keyword: String, Sendable, CaseIterable {
        case minimum, maximum, exclusiveMinimum, exclusiveMaximum
    }

    let keyword: Keyword
    let limit: JSONDecimal
    /// The limit as the schema has it.
    let text: String

    /// What the keyword requires.
    var expected: String {
        switch keyword {
        case .minimum: ">= \(text)"
        case .maximum: "<= \(text)"
        case .exclusiveMinimum: "> \(text)"
        case .exclusiveMaximum: "< \(text)"
        }
    }

    /// Whether a number is within the limit.
    func holds(for number: JSONDecimal) -> Bool {
        switch keyword {
        case .minimum: number >= limit
        case .maximum: number <= limit
        case .exclusiveMinimum: number > limit
        case .exclusiveMaximum: number < limit
        }
    }
}
