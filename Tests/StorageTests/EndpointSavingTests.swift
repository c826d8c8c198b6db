import Foundation
import SortieHTTP
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests that saving changes only the bytes of changed parts.
@Suite struct EndpointSavingTests {
    static let text = """
        # An endpoint that people have written comments into.
        method:   GET   # spaces stay
        owner: somebody # a key that nobody knows

        path: "/orders"
        query:
          # the first page
          page: 1      # from 1
          size: '20'
        # headers follow
        headers:
          - name: A
            value: "1"
            note: unknown
          - {name: B, value: 2, enabled: true}  # second
        body:
          json:
            id: 1   # number
            tags: [a, "b"]
            nested: {deep: {x: 1}}
        expect: {status: 200, under: 500ms}
        variables: {n: 1}
        text: |
          # not a comment
          kept

        """

    /// The lines that saving a change removes and adds.
    private func difference(of text: String = Self.text, _ change: (inout Endpoint) -> Void) throws -> [String] {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": text])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        change(&endpoint)
        let saved = try workspace.save(endpoint, replacing: original)
        let result = try workspace.read("shop/a.yaml")
        #expect(try workspace.load().endpoint("shop/a") == saved)
        let old = text.split(separator: "\n", omittingEmptySubsequences: false)
        let new = result.split(separator: "\n", omittingEmptySubsequences: false)
        return new.difference(from: old).map {
            switch $0 {
            case .remove(_, let line, _): "-" + line
            case .insert(_, let line, _): "+" + line
            }
        }
    }

    @Test func `saving without an edit changes nothing`() throws {
        #expect(try difference { _ in } == [])
    }

    @Test func `a changed value changes one line and keeps its comment`() throws {
        #expect(try difference { $0.method = .post } == ["-method:   GET   # spaces stay", "+method:   POST   # spaces stay"])
    }

    @Test func `the quotes of a changed value are kept`() throws {
        #expect(try difference { $0.path = "/a" } == ["-path: \"/orders\"", "+path: \"/a\""])
        #expect(try difference { $0.query[1].value = "it's" } == ["-  size: '20'", "+  size: 'it''s'"])
    }

    @Test func `a value that would change its type without quotes gets quotes`() throws {
        #expect(try difference { $0.query[0].value = "a: b" }.last == "+  page: \"a: b\"      # from 1")
        #expect(try difference { $0.query[0].value = "" }.last == "+  page: \"\"      # from 1")
        #expect(try difference { $0.query[0].value = "{{x}}" }.last == "+  page: \"{{x}}\"      # from 1")
        #expect(try difference { $0.query[0].value = "a\nb" }.last == "+  page: \"a\\nb\"      # from 1")
    }

    @Test func `every option is written in its place, and removed again`() throws {
        let lines = try difference {
            $0.version = .http1
            $0.redirects = 0
            $0.compression = false
            $0.cookies = false
            $0.interface = "eth0"
            $0.priority = .high
            $0.traffic = .background
            $0.cache = CacheSetting(lifetime: .seconds(60))
            $0.retry = RetryPolicy(limit: 2, parksWhenOffline: true)
        }
        #expect(lines.allSatisfy { $0.hasPrefix("+") })
        for line in [
            "+http: 1.1", "+redirects: 0", "+compression: false", "+cookies: false", "+interface: eth0", "+priority: high",
            "+traffic: background", "+cache: 60s",
        ] {
            #expect(lines.contains(line), "\(line) in \(lines)")
        }
        let text = "path: /\nhttp: 2   # prior knowledge\nredirects: 3\ncookies: false\n"
        #expect(try difference(of: text) { $0.version = nil } == ["-http: 2   # prior knowledge"])
        #expect(try difference(of: text) { $0.redirects = 4 } == ["-redirects: 3", "+redirects: 4"])
    }

