import SortieBase
import Testing

struct JSONPathTests {
    private let shop: JSONValue = [
        "items": .array([["id": .integer(1), "tags": .array(["a", "b"])], ["id": .integer(2), "odd name": "x"], ["id": .integer(3)]]),
        "id": "root", "it's": true, "302": nil,
    ]

    @Test(arguments: [
        ("$.id", ["\"root\""]), ("$.items[0].id", ["1"]), ("$.items[-1].id", ["3"]), ("$['items'][1]['odd name']", ["\"x\""]),
        ("$[\"id\"]", ["\"root\""]), ("$.items[*].id", ["1", "2", "3"]), ("$.items.*.id", ["1", "2", "3"]), ("$..id", ["\"root\"", "1", "2", "3"]),
        ("$.items[0]..*", ["1", "[\"a\", \"b\"]", "\"a\"", "\"b\""]), ("$..['odd name']", ["\"x\""]), ("$..tags[0]", ["\"a\""]),
        ("$['it\\'s']", ["true"]), ("$.302", ["null"]), ("$.items[3]", []), ("$.items[-4]", []), ("$.nothing.at.all", []), ("$.id[0]", []),
        ("$.items.id", []), ("$.items[ 0 ].id", ["1"]),
    ])
    func `a path finds its values in the order of the document`(path: String, values: [String]) throws {
        #expect(try JSONPath(path).values(in: shop).map(\.text) == values)
    }

    @Test func `descendants are listed with parents first`() throws {
        let value: JSONValue = ["a": ["n": .integer(1), "b": ["n": .integer(2)]], "n": .integer(3)]
        #expect(try JSONPath("$..n").values(in: value).map(\.text) == ["3", "1", "2"])
    }

    @Test func `the root is a valid path`() throws {
        #expect(try JSONPath("$").values(in: shop) == [shop])
    }

    @Test func `a path with several matches gives a list and a singular path gives its value`() throws {
        #expect(try JSONPath("$.items[*].id").result(in: shop)?.text == "[1, 2, 3]")
        #expect(try JSONPath("$.nothing[*]").result(in: shop) == .array([]))
        #expect(try JSONPath("$.nothing").result(in: shop) == nil)
        #expect(try JSONPath("$.id").result(in: shop) == "root")
    }

    @Test(arguments: [
        ("", 1, "write $ for the whole value"), ("id", 1, "write $.id"), ("[0]", 1, "write $[0]"), ("$.", 3, "missing after the dot"),
        ("$.a.", 5, "missing after the dot"), ("$.odd name", 6, "a step begins with . or ["), ("$.'a'", 3, "['odd name']"),
        ("$[", 2, "not closed"), ("$[0", 2, "not closed"), ("$['a", 3, "quote ' is not closed"), ("$[a]", 3, "name in quotes"),
        ("$[0:2]", 4, "slices"), ("$[:2]", 3, "slices"), ("$[0,1]", 4, "lists of steps"), ("$[?(@.a)]", 3, "filters"),
        ("$[99999999999999999999]", 3, "too large"), ("$.a]", 4, "is not allowed here"), ("$...a", 4, "is not allowed in a name"),
    ])
    func `an invalid path is rejected with position and remedy`(path: String, position: Int, words: String) {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(path) }
        #expect(error?.position == position)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: ["$", "$.a.b", "$.items[0].id", "$['odd name'][-1]", "$.a[*]", "$..name", "$..*", "$..['a b']", "$['a\\'b\\\\c\\n']", "$..[0]"])
    func `the text of a path parses as the same path`(text: String) throws {
        #expect(try JSONPath(text).description == text)
    }

    @Test func `the last of duplicate keys counts`() throws {
        #expect(try JSONPath("$.a").values(in: JSONValue(parsing: #"{"a":1,"a":2}"#)) == [.number("2")])
    }

    @Test func `a path that visits too many values of a deep body is an error with the number`() throws {
        let body = try JSONValue(parsing: String(repeating: "[", count: 500) + String(repeating: "]", count: 500))
        #expect(try JSONPath("$..*").values(in: body).count == 499)
        let error = #expect(throws: JSONPathLimit.self) { try JSONPath("$..*..*..*..*").values(in: body, limit: 10_000) }
        #expect(error?.description.contains("visits more than 10000 values") == true)
    }
}
