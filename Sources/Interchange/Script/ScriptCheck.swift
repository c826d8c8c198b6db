internal import SortieBase
internal import WorkspaceModel

/// A comparison that a script makes with a response.
struct ScriptCheck: Hashable {
    /// What is compared.
    enum Subject: Hashable {
        case status, reason
        /// The duration in milliseconds.
        case time
        /// The text of the body.
        case text
        case header(String)
        /// A value of the JSON body.
        case json([Step])
        /// The length of an array or a text in the JSON body.
        case length([Step])
        /// The name of a type, as `typeof` gives it.
        case type([Step])
    }

    /// A step of a path in the JSON body.
    enum Step: Hashable {
        case name(String), index(Int)
        /// A member whose object may be missing (`?.`).
        case optional(String)
        /// Every item of an array.
        case every
    }

    var subject: Subject
    var test: ScriptTest

    /// The steps of a path to one value; nil for another path.
    static func steps(of path: JSONPath) -> [Step]? {
        var steps: [Step] = []
        for step in path.steps {
            switch step.singular {
            case .name(let name)?: steps.append(.name(name))
            case .index(let index)? where index >= 0: steps.append(.index(index))
            default: return nil
            }
        }
        return steps
    }

    /// The opposite.
    var negated: ScriptCheck { ScriptCheck(subject: subject, test: test.negated) }

    /// The check that holds where all of several checks of the same subject hold; nil for others.
    static func joined(_ checks: [ScriptCheck]) -> ScriptCheck? {
        guard let first = checks.first, checks.count > 1 else { return checks.first }
        guard checks.allSatisfy({ $0.subject == first.subject && !$0.test.hasNoSchema }) else { return nil }
        let test = ScriptTest(["allOf": .array(checks.map(\.test.schema))], acceptsMissing: checks.allSatisfy(\.test.acceptsMissing))
        return ScriptCheck(subject: first.subject, test: test)
    }

    /// The check that holds where one of two checks of the same subject holds; nil for other checks.
    func or(_ other: ScriptCheck) -> ScriptCheck? {
        guard subject == other.subject, !test.hasNoSchema, !other.test.hasNoSchema else { return nil }
        return ScriptCheck(
            subject: subject,
            test: ScriptTest(["anyOf": .array([test.schema, other.test.schema])], acceptsMissing: test.acceptsMissing || other.test.acceptsMissing))
    }
}

/// A requirement for a value, as JSON Schema, which is exact, and as conditions, which are more legible where they say the same.
struct ScriptTest: Hashable {
    var schema: JSONValue
    /// Whether a value that is missing satisfies it.
    var acceptsMissing = false
    /// Conditions for a value of JSON that together are this test; nil for none.
    var conditions: [Condition.Test]?
    /// Conditions for a text without a type, such as that of a header field; nil for none.
    var textual: [Condition.Test]?

    init(_ schema: JSONValue, acceptsMissing: Bool = false, _ conditions: [Condition.Test]? = nil, textual: [Condition.Test]? = nil) {
        (self.schema, self.acceptsMissing, self.conditions, self.textual) = (schema, acceptsMissing, conditions, textual)
    }

    static let exists = ScriptTest(true, [.exists], textual: [.exists])
    static let missing = ScriptTest(false, acceptsMissing: true, [.missing], textual: [.missing])
    /// Neither missing nor null; conditions do not distinguish the text `null` from null.
    static let hasValue = ScriptTest(["not": ["type": "null"]], [.differs("null")], textual: [.exists])
    /// A value that counts as true (ECMA-262 §7.1.2).
    static let truthy = ScriptTest(
        ["not": ["enum": .array([nil, false, .integer(0), ""])]], textual: [.length(.atLeast, 1)])
    static let empty = sized(0, 0, countsMembers: true, textual: [.equals("")])
    static let notEmpty = sized(1, nil, countsMembers: true, textual: [.length(.atLeast, 1)])

    /// The same value; of a text that has the form of another type, also its type, which conditions alone do not compare.
    static func equals(_ value: JSONValue) -> ScriptTest {
        let schema: JSONValue = ["const": value]
        switch value {
        case .null: return ScriptTest(schema, [.type(.null)])
        case .bool, .number: return ScriptTest(schema, [.equals(value.text), .type(ValueType(of: value))])
        case .string(let text):
            guard text.first?.isWhitespace != true, text.last?.isWhitespace != true else { return ScriptTest(schema) }
            let typed: [Condition.Test] = isJSON(text) ? [.type(.string)] : []
            let quoted = Condition.Test.equals(Template.quoting(text))
            return ScriptTest(schema, [quoted] + typed, textual: [quoted])
        case .array, .object: return ScriptTest(schema, [.equals(Template.quoting(value.text)), .type(ValueType(of: value))])
        }
    }