    @Test func `S2.61 the place and the policy of the cache are written, and its short form is kept where it suffices`() throws {
        let full = CacheSetting(lifetime: .seconds(300), isOnDisk: true, policy: .cacheElseLoad, tag: "{{user}}")
        let text = "path: /\nvariables: {user: ann}\ncache: 60s   # a minute\n"
        #expect(try difference(of: text) { $0.cache?.lifetime = .seconds(5) } == ["-cache: 60s   # a minute", "+cache: 5s   # a minute"])
        let lines = try difference(of: text) { $0.cache = full }
        #expect(lines.first == "-cache: 60s   # a minute" && lines.count > 1)
        let workspace = try TemporaryWorkspace(["shop/a.yaml": text])
        var endpoint = try #require(try workspace.load().endpoint("shop/a"))
        let original = endpoint
        endpoint.cache = full
        try workspace.save(endpoint, replacing: original)
        #expect(try workspace.load().endpoint("shop/a")?.cache == full)
        let long = "path: /\ncache: {on: disk}   # a minute\n"
        #expect(try TemporaryWorkspace.endpoint(long)?.cache == CacheSetting(isOnDisk: true))
        #expect(try difference(of: long) { $0.name = "A" }.filter { $0.contains("cache") } == [])
        #expect(try difference(of: long) { $0.cache = nil } == ["-cache: {on: disk}   # a minute"])
    }

    @Test func `the limits and the digest of a download are written and read, and the notation of the rate is kept`() throws {
        let digest = String(repeating: "0a", count: 32)
        let text = "path: /\ndownload: {to: out/, limitRate: 2MB, onExists: fail}   # slow\n"
        let settings = try #require(try TemporaryWorkspace.endpoint(text)?.download)
        #expect(settings.rateLimit == 2_000_000 && settings.collision == .fail && settings.digest == nil)
        let lines = try difference(of: text) { $0.download?.digest = FileDigest(hexadecimal: digest) }
        #expect(lines.contains { $0.hasPrefix("+") && $0.contains("limitRate: 2MB") && $0.contains(digest) }, "\(lines)")
    }

    @Test func `a header field with the value null is removed, and stays removed when others are saved`() throws {
        let text = "path: /\nheaders:\n  Accept:   # not this one\n  X-A: 1\n  User-Agent: null\n"
        let workspace = try TemporaryWorkspace(["shop/a.yaml": text])
        let endpoint = try #require(try workspace.load().endpoint("shop/a"))
        #expect(endpoint.removedHeaders == ["Accept", "User-Agent"])
        #expect(endpoint.headers == [Parameter("X-A", "1")])
        #expect(try difference(of: text) { $0.headers[0].value = "2" } == ["-  X-A: 1", "+  X-A: 2"])
        #expect(try difference(of: text) { $0.removedHeaders = ["Accept"] } == ["-  User-Agent: null"])
        #expect(try difference(of: "path: /\n") { $0.removedHeaders = ["Accept"] }.last?.contains("Accept: null") == true)
        let list = "path: /\nheaders:\n  - {name: A, value: null}\n  - {name: B, value: 1}\n"
        #expect(try difference(of: list) { $0.headers[0].value = "2" }.last?.contains("value: 2") == true)
    }

    @Test func `only the time limits of the endpoint itself are written`() throws {
        let one = try difference(of: "path: /\n") { $0.timeouts = Timeouts(idle: .seconds(5)) }
        #expect(one.joined().contains("idle: 5s"))
        #expect(!one.joined().contains("connect"))
        let two = try difference(of: "path: /\ntimeout: {idle: 5s}  # short\n") { $0.timeouts?.total = nil }
        #expect(two == ["-timeout: {idle: 5s}  # short", "+timeout: {idle: 5s, total: none}  # short"])
        let three = try difference(of: "path: /\ntimeout: {idle: 5s}\n") { $0.timeouts?.total = .seconds(60) }
        #expect(three == ["-timeout: {idle: 5s}", "+timeout: {idle: 5s, total: 60s}"], "the default, but set")
        let four = try difference(of: "path: /\ntimeout: {idle: 5s, total: 60s}\n") { $0.timeouts = Timeouts(idle: .seconds(5)) }
        #expect(four == ["-timeout: {idle: 5s, total: 60s}", "+timeout: {idle: 5s}"])
        let same = try difference(of: "path: /\ntimeout: {connect: 10s}\n") { $0.method = .put }
        #expect(!same.contains { $0.contains("timeout") }, "limits equal to the defaults stay as they are written")
    }

