/// One keyword of a schema, or keywords that are evaluated together; schemas are indexes of ``JSONSchema/nodes``.
enum SchemaRule: Sendable {
    /// The schema `false`, and `x-forbidden`.
    case forbidden(keyword: String)
    case reference(Int)
    /// Another part of the larger document, by its number.
    case part(Int)
    case types([ValueType])
    /// `enum` and `const`: the canonical texts of the permitted values, and their description.
    case values(Set<String>, keyword: String, description: String)
    /// `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`.
    case bound(SchemaBound)
    case multipleOf(JSONDecimal, text: String)
    /// `minLength` and the other limits of a number of parts.
    case count(SchemaCount)
    case pattern(TextPattern, text: String)
    case format(SchemaFormat)
    case uniqueItems
    case required([String])
    case members(SchemaMembers)
    case propertyNames(Int)
    /// Names that the presence of a member requires; `keyword` is `dependentRequired` or `dependencies`.
    case dependentRequired(String, [String], keyword: String)
    case dependentSchema(String, Int)
    case items(prefix: [Int], rest: Int?)
    case contains(Int, minimum: Int, maximum: Int?)
    case allOf([Int])
    case anyOf([Int])
    case oneOf([Int])
    case not(Int)
    case conditional(Int, then: Int?, otherwise: Int?)
}

/// A limit of a number.
struct SchemaBound: Sendable {
    /// The keywords.
    enum Keyword: String, Sendable, CaseIterable {
        case minimum, maximum, exclusiveMinimum, exclusiveMaximum
    }

    let keyword: Keyword
    let limit: JSONDecimal
    /// The limit as the schema has it.
    let text: String

    private var comparison: Comparison {
        switch keyword {
        case .minimum: .atLeast
        case .maximum: .atMost
        case .exclusiveMinimum: .greater
        case .exclusiveMaximum: .less
        }
    }

    /// What the keyword requires.
    var expected: String { "\(comparison.rawValue) \(text)" }

    /// Whether a number is within the limit.
    func holds(for number: JSONDecimal) -> Bool { comparison.holds(number, limit) }
}

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

    private var comparison: Comparison { keyword.rawValue.hasPrefix("min") ? .atLeast : .atMost }

    /// What the keyword requires.
    var expected: String { "\(comparison.phrase) \(limit) \(unit)" }

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
    func holds(for count: Int) -> Bool { comparison.holds(count, limit) }
}
