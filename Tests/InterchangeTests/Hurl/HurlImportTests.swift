import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing Hurl files: requests, options, captures, asserts, and what has no counterpart.
struct HurlImportTests {
    private func workspace(_ text: String) throws -> ImportedWorkspace {
        try HurlImport.workspace(from: ImportSource(name: "flow.hurl", bytes: Array(text.utf8)))
    }

    private func endpoints(_ workspace: ImportedWorkspace) -> [Endpoint] { workspace.services.flatMap(\.items.endpoints).map(\.endpoint) }

    private func endpoint(_ text: String) throws -> Endpoint {
        let all = endpoints(try workspace(text))
        #expect(all.count == 1)
        return try #require(all.first)
    }

    @Test func `entries are the steps of a chain, in which later ones use what earlier ones capture`() throws {
        let workspace = try workspace(
            """
            # Sign in
            POST http://127.0.0.1:9301/login
            [FormParams]
            user: toto
            HTTP 200
            [Captures]
            token: jsonpath "$.token"

            GET http://127.0.0.1:9301/me
            Authorization: Bearer {{token}}
            HTTP 200
            [Asserts]
            jsonpath "$.id" == 42

            """)
        let all = endpoints(workspace)
        #expect(all.map(\.method) == [.post, .get] && all.map(\.path) == ["/login", "/me"])
        #expect(all[0].name == "Sign in" && all[0].body == .form([Parameter("user", "toto")]))
        #expect(all[0].captures == [Capture(name: "token", path: "$.token")] && all[0].expectation?.status == 200)
        #expect(all[1].headers == [Parameter("Authorization", "Bearer {{login.token}}")])
        #expect(all[1].expectation?.json == [Parameter("$.id", "= 42"), Parameter("$.id", "type number")])
        #expect(workspace.runs.map(\.kind) == [.chain] && workspace.runs[0].steps.map(\.name) == ["login", "me"])
        #expect(workspace.report.count(.imported) == 2 && workspace.report.count(.omitted) == 0, "\(workspace.report.lines)")
        #expect(workspace.services.map(\.service.servers) == [[ImportedService.everywhere: ["http://127.0.0.1:9301"]]])
    }

