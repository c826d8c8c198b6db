import SortieBase
import Testing

@Suite struct JSONValueTests {
    @Test func `the text preserves the order of keys and the digits of numbers`() {
        let value: JSONValue = ["z": .number("1.50"), "a": .array([nil, true, false, .integer(-3)]), "o": .object([])]
        #expect(value.text == "{\"z\": 1.50, \"a\": [null, true, false, -3], \"o\": {}}")
    }

    @Test func `strings are escaped so that they cannot control a terminal`() {
        #expect(
            JSONValue.string("\"\\\n\r\t\u{8}\u{1b}[2J\u{7f}\u{9b}\u{2028}ä😀").text
                == "\"\\\"\\\\\\n\\r\\t\\u0008\\u001b[2J\\u007f\\u009b\\u2028ä😀\""
        )
    }

    @Test func `seconds are rounded to microseconds and always a number`() {
        #expect(JSONValue.seconds(0.123_456_789) == .number("0.123457"))
        #expect(JSONValue.seconds(2) == .number("2.0"))
        #expect([JSONValue.seconds(.nan), .seconds(.infinity)] == [.number("0.0"), .number("0.0")])
    }

    @Test func `a member is found by its key, and the last one of a name counts`() {
        let value = JSONValue.object([.init("a", "x"), .init("a", "y")])
        #expect(value["a"] == "y")
        #expect(value["b"] == nil)
        #expect(JSONValue.string("a")["a"] == nil)
    }

    @Test func `nil becomes null`() {
        #expect(JSONValue.optional(nil) == .null && JSONValue.optional("a") == "a")
    }

    @Test func `the children of an object and of an array are changed, and other values have none`() {
        func text(_ value: JSONValue) -> String { value.mapChildren { .string("\($0 ?? "item") \($1.text)") }.text }
        let inner: JSONValue = ["c": nil]
        let changed: JSONValue = ["a": "a true", "b": .string("b \(inner.text)")]
        #expect(text(["a": true, "b": inner]) == changed.text)
        #expect(text(.array([true, nil])) == JSONValue.array(["item true", "item null"]).text)
        #expect(text("a") == JSONValue.string("a").text)
    }

    @Test func `a member is set in its place or at the end, and removed`() {
        let value: JSONValue = ["a": true, "b": false]
        #expect(value.setting("a", to: nil) == ["b": false])
        #expect(value.setting("a", to: "x").setting("c", to: "y") == ["a": "x", "b": false, "c": "y"])
    }
}
