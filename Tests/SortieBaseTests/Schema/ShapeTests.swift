import SortieBase
import Testing

struct ShapeTests {
    private static let shape: JSONValue = [
        "code": "integer",
        "result": ["items": .array([["id": "integer", "title": "string", "note": "string?", "price": "number", "on": "boolean"]])],
        "meta?": ["page": "integer"], "extra": "any",
    ]

    private func failures(_ text: String) throws -> [String] {
        try JSONSchema(shape: Self.shape).failures(in: JSONValue(parsing: text)).map(\.description)
    }

    @Test func `a value with the shape has no failure`() throws {
        let text = """
            {"code": 200, "extra": null, "more": 1, "result": {"items": [{"id": 1.0, "title": "a", "price": 2.5, "on": false},
             {"id": 2e3, "title": "", "note": null, "price": 1, "on": true}]}}
            """
        #expect(try failures(text) == [])
    }

    @Test(arguments: [
        (#"[]"#, ["$: type: expected object, got an array of 0 items"]),
        (#"{"code": "200", "result": {"items": []}, "extra": 1}"#, [#"$.code: type: expected integer, got "200""#]),
        (#"{"code": 1.5, "result": {"items": []}, "extra": 1}"#, ["$.code: type: expected integer, got 1.5"]),
        (#"{"code": null, "extra": 1}"#, ["$.code: type: expected integer, got null", "$.result: required: expected a value, got nothing"]),
        (#"{"code": 1, "result": {"items": {}}, "extra": 1}"#, ["$.result.items: type: expected array, got an object of 0 members"]),
        (
            #"{"code": 1, "result": {"items": [{"id": 1, "title": "a", "note": 3, "price": 1, "on": true}]}, "extra": 1}"#,
            ["$.result.items[0].note: type: expected string or null, got 3"]
        ),
        (#"{"code": 1, "result": {"items": []}, "meta": {"page": "x"}, "extra": 1}"#, [#"$.meta.page: type: expected integer, got "x""#]),
        (#"{"code": 1, "result": {"items": []}, "meta": null}"#, ["$.extra: required: expected a value, got nothing"]),
    ])
    func `failures have the path, the expected type and the value`(text: String, sentences: [String]) throws {
        #expect(try failures(text) == sentences)
    }

    @Test func `an optional item may be null`() throws {
        let schema = try JSONSchema(shape: .array(["integer?"]))
        #expect(try schema.failures(in: .array([.integer(1), nil])) == [])
        #expect(try schema.failures(in: .array(["x"])).map(\.path.description) == ["$[0]"])
    }

    @Test func `a shape is the schema of its types`() throws {
        let schema = try JSONSchema(shape: ["id": "integer", "tags?": .array([]), "on": "bool?", "any": "any?"])
        let text = #"""
            {"type": "object", "properties": {"id": {"type": "integer"}, "tags": {"type": ["array", "null"]}, "on": {"type": ["boolean", "null"]},
             "any": {}}, "required": ["id"]}
            """#
        #expect(try schema == JSONSchema(parsing: text))
    }

    @Test(arguments: [
        (#"{"a": ["strin"]}"#, "#/a/0: “strin” is not a type; did you mean string?"),
        (#"{"a": 3}"#, "#/a: the number 3 is not a type; write \"integer\" or \"number\""),
        (#"["string", "bool"]"#, "#: an array is described by one item that represents all items, not by 2"),
    ])
    func `an invalid shape is refused with its place`(text: String, sentence: String) throws {
        let shape = try JSONValue(parsing: text)
        let error = #expect(throws: JSONSchemaError.self) { try JSONSchema(shape: shape) }
        #expect(error?.description == sentence)
    }
}
