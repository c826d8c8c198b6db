import SortieBase
import Support
import Testing
import WorkspaceModel

/// Tests that a value fills only its own place in JSON, property lists, URLs and paths.
@Suite struct TemplateNotationTests {
    private func resolve(_ text: String, as notation: TemplateNotation, _ values: [String: String]) throws -> String {
        try TemplateScope(literals: values, layers: []).resolve(text, as: notation)
    }

    private func problem(_ text: String, as notation: TemplateNotation, _ values: [String: String]) -> String {
        do { return "resolved to \(try resolve(text, as: notation, values))" } catch { return "\(error)" }
    }

    // MARK: JSON

    @Test(arguments: [
        #"a","admin":true,"z":"b"#, #"quote " and \ backslash"#, "line\nbreak\ttab\r\u{1}", "}", "é 你好 👩‍👩‍👧", #"\u0022"#, "", "{{x}}",
    ])
    func `a value inside quotes is that text only`(value: String) throws {
        let text = try resolve(#"{"name": "<{{v}}>", "{{v}}": 1.50}"#, as: .json, ["v": value])
        #expect(
            try JSONValue(parsing: text)
                == .object([.init("name", .string("<\(value)>")), .init(value, .number("1.50"))]))
    }

    @Test func `the author's text is preserved byte for byte`() throws {
        let text = "{ \"b\":1e5 ,\r\n\"a\": [ 01e0, \"\\u00e9\\\"{{v}}\\\\\" ] }"
        #expect(try resolve(text, as: .json, ["v": "x"]) == text.replacing("{{v}}", with: "x"))
    }

