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
        ("$[99999999999999999999]", 3, "too large"), ("$.a]", 4, "is not allowed here"), ("$...a", 4, "is not allowed in a name"),
        ("$[01]", 3, "no leading 0"), ("$[-0]", 3, "no leading 0"), ("$[1:-0]", 5, "no leading 0"), ("$[0,]", 5, "is expected"),
        ("$['a\\x']", 5, "escape does not exist"), ("$['\\ud800']", 4, "surrogate"), ("$[?@.a = 1]", 8, "written =="), ("$[?]", 4, "@, $"),
        ("$[?@.a == ]", 11, "is expected"), ("$[?@.* == 1]", 4, "path to one value"), ("$[?1]", 4, "compared with nothing"),
        ("$[?length(@.*) > 1]", 11, "path to one value"), ("$[?count(1) > 1]", 10, "a path is expected"),
        ("$[?lenght(@) > 1]", 4, "did you mean length()?"),
        ("$[?match(@, '(')]", 13, ""), ("$[?match(@, 'a') == true]", 4, "not compared"), ("$[?(@.a]", 8, ") is expected"),
        ("$[?@.a == b]", 11, "'b' in quotes"),
        ("$[?@.a == 01]", 11, "leading 0"), ("$ ", 2, "a step begins"),
    ])
    func `an invalid path is rejected with position and remedy`(path: String, position: Int, words: String) {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(path) }
        #expect(error?.position == position, "\(error?.description ?? "")")
        #expect(words.isEmpty || error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        // RFC 9535 §2.3.4, on the letters a to g.
        ("$[1:3]", "b c"), ("$[5:]", "f g"), ("$[1:5:2]", "b d"), ("$[5:1:-2]", "f d"), ("$[::-1]", "g f e d c b a"), ("$[:2]", "a b"),
        ("$[-2:]", "f g"),
        ("$[0:0]", ""), ("$[1:3:0]", ""), ("$[10:]", ""), ("$[:-10:-1]", "g f e d c b a"), ("$[-1:-3:-1]", "g f"), ("$[ 1 : 5 : 2 ]", "b d"),
        ("$[:]", "a b c d e f g"),
        ("$[0, 3]", "a d"), ("$[0:2, 5]", "a b f"), ("$[0, 0]", "a a"), ("$[2:113667776004:2]", "c e g"),
    ])
    func `a slice or a list of selectors selects items in its order`(path: String, letters: String) throws {
        let value = JSONValue.array("abcdefg".map { .string(String($0)) })
        let wanted = letters.split(separator: " ").map { JSONValue.string(String($0)) }
        #expect(try JSONPath(path).values(in: value) == wanted)
        let selector = try #require(try JSONPath(path).steps.first?.selectors.first)
        guard case .slice(let slice) = selector else { return }
        #expect((0..<7).filter { slice.contains($0, of: 7) } == Array(slice.indices(of: 7)).sorted())
    }

    @Test(
        arguments: [
            // RFC 9535 §2.3.5.3.
            ("$.a[?@.b == 'kilo']", [#"{"b": "kilo"}"#]), ("$.a[?(@.b == 'kilo')]", [#"{"b": "kilo"}"#]), ("$.a[?@>3.5]", ["5", "4", "6"]),
            ("$.a[?@.b]", [#"{"b": "j"}"#, #"{"b": "k"}"#, #"{"b": {}}"#, #"{"b": "kilo"}"#]), ("$[?@.*]", ["A", "O"]), ("$[?@[?@.b]]", ["A"]),
            ("$.o[?@<3, ?@<3]", ["1", "2", "1", "2"]), ("$.a[?@<2 || @.b == \"k\"]", ["1", #"{"b": "k"}"#]),
            ("$.a[?match(@.b, \"[jk]\")]", [#"{"b": "j"}"#, #"{"b": "k"}"#]),
            ("$.a[?search(@.b, \"[jk]\")]", [#"{"b": "j"}"#, #"{"b": "k"}"#, #"{"b": "kilo"}"#]), ("$.o[?@>1 && @<4]", ["2", "3"]),
            ("$.o[?@.u || @.x]", [#"{"u": 6}"#]),
            ("$.a[?@.b == $.x]", ["3", "5", "1", "2", "4", "6"]), ("$.a[?@ == @]", ["3", "5", "1", "2", "4", "6", "J", "K", "E", "L"]),
            ("$.a[?!@.b]", ["3", "5", "1", "2", "4", "6"]), ("$.a[?length(@.b) == 4]", [#"{"b": "kilo"}"#]), ("$[?count(@.*) == 10]", ["A"]),
            ("$.a[?value(@..b) == 'j']", [#"{"b": "j"}"#]), ("$.a[?@.b == {}]", nil), ("$.o[?@ == 1.0]", ["1"]),
            ("$.a[?@.b != 'j' && @.b]", [#"{"b": "k"}"#, #"{"b": {}}"#, #"{"b": "kilo"}"#]),
            ("$.a[?@ >= 'a']", []), ("$.a[?@.b <= 'k']", [#"{"b": "j"}"#, #"{"b": "k"}"#]), ("$.e[?@ == null]", []),
            ("$.a[?match(@.b, 'k')]", [#"{"b": "k"}"#]),
            ("$.a[?match(@.b, @.b)]", [#"{"b": "j"}"#, #"{"b": "k"}"#, #"{"b": "kilo"}"#]), ("$.a[?!(@.b || @ > 2)]", ["1", "2"]),
            ("$.o[?@ == -1e0 || @ == 2E0]", ["2"]),
        ] as [(String, [String]?)])
    func `a filter selects the values for which its expression holds`(path: String, values: [String]?) throws {
        let root = try JSONValue(
            parsing:
                #"{"a": [3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}], "o": {"p": 1, "q": 2, "r": 3, "s": 5, "t": {"u": 6}}, "e": "f"}"#
        )
        guard let values else {
            #expect(throws: JSONPathError.self) { try JSONPath(path) }
            return
        }
        let names = ["A": "$.a", "O": "$.o", "J": "$.a[6]", "K": "$.a[7]", "E": "$.a[8]", "L": "$.a[9]"]
        let wanted = try values.map { try names[$0].map { try #require(try JSONPath($0).first(in: root)).text } ?? $0 }
        #expect(try JSONPath(path).values(in: root).map(\.text) == wanted)
    }

    @Test(arguments: [
        // RFC 9535 §2.3.5.3, comparisons of values that may be absent.
        ("$.absent1 == $.absent2", true), ("$.absent1 <= $.absent2", true), ("$.absent == 'g'", false), ("$.absent1 != $.absent2", false),
        ("$.absent != 'g'", true),
        ("1 <= 2", true), ("1 > 2", false), ("13 == '13'", false), ("'a' <= 'b'", true), ("'a' > 'b'", false), ("$.obj == $.arr", false),
        ("$.obj != $.arr", true),
        ("$.obj == $.obj", true), ("$.obj != $.obj", false), ("$.arr == $.arr", true), ("$.arr == 17", false), ("$.obj <= $.arr", false),
        ("$.obj < $.arr", false),
        ("$.obj <= $.obj", true), ("$.arr <= $.arr", true), ("1 <= $.arr", false), ("1 >= $.arr", false), ("1 > $.arr", false),
        ("true <= true", true), ("true > true", false),
        ("$.absent < 1", false), ("1 < $.absent", false), ("length(1) == $.absent", true), ("'\\u00e9' == 'é'", true),
        ("'\\u00e9' == 'e\\u0301'", false),
    ])
    func `values are compared as RFC 9535 requires`(comparison: String, holds: Bool) throws {
        let root: JSONValue = ["obj": ["x": "y"], "arr": .array([.integer(2), .integer(3)])]
        #expect(try JSONPath("$[?\(comparison)]").values(in: root).count == (holds ? 2 : 0))
    }

    @Test func `white space is allowed between the parts of a path`() throws {
        let text = "$ .items [ ?\n @.id == 2 ||\t@ .id==3 ] [ 'id' ]"
        #expect(try JSONPath(text).values(in: shop).map(\.text) == ["2", "3"])
    }

    @Test(arguments: [
        "$", "$.a.b", "$.items[0].id", "$['odd name'][-1]", "$.a[*]", "$..name", "$..*", "$..['a b']", "$['a\\'b\\\\c\\n']", "$..[0]", "$[1:3]",
        "$[::-1]", "$[0, 'a', *]",
        "$..[0, 1]", "$[?@.a > 1 && (@.b || !@.c)]", "$[?length(@.a) == count($..b)]", "$[?!match(@.x, 'a.*')]", "$[?value(@..x) != null]",
        "$[?@['odd name'] == 'x']",
    ])
    func `the text of a path parses as the same path`(text: String) throws {
        #expect(try JSONPath(text).description == text)
    }

    @Test func `functions within each other are limited`() {
        let error = #expect(throws: JSONPathError.self) { try JSONPath("$[?" + String(repeating: "length(", count: 1000)) }
        #expect(error?.message.contains("within each other") == true)
    }

    @Test(arguments: ["||", "&&"])
    func `the operators of a filter expression are limited`(operation: String) throws {
        let error = #expect(throws: JSONPathError.self) { try JSONPath("$[?@" + String(repeating: operation + "@", count: 1001) + "]") }
        #expect(error?.message.contains("at most 1000 of && and ||") == true)
        let path = try JSONPath("$[?@.a" + String(repeating: operation + "@.a", count: 1000) + "]")
        #expect(try path.values(in: .array([["a": "1"], ["b": "1"]])).count == 1)
    }

    @Test func `the length of a path is limited`() throws {
        let limit = 4 << 20
        let error = #expect(throws: JSONPathError.self) { try JSONPath("$." + String(repeating: "a", count: limit - 1)) }
        #expect(error?.position == limit + 1)
        _ = try JSONPath("$." + String(repeating: "a", count: limit - 2))
    }

    @Test func `the values that a filter tests count, whether it selects them or not`() throws {
        let items = JSONValue.array((0..<100).map { .integer($0) })
        #expect(throws: JSONPathLimit.self) { try JSONPath("$[?@ > 1000]").values(in: items, limit: 99) }
        #expect(try JSONPath("$[?@ > 1000]").values(in: items, limit: 100).isEmpty)
    }

    @Test func `an evaluation ends when its task is cancelled`() async throws {
        let items = JSONValue.array((0..<10_000).map { .integer($0) })
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try JSONPath("$..*").values(in: items).count
        }
        await #expect { try await task.value } throws: { ($0 as? JSONPathLimit)?.isCancelled == true }
    }

    @Test func `the paths inside a filter share the limit of visited values`() throws {
        let items = JSONValue.array((0..<100).map { .integer($0) })
        #expect(throws: JSONPathLimit.self) { try JSONPath("$[?count($[*]) == 100]").values(in: items, limit: 1000) }
    }

    @Test func `the patterns of a path share a budget of steps`() throws {
        let budget = JSONPatternBudget(steps: 1000)
        #expect(try !budget.isFound("a*b", in: String(repeating: "a", count: 100)))
        #expect(throws: PatternError.self) { for _ in 0..<10 { _ = try budget.isFound("a*b", in: String(repeating: "a", count: 100)) } }
        #expect(budget.isExhausted)
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
