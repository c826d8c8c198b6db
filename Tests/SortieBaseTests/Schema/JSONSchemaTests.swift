import SortieBase
import Testing

/// Validation by JSON Schema; the outcomes of the table are those of the package jsonschema 4.26 of PyPI.
@Suite struct JSONSchemaTests {
    struct Case: Sendable {
        let schema: String
        let valid: [String]
        let invalid: [String]

        init(_ schema: String, valid: [String], invalid: [String]) {
            (self.schema, self.valid, self.invalid) = (schema, valid, invalid)
        }
    }

    private static let cases = [
        Case(
            #"{"unevaluatedProperties":false,"anyOf":[{"required":["a"],"properties":{"a":true}},{"properties":{"b":true}}]}"#,
            valid: [#"{"a":1,"b":2}"#, #"{"b":2}"#, #"1"#],
            invalid: [#"{"a":1,"c":2}"#, #"{"c":1}"#]),
        Case(
            #"{"unevaluatedItems":false,"prefixItems":[true],"contains":{"type":"null"}}"#,
            valid: [#"[1,null]"#, #"[null]"#],
            invalid: [#"[1,null,2]"#, #"[1]"#]),
        Case(
            ##"{"$id":"https://h/a","$ref":"list","$defs":{"l":{"$id":"list","items":{"$dynamicRef":"#i"},"$defs":{"i":{"$dynamicAnchor":"i"}}},"##
                + ##""n":{"$dynamicAnchor":"i","type":"null"}}}"##,
            valid: ["[null]"],
            invalid: ["[1]"]),
        Case(
            #"{"type":"integer"}"#,
            valid: [#"1"#, #"1.0"#, #"1e2"#, #"-0"#],
            invalid: [#"1.5"#, #""1""#, #"true"#, #"null"#]),
        Case(
            #"{"type":["string","null"]}"#,
            valid: [#""a""#, #"null"#],
            invalid: [#"1"#, #"[]"#]),
        Case(
            #"{"type":"number"}"#,
            valid: [#"1.5"#],
            invalid: [#""1.5""#]),
        Case(
            #"{"type":"boolean"}"#,
            valid: [#"true"#],
            invalid: [#"1"#]),
        Case(
            #"{"enum":[1,"a",{"b":[1,2]}]}"#,
            valid: [#"1.0"#, #""a""#, #"{"b":[1,2.0]}"#],
            invalid: [#"2"#, #"{"b":[2,1]}"#, #""1""#]),
        Case(
            #"{"const":{"a":1,"b":2}}"#,
            valid: [#"{"b":2,"a":1.0}"#],
            invalid: [#"{"a":1}"#, #"{"a":1,"b":2,"c":3}"#]),
        Case(
            #"{"const":false}"#,
            valid: [#"false"#],
            invalid: [#"0"#, #"null"#]),
        Case(
            #"{"minimum":1.5}"#,
            valid: [#"1.5"#, #"2"#, #""a""#],
            invalid: [#"1.4999999999999999999999"#]),
        Case(
            #"{"maximum":9007199254740993}"#,
            valid: [#"9007199254740993"#],
            invalid: [#"9007199254740994"#]),
        Case(
            #"{"exclusiveMinimum":0}"#,
            valid: [#"0.1"#],
            invalid: [#"0"#, #"-1"#, #"-0.0"#]),
        Case(
            #"{"exclusiveMaximum":-1}"#,
            valid: [#"-2"#, #"-1.5"#],
            invalid: [#"-1"#, #"-0.5"#]),
        Case(
            #"{"multipleOf":0.01}"#,
            valid: [#"4.02"#, #"1"#, #"0"#, #"19.99"#],
            invalid: [#"0.001"#, #"4.025"#]),
        Case(
            #"{"multipleOf":3}"#,
            valid: [#"9"#, #"-6"#, #"3e10"#],
            invalid: [#"10"#, #"1e1"#, #"0.3"#]),
        Case(
            #"{"minLength":2}"#,
            valid: [#""ab""#, #""\ud83d\ude00a""#, #"1"#],
            invalid: [#""a""#, #""\ud83d\ude00""#]),
        Case(
            #"{"maxLength":2}"#,
            valid: [#""ab""#],
            invalid: [#""abc""#]),
        Case(
            #"{"pattern":"^[a-z]+$"}"#,
            valid: [#""abc""#, #"1"#],
            invalid: [#""aB""#, #""""#]),
        Case(
            #"{"minItems":1,"maxItems":2}"#,
            valid: [#"[1]"#, #"[1,2]"#, #"{}"#],
            invalid: [#"[]"#, #"[1,2,3]"#]),
        Case(
            #"{"uniqueItems":true}"#,
            valid: [#"[1,2,"1",true]"#, #"[{"a":1},{"a":2}]"#],
            invalid: [#"[1,1.0]"#, #"[{"a":1,"b":2},{"b":2,"a":1}]"#]),
        Case(
            #"{"minProperties":1,"maxProperties":1}"#,
            valid: [#"{"a":1}"#, #"[]"#],
            invalid: [#"{}"#, #"{"a":1,"b":2}"#]),
        Case(
            #"{"required":["a","b"]}"#,
            valid: [#"{"a":1,"b":null}"#, #"[]"#],
            invalid: [#"{"a":1}"#]),
        Case(
            #"{"properties":{"a":{"type":"string"},"b":false}}"#,
            valid: [#"{"a":"x","c":1}"#, #"1"#],
            invalid: [#"{"a":1}"#, #"{"b":1}"#]),
        Case(
            #"{"properties":{"a":true},"patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false}"#,
            valid: [#"{"a":1,"x-b":2}"#],
            invalid: [#"{"c":1}"#, #"{"x-b":"2"}"#]),
        Case(
            #"{"additionalProperties":{"type":"integer"}}"#,
            valid: [#"{"a":1}"#],
            invalid: [#"{"a":"1"}"#]),
        Case(
            #"{"propertyNames":{"maxLength":1}}"#,
            valid: [#"{"a":1}"#],
            invalid: [#"{"ab":1}"#]),
        Case(
            #"{"items":{"type":"integer"}}"#,
            valid: [#"[1,2]"#, #"{}"#],
            invalid: [#"[1,"2"]"#]),
        Case(
            #"{"prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}"#,
            valid: [#"["a",1]"#, #"["a"]"#, #"[]"#],
            invalid: [#"[1]"#, #"["a",1,2]"#]),
        Case(
            #"{"contains":{"type":"integer"}}"#,
            valid: [#"["a",1]"#],
            invalid: [#"["a"]"#, #"[]"#]),
        Case(
            #"{"contains":{"type":"integer"},"minContains":2,"maxContains":3}"#,
            valid: [#"[1,2,"a"]"#],
            invalid: [#"[1]"#, #"[1,2,3,4]"#]),
        Case(
            #"{"contains":{"type":"integer"},"minContains":0}"#,
            valid: [#"[]"#],
            invalid: []),
        Case(
            #"{"minContains":2}"#,
            valid: [#"[]"#],
            invalid: []),
        Case(
            #"{"dependentRequired":{"a":["b"]}}"#,
            valid: [#"{"a":1,"b":2}"#, #"{"b":1}"#],
            invalid: [#"{"a":1}"#]),
        Case(
            #"{"dependentSchemas":{"a":{"required":["b"]}}}"#,
            valid: [#"{"a":1,"b":2}"#, #"{}"#],
            invalid: [#"{"a":1}"#]),
        Case(
            #"{"allOf":[{"minimum":1},{"maximum":3}]}"#,
            valid: [#"2"#],
            invalid: [#"0"#, #"4"#]),
        Case(
            #"{"anyOf":[{"type":"string"},{"minimum":5}]}"#,
            valid: [#""a""#, #"5"#],
            invalid: [#"4"#]),
        Case(
            #"{"oneOf":[{"multipleOf":3},{"multipleOf":5}]}"#,
            valid: [#"3"#, #"5"#],
            invalid: [#"15"#, #"1"#]),
        Case(
            #"{"not":{"type":"string"}}"#,
            valid: [#"1"#],
            invalid: [#""a""#]),
        Case(
            #"{"if":{"properties":{"t":{"const":1}},"required":["t"]},"then":{"required":["a"]},"else":{"required":["b"]}}"#,
            valid: [#"{"t":1,"a":1}"#, #"{"b":1}"#],
            invalid: [#"{"t":1,"b":1}"#, #"{"a":1}"#]),
        Case(
            #"{"then":false}"#,
            valid: [#"1"#],
            invalid: []),
        Case(
            ##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}"##,
            valid: [#""x""#],
            invalid: [#"1"#]),
        Case(
            ##"{"$ref":"#/$defs/a","maxLength":1,"$defs":{"a":{"type":"string"}}}"##,
            valid: [#""x""#],
            invalid: [#""xy""#, #"1"#]),
        Case(
            ##"{"$ref":"#n","$defs":{"a":{"$anchor":"n","type":"string"}}}"##,
            valid: [#""x""#],
            invalid: [#"1"#]),
        Case(
            ##"{"$ref":"#/$defs/a%20b~1c","$defs":{"a b/c":{"type":"string"}}}"##,
            valid: [#""x""#],
            invalid: [#"1"#]),
        Case(
            ##"{"properties":{"next":{"$ref":"#"},"id":{"type":"integer"}},"required":["id"]}"##,
            valid: [#"{"id":1,"next":{"id":2}}"#],
            invalid: [#"{"id":1,"next":{"next":{"id":1}}}"#]),
        Case(
            ##"{"$id":"https://h.example/a.json","$ref":"b.json","$defs":{"i":{"$id":"b.json","$ref":"#/$defs/n","$defs":{"n":{"type":"null"}}}}}"##,
            valid: [#"null"#],
            invalid: [#"1"#]),
        Case(
            ##"{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","maxLength":1,"definitions":{"a":{"type":"string"}}}"##,
            valid: [#""xy""#],
            invalid: [#"1"#]),
        Case(
            #"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":{"type":"integer"}}"#,
            valid: [#"["a",1]"#, #"[]"#],
            invalid: [#"[1]"#, #"["a","b"]"#]),
        Case(
            #"{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"],"c":{"minProperties":2}}}"#,
            valid: [#"{"a":1,"b":1}"#, #"{"c":1,"d":1}"#],
            invalid: [#"{"a":1}"#, #"{"c":1}"#]),
        Case(
            #"true"#,
            valid: [#"1"#],
            invalid: []),
        Case(
            #"false"#,
            valid: [],
            invalid: [#"1"#, #"null"#]),
        Case(
            #"{"format":"email"}"#,
            valid: [#""x""#],
            invalid: []),
    ]

    private func failures(
        _ schema: String, _ value: String, limit: Int = 20, stepLimit: Int = JSONSchema.mostSteps
    ) throws -> [String] {
        var steps = TextPattern.maximumSteps
        return try JSONSchema(parsing: schema)
            .failures(in: JSONValue(parsing: value), limit: limit, patternSteps: &steps, stepLimit: stepLimit).map(\.description)
    }

    private func problem(_ schema: String) -> String? {
        do throws(JSONSchemaError) { _ = try JSONSchema(parsing: schema) } catch { return "\(error)" }
        return nil
    }

    @Test(arguments: cases.indices)
    func `a keyword permits and refuses values as the standard says`(index: Int) throws {
        let row = Self.cases[index]
        for value in row.valid { #expect(try failures(row.schema, value) == [], "\(row.schema) \(value)") }
        for value in row.invalid { #expect(try !failures(row.schema, value).isEmpty, "\(row.schema) \(value)") }
    }

    @Test func `the classes of a pattern have ASCII characters, as in JavaScript`() throws {
        for (pattern, valid, invalid) in [("^\\\\d+$", "12", "\u{661}\u{662}"), ("^\\\\w+$", "a_1", "é"), ("^\\\\D$", "\u{661}", "1")] {
            let schema = #"{"pattern":"\#(pattern)"}"#
            #expect(try failures(schema, JSONValue.string(valid).compactText).isEmpty, "\(pattern)")
            #expect(try !failures(schema, JSONValue.string(invalid).compactText).isEmpty, "\(pattern)")
        }
    }

    @Test func `a failure has the path, the keyword, the expected and the actual value`() throws {
        let schema = #"{"required": ["a"], "properties": {"b": {"items": {"minimum": 2}}, "c": {"anyOf": [{"type": "null"}, {"type": "array"}]}}}"#
        let value = #"{"b": [2, 1, "x", 0], "c": "open-sesame"}"#
        #expect(
            try failures(schema, value) == [
                "$.a: required: expected a value, got nothing", "$.b[1]: minimum: expected >= 2, got 1", "$.b[3]: minimum: expected >= 2, got 0",
                "$.c: anyOf: expected a match of one of 2 schemas, got none: $.c: type: null; $.c: type: array",
            ])
        #expect(try failures(schema, value, limit: 2).count == 2)
    }

    @Test func `an invalid schema is refused with its place`() {
        #expect(problem("{")?.contains("line 1") == true)
        #expect(problem("[]") == "#: a schema must be an object, true or false")
        #expect(problem(#"{"properties": {"a/b": {"type": "strng"}}}"#) == "#/properties/a~1b/type: there is no such type; did you mean string?")
        #expect(problem(#"{"items": {"pattern": "(?=a)"}}"#)?.hasPrefix("#/items/pattern: “(?=a)” is not a regular expression") == true)
        #expect(problem(#"{"minLength": -1}"#) == "#/minLength: minLength must be a whole number from 0 on")
        #expect(problem(#"{"exclusiveMinimum": true}"#) == "#/exclusiveMinimum: exclusiveMinimum must be a number")
        #expect(problem(#"{"multipleOf": 0}"#)?.hasPrefix("#/multipleOf") == true)
        #expect(problem(#"{"required": "a"}"#) == "#/required: required must be a list of names")
        #expect(problem(##"{"$recursiveRef": "#"}"##) == "#/$recursiveRef: $recursiveRef is not supported; write $dynamicRef")
        #expect(problem(#"{"$schema": "http://json-schema.org/draft-04/schema#"}"#)?.hasPrefix("#/$schema: the draft is not supported") == true)
    }

    @Test func `a reference that leads out of the document or to nothing is refused`() {
        #expect(problem(#"{"$ref": "https://h.example/a.json"}"#)?.contains("leads out of the document, and nothing is fetched") == true)
        #expect(problem(##"{"$ref": "#/$defs/a"}"##) == "#/$ref: the reference “#/$defs/a” leads to nothing in the document")
        #expect(problem(##"{"$ref": "#a"}"##) == "#/$ref: the reference “#a” names no $anchor of the document")
    }

    @Test func `a member that no schema describes is named once, by the path of the value`() throws {
        let schema = #"{"allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": false}"#
        #expect(
            try failures(schema, #"{"a": 1, "b": 2}"#) == [
                "$.a: type: expected string, got 1", "$.b: unevaluatedProperties: expected no such member, got 2",
            ])
    }

    @Test(arguments: [##"{"$ref": "#"}"##, ##"{"allOf": [{"$ref": "#"}]}"##])
    func `a schema that refers to itself without end is an error`(schema: String) {
        #expect { try failures(schema, "1") } throws: { "\($0)".contains("nested deeper than 512 schemas") }
    }

    @Test func `references that multiply end with an error`() {
        let levels = (0..<40).map { "\"a\($0)\": {\"allOf\": [{\"$ref\": \"#/$defs/a\($0 + 1)\"}, {\"$ref\": \"#/$defs/a\($0 + 1)\"}]}" }
        let schema = "{\"$ref\": \"#/$defs/a0\", \"$defs\": {\(levels.joined(separator: ", ")), \"a40\": {\"type\": \"integer\"}}}"
        #expect { try failures(schema, "1", stepLimit: 100_000) } throws: { "\($0)".contains("too many steps") }
    }

    @Test(arguments: ["oneOf", "anyOf"])
    func `alternatives that lead to the same schema are evaluated once for each value`(keyword: String) throws {
        let levels = (0..<30).map { "\"a\($0)\": {\"\(keyword)\": [{\"$ref\": \"#/$defs/a\($0 + 1)\"}, {\"$ref\": \"#/$defs/a\($0 + 1)\"}]}" }
        let schema = "{\"items\": {\"$ref\": \"#/$defs/a0\"}, \"$defs\": {\(levels.joined(separator: ", ")), \"a30\": {\"type\": \"string\"}}}"
        let found = try failures(schema, #"["a", 1]"#)
        // A text matches both alternatives of the last level, so none of the level before it.
        #expect(found.map { $0.prefix(4) } == (keyword == "anyOf" ? ["$[1]"] : ["$[0]", "$[1]"]))
        #expect(found.last?.hasPrefix("$[1]: \(keyword): expected a match of") == true && found.last?.contains("none: $[1]: \(keyword)") == true)
    }

    @Test func `a schema nested too deeply is refused`() {
        let schema = String(repeating: #"{"not": "#, count: 101) + "true" + String(repeating: "}", count: 101)
        #expect(problem(schema)?.contains("more than 100 schemas are within each other") == true)
    }
}