    @Test(arguments: ["7", "-1.5e3", "true", "null", #""text""#, #"{"a": [1, 2]}"#, "[]"])
    func `outside quotes a value is one JSON value`(value: String) throws {
        #expect(try resolve(#"{"n": {{v}}}"#, as: .json, ["v": value]) == #"{"n": \#(value)}"#)
        #expect(try resolve("{{v}}", as: .json, ["v": value]) == value)
    }

    @Test(arguments: [#"1,"admin":true"#, "text", "", "1]", "// 1", "1 2"])
    func `outside quotes anything else is rejected with the remedy`(value: String) {
        #expect(
            problem(#"{"n": {{v}}}"#, as: .json, ["v": value])
                == "{{v}} is outside quotes, but its value is not one JSON value; put quotes around it for a text, or write {{v|raw}} to insert it as it is"
        )
    }

    @Test func `raw JSON is inserted unchanged, and replaces a complete string with its quotes`() throws {
        let values = ["n": "7", "members": #""a":1,"b":2"#, "escaped": #"\n"#]
        #expect(try resolve(#"{"n": "{{n|raw}}", "m": "{{n}}"}"#, as: .json, values) == #"{"n": 7, "m": "7"}"#)
        #expect(try resolve("{ {{members|raw}} }", as: .json, values) == #"{ "a":1,"b":2 }"#)
        #expect(try resolve(#"["x{{escaped|raw}}", "{{n|raw}}{{n|raw}}"]"#, as: .json, values) == #"["x\n", "77"]"#)
    }

    @Test(arguments: [#"{"a": "\{{v}}"}"#, #"{"a": "\u00{{v}}"}"#])
    func `a template that continues an escape is rejected`(text: String) {
        #expect(problem(text, as: .json, ["v": #"","admin":"1"#]).hasPrefix("the backslash before {{v}}"))
    }

    // MARK: GraphQL

    @Test(arguments: [#"a") { secret } b(c: ""#, #"quote " and \ backslash"#, "line\nbreak\ttab\u{1}", "}", "é 你好", ""])
    func `a value inside the quotes of a query is that text only`(value: String) throws {
        let text = try resolve(#"{ a(n: "\"<{{v}}>", m: "") }"#, as: .graphQL, ["v": value])
        let string = text.dropFirst("{ a(n: ".count).dropLast(#", m: "") }"#.count)
        #expect(try JSONValue(parsing: String(string)) == .string("\"<\(value)>"))
    }

    @Test(arguments: ["7", "-1.5", "true", "DESC", "_name", #""text""#, "[1, 2]", #"["a"]"#])
    func `outside the quotes of a query a value is a name or one value`(value: String) throws {
        #expect(try resolve("{ a(n: {{v}}) }", as: .graphQL, ["v": value]) == "{ a(n: \(value)) }")
    }

    @Test(arguments: ["1) { secret }", "a b", "", "{x: 1}", #"[{"a": 1}]"#, "# c", "a\nb"])
    func `outside the quotes of a query anything else is rejected with the remedy, and raw inserts it`(value: String) throws {
        #expect(problem("{ a(n: {{v}}) }", as: .graphQL, ["v": value]).hasSuffix("or write {{v|raw}} to insert it as it is"))
        #expect(try resolve("{ a(n: {{v|raw}}) }", as: .graphQL, ["v": value]) == "{ a(n: \(value)) }")
        #expect(try resolve(" {{v}}\n", as: .graphQL, ["v": value]) == " \(value)\n")
    }

    @Test func `a value does not end a block string or a comment of a query`() throws {
        let block = #"{ a(n: """x "y" \"""{{v}}""", m: {{n}}) } # {{c}}"#
        #expect(
            try resolve(block, as: .graphQL, ["v": #"a "b" c"#, "n": "1", "c": "any ) text"])
                == #"{ a(n: """x "y" \"""a "b" c""", m: 1) } # any ) text"#)
        for value in [#"""") { secret }"#, "\"", "\\"] {
            #expect(problem(block, as: .graphQL, ["v": value, "n": "1", "c": ""]).contains("would end the block string"), "\(value)")
        }
        #expect(problem(block, as: .graphQL, ["v": "", "n": "1", "c": "a\nb"]).contains("would end the comment"))
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `random values in a JSON text are parsed back unchanged`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let signs = Array("\"\\{}[]:,\u{0}\n\r\t aé\u{2028}\u{7f}1u/👍")
        for _ in 0..<500 {
            let value = String((0..<Int.random(in: 0..<12, using: &random)).map { _ in signs.randomElement(using: &random) ?? "a" })
            let text = try resolve(#"[{"k{{v}}": "{{v}}"}, "a\\{{v}}\"{{v}}"]"#, as: .json, ["v": value])
            let expected = JSONValue.array([.object([.init("k\(value)", .string(value))]), .string("a\\\(value)\"\(value)")])
            #expect(try JSONValue(parsing: text) == expected, "\(value.debugDescription)")
        }
    }

    // MARK: Property lists

    @Test func `a value in a property list is the text of its element`() throws {
        let values = ["v": "</string><true/>&\"'\r", "data": "a]]>b"]
        #expect(
            try resolve("<string a=\"{{v}}\">{{v}}</string>", as: .propertyList, values)
                == "<string a=\"&lt;/string&gt;&lt;true/&gt;&amp;&quot;&apos;&#13;\">&lt;/string&gt;&lt;true/&gt;&amp;&quot;&apos;&#13;</string>")
        #expect(try resolve("<![CDATA[{{data}}]]>{{v|raw}}", as: .propertyList, values) == "<![CDATA[a]]]]><![CDATA[>b]]>\(values["v"] ?? "")")
        #expect(
            problem("<a>{{v}}</a>", as: .propertyList, ["v": "\u{1}"]) == "the value of {{v}} contains the character U+1, which XML 1.0 forbids")
    }

    // MARK: URLs

    @Test(arguments: [
        ("/orders/{{v}}", "7/../../admin?x=1#f", "/orders/7%2F..%2F..%2Fadmin%3Fx%3D1%23f"),
        ("/orders/{{v}}/x", #"a\b %20;=&"#, "/orders/a%5Cb%20%2520%3B%3D%26/x"), ("{{v}}", "a/b", "a%2Fb"), ("/{{v}}", "", "/"),
        ("/a?q={{v}}&r=1#{{v}}", "1&admin=1#x y", "/a?q=1%26admin%3D1%23x%20y&r=1#1%26admin%3D1%23x%20y"),
        ("/a?{{v}}=1", "é", "/a?%C3%A9=1"), ("{{v}}", "http%3a//evil", "http%253a%2F%2Fevil"), ("/{{v}}", "http://evil/", "/http%3A%2F%2Fevil%2F"),
        ("/a/{{v|raw}}", "b/c?d=1", "/a/b/c?d=1"), ("/a.{{v}}", ".", "/a.."),
    ])
    func `a value in a path or a query is percent-encoded`(text: String, value: String, expected: String) throws {
        #expect(try resolve(text, as: .url, ["v": value]) == expected)
    }

    @Test(arguments: [("/a/{{v}}", ".."), ("/a/{{v}}/b", "."), ("/a/.{{v}}/b", "."), ("/a/{{v}}.", "."), ("/.{{v}}./b", ""), ("/%2e{{v}}?x", ".")])
    func `a value that forms a dot segment is rejected`(text: String, value: String) {
        let sentence = problem(text, as: .url, ["v": value])
        #expect(sentence.contains("which leads to another path; write {{v|raw}} if this is intended"), "\(sentence)")
    }

    @Test(arguments: [
        ("{{base}}/x", "http://h:1/v1/x"), ("http://{{host}}/x", "http://h:1/x"), ("{{scheme}}://{{host}}/{{v}}", "https://h:1/a%2Fb"),
        ("http://{{user}}:{{v}}@{{host}}/", "http://u%40x:a%2Fb@h:1/"), ("http://{{v6}}/", "http://[::1]:8/"), ("{{next}}", "http://h/?p=2#f"),
        ("{{base}}{{path|raw}}", "http://h:1/v1/x/y"),
    ])
    func `scheme, host and base of a URL are inserted unchanged, its user information is encoded`(text: String, expected: String) throws {
        let values = [
            "base": "http://h:1/v1", "host": "h:1", "scheme": "https", "v": "a/b", "user": "u@x", "v6": "[::1]:8", "next": "http://h/?p=2#f",
            "path": "/x/y",
        ]
        #expect(try resolve(text, as: .url, values) == expected)
    }

    @Test(arguments: [
        ("http://{{v}}.example/", "evil/"), ("http://{{v}}.example/", "evil?"), ("http://{{v}}.example/", "evil#"),
        ("http://{{v}}.example/", "a@evil"),
        ("http://{{v}}.example/", #"evil\"#), ("http://{{v}}.example/", "evil x"), ("{{v}}://x/", "http://evil/?"), ("{{v}}/x", "http://evil/#"),
    ])
    func `a value that would end the host is rejected`(text: String, value: String) {
        let sentence = problem(text, as: .url, ["v": value])
        #expect(sentence.hasPrefix("the value of {{v}} "), "\(sentence)")
    }

    @Test func `a proxy begins with its user information`() throws {
        let values = ["u": "a@b", "p": "1/2", "host": "proxy:3128", "url": "socks5://a:b@proxy:1"]
        #expect(try resolve("{{u}}:{{p}}@{{host}}", as: .proxy, values) == "a%40b:1%2F2@proxy:3128")
        #expect(try resolve("{{url}}", as: .proxy, values) == "socks5://a:b@proxy:1")
        #expect(try resolve("{{host}}", as: .proxy, values) == "proxy:3128")
    }

    // MARK: Files and patterns

    @Test func `a value in the path of a file does not lead out of its folder`() throws {
        let values = ["v": "../secret", "ok": "a/b..c", "dots": "..", "nul": "a\0b", "folder": "../shared"]
        #expect(try resolve("/w/{{ok}}.bin", as: .filePath, values) == "/w/a/b..c.bin")
        #expect(try resolve("{{folder}}/x", as: .filePath, values) == "../shared/x")
        #expect(try resolve("/w/{{v|raw}}", as: .filePath, values) == "/w/../secret")
        for text in ["/w/{{v}}", "/w/a{{v}}/{{v}}", "/w/{{dots}}"] {
            #expect(problem(text, as: .filePath, values).contains("leads out of the folder"), "\(text)")
        }
        #expect(problem("{{nul}}", as: .filePath, values).contains("NUL"))
    }

    @Test func `a value in a regular expression matches literally`() throws {
        let pattern = try resolve("^{{v}}$", as: .pattern, ["v": "a.b*(c)[d]{1}|\\^$?+"])
        #expect(try Regex(pattern).wholeMatch(in: "a.b*(c)[d]{1}|\\^$?+") != nil)
        #expect(try resolve("^{{v|raw}}$", as: .pattern, ["v": ".*"]) == "^.*$")
    }
}
