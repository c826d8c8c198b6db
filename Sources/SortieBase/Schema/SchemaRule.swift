/// The rules of one schema.
struct SchemaNode: Sendable {
    var rules: [SchemaRule] = []
    /// Whether no rule has other schemas, so that only the value itself counts.
    private(set) var isPlain = false

    /// Notes whether the rules, which are complete now, are plain.
    mutating func complete() { isPlain = rules.allSatisfy(\.isPlain) }
}

/// One keyword of a schema, or keywords that are evaluated together; schemas are indexes of ``JSONSchema/nodes``.
///
/// Rules are copied while they are evaluated, so that large ones are references.
enum SchemaRule: Sendable {
    /// The schema `false`, and `x-forbidden`.
    case forbidden(keyword: String)
    case reference(Int)
    /// `$dynamicRef`: the outermost schema of the name in the resources that are evaluated, else this one.
    indirect case dynamicReference(DynamicAnchor)
    /// The schemas of `$dynamicAnchor` in the resource of the schema; the first rule.
    case scope([DynamicAnchor])
    /// Another part of the larger document, by its number.
    case part(Int)
    case types(SchemaTypes)
    /// `enum` and `const`.
    case values(SchemaValues)
    /// `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`.
    case bound(SchemaBound)
    indirect case multipleOf(JSONDecimal, text: String)
    /// `minLength` and the other limits of a number of parts.
    case count(SchemaCount)
    indirect case pattern(TextPattern, text: String)
    case format(SchemaFormat)
    case uniqueItems
    case required([String])
    case members(SchemaMembers)
    case propertyNames(Int)
    /// Names that the presence of a member requires; `keyword` is `dependentRequired` or `dependencies`.
    indirect case dependentRequired(String, [String], keyword: String)
    indirect case dependentSchema(String, Int)
    case items(prefix: [Int], rest: Int?)
    indirect case contains(Int, minimum: Int, maximum: Int?)
    case allOf([Int])
    case anyOf([Int])
    case oneOf([Int])
    case not(Int)
    indirect case conditional(Int, then: Int?, otherwise: Int?)
    /// `unevaluatedProperties` and `unevaluatedItems`; the last rule.
    indirect case unevaluated(members: Int?, items: Int?)

    /// Whether the rule has no schemas.
    fileprivate var isPlain: Bool {
        switch self {
        case .forbidden, .types, .values, .bound, .multipleOf, .count, .pattern, .format, .uniqueItems, .required, .dependentRequired: true
        case .reference, .dynamicReference, .scope, .part, .members, .propertyNames, .dependentSchema, .items, .contains, .allOf, .anyOf, .oneOf,
            .not, .conditional, .unevaluated:
            false
        }
    }
}

/// The types of `type`.
struct SchemaTypes: Sendable {
    /// A bit for each type.
    private let bits: UInt8

    init(_ types: [ValueType]) { bits = types.reduce(0) { $0 | Self.bit(of: $1) } }

    private static func bit(of type: ValueType) -> UInt8 {
        switch type {
        case .null: 1
        case .boolean: 2
        case .number: 4
        case .integer: 8
        case .string: 16
        case .array: 32
        case .object: 64
        case .date: 0
        }
    }

    /// Whether a value has one of the types.
    func contain(_ value: JSONValue) -> Bool {
        if bits & Self.bit(of: ValueType(of: value)) != 0 { return true }
        guard bits & Self.bit(of: .integer) != 0, case .number(let text) = value else { return false }
        // Digits alone need not be read.
        return text.utf8.allSatisfy(ASCII.isDigit) || ValueType.integer.accepts(value)
    }

    /// What the keyword requires.
    var expected: String {
        let types = ValueType.json.filter { $0 != .null } + [.null]
        return types.filter { bits & Self.bit(of: $0) != 0 }.map(\.rawValue).joined(separator: " or ")
    }
}

/// The schemas of the members of an object: `properties`, `patternProperties` and `additionalProperties`.
final class SchemaMembers: Sendable {
    /// The schemas of `properties`.
    let properties: MemberTable<Int>
    /// The schemas of names that match a pattern.
    let patterns: [(pattern: TextPattern, schema: Int)]
    /// The schema of other members.
    let additional: Int?

    init(properties: MemberTable<Int>, patterns: [(pattern: TextPattern, schema: Int)], additional: Int?) {
        (self.properties, self.patterns, self.additional) = (properties, patterns, additional)
    }
}

/// The values of `enum` or `const`.
final class SchemaValues: Sendable {
    /// The texts that are among the values.
    private let strings: [String]
    /// The bytes of the canonical texts of all values: for texts, letters are equal to their decomposed form.
    private let texts: Set<[UInt8]>
    let keyword: String
    let description: String

    init(_ values: [JSONValue], keyword: String, description: String) {
        strings = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        texts = Set(values.map { Array($0.canonicalText.utf8) })
        (self.keyword, self.description) = (keyword, description)
    }

    /// Whether a text is one of the first values, which are compared without writing it.
    func isKnown(_ value: JSONValue) -> Bool {
        if case .string(let text) = value { strings.prefix(16).contains { $0 == text && $0.utf8.elementsEqual(text.utf8) } } else { false }
    }

    func contains(canonical text: String) -> Bool { texts.contains(Array(text.utf8)) }
}

/// A limit of a number.
final class SchemaBound: Sendable {
    /// The keywords.
    enum Keyword: String, Sendable, CaseIterable {
        case minimum, maximum, exclusiveMinimum, exclusiveMaximum
    }

    let keyword: Keyword
    let limit: JSONDecimal
    /// The limit as the schema has it.
    let text: String
    /// The limit as an integer that is exact as a binary number, too; nil for another one.
    private let whole: Int?

    init(keyword: Keyword, text: String) {
        (self.keyword, self.text, limit) = (keyword, text, JSONDecimal(text))
        whole = limit.integer.flatMap { abs($0) < 1 << 53 ? $0 : nil }
    }

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
    func holds(forNumber text: String) -> Bool {
        if let whole {
            if let number = Int(text) { return comparison.holds(number, whole) }
            // Rounding keeps the order of numbers that differ afterwards.
            if let number = Double(text), number != Double(whole) { return comparison.holds(number, Double(whole)) }
        }
        return comparison.holds(JSONDecimal(text), limit)
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

    private var comparison: Comparison { keyword.rawValue.hasPrefix("min") ? .atLeast : .atMost }

    /// What the keyword requires.
    var expected: String { "\(comparison.phrase) \(limit) \(unit)" }

    /// Whether the bytes of a text show that its characters are within the limit.
    func certainlyHolds(for value: JSONValue) -> Bool {
        guard case .string(let text) = value else { return false }
        // A character has one to four bytes.
        let bytes = text.utf8.count
        return keyword == .maxLength ? bytes <= limit : keyword == .minLength && bytes / 4 >= limit
    }

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
