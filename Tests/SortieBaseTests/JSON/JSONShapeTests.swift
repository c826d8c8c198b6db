import SortieBase
import Testing

struct JSONShapeTests {
    private static let description: JSONValue = [
        "code": "integer",
        "result": ["items": .array([["id": "integer", "title": "string", "note": "string?", "price": "number", "on": "bool"]])],
        "meta?": ["page": "integer"], "extra": "any",
    ]

    private func check(_ text: String) throws -> String? {
        try JSONShape(Self.description).mismatch(in: JSONValue(parsing: text))?.description
    }

    @Test func `a value with the shape has no mismatch`() throws {
        let text = """
            {"code": 200, "extra": null, "more": 1, "result": {"items": [{"id": 1.0, "title": "a", "price": 2.5, "on": false},
             {"id": 2e3, "title": "", "note": null, "price": 1, "on": true}]}}
            """
        #expect(try check(text) == nil)
    }

    @Test(arguments: [
        (#"[]"#, "$ is an array, expected an object"),
        (#"{"code": "200"}"#, "$.code is a string, expected an integer"),
        (#"{"code": 1.5}"#, "$.code is the number 1.5, expected an integer"),
        (#"{"code": null}"#, "$.code is null, expected an integer"),
        (#"{"code": 1}"#, "$.result is absent, expected an object"),
        (#"{"code": 1, "result": {"items": {}}}"#, "$.result.items is an object, expected an array"),
        (
            #"{"code": 1, "result": {"items": [{"id": 1, "title": "a", "price": 1, "on": true}, {"id": true}]}}"#,
            "$.result.items[1].id is a bool, expected an integer"
        ),
        (
            #"{"code": 1, "result": {"items": [{"id": 1, "title": "a", "note": 3, "price": 1, "on": true}]}}"#,
            "$.result.items[0].note is a number, expected a string"
        ),
        (#"{"code": 1, "result": {"items": []}, "meta": {"page": "x"}, "extra": 1}"#, "$.meta.page is a string, expected an integer"),
        (#"{"code": 1, "result": {"items": []}, "meta": null}"#, "$.extra is absent, expected a value"),
    ])
    func `the first mismatch is reported with its path`(text: String, sentence: String) throws {
        #expect(try check(text) == sentence)
    }

    @Test func `an optional item may be null`() throws {
        let shape = try JSONShape(.array(["integer?"]))
        #expect(shape.mismatch(in: .array([.integer(1), nil])) == nil)
        #expect(shape.mismatch(in: .array(["x"]))?.path.description == "$[0]")
    }

    @Test(arguments: [
        (#"{"a": ["strin"]}"#, "the shape is invalid at $.a[*]: “strin” is not a type; did you mean string?"),
        (#"{"a": 3}"#, "the shape is invalid at $.a: the number 3 is not a type; write \"integer\" or \"number\""),
        (#"["string", "bool"]"#, "the shape is invalid at $: an array is described by one item that represents all items, not by 2"),
    ])
    func `an invalid description is rejected with the position`(text: String, sentence: String) throws {
        let description = try JSONValue(parsing: text)
        let error = #expect(throws: JSONShapeError.self) { try JSONShape(description) }
        #expect(error?.description == sentence)
    }
}