    @Test func `an added row follows the others`() throws {
        #expect(try difference { $0.query.append(Parameter("q", "x")) } == ["+  q: x"])
        #expect(try difference { $0.headers.append(Parameter("C", "3")) } == ["+  - {name: C, value: 3}"])
    }

    @Test func `a deleted row removes its line and no comment of another`() throws {
        #expect(try difference { $0.query.remove(at: 0) } == ["-  page: 1      # from 1"])
        #expect(try difference { $0.headers.remove(at: 1) } == ["-  - {name: B, value: 2, enabled: true}  # second"])
        #expect(try difference { $0.headers.remove(at: 0) } == ["-    note: unknown", "-    value: \"1\"", "-  - name: A"])
    }

    @Test func `a disabled row keeps unknown keys and comments`() throws {
        #expect(try difference { $0.headers[0].isEnabled = false } == ["+    enabled: false"])
        #expect(
            try difference { $0.headers[1].isEnabled = false } == [
                "-  - {name: B, value: 2, enabled: true}  # second", "+  - {name: B, value: 2, enabled: false}  # second",
            ])
    }

    @Test func `a mapping with a disabled row becomes a list and keeps its comments`() throws {
        #expect(
            try difference { $0.query[0].isEnabled = false } == [
                "-  size: '20'", "-  page: 1      # from 1", "+  - {name: page, value: 1, enabled: false}      # from 1",
                "+  - {name: size, value: 20}",
            ])
    }

    @Test func `a change deep in JSON changes only that value`() throws {
        let changes = try difference {
            guard case .json(let text) = $0.body else { return }
            $0.body = .json(text.replacing("\"x\": 1", with: "\"x\": 2").replacing("\"id\": 1", with: "\"id\": \"1\""))
        }
        #expect(
            changes == [
                "-    nested: {deep: {x: 1}}", "-    id: 1   # number", "+    id: \"1\"   # number",
                "+    nested: {deep: {x: 2}}",
            ])
    }

    @Test(arguments: ["2026-01-01", "2026-01-01T12:00:00Z", "12:30:45", "1_000", "0b1", "+.5", "1.", "=", "yes", "Off"])
    func `a string in JSON is quoted where a parser of YAML 1.1 reads another type`(text: String) throws {
        #expect(YAMLText.scalar(.string(text), inFlow: false) == "\"\(text)\"")
        #expect(YAMLText.scalar(.string("\(text) a"), inFlow: false) == (text.hasPrefix("2026-01-01") ? "\"\(text) a\"" : "\(text) a"))
    }

    @Test(arguments: ["127.0.0.1", "1.2.3", "v1", "12 items", "-a", "+49", "2026", "a:b"])
    func `a string that no parser reads as another type needs no quotes`(text: String) {
        let isNumber = ["+49", "2026"].contains(text)
        #expect(YAMLText.scalar(.string(text), inFlow: false) == (isNumber ? "\"\(text)\"" : text))
    }

    @Test func `a text that begins with a byte order mark is saved and read`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": Self.text])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.query.append(Parameter("mark", "\u{feff}x"))
        try workspace.save(endpoint, replacing: original)
        #expect(try workspace.load().endpoint("shop/a")?.query.last?.value == "\u{feff}x")
    }

    @Test func `a key that a parser of YAML 1.1 reads as a boolean is quoted`() {
        #expect(YAMLText.key("on", inFlow: false) == "\"on\"" && YAMLText.key("y", inFlow: false) == "y")
    }

    @Test func `JSON in another layout is preserved byte for byte in a block scalar`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": Self.text])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        for json in ["{\"a\":1}", "{\n\t\"a\": 1\n}", "{\"n\": {{count}}}", "  {}", "not JSON at all", "{}\n\n", "[1,\n2]\n", #""{\"a\":1}""#] {
            var endpoint = original
            endpoint.body = .json(json)
            let saved = try workspace.save(endpoint, replacing: original)
            #expect(saved.body == .json(json))
            try workspace.write(Self.text, to: "shop/a.yaml")
        }
    }

    @Test func `a new key follows the previous one in canonical order`() throws {
        #expect(try difference { $0.summary = "What for" } == ["+description: What for"])
        let lines = try difference { $0.cache = CacheSetting(lifetime: .seconds(60)) }
        #expect(lines == ["+cache: 60s"])
    }

    @Test func `a key without a value is removed with its lines`() throws {
        #expect(try difference { $0.expectation = nil } == ["-expect: {status: 200, under: 500ms}"])
        #expect(try difference { $0.query = [] }.count == 4)
    }

    @Test func `a condition on a size is read, saved in quotes, and refused with its place`() throws {
        let text = "path: /a\nexpect: {status: 200, size: \"< 10kB\"}\n"
        #expect(try TemporaryWorkspace.endpoint(text)?.expectation?.size == SizeCondition("< 10kB"))
        #expect(try TemporaryWorkspace.endpoint("path: /a\nexpect: {size: 512}\n")?.expectation?.size == SizeCondition("512"))
        let lines = try difference(of: "path: /a\nexpect:\n  status: 200\n") { $0.expectation?.size = SizeCondition(">= 1 MB") }
        #expect(lines == ["+  size: \">= 1 MB\""])
        let problems = try TemporaryWorkspace.problems(inEndpoint: "path: /a\nexpect: {size: big}\n")
        #expect(problems.count == 1 && problems.first?.hasPrefix("2:16 ") == true && problems.first?.contains("< 10kB") == true, "\(problems)")
    }

    @Test func `a JSON Schema is a path or a mapping, saved as it is, and refused with its place`() throws {
        #expect(try TemporaryWorkspace.endpoint("path: /a\nexpect: {schema: a.json}\n")?.expectation?.schema == .file("a.json"))
        let inline = try TemporaryWorkspace.endpoint("path: /a\nexpect: {schema: {type: object}}\n")?.expectation?.schema
        #expect(inline == .inline("{\n  \"type\": \"object\"\n}"))
        let lines = try difference(of: "path: /a\nexpect:\n  status: 200\n") { $0.expectation?.schema = .file("b.json") }
        #expect(lines == ["+  schema: b.json"])
        let mapping = try difference(of: "path: /a\nexpect:\n  status: 200\n") { $0.expectation?.schema = inline }
        #expect(mapping.joined(separator: "\n").contains("type: object"), "\(mapping)")
        let problems = try TemporaryWorkspace.problems(inEndpoint: "path: /a\nexpect: {schema: {type: strng}}\n")
        #expect(problems == ["2:18 this is not a JSON Schema: #/type: there is no such type; did you mean string?"], "\(problems)")
    }

    @Test func `every setting can be changed and is read back`() throws {
        let changes: [(inout Endpoint) -> Void] = [
            { $0.name = "N: #1" }, { $0.auth = .none }, { $0.auth = .bearer(token: "{{t}}") },
            { $0.auth = .negotiate }, { $0.auth = .ntlm(NTLMCredential(user: "S\\u", password: "{{p}}")) },
            { $0.auth = .digest(user: "u", password: "- p") }, { $0.auth = .apiKey(APIKey(name: "X-Key", value: "{{k}}", in: .query)) },
            { $0.auth = .jwt(JWTCredential(algorithm: .es256, key: "k", claims: #"{"sub": "{{who}}", "n": [1.50, null]}"#, lifetime: "")) },
            { $0.auth = .jwt(JWTCredential(key: "k", claims: #"{"n": {{n}}}"#, keyID: "a")) },
            { $0.body = .none }, { $0.body = .form([Parameter("a", "1"), Parameter("a", "2")]) },
            { $0.body = .text(" x\n y\n\n", contentType: "a/b") },
            { $0.body = .plist("<a>\n</a>") },
            {
                $0.body = .multipart([
                    .init(name: "a", value: "b"), .init(name: "f", value: "{{x}}", isFile: true, isEnabled: false),
                ])
            },
            { $0.kind = .download }, { $0.traffic = .background }, { $0.priority = .high },
            { $0.timeouts = Timeouts(connect: .seconds(1), total: nil) },
            { $0.retry = RetryPolicy(limit: 3, parksWhenOffline: true) }, { $0.paging = Paging() },
            { $0.variables = ["n": "2", "m": "null", "a b": "~"] },
            { $0.captures = [Capture(name: "x", path: "$['a: b']")] }, { $0.expectation?.json = [Parameter("$.a[0]", ">= 3")] },
            { $0.captures = [Capture(name: "x", path: "$.p | fromjson | $['a: b']")] },
            { $0.expectation?.json = [Parameter("$.p | fromjson | $.a[0]", ">= 3")] },
            { $0.expectation?.snapshot = SnapshotExpectation() }, { $0.expectation?.snapshot = SnapshotExpectation(ignoring: ["$['a: b']", "$.t"]) },
            { $0.reform = [Parameter("id", "$['a: b']"), Parameter("all", "$.items[*].id")] },
            { $0.pluginUse = Endpoint.PluginUse.none }, { $0.pluginUse = .only([]) },
            {
                $0.hooks = [HookSetting(.willSend, command: ["./sign.py", "- a: #"], environment: ["KEY": "{{k}}: #"], timeout: .milliseconds(1500))]
            },
            {
                $0.hooks = [
                    HookSetting(.process, command: ["sh", "-c", "cat >&2\nexit 1"], keepsRunning: true), HookSetting(.prepare, command: ["x"]),
                ]
            },
            { $0.pluginUse = .adding([.sign(.init(scheme: .hmac, secret: "{{s}}: #")), .debugLog(isOn: false), .signals(.init(toast: false))]) },
            { $0.headers.swapAt(0, 1) }, { $0.query = [Parameter("a", "1"), Parameter("a", "2")] }, { $0.query.swapAt(0, 1) },
        ]
        for change in changes {
            let lines = try difference(change)
            #expect(!lines.isEmpty)
            #expect(!lines.contains { $0.contains("owner") || $0.contains("not a comment") || $0.contains("An endpoint that") })
        }
    }

    @Test func `CRLF line breaks and a byte order mark are kept`() throws {
        let workspace = try TemporaryWorkspace()
        let text = "\u{feff}path: /\r\nquery:\r\n  a: 1\r\n# end"
        try workspace.write(text, to: "shop/a.yaml")
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.query.append(Parameter("b", "2"))
        try workspace.save(endpoint, replacing: original)
        #expect(
            Array(try workspace.read("shop/a.yaml").utf8) == Array("\u{feff}path: /\r\nquery:\r\n  a: 1\r\n  b: 2\r\n# end".utf8))
    }

    @Test(arguments: ["json: {a: 1}", "json: '{}'", "text: one"])
    func `a body in braces that gets a text of several lines becomes a block`(body: String) throws {
        let text = "path: /\nbody: {\(body)}\nexpect: {status: 200}\n"
        let isJSON = body.hasPrefix("json")
        let lines = try difference(of: text) { endpoint in
            endpoint.body = isJSON ? .json("{\n    \"a\": 1\n}") : .text("{\n    \"a\": 1\n}", contentType: nil)
        }
        #expect(lines == ["-body: {\(body)}", "+body:", "+  \(isJSON ? "json" : "text"): |-", "+    {", "+        \"a\": 1", "+    }"])
    }

    @Test(arguments: [
        ("{json: {a: 1}}  # why", #"+body: {json: "{\n    \"a\": 1\n}"}  # why"#),
        ("{json: {a: 1}, odd: x}", #"+body: {json: "{\n    \"a\": 1\n}", odd: x}"#),
        ("{\n  json: {a: 1}  # why\n  }", #"+  json: "{\n    \"a\": 1\n}"  # why"#),
    ])
    func `a body in braces stays there with what only the file has`(body: String, line: String) throws {
        let lines = try difference(of: "path: /\nbody: \(body)\n") { $0.body = .json("{\n    \"a\": 1\n}") }
        #expect(lines.last == line)
    }

    @Test func `a file in one flow mapping keeps this form`() throws {
        let text = "{path: /, query: {a: 1}, odd: x}  # all on one line"
        #expect(
            try difference(of: text) { $0.query[0].value = "2" }.last == "+{path: /, query: {a: 2}, odd: x}  # all on one line")
        #expect(
            try difference(of: text) { $0.method = .put }.last
                == "+{method: PUT, path: /, query: {a: 1}, odd: x}  # all on one line")
        #expect(try difference(of: text) { $0.query = [] }.last == "+{path: /, odd: x}  # all on one line")
    }

    @Test func `the value of an alias is not changed implicitly`() throws {
        let text = "path: /\nquery: &q {a: 1}\nheaders: *q\n"
        #expect(try difference(of: text) { $0.headers[0].value = "2" } == ["-headers: *q", "+headers: {a: 2}"])
    }

    @Test func `a file that was changed since it was loaded is not overwritten`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.path = "/mine"
        for theirs in ["path: /theirs\n", "path: [\n"] {
            try workspace.write(theirs, to: "shop/a.yaml")
            #expect { try workspace.save(endpoint, replacing: original) } throws: {
                ($0 as? WorkspaceError)?.code == .changedOnDisk
            }
            #expect(try workspace.read("shop/a.yaml") == theirs)
        }
        // An added comment is not a conflict and is preserved.
        try workspace.write("path: /a # theirs\n", to: "shop/a.yaml")
        try workspace.save(endpoint, replacing: original)
        #expect(try workspace.read("shop/a.yaml") == "path: /mine # theirs\n")
    }

    @Test func `changes of another program elsewhere in the file are kept byte for byte`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\nquery: {page: 1, size: 20}  # in pages\nheaders: {A: 1}\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.query[0].value = "2"
        try workspace.write("# by hand\npath: /b\nquery: {page: 1, size: 50}  # in pages\nheaders: {A: 1}\nodd: kept\n", to: "shop/a.yaml")
        let saved = try workspace.save(endpoint, replacing: original)
        #expect(
            try workspace.read("shop/a.yaml") == "# by hand\npath: /b\nquery: {page: 2, size: 50}  # in pages\nheaders: {A: 1}\nodd: kept\n")
        #expect(saved == (try workspace.load().endpoint("shop/a")))
        #expect(saved.path == "/b" && saved.query.map(\.value) == ["2", "50"])
    }

    @Test func `the keys that both changed are reported`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\nquery: {page: 1}\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.path = "/mine"
        endpoint.query[0].value = "2"
        try workspace.write("path: /theirs\nquery: {page: 3}\n", to: "shop/a.yaml")
        #expect { try workspace.save(endpoint, replacing: original) } throws: { ($0 as? WorkspaceError)?.message.hasSuffix(": path, query") == true }
    }

    @Test func `a removed file is not created again by a change`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.path = "/mine"
        try FileManager.default.removeItem(atPath: workspace.path + "/shop/a.yaml")
        #expect { try workspace.save(endpoint, replacing: original) } throws: { ($0 as? WorkspaceError)?.code == .changedOnDisk }
        #expect(!FileManager.default.fileExists(atPath: workspace.path + "/shop/a.yaml"))
    }

    @Test func `a preview contains the changes of saving and writes nothing`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a # here\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.path = "/mine"
        let preview = try WorkspaceFolder(path: workspace.path).preview(saving: endpoint, replacing: original)
        #expect(String(decoding: preview.before, as: UTF8.self) == "path: /a # here\n")
        #expect(String(decoding: preview.after, as: UTF8.self) == "path: /mine # here\n")
        #expect(try workspace.read("shop/a.yaml") == "path: /a # here\n")
    }

    @Test func `a change that a file cannot express is rejected and nothing is written`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.captures = [Capture(name: "x", path: "$.a"), Capture(name: "x", path: "$.b")]
        #expect { try workspace.save(endpoint, replacing: original) } throws: { ($0 as? WorkspaceError)?.code == .cannotExpress }
        #expect(try workspace.read("shop/a.yaml") == "path: /a\n")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workspace.path + "/shop").sorted() == ["a.yaml", "service.yaml"])
    }

    @Test func `a new endpoint gets a new file and no other is overwritten`() throws {
        let workspace = try TemporaryWorkspace()
        var endpoint = Endpoint(target: "shop/deep/new", name: "new", method: .post, path: "/x")
        endpoint.headers = [Parameter("A", "1"), Parameter("B", "2", isEnabled: false)]
        endpoint.body = .json("{\n  \"a\": [\n    1\n  ]\n}")
        try workspace.save(endpoint, replacing: nil)
        #expect(
            try workspace.read("shop/deep/new.yaml") == """
                method: POST
                path: /x
                headers: [{name: A, value: 1}, {name: B, value: 2, enabled: false}]
                body: {json: {a: [1]}}

                """)
        #expect { try workspace.save(endpoint, replacing: nil) } throws: { ($0 as? WorkspaceError)?.code == .exists }
    }

    @Test(arguments: ["../x/y", "shop", "shop//a", "shop/.a", "runs/a", "shop/service", "/etc/passwd", "shop/a\nb"])
    func `a target that leads elsewhere is rejected`(target: String) throws {
        let workspace = try TemporaryWorkspace()
        #expect { try workspace.save(Endpoint(target: target, name: "x", path: "/"), replacing: nil) } throws: {
            ($0 as? WorkspaceError)?.code == .badTarget
        }
    }

    @Test func `an endpoint with a new target is moved with its comments`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a # why\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.target = "shop/b/c"
        endpoint.name = "c"
        try workspace.save(endpoint, replacing: original)
        #expect(try workspace.load().endpoints.map(\.target) == ["shop/b/c"])
        #expect(try workspace.read("shop/b/c.yaml") == "path: /a # why\n")
    }

    @Test func `a moved endpoint still refers to the same file`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\nbody: {file: data/x.bin} # kept\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.target = "shop/deep/a"
        try workspace.save(endpoint, replacing: original)
        #expect(try workspace.read("shop/deep/a.yaml") == "path: /a\nbody: {file: ../data/x.bin} # kept\n")
        #expect(try workspace.load().endpoint("shop/deep/a")?.body == original.body)
    }

    @Test func `a long body stays in the endpoint's file`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.body = .json("[\n" + String(repeating: "  1,\n", count: 3000) + "  1\n]")
        let saved = try workspace.save(endpoint, replacing: original)
        #expect(saved.body == endpoint.body)
        #expect(try workspace.load().endpoint("shop/a")?.body == endpoint.body)
    }

    @Test func `a body that is too large to be edited in place is written to a file beside the endpoint and no file is overwritten`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n", "shop/a.body.json": "theirs"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        let json = "\"" + String(repeating: "x", count: BodyFileEdit.limit) + "\""
        endpoint.body = .json(json)
        let saved = try workspace.save(endpoint, replacing: original)
        #expect(saved.body == .file(path: workspace.path + "/shop/a.body-2.json", contentType: nil))
        #expect(try workspace.read("shop/a.yaml") == "path: /a\nbody: {file: a.body-2.json}\n")
        #expect(try workspace.read("shop/a.body-2.json") == json)
        #expect(try workspace.read("shop/a.body.json") == "theirs")
    }

    @Test func `a body that a person moves to a file is written with the endpoint`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\nbody: {json: [1]}\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.body = .file(path: workspace.path + "/shop/a.body.json", contentType: nil)
        endpoint.setBodyFileText(to: "[1]", original: "")
        try workspace.save(endpoint, replacing: original)
        #expect(try workspace.read("shop/a.yaml") == "path: /a\nbody: {file: a.body.json}\n")
        #expect(try workspace.read("shop/a.body.json") == "[1]")
    }

    @Test func `the edited text of a body's file is saved to the file, which keeps its mode`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\nbody: {file: a.body.json}\n", "shop/a.body.json": "[1]"])
        let path = workspace.path + "/shop/a.body.json"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let original = try #require(try workspace.load().endpoint("shop/a"))
        #expect(WorkspaceFolder(path: workspace.path).bodyText(at: path) == .text("[1]"))
        var endpoint = original
        endpoint.setBodyFileText(to: "[1, 2]", original: "[1]")
        #expect(try workspace.save(endpoint, replacing: original).bodyFileEdit == nil)
        #expect(try workspace.read("shop/a.body.json") == "[1, 2]")
        #expect(try workspace.read("shop/a.yaml") == "path: /a\nbody: {file: a.body.json}\n")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }

    @Test func `a body's file that another program changed is not overwritten, and neither is the endpoint's`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\nbody: {file: a.body.json}\n", "shop/a.body.json": "[1]"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.path = "/b"
        endpoint.setBodyFileText(to: "[1, 2]", original: "[1]")
        try workspace.write("theirs", to: "shop/a.body.json")
        let error = #expect(throws: WorkspaceError.self) { try workspace.save(endpoint, replacing: original) }
        #expect(error?.code == .changedOnDisk && error?.file == "shop/a.body.json")
        #expect(try workspace.read("shop/a.body.json") == "theirs")
        #expect(try workspace.read("shop/a.yaml") == "path: /a\nbody: {file: a.body.json}\n")
    }

    @Test(arguments: [("a\nb\n", true), ("a\r\nb\r\n", true), ("a\r\nb\n", false), ("a\rb", false), ("a\u{2028}b", false), ("a\u{c}b", false)])
    func `only text with one kind of line breaks is edited in place`(text: String, isEdited: Bool) throws {
        let workspace = try TemporaryWorkspace(["shop/a.txt": text])
        let read = WorkspaceFolder(path: workspace.path).bodyText(at: workspace.path + "/shop/a.txt")
        #expect(read == (isEdited ? .text(text) : .notEdited("mixed line breaks")))
    }

    @Test func `only text inside the workspace is edited in place`() throws {
        let outside = try TemporaryWorkspace(["shop/secret.json": "[1]"])
        let workspace = try TemporaryWorkspace(["shop/large.txt": String(repeating: "x", count: BodyFileEdit.limit + 1), "shop/zero.txt": "a\u{0}"])
        try workspace.write(Data([0xff, 0xfe]), to: "shop/binary.txt")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path + "/shop/link.json", withDestinationPath: outside.path + "/shop/secret.json")
        let folder = WorkspaceFolder(path: workspace.path)
        let reasons = [
            "large.txt": "too large for this pane", "zero.txt": "not UTF-8 text", "binary.txt": "not UTF-8 text",
            "link.json": "outside of the workspace",
        ]
        for (name, reason) in reasons {
            #expect(folder.bodyText(at: workspace.path + "/shop/\(name)") == .notEdited(reason), "\(name)")
        }
        #expect(folder.bodyText(at: outside.path + "/shop/secret.json") == .notEdited("outside of the workspace"))
        var endpoint = Endpoint(target: "shop/b", name: "b", path: "/b")
        endpoint.body = .file(path: workspace.path + "/shop/link.json", contentType: nil)
        endpoint.setBodyFileText(to: "[2]", original: "[1]")
        #expect(throws: WorkspaceError.self) { try workspace.save(endpoint, replacing: nil) }
        #expect(try outside.read("shop/secret.json") == "[1]")
    }

    @Test func `a row is saved with its spelling in the URL`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\nquery: {page: 1}\n"])
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.setURL("/a?page=1&t=12:30+02:00&a/b")
        #expect(try workspace.save(endpoint, replacing: original).query == endpoint.query)
        #expect(try workspace.load().endpoint("shop/a")?.query == endpoint.query)
        let text = try workspace.read("shop/a.yaml")
        #expect(text.contains("encoded") && text.contains("t=12:30+02:00"), "\(text)")
    }

    @Test func `a row keeps the spelling of a form, in which + is a space`() throws {
        let file = "path: /a\nquery: [{name: t, value: a b, encoded: t=a+b}]\n"
        let workspace = try TemporaryWorkspace(["shop/a.yaml": file])
        let loaded = try workspace.load()
        let row = try #require(loaded.endpoint("shop/a")?.query.first)
        #expect(loaded.problems.isEmpty && row.value == "a b" && row.spelling == "t=a+b")
        var endpoint = try #require(loaded.endpoint("shop/a"))
        endpoint.target = "shop/b"
        try workspace.save(endpoint, replacing: nil)
        #expect(try workspace.load().endpoint("shop/b")?.query == [row])
    }

    @Test func `encoded that is not the text of its row is a problem`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\nquery: [{name: t, value: a/b, encoded: t=a/c}]\n"])
        let problems = try workspace.load().problems.map(\.description)
        #expect(problems.contains { $0.contains("encoded is not the text of “t”") }, "\(problems)")
    }

    @Test func `the mode of a file is preserved`() throws {
        let workspace = try TemporaryWorkspace(["shop/a.yaml": "path: /a\n"])
        let path = workspace.path + "/shop/a.yaml"
        try #require(chmod(path, 0o640) == 0)
        let original = try #require(try workspace.load().endpoint("shop/a"))
        var endpoint = original
        endpoint.path = "/b"
        try workspace.save(endpoint, replacing: original)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }
}