    @Test func `sections become rows, cookies and credentials`() throws {
        let request = try endpoint(
            """
            GET http://h/dogs?a=1
            X-A: one \\# two   # a comment
            [Query]
            search: Install Linux
            [BasicAuth]
            bob: secret
            [Cookies]
            theme: light
            session: {{id}}
            """)
        #expect(
            request.query == [Parameter("a", "1"), Parameter("search", "Install Linux")] && request.auth == .basic(user: "bob", password: "secret"))
        #expect(request.headers == [Parameter("X-A", "one # two"), Parameter("Cookie", "theme=light; session={{id}}")])
        #expect(request.redirects == 0, "Hurl follows no redirects")
    }

    @Test func `bodies keep their bytes and their types`() throws {
        func body(_ text: String) throws -> BodyTemplate { try endpoint("POST http://h/\n" + text).body }
        #expect(try body("{\n  \"a\": \"{{x}}\",\n  \"b\": [1]\n}\nHTTP 200") == .json("{\n  \"a\": \"{{x}}\",\n  \"b\": [1]\n}"))
        #expect(try body("[1,\n2]") == .json("[1,\n2]"))
        #expect(try body("```\nline 1\nline 2\n```") == .text("line 1\nline 2\n", contentType: nil))
        #expect(try body("```raw\n{{x}}\n```") == .text("{{$braces}}x}}\n", contentType: nil))
        #expect(try body("```json\n{\"a\": 1}\n```\nHTTP 200") == .json("{\"a\": 1}\n"))
        #expect(try body("Content-Type: text/csv\n`a;b`") == .text("a;b", contentType: "text/csv"))
        #expect(try body("<a>\n  <b/>\n</a>\n\nHTTP 200") == .text("<a>\n  <b/>\n</a>", contentType: "application/xml"))
        #expect(try body("base64,\nY2Fm\nw6k=;") == .text("café", contentType: nil) && body("hex,636166;") == .text("caf", contentType: nil))
        #expect(try body("Content-Type: text/plain\nfile,data.bin;") == .file(path: "data.bin", contentType: "text/plain"))
        #expect(
            try body("[Multipart]\na: 1\nf: file,x.zip; application/zip")
                == .multipart([.init(name: "a", value: "1"), .init(name: "f", value: "x.zip", isFile: true, contentType: "application/zip")]))
        #expect(try body("```graphql\nquery { a }\nvariables {\"x\": 1}\n```").contentType == "application/json")
    }

    @Test func `empty sections and fields, and templates in names, are read as Hurl does`() throws {
        let request = try endpoint(
            "GET http://h/\n{{ key }}: 1\nEmpty;\n[Form]\n[Multipart]\n[Query]\nvalues\\u{5b}0\\u{5d}: 0\nvalues[1]: a:b\nHTTP 200")
        #expect(request.headers == [Parameter("{{key}}", "1"), Parameter("Empty", "")] && request.body == .none)
        #expect(request.query == [Parameter("values[0]", "0"), Parameter("values[1]", "a:b")])
    }

    /// Asserts with a body that satisfies each, and one that does not.
    @Test(arguments: [
        ("jsonpath \"$.a\" == 1", "{\"a\": 1.0}", "{\"a\": \"1\"}"), ("jsonpath \"$.a\" == \"1\"", "{\"a\": \"1\"}", "{\"a\": 1}"),
        ("jsonpath \"$.a\" == true", "{\"a\": true}", "{\"a\": \"true\"}"), ("jsonpath \"$.a\" == null", "{\"a\": null}", "{\"a\": \"null\"}"),
        ("jsonpath \"$.a\" != \"x\"", "{\"a\": \"y\"}", "{\"a\": \"x\"}"), ("jsonpath \"$.a\" not == 3", "{\"a\": 4}", "{\"a\": 3}"),
        ("jsonpath \"$.a\" >= 3", "{\"a\": 3}", "{\"a\": 2.9}"), ("jsonpath \"$.a\" not < 3", "{\"a\": 3}", "{\"a\": 2}"),
        ("jsonpath \"$.a\" startsWith \"a.\"", "{\"a\": \"a.b\"}", "{\"a\": \"axb\"}"),
        ("jsonpath \"$.a\" endsWith \"$1\"", "{\"a\": \"x$1\"}", "{\"a\": \"$12\"}"),
        ("jsonpath \"$.a\" contains \" b\"", "{\"a\": \"a b\"}", "{\"a\": \"ab\"}"),
        ("jsonpath \"$.a\" matches /^\\d{2}$/", "{\"a\": \"12\"}", "{\"a\": \"123\"}"),
        ("jsonpath \"$.a\" matches \"^\\\\d+$\"", "{\"a\": \"12\"}", "{\"a\": \"x\"}"), ("jsonpath \"$.a\" exists", "{\"a\": null}", "{\"b\": 1}"),
        ("jsonpath \"$.a\" not exists", "{\"b\": 1}", "{\"a\": 1}"), ("jsonpath \"$.a\" includes 2", "{\"a\": [1, 2]}", "{\"a\": [1, 3]}"),
        ("jsonpath \"$.a\" count == 2", "{\"a\": [1, 2]}", "{\"a\": [1, 2, 3]}"), ("jsonpath \"$.a\" count > 1", "{\"a\": [1, 2]}", "{\"a\": [1]}"),
        ("jsonpath \"$.a\" count == 0", "{\"a\": []}", "{\"a\": [1]}"),
        ("jsonpath \"$.a\" nth 1 == \"y\"", "{\"a\": [\"x\", \"y\"]}", "{\"a\": [\"y\", \"x\"]}"),
        ("jsonpath \"$.a\" last == 3", "{\"a\": [1, 3]}", "{\"a\": [3, 1]}"), ("jsonpath \"$.a\" isEmpty", "{\"a\": []}", "{\"a\": [0]}"),
        ("jsonpath \"$.a[*]\" contains \"x\"", "{\"a\": [\"y\", \"x\"]}", "{\"a\": [\"xy\"]}"),
        (
            "jsonpath \"$.a\" isUuid", "{\"a\": \"01cc0f54-8885-4a1d-9121-ae5d316a33c5\"}", "{\"a\": \"01cc0f54-8885-4a1d-9121-ae5d316a33c\"}"
        ),
        ("jsonpath \"$.a\" not isEmpty", "{\"a\": [0]}", "{\"a\": []}"), ("jsonpath \"$.a\" isInteger", "{\"a\": 3}", "{\"a\": 3.5}"),
        ("jsonpath \"$.a\" isFloat", "{\"a\": 3.5}", "{\"a\": 3}"), ("jsonpath \"$.a\" isString", "{\"a\": \"x\"}", "{\"a\": 1}"),
        ("jsonpath \"$.a\" isBoolean", "{\"a\": false}", "{\"a\": 0}"), ("jsonpath \"$.a\" isList", "{\"a\": []}", "{\"a\": {}}"),
        ("jsonpath \"$.a\" isObject", "{\"a\": {}}", "{\"a\": []}"), ("jsonpath \"$.a\" toInt == 12", "{\"a\": \"12\"}", "{\"a\": \"13\"}"),
    ])
    func `an assert accepts and refuses the same bodies`(_ assert: String, _ good: String, _ bad: String) throws {
        let endpoint = try endpoint("GET http://h/\nHTTP 200\n[Asserts]\n\(assert)\n")
        let expectation = try #require(endpoint.expectation)
        func failures(_ body: String) throws -> Int {
            let json = try JSONValue(parsing: body)
            return expectation.checks(of: Response(status: 200), body: .success(json), seconds: 0).count { $0.failure != nil }
        }
        #expect(try failures(good) == 0 && failures(bad) > 0, "\(expectation.json)")
    }

    @Test(arguments: [
        ("not contains \"b.\"", [#"{"a": "abc"}"#], [#"{"a": "ab.c"}"#, #"{"a": 1}"#, "{}"]),
        ("not startsWith \"b\"", [#"{"a": "ab"}"#], [#"{"a": "ba"}"#]), ("not endsWith \"b\"", [#"{"a": "ba"}"#], [#"{"a": "ab"}"#]),
        ("not matches /^b+$/", [#"{"a": "ba"}"#], [#"{"a": "bb"}"#]), ("not isString", [#"{"a": 1}"#, #"{"a": null}"#], [#"{"a": "b"}"#, "{}"]),
        ("not includes 5", [#"{"a": [1, "5"]}"#], [#"{"a": [5]}"#, #"{"a": "x"}"#]),
    ])
    func `a negated assert without an opposite is a schema`(_ assert: String, _ good: [String], _ bad: [String]) throws {
        let endpoint = try endpoint("GET http://h/\nHTTP 200\n[Asserts]\njsonpath \"$.b\" == 1\njsonpath \"$.a\" \(assert)\n")
        #expect(endpoint.expectation?.json.first == Parameter("$.b", "= 1") && endpoint.expectation?.status == 200)
        guard case .inline(let text)? = endpoint.expectation?.schema else { throw Missing() }
        let schema = try JSONSchema(JSONValue(parsing: text))
        for body in good { #expect(try schema.failures(in: JSONValue(parsing: body), limit: 1).isEmpty, "\(body)") }
        for body in bad { #expect(try !schema.failures(in: JSONValue(parsing: body), limit: 1).isEmpty, "\(body)") }
    }

    private struct Missing: Error {}

    @Test func `statuses, fields, cookies, sizes and durations are expected`() throws {
        let expected = try #require(
            try endpoint(
                """
                GET http://h/
                HTTP *
                Location: http://h/home
                [Asserts]
                status >= 200
                status < 300
                status != 204
                header "ETag" exists
                header "Vary" contains "Accept"
                cookie "LSID" == "a b"
                duration < 1000
                bytes count <= 120
                """
            ).expectation)
        #expect(expected.statuses == [200...203, 205...299])
        #expect(
            expected.headers == [
                Parameter("Location", "= http://h/home"), Parameter("ETag", "exists"), Parameter("Vary", "matches Accept"),
                Parameter("Set-Cookie", "matches ^LSID=a b\\s*(;|$)"),
            ])
        #expect(expected.under == .milliseconds(1000) && expected.size?.text == "<= 120")
    }

    @Test func `a part of the text of the body is expected`() throws {
        let asserts = "body contains \"a.b\"\nbody startsWith \"<\"\nbody matches /x+/"
        let expected = try #require(try endpoint("GET http://h/\nHTTP 200\n[Asserts]\n\(asserts)\n").expectation)
        #expect(expected.body == ["matches a\\.b", "matches ^<", "matches x+"].map { Parameter("body", $0) })
    }

    @Test func `what has no counterpart is named with its line`() throws {
        let workspace = try workspace(
            """
            GET http://h/a
            [Options]
            delay: 500ms
            HTTP/1.1 200
            [Captures]
            title: xpath "string(//title)"
            [Asserts]
            body == "x"
            jsonpath "$.a[*]" not contains "x"
            jsonpath "$.a" != "1"
            sha256 == hex,00;
            header "X" split "," count == 2
            header "X" == "a {{title}}"
            [Trailers]
            `text`
            """)
        #expect(
            workspace.report.entries.filter { $0.outcome == .omitted }.map { "\($0.place?.line ?? 0) \($0.reason)" } == [
                "14 there is no such section", "3 the option delay: 500ms has no counterpart",
                "4 the version HTTP/1.1 of the response is not compared",
                "8 the assert “body == \"x\"” is not made: of the text of the body, only a part is compared",
                "9 the assert “jsonpath \"$.a[*]\" not contains \"x\"” is not made: not contains after this path has no counterpart",
                "10 the assert “jsonpath \"$.a\" != \"1\"” is not made: a text that looks like another value is compared with it",
                "11 the assert “sha256 == hex,00;” is not made: sha256 has no counterpart",
                "12 the assert “header \"X\" split \",\" count == 2” is not made: the filter split has no counterpart",
                "13 the assert “header \"X\" == \"a {{title}}\"” is not made: title is captured from the same response",
                "15 the body of the response is not compared, because it is not JSON", "6 the capture title is not made: xpath has no counterpart",
            ])
    }

    @Test func `options of redirects have any order, and numbers any size`() throws {
        #expect(try endpoint("GET http://h/\n[Options]\nmax-redirs: 3\nlocation: true\n").redirects == 3)
        #expect(try endpoint("GET http://h/\n[Options]\nmax-redirs: 3\n").redirects == 0)
        for predicate in [">", ">=", "==", "<"] {
            let workspace = try workspace("GET http://h/\nHTTP 200\n[Asserts]\njsonpath \"$.a\" count \(predicate) 9223372036854775807\n")
            #expect(workspace.report.count(.omitted) == 1)
        }
    }

    @Test func `options change the request and the step`() throws {
        let workspace = try workspace(
            """
            GET https://{{host}}/job
            [Options]
            variable: host=h.example
            location: true
            max-redirs: 3
            insecure: true
            max-time: 5s
            connect-timeout: 200ms
            http2: true
            user: bob:secret
            digest: true
            retry: 4
            retry-interval: 10ms
            HTTP 200
            [Asserts]
            jsonpath "$.state" == "done"

            GET https://{{host}}/again
            [Options]
            repeat: 3

            GET https://h.example/no
            [Options]
            skip: true

            GET https://h.example/any
            [Options]
            retry: 2
            max-time: 0
            HTTP *
            """)
        let all = endpoints(workspace)
        #expect(all.map(\.path) == ["/job", "/again", "/any"])
        #expect(all[2].retry == RetryPolicy(limit: 2, repeatsAnyMethod: true), "what the file of an endpoint can have")
        #expect(all[0].variables == ["host": "h.example"] && all[1].variables == ["host": "h.example"], "it stays set for later entries")
        #expect(all[0].redirects == 3 && all[0].version == .http2 && all[0].auth == .digest(user: "bob", password: "secret"))
        #expect(all[0].timeouts?.total == .seconds(5) && all[0].timeouts?.connect == .milliseconds(200))
        #expect(all[2].timeouts == Timeouts(total: nil), "0 is no limit")
        #expect(workspace.services.map(\.service.trust.isInsecure) == [true, false, false])
        let steps = workspace.runs[0].steps
        #expect(steps[0].loop == .repeats(while: [Parameter("job.retried", "!= done")], every: .milliseconds(10), limit: 5))
        #expect(all[0].captures == [Capture(name: "retried", path: "$.state")] && all[0].expectation?.json == [] && all[0].retry == nil)
        #expect(
            workspace.report.lines.contains { $0.contains("not repeated 4 times; write retry: {limit: …} into the endpoint") },
            "the step repeats the response")
        #expect(steps[1].loop == .forEach(variable: "repetition", .list(["1", "2", "3"])))
    }

    @Test(arguments: [
        ("GET http://h/\n\nnot a request", 3, "neither a row nor a body"),
        ("GET http://h/\nHTTP 2xx\n", 2, "neither a row nor a body"), ("hello", 1, "this is no request"),
        ("POST http://h/\n```\ntext", 2, "does not end"), ("POST http://h/\n{\n\"a\": 1", 2, "does not end"),
    ])
    func `a malformed file imports nothing, and the error has the line`(_ text: String, _ line: Int, _ message: String) {
        let error = #expect(throws: Diagnostic.self) { try workspace(text) }
        #expect(error?.location.line == line && error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test(
        arguments: [
            ("```xml,novariable\n<a>{{b}}</a>\n```", .text("<a>{{$braces}}b}}</a>\n", contentType: "application/xml")),
            ("```novariable\n{{b}}```", .text("{{$braces}}b}}", contentType: nil)), ("```escape\na\\tb```", .text("a\tb", contentType: nil)),
            ("```json,escape\n{\"a\": {{b}}}```", .json("{\"a\": {{b}}}")),
        ] as [(String, BodyTemplate)])
    func `attributes of a text are carried out`(_ text: String, _ body: BodyTemplate) throws {
        #expect(try endpoint("POST http://h/\n\(text)\n").body == body)
    }

    @Test func `every beginning of a file is imported, or refused with a line`() throws {
        let text = """
            POST http://h/{{a}}?b={{c}}
            X: \\u{41}\\#
            [Options]
            retry: 2
            [Multipart]
            f: file,a b.bin; text/plain
            HTTP/2 200
            [Captures]
            t: jsonpath "$.a\\"" nth 1 redact
            [Asserts]
            jsonpath "$.a[0]" count == 2
            header "X" matches /a\\/b{2}/
            body == ```
            text
            ```
            {"a": ["{{b}}", {"c": "\\"}"}]}
            """
        for end in text.indices {
            do throws(Diagnostic) {
                let source = ImportSource(name: "flow.hurl", bytes: Array(text[..<end].utf8))
                let workspace = try HurlImport.workspace(from: source)
                #expect(endpoints(workspace).count <= 1)
            } catch { #expect(error.location.line >= 1 && error.location.file == "flow.hurl") }
        }
    }

    @Test func `a file is recognized by its ending or its responses`() {
        func recognizes(_ name: String, _ text: String) -> Bool {
            HurlImport.recognizes(ImportSource(name: name, bytes: Array(text.utf8)))
        }
        #expect(recognizes("a.hurl", "GET http://h/") && recognizes("standard input", "GET http://h/\nHTTP 200\n"))
        #expect(!recognizes("standard input", "GET http://h/ HTTP/1.1\nA: b\n"))
    }

    @Test func `what is exported is the same after importing it again`() throws {
        let text = """
            # login
            POST http://127.0.0.1:9301/login
            [Options]
            location: true
            max-redirs: 50
            [Form]
            user: toto
            full\\u{20}name: \\u{20}a b\\u{20}
            HTTP 200
            [Captures]
            token: jsonpath "$.token"
            [Asserts]
            jsonpath "$.a" == "12"
            jsonpath "$.b" > 3
            jsonpath "$.list[2]" not exists

            # me
            GET http://127.0.0.1:9301/me
            Authorization: Bearer {{token}}
            HTTP *
            [Asserts]
            status >= 200
            status <= 299
            body matches "x+"
            header "ETag" matches "^\\"a\\\\d"
            duration <= 500
            bytes count < 100

            """
        func source(_ text: String) throws -> ExportSource {
            let placed = PlacedImport(try workspace(text), into: nil, folder: "/ws", sourceFolder: "/src", known: [:], taken: [])
            let workspace = placed.workspace
            let environment = PlacedImport.defaultEnvironment
            let resolver = ExportResolver(workspace: workspace, environment: environment) { name, _ in name }
            var captured: [String] = []
            let items = try workspace.runs[0].steps.map { step in
                var item = try resolver.item(for: try #require(workspace.endpoint(step.target)), captured: captured)
                (item.name, item.captures) = (step.name, item.endpoint.captures)
                captured += item.captures.map { "\(step.name).\($0.name)" }
                return item
            }
            return ExportSource(name: "flow", workspace: workspace, environment: environment, items: items)
        }
        func exported(_ text: String) throws -> String { try HurlExport.text(of: source(text)) }
        let first = try exported(text)
        #expect(first.contains("\nfull\\u{20}name: \\u{20}a b\\u{20}\n"), "\(first)")
        #expect(try exported(first) == first)
        var renamed = try source(text)
        renamed.items[0].endpoint.name = "a\nDELETE http://h/all"
        #expect(try HurlExport.text(of: renamed).hasPrefix("# a\n# DELETE http://h/all\nPOST "))
        let again = try workspace(first)
        let (before, after) = (endpoints(try workspace(text)), endpoints(again))
        #expect(after.map(\.expectation) == before.map(\.expectation) && after.map(\.captures) == before.map(\.captures), "\(first)")
        #expect(after.map(\.headers) == before.map(\.headers) && after.map(\.body) == before.map(\.body) && after.map(\.path) == before.map(\.path))
    }

    @Test func `names of rows and users are exported with the escapes of a key, and imported again`() throws {
        let login = ExportFixture.endpoint("/a") { endpoint in
            endpoint.auth = .basic(user: "ann \"b\":#[x]", password: "p \"q\"")
            endpoint.query = [Parameter("a[0] \"b\"", "1")]
        }
        let text = try HurlExport.text(of: ExportFixture.source(ExportFixture.workspace("http://h", [login])))
        let endpoint = try endpoint(text)
        #expect(text.contains("\na\\u{5b}0\\u{5d}\\u{20}\\u{22}b\\u{22}: 1\n"), "\(text)")
        #expect(endpoint.query == [Parameter("a[0] \"b\"", "1")])
        guard case .basic(let user, _) = endpoint.auth else { return #expect(Bool(false), "\(text)") }
        #expect(user == "ann \"b\":#[x]")
        let unnamed = ExportFixture.endpoint("/a") { $0.auth = .basic(user: "", password: "p") }
        #expect(try HurlExport.text(of: ExportFixture.source(ExportFixture.workspace("http://h", [unnamed]))).contains("\nuser: :"))
    }

    @Test func `a status that HTTP does not have is a line, and the request is imported`() throws {
        let workspace = try workspace("GET http://h/a\nHTTP 2\n")
        #expect(endpoints(workspace).map(\.expectation) == [nil])
        #expect(workspace.reasons(.omitted) == ["2 is no status"])
    }
}
