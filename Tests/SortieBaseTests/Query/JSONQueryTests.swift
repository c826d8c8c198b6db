import SortieBase
import Testing

struct JSONQueryTests {
    private static let shop =
        #"{"items":[{"id":1,"price":5,"title":"a","tags":["x","y"]},{"id":2,"price":15,"title":"b"},{"id":3,"price":25,"title":"c","tags":[]}],"name":"shop","n":null}"#

    /// The results of a query, one a line, and the failure at the end.
    private func results(_ query: String, _ json: String = shop, many: Bool = false, memory: Int = JSONQuery.memoryLimit) throws -> [String] {
        let query = try JSONQuery(query)
        var output: [UInt8] = []
        var failure: String?
        Array(json.utf8).withUnsafeBytes { bytes in
            do throws(JSONEvaluationError) {
                try query.run(on: bytes, hasManyValues: many, memoryLimit: memory, isStopped: { false }) { (piece, _) throws(JSONEvaluationError) in
                    output += piece
                }
            } catch {
                if case .failed(let sentence, let position) = error { failure = "\(position ?? 0): \(sentence)" } else { failure = "stopped" }
            }
        }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init) + (failure.map { [$0] } ?? [])
    }

    @Test(arguments: [
        (".", [shop]), (".name", [#""shop""#]), ("  .name ", [#""shop""#]), (".items[].id", ["1", "2", "3"]), (".items[1:] | map(.id)", ["[2, 3]"]),
        (".items[] | select(.price > 10) | {id, title}", [#"{"id": 2, "title": "b"}"#, #"{"id": 3, "title": "c"}"#]),
        (".items[] | {id, title} | select(.id > 2)", [#"{"id": 3, "title": "c"}"#]), (".items[-1].id", ["3"]), (".foo.bar", ["null"]),
        (".[\"name\"], .\"n\"", [#""shop""#, "null"]), (".items | map(.price) | add", ["45"]), (".items | length", ["3"]), (".name | length", ["4"]),
        (".items[0] | keys", [#"["id", "price", "tags", "title"]"#]), (".items[0] | keys_unsorted", [#"["id", "price", "title", "tags"]"#]),
        (".items | sort_by(-.price) | .[0].id", ["3"]), (".items | sort_by(.price) | map(.id) | reverse", ["[3, 2, 1]"]),
        ("[.items[].price] | min, max", ["5", "25"]),
        (".items | group_by(.price > 10) | map(length)", ["[1, 2]"]), (".items | unique_by(.price > 10) | length", ["2"]), (".name.x?", []),
        (".items[] | .tags // \"none\"", [#"["x","y"]"#, #""none""#, "[]"]), (#""\(.name)-\(.items | length)""#, [#""shop-3""#]),
        ("first(.items[].id)", ["1"]),
        ("[limit(2; .items[].id)]", ["[1, 2]"]), ("[range(3)], [range(1; 3)]", ["[0, 1, 2]", "[1, 2]"]),
        (".. | numbers", ["1", "5", "2", "15", "3", "25"]),
        (".items[] | if .price > 20 then \"high\" elif .price > 10 then \"middle\" else \"low\" end", [#""low""#, #""middle""#, #""high""#]),
        (".items[0] | to_entries | map(.key)", [#"["id", "price", "title", "tags"]"#]),
        (".items[0] | with_entries(select(.key != \"tags\"))", [#"{"id": 1, "price": 5, "title": "a"}"#]),
        ("[.items[].title] | join(\"-\")", [#""a-b-c""#]), (".items | map(has(\"tags\"))", ["[true, false, true]"]),
        (".items | any(.price > 20), all(.price > 20)", ["true", "false"]),
        ("{a: .items[].id}", [#"{"a": 1}"#, #"{"a": 2}"#, #"{"a": 3}"#]), (#".items[] | .title | test("^[AB]$"; "i")"#, ["true", "true", "false"]),
        ("1 + 2 * 3 - 4 / 2, 7 % 4", ["5", "3"]), (".name == \"shop\" and .n == null or false", ["true"]),
        ("[.[] | type]", [#"["array", "string", "null"]"#]),
        (".items[0].price | -. , . / 2", ["-5", "2.5"]), (".name | ascii_upcase | split(\"H\")", [#"["S", "OP"]"#]),
        (".items[0].tags | contains([\"x\"])", ["true"]),
        ("[[1, [2]], 3] | flatten, flatten(1)", ["[1, 2, 3]", "[1, [2], 3]"]),
        ("[3, 1, 2, 1] | sort, unique, first, last", ["[1, 1, 2, 3]", "[1, 2, 3]", "3", "1"]),
        ("(.items[0], .items[1]).id", ["1", "2"]), (".items[] | select(.tags | not) | .id", ["2"]), (".items | map_values(.id)", ["[1, 2, 3]"]),
        ("empty", []),
        ("{\"k\\(.name)\": 1, (.name): 2}", [#"{"kshop": 1, "shop": 2}"#]), ("[\"a\", null] | map(values)", [#"["a"]"#]),
        ("\"12\" | tonumber + 1", ["13"]), (".n | tostring", [#""null""#]),
        (#""{\"a\": [1, null]}" | fromjson | .a"#, ["[1, null]"]), (#"["1", "no", "\"t\""] | map(fromjson?)"#, [#"[1, "t"]"#]),
        ("{} + {\"a\": 1} | to_entries | from_entries", [#"{"a": 1}"#]),
        ("\"abc\" | startswith(\"a\"), endswith(\"a\"), .[1:]", ["true", "false", #""bc""#]),
        ("$.items[?@.price > 10].title", [#""b""#, #""c""#]), (" $.items[::-1].id ", ["3", "2", "1"]), ("$..id", ["1", "2", "3"]),
        ("$.items[?@.id == $.items[1].id].id", ["2"]),
        ("$..[?@.id > 1].id", ["2", "3"]), ("$.items[?@.id > 1] | {id} | $.id", ["2", "3"]), ("[$.items[*].id] | length", ["3"]),
        ("$.items[0].tags[-1]", [#""y""#]), ("$.items[0:2].id", ["1", "2"]), ("$['na\\u006de']", [#""shop""#]),
    ])
    func `a query gives its results in order`(query: String, wanted: [String]) throws {
        #expect(try results(query) == wanted)
    }

    @Test(arguments: [
        ("", 1, "write a JSON path"), (".items |", 9, "incomplete"), (".items[", 7, "not closed"), ("foo", 1, "there is no function foo"),
        ("lenght", 1, "did you mean length?"),
        ("select(", 8, "incomplete"), (".a = 1", 4, "equality is written =="), ("select()", 8, "not allowed here"), ("map", 1, "map has 1 argument"),
        ("length(1)", 1, "no arguments"),
        ("{a", 1, "not closed"), ("{a b}", 4, ", or } is expected"), ("{(.a)}", 6, ": and a value"), ("[1, 2", 1, "not closed"),
        ("\"a", 1, "quote is not closed"), (".a.1", 4, "begin with a digit"),
        ("$.items[", 8, "not closed"), ("  $.items[?", 12, "incomplete"), ("$x", 2, "begins with . or ["),
        (". | $x", 6, "begins with . or ["), ("reduce .a", 1, "not supported"),
        ("if . then 1", 12, "end is expected"), (".[a]", 3, "an index"), ("test(\"(\")", 1, ""), ("1 2", 3, "continues a filter"),
        (".a)", 3, "not allowed here"),
    ])
    func `an invalid query is rejected with the position and the remedy`(query: String, position: Int, words: String) {
        let error = #expect(throws: JSONQueryError.self) { try JSONQuery(query) }
        #expect(error?.position == position, "\(error?.description ?? "")")
        #expect(words.isEmpty || error?.message.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (".name.x", "6: cannot read .x of a string; ? after it ignores that"),
        (".items.id", "7: cannot read .id of an array; ? after it ignores that"),
        (".name[]", "6: cannot list the values of a string; ? after it ignores that"),
        (".name | sort", "9: sort needs an array, not a string; ? after it ignores that"),
        ("1 / 0", "2: a number is divided by 0; ? after it ignores that"),
        (".name - 1", "6: cannot calculate a string - a number; ? after it ignores that"),
    ])
    func `an operation that a value does not permit ends the results with its position`(query: String, failure: String) throws {
        #expect(try results(query) == [failure])
        #expect(try results("(\(query))?") == [])
    }

    @Test func `results before a failure are kept`() throws {
        #expect(try results(".[] | .a", #"[{"a":1},{"a":2},3]"#) == ["1", "2", "7: cannot read .a of a number; ? after it ignores that"])
        #expect(try results(".[]", "[1,2,x]") == ["1", "2", "0: the body is not JSON at byte 5; the result is incomplete"])
    }

    @Test func `a query is evaluated for each value of a sequence`() throws {
        #expect(try results(".a", "{\"a\":1}\n\n{\"a\":2}\n", many: true) == ["1", "2"])
        #expect(try results("$.a", "{\"a\":1}\n{\"b\":2}\n", many: true) == ["1"])
        #expect(try results(".", " ") == ["0: there is no value"])
    }

    @Test func `values that are needed at the same time are limited, and those that are passed on are not`() throws {
        let numbers = "[" + (1...10_000).map(String.init).joined(separator: ",") + "]"
        let failure = try #require(try results("sort_by(-.)", numbers, memory: 100_000).last)
        #expect(failure.contains("of values are needed at the same time; select fewer of them"))
        #expect(try results(".[]", numbers, memory: 1000).count == 10_000)
        #expect(try results(".[] | [., .]", numbers, memory: 1000).count == 10_000)
    }

    @Test func `the first results are known before the rest of the text is read`() throws {
        var pieces = 0
        let query = try JSONQuery("$..id")
        Array(#"{"items":[{"id":1},{"id":2},BROKEN"#.utf8).withUnsafeBytes { bytes in
            _ = #expect(throws: JSONEvaluationError.self) {
                try query.run(on: bytes, hasManyValues: false, isStopped: { false }) { (_, _) throws(JSONEvaluationError) in pieces += 1 }
            }
        }
        #expect(pieces == 4)
    }

    @Test func `a query stops where its consumer does, and when it is cancelled`() throws {
        var seen = 0
        let query = try JSONQuery(".[]")
        let numbers = Array(("[" + String(repeating: "\"aaaaaaaaaaaaaaa\",", count: 100_000) + "1]").utf8)
        numbers.withUnsafeBytes { bytes in
            #expect(throws: JSONEvaluationError.stopped) {
                try query.run(on: bytes, hasManyValues: false, isStopped: { false }) { (_, _) throws(JSONEvaluationError) in
                    seen += 1
                    if seen == 3 { throw .stopped }
                }
            }
            #expect(throws: JSONEvaluationError.stopped) {
                try query.run(on: bytes, hasManyValues: false, isStopped: { true }) { (_, _) throws(JSONEvaluationError) in }
            }
        }
        #expect(seen == 3)
    }

    @Test func `deep values are an error instead of a crash`() throws {
        let deep = String(repeating: "[", count: 9000) + String(repeating: "]", count: 9000)
        for query in ["$..[0]", "..", "$..*"] { #expect(try results(query, deep).last?.contains("nested deeper than 512 levels") == true) }
        #expect(throws: JSONQueryError.self) { try JSONQuery(String(repeating: "(", count: 5000)) }
        #expect(throws: JSONQueryError.self) { try JSONQuery("$" + String(repeating: "[?@", count: 5000)) }
    }

    @Test func `an index of the least integer is an error instead of a crash`() {
        #expect(throws: JSONQueryError.self) { try JSONQuery(".[\(Int.min)]") }
    }

    @Test(arguments: ["-nan", "-", "01", "1.", "1e", "-e", "1a"])
    func `a text that only resembles a number is not used as one`(number: String) throws {
        for query in ["[limit(.; 1, 2)]", ". + 1", "range(.)"] {
            #expect(try results(query, number) == ["0: the body is not JSON at byte 0; the result is incomplete"])
        }
        #expect(try results(". + 1", "-1.5e+1") == ["-14"])
    }

    @Test func `flatten of deep arrays is an error instead of a crash`() throws {
        let deep = String(repeating: "[", count: 9000) + String(repeating: "]", count: 9000)
        #expect(try results("flatten", deep).last?.contains("nested deeper than 512 levels") == true)
    }

    @Test(arguments: [
        String(repeating: "-", count: 5000) + "1", "1" + String(repeating: "//1", count: 2000),
        "if 1 then 2" + String(repeating: " elif 1 then 2", count: 500) + " end",
    ])
    func `terms within each other are limited`(query: String) {
        let error = #expect(throws: JSONQueryError.self) { try JSONQuery(query) }
        #expect(error?.message == "more than 100 terms are within each other")
    }

    @Test(arguments: ["+1", ",1", "*1", "?", "[]", " or 1", " and 1"])
    func `the operators of a filter are limited`(operation: String) throws {
        let error = #expect(throws: JSONQueryError.self) { try JSONQuery("1" + String(repeating: operation, count: 1001)) }
        #expect(error?.message.contains("at most 1000 operators") == true)
        _ = try JSONQuery("1" + String(repeating: operation, count: 1000))
    }

    @Test func `the length of a filter is limited`() {
        let error = #expect(throws: JSONQueryError.self) { try JSONQuery("." + String(repeating: " ", count: 10_000)) }
        #expect(error?.position == 10_001)
        #expect(error?.message.contains("at most 10000 characters") == true)
    }

    @Test(arguments: [
        "1" + String(repeating: "+1", count: 500), "." + String(repeating: "[0]?", count: 450),
        [String](repeating: "1" + String(repeating: "+1", count: 45), count: 20).joined(separator: "|"),
    ])
    func `a long chain of operators ends with an error instead of a crash`(query: String) throws {
        #expect(try results(query).last?.contains("more than 400 terms of the filter depend on each other") == true)
    }

    @Test(arguments: [". + .", "[., .]", "{a: ., b: .}", "\"\\(.)\\(.)\"", "[., .] | join(\"\")", "tojson | tojson"])
    func `values that a filter makes count against the memory limit`(doubling: String) throws {
        let query = "\"a long text of 32 characters. ...\" | " + [String](repeating: doubling, count: 40).joined(separator: " | ") + " | length"
        #expect(try results(query, memory: 1_000_000).last?.contains("of values are needed at the same time") == true)
    }

    @Test(arguments: ["range(1e15) | empty", "last(range(1e15))", "range(1e16; 1e17) | empty"])
    func `an evaluation without results stops when it is cancelled`(query: String) throws {
        let query = try JSONQuery(query)
        var checks = 0
        Array("1".utf8).withUnsafeBytes { bytes in
            _ = #expect(throws: JSONEvaluationError.stopped) {
                try query.run(
                    on: bytes, hasManyValues: false,
                    isStopped: {
                        checks += 1
                        return checks == 10
                    }
                ) { (_, _) throws(JSONEvaluationError) in }
            }
        }
        #expect(checks == 10)
    }

    @Test func `a range of numbers beyond the exact integers ends`() throws {
        #expect(try results("[range(10000000000000000; 10000000000000004)] | length") == ["4"])
    }

    @Test func `a path over the text of a body finds what a path over its value finds`() throws {
        let text = #"{"a":[{"b":1,"c\u0064":[1,2,{"b":2}]},{"b":"x\"y"}],"b":{"b":null},"":0,"é":true}"#
        let value = try JSONValue(parsing: text)
        for path in [
            "$", "$.a[*].b", "$..b", "$.a[0]['cd'][2].b", "$['']", "$.é", "$.a[-1]", "$.a[1:]", "$..[0]", "$..*", "$.a[?@.b]", "$.b.b", "$.nothing",
            "$.a[0].*[0]",
        ] {
            var found: [String] = []
            for line in try results(path, text) { found.append(try JSONValue(parsing: line).text) }
            #expect(found.sorted() == (try JSONPath(path).values(in: value).map(\.text).sorted()), "\(path)")
        }
    }

    /// The results of a query on a text that arrives in two parts, after the first one and after both.
    private func results(_ query: String, _ first: String, then rest: String) throws -> [[String]] {
        let query = try JSONQuery(query)
        var (output, end) = ([UInt8](), 0)
        return try [(first, false), (first + rest, true)].map { text, isComplete in
            try Array(text.utf8).withUnsafeBytes { bytes in
                end = try query.run(on: bytes, hasManyValues: true, from: end, isComplete: isComplete, isStopped: { false }) {
                    (piece, _) throws(JSONEvaluationError) in output += piece
                }
            }
            return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    @Test(arguments: [
        ("{\"a\":1}\n{\"a\":", "2}\n", ["1"], ["1", "2"]),
        ("{\"a\":1}", "\n", ["1"], ["1"]), ("{\"a\":1}", "{\"a\":2}", ["1"], ["1", "2"]), ("", "{\"a\":1}", [], ["1"]),
        ("{\"a\":1}\n", "", ["1"], ["1"]),
        ("{\"a\":[1,2", ",3]}", [], ["[1,2,3]"]),
    ])
    func `a query of values that arrive takes each one once it is whole`(first: String, rest: String, before: [String], after: [String]) throws {
        #expect(try results(".a", first, then: rest) == [before, after])
    }

    @Test func `a number at the end of what has arrived may go on`() throws {
        #expect(try results(".", "1\n2", then: "3\n") == [["1"], ["1", "23"]])
    }
}
