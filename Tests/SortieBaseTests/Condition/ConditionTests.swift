import SortieBase
import Testing

struct ConditionTests {
    @Test(
        arguments: [
            ("200", JSONValue.integer(200), true), ("200", "200", true), ("200", .integer(201), false), ("1", .number("1.0"), true),
            ("12345678901234567890", .number("12345678901234567891"), false), ("12345678901234567890", .number("1234567890123456789e1"), true),
            ("true", true, true), ("null", nil, true), ("a b", "a b", true), ("= exists", "exists", true), ("exists", "exists", true),
            ("exists", nil, true),
            ("missing", "x", false), ("!= 3", .integer(4), true), ("!= 3", .integer(3), false), ("1.0", "1", false), ("1", true, false),
            ("=  a", " a", true), ("=  a", "a", false), ("!=  a", "a", true), ("= \u{301}", "\u{301}", true), ("oneOf", "oneOf", true),
            ("shortest path", "shortest path", true),
            ("exists now", "exists now", true), ("type", "type", true),
        ] as [(String, JSONValue, Bool)])
    func `a value equals a text`(text: String, value: JSONValue, holds: Bool) throws {
        #expect(try Condition(text).holds(for: value) == holds)
    }

    @Test(
        arguments: [
            ("< 5", JSONValue.integer(4), true), ("< 5", .integer(5), false), ("<= 5", .integer(5), true), ("> 5", "6", true),
            (">= 5", .number("4.9"), false), ("< 5", "many", false), ("< 20", "0x10", false),
            ("> 9007199254740992", .number("9007199254740993"), true),
            ("< 1e400", .number("1e399"), true), ("< .5", .number("0.4"), true),
        ] as [(String, JSONValue, Bool)])
    func `numbers are compared exactly`(text: String, value: JSONValue, holds: Bool) throws {
        #expect(try Condition(text).holds(for: value) == holds)
    }

    @Test(
        arguments: [
            ("matches ^o.*r$", JSONValue.string("order"), true), ("matches ^r", "order", false), ("type integer", .number("3.0"), true),
            ("type integer", .number("3.5"), false), ("type array", .array([]), true), ("type null", "x", false), ("type boolean", true, true),
            ("type bool", false, true), ("type boolean", "true", false), ("type date", "2027-01-31", true), ("type date", "2027-02-30", false),
            ("type date", .integer(2027), false), ("type integer", "3", false), ("oneOf [\"a\", 2]", "a", true),
            ("oneOf [\"a\", 2]", .number("2.0"), true),
            ("oneOf [\"a\", 2]", "b", false), ("oneOf []", "b", false), ("shortest 2", "王明", true), ("shortest 3", "王明", false),
            ("longest 2", "王明", true),
            ("longest 1", "王明", false),
        ] as [(String, JSONValue, Bool)])
    func `a value has a form`(text: String, value: JSONValue, holds: Bool) throws {
        #expect(try Condition(text).holds(for: value) == holds)
    }

    @Test(arguments: [
        ("[1, 2]", "[1, 2.0]", true), ("[2, 1]", "[1, 2]", false), (#"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#, true),
        (#"{"a": 1}"#, #"{"a": 1, "b": null}"#, false), ("[1", "[1]", false),
    ])
    func `arrays and objects are compared as JSON`(text: String, value: String, holds: Bool) throws {
        #expect(try Condition(text).holds(for: JSONValue(parsing: value)) == holds)
    }

    @Test(arguments: [("exists", false), ("missing", true), ("200", false), ("!= 200", false), ("type null", false), ("oneOf [\"a\"]", false)])
    func `only missing holds without a value`(text: String, holds: Bool) throws {
        #expect(try Condition(text).holds(for: nil) == holds)
    }

    @Test(arguments: [
        ("< many", "“< many” does not compare with a number; write < and a number, or = < many for the text itself"),
        ("matches [", "not a regular expression"), ("type strng", "did you mean string?"), ("oneOf [a", "is not a list such as [\"a\", \"b\"]"),
        ("shortest -1", "“-1” is not a number of characters"),
    ])
    func `an invalid condition gives an error with the remedy`(text: String, words: String) {
        let error = #expect(throws: ConditionError.self) { try Condition(text) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["< {{limit}}", "matches {{pattern}}", "{{id}}"])
    func `a condition with templates is evaluated after they are resolved`(text: String) throws {
        _ = try Condition(text)
    }

    @Test(arguments: [
        "200", "!= 3", "< 5", "<= 5", "> 5", ">= 5", "matches ^a", "exists", "missing", "type integer", "oneOf [\"a\", \"b \\\" c\"]", "shortest 2",
        "longest 9",
    ])
    func `the key and the operand of a condition make the same condition`(text: String) throws {
        let condition = try Condition(text)
        #expect(try Condition(condition.entry.key, condition.entry.operand) == condition)
    }
}
