import SortieBase
import Testing

/// Parts of larger documents, such as the schemas of API descriptions.
@Suite struct SchemaPartTests {
    private static let formats: [(String, valid: [String], invalid: [String])] = [
        (
            "date", ["2027-01-31", "2024-02-29", "2000-02-29", "0000-12-31"],
            ["2027-02-29", "1900-02-29", "2027-04-31", "31.01.2027", "2027-1-31", "2027-00-01", "2027-01-00", ""]
        ),
        (
            "date-time", ["2027-01-31T12:00:00Z", "2027-01-31t12:00:00.5+01:00", "2016-12-31T23:59:60z"],
            ["2027-01-31", "2027-01-31 12:00:00Z", "2027-01-31T12:00:00", "2027-01-31T12:00:00Zx", "2027-01-31T24:00:00Z", "2027-01-31T12:00:00.Z"]
        ),
        ("time", ["12:00:00Z", "12:00:00-08:00"], ["12:00", "25:00:00Z", "12:00:00+24:00", "12:00:00+0100"]),
        ("duration", ["P1D", "PT0.5S", "P1Y2M3DT4H5M6S", "P2W"], ["P", "PT", "1D", "P1", "P1S", "PT1D"]),
        (
            "email", ["joe@example.com", "joe+a@x", "\"a b@c\"@x", "joe@[::1]", "jö@x"],
            ["joe", "@x", "a b@x", "joe@-x", "a..b@x", ".a@x", "a.@x", "a@b@x", "a\u{2028}ö@x", "a@", "a@b c", "a@[b c]", "a@ö"]
        ),
        ("idn-email", ["a@ö"], ["a@ö b", "a@"]),
        (
            "hostname", ["example.com", "a", "a--b.1", String(repeating: "a", count: 63)],
            ["", "a_b", "-a", "a-", "a-.b", "a.-b", "a..b", ".a", "a.", "ö", String(repeating: "a", count: 64)]
        ),
        ("ipv4", ["127.0.0.1"], ["127.0.0", "256.0.0.1", "::1"]),
        ("ipv6", ["::1", "2001:db8::1"], ["127.0.0.1", ":::1"]), ("uri", ["https://x/y?z#a", "urn:a"], ["/y", "https://x y", "http://%zz"]),
        ("uri-reference", ["/y", ""], ["\\a"]),
        ("uuid", ["3fa85f64-5717-4562-b3fc-2c963f66afa6"], ["3fa85f6457174562b3fc2c963f66afa6", "3fa85f64-5717-4562-b3fc-2c963f66afag"]),
        ("json-pointer", ["", "/a~0/b~1"], ["a", "/a~2"]), ("byte", ["aGk="], ["a", "ä"]), ("binary", ["\u{0}"], []),
    ]

    @Test("Formats are evaluated in parts of larger documents", arguments: formats)
    func formatsAreEvaluated(format: String, valid: [String], invalid: [String]) throws {
        let schema = try JSONSchema(part: ["format": .string(format)])
        for text in valid { #expect(try failures(schema, .string(text)).isEmpty, "\(text)") }
        for text in invalid { #expect(try failures(schema, .string(text)).map(\.keyword) == ["format"], "\(text)") }
        #expect(try failures(schema, .number("1")).isEmpty)
    }

    @Test func integersHaveTheRangeOfTheirFormat() throws {
        let (small, large) = (try JSONSchema(part: ["format": "int32"]), try JSONSchema(part: ["format": "int64"]))
        #expect(try failures(small, .number("2147483647")).isEmpty)
        #expect(try failures(small, .number("2147483648")).map(\.expected) == ["int32"])
        #expect(try failures(large, .number("9223372036854775807")).isEmpty)
        #expect(try failures(large, .number("9223372036854775808")).map(\.expected) == ["int64"])
    }

    @Test func aWholeDocumentTreatsFormatsAsAnnotations() throws {
        #expect(try failures(JSONSchema(parsing: #"{"format": "date", "x-forbidden": "readOnly", "x-part": 7}"#), "x").isEmpty)
    }

    @Test func aPartAppliesOthersAndNamesThePlaceOfTheSchema() throws {
        let tree: JSONValue = [
            "$comment": "api.yaml:3", "type": "object", "properties": ["next": ["x-part": .number("0")], "id": ["x-part": .number("1")]],
        ]
        let parts = [try JSONSchema(part: tree), try JSONSchema(part: ["$comment": "api.yaml:9", "type": "integer"])]
        var steps = 1000
        let value: JSONValue = ["id": .number("1"), "next": ["id": "a", "next": .number("2")]]
        let found = try parts[0].failures(in: value, limit: 9, patternSteps: &steps) { (number) throws(PatternError) in parts[number] }
        #expect(
            found.map { "\($0) at \($0.comment ?? "")" } == [
                #"$.next.id: type: expected integer, got "a" at api.yaml:9"#, "$.next.next: type: expected object, got 2 at api.yaml:3",
            ])
    }

    @Test func aForbiddenMemberIsNamedByItsKeyword() throws {
        let schema = try JSONSchema(part: ["properties": ["id": ["x-forbidden": "readOnly"]]])
        #expect(try failures(schema, ["id": .number("1")]).map(\.description) == ["$.id: readOnly: expected no value, got 1"])
    }

    private func failures(_ schema: JSONSchema, _ value: JSONValue) throws -> [JSONSchemaFailure] { try schema.failures(in: value) }
}
