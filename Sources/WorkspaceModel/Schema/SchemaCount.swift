internal import SortieBase

/// A limit of the characters of a string, the items of an array, or the members of an object.
struct SchemaCount: Sendable {
    /// The keywords.
    enum Keyword: String, Sendable, CaseIterable {
        case minLength, maxLength, minItems, maxItems, minProperties, maxProperties
    }

    let keyword: Keyword
    let limit: Int

    private var unit: String {
        switch keyword {
        case .minLength, .maxLength: limit == 1 ? "character" : "characters"
        case .minItems, .maxItems: limit == 1 ? "item" : "items"
        case .minProperties, .maxProperties: limit == 1 ? "member" : "members"
        }
    }

    private var isMinimum: Bool { keyword.rawValue.hasPrefix("min") }

    /// What the keyword requires.
    var expected: String { "at \(isMinimum ? "least" : "most") \(limit) \(unit)" }

    /// The number of parts of a value; nil for a value to which the keyword does not apply.
    func count(of value: JSONValue) -> Int? {
        switch (keyword, value) {
        case (.minLength, .string(let text)), (.maxLength, .string(let text)): text.unicodeScalars.count
        case (.minItems, .array(let items)), (.maxItems, .array(let items)): items.count
        case (.minProperties, .object(let members)), (.maxProperties, .object(let members)): Set(members.map(\.key)).count
        default: nil
        }
    }

    /// Whether a number of parts is within the limit.
    func holds(for count: Int) -> Bool { isMinimum ? count >= limit : count <= limit }
}