    /// The value of a template, whose type is not known.
    static func equals(template: String) -> ScriptTest { ScriptTest(false, [.equals(template)], textual: [.equals(template)]) }

    /// Whether no schema expresses the test.
    var hasNoSchema: Bool { schema == false && !acceptsMissing }

    static func oneOf(_ values: [JSONValue]) -> ScriptTest {
        let schema: JSONValue = ["enum": .array(values)]
        let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        let numbers = values.compactMap { if case .number(let text) = $0 { text } else { nil } }
        if !texts.isEmpty, texts.count == values.count {
            let listed = Condition.Test.oneOf(texts.map(Template.quoting))
            return ScriptTest(schema, texts.contains(where: isJSON) ? [listed, .type(.string)] : [listed], textual: [listed])
        }
        return ScriptTest(schema, !numbers.isEmpty && numbers.count == values.count ? [.oneOf(numbers), .type(.number)] : nil)
    }

    static func type(_ type: ValueType) -> ScriptTest {
        ScriptTest(["type": .string(type.rawValue)], [.type(type)], textual: type == .string ? [.exists] : nil)
    }

    /// A number within limits.
    static func number(_ limits: [(Comparison, String)]) -> ScriptTest {
        let keywords: [Comparison: String] = [
            .less: "exclusiveMaximum", .atMost: "maximum", .greater: "exclusiveMinimum", .atLeast: "minimum",
        ]
        let members = limits.map { JSONValue.Member(keywords[$0.0] ?? "", .number($0.1)) }
        return ScriptTest(.object([.init("type", "number")] + members), limits.map { .compares($0.0, $0.1) } + [.type(.number)])
    }

    /// A text in which a pattern matches.
    static func matches(_ pattern: String) -> ScriptTest {
        let condition = Condition.Test.matches(Template.quoting(pattern))
        return ScriptTest(["type": "string", "pattern": .string(pattern)], [condition], textual: [condition])
    }

    /// A text that has a part, or an array that has an item.
    static func contains(_ part: JSONValue) -> ScriptTest {
        let items: JSONValue = ["type": "array", "contains": ["const": part]]
        guard case .string(let text) = part else { return ScriptTest(items) }
        let pattern = TextPattern.escaped(text)
        return ScriptTest(["anyOf": .array([["type": "string", "pattern": .string(pattern)], items])], textual: [.matches(pattern)])
    }

    /// A text that has no such part, or an array that has no such item; a value of another type has no parts, which fails as well.
    static func lacks(_ part: JSONValue) -> ScriptTest {
        let texts: JSONValue = ["type": "string", "not": ["pattern": .string(TextPattern.escaped(part.plainText))]]
        let items: JSONValue = ["type": "array", "not": ["contains": ["const": part]]]
        return ScriptTest(["anyOf": .array([texts, items])])
    }

    /// A text or an array whose length is within limits.
    ///
    /// - Parameter countsMembers: Whether an object is permitted, whose members are counted.
    static func sized(_ least: Int, _ most: Int?, countsMembers: Bool = false, textual: [Condition.Test]? = nil) -> ScriptTest {
        var members = [JSONValue.Member("type", .array(countsMembers ? ["string", "array", "object"] : ["array", "string"]))]
        for unit in ["Items", "Length"] + (countsMembers ? ["Properties"] : []) {
            if least > 0 { members.append(.init("min\(unit)", .integer(least))) }
            if let most { members.append(.init("max\(unit)", .integer(most))) }
        }
        let texts: [Condition.Test] = [.length(.atLeast, least)] + (most.map { [.length(.atMost, $0)] } ?? [])
        return ScriptTest(.object(members), textual: textual ?? texts)
    }

    /// The opposite.
    var negated: ScriptTest {
        switch schema {
        case .bool(true): return .missing
        // A template has no schema: its opposite has no equal.
        case .bool(false): return hasNoSchema ? ScriptTest(false) : .exists
        case .object(let members) where members.count == 1 && members[0].key == "not":
            return ScriptTest(members[0].value, acceptsMissing: !acceptsMissing)
        default: return ScriptTest(["not": schema], acceptsMissing: !acceptsMissing)
        }
    }

    private static func isJSON(_ text: String) -> Bool {
        JSONValue(ifValid: text) != nil || JSONDecimal(parsing: text) != nil || text.first == "[" || text.first == "{"
    }
}
