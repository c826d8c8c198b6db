/// One keyword of a schema, or keywords that are evaluated together; schemas are indexes of ``JSONSchema/nodes``.
enum SchemaRule: Sendable {
    /// The schema `false`.
    case nothing
    case reference(Int)
    case types([SchemaType])
    /// `enum` and `const`: the canonical texts of the permitted values, and their description.
    case values(Set<String>, keyword: String, description: String)
    /// `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`.
    case bound(SchemaBound)
    case multipleOf(JSONDecimal, text: String)
    /// `minLength` and the other limits of a number of parts.
    case count(SchemaCount)
    case pattern(TextPattern, text: String)
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

/// A type of JSON values in the keyword `type`.
enum SchemaType: String, CaseIterable, Hashable, Sendable {
    case null, boolean, object, array, number, string, integer

    /// Whether a value has the type; 1.0 is an integer (draft 2020-12, 6.1.1).
    func matches(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.null, .null), (.boolean, .bool), (.object, .object), (.array, .array), (.number, .number), (.string, .string): true
        case (.integer, .number(let text)): JSONDecimal(text).isInteger
        default: false
        }
    }
}
