import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests exported Python, by its text, with the parser of Python, and by running it with httpx.
struct PythonExportTests {
    private func text(_ endpoint: Endpoint, url: String = "http://h", change: (inout Workspace) -> Void = { _ in }) throws -> String {
        try PythonExport.text(of: ExportFixture.source(ExportFixture.workspace(url, [endpoint], change: change)))
    }

    @Test func `a request is a function with the arguments of httpx`() throws {
        let exported = try text(
            ExportFixture.endpoint("/a") {
                ($0.method, $0.redirects) = (.post, 3)
                $0.headers = [Parameter("A", "b"), Parameter("A", "é")]
                $0.body = .json("{\"a\": 1}")
                $0.auth = .basic(user: "me", password: "{{$env.PASS}}")
            })
        for piece in [
            "# Set before: PASS\n", "def s_x(values):", "\"POST\"", "\"http://h/a\"", "(\"A\", \"b\"), (\"A\", \"é\".encode())",
            "content=b\"{\\\"a\\\": 1}\"", "httpx.BasicAuth(\"me\", env(\"PASS\"))", "follow_redirects=True, max_redirects=3",
        ] {
            #expect(exported.contains(piece), "\(piece): \(exported)")
        }
    }

    @Test func `values are written in the notation of their place`() throws {
        let exported = try text(
            ExportFixture.endpoint("/a/{{$env.P}}") {
                $0.method = .post
                $0.query = [Parameter("q", "{{$env.Q}}")]
                $0.body = .json("{\"a\": \"x{{$env.V}}\", \"n\": {{$env.N}}, \"u\": \"{{$uuid}}\", \"r\": {{$random 6}}}")
            })
        for piece in [
            "quote(env(\"P\"), safe=\"\")", "quote(env(\"Q\"), safe=\"\")", "json.dumps(env(\"V\"))[1:-1]", "+ env(\"N\") +",
            "str(uuid.uuid4())", "str(random.randrange(6))",
        ] {
            #expect(exported.contains(piece), "\(piece): \(exported)")
        }
    }

    @Test func `settings of the connection are arguments, and what httpx lacks is a note`() throws {
        let workspace = ExportFixture.workspace(
            "https://h",
            [
                ExportFixture.endpoint { endpoint in
                    endpoint.timeouts = Timeouts(connect: .seconds(1), idle: .seconds(2), total: .seconds(3))
                    endpoint.version = .http2
                    endpoint.retry = RetryPolicy(limit: 2)
                }
            ]
        ) {
            $0.services[0].trust.certificateAuthorityFile = "/ca.pem"
            $0.services[0].trust.clientCertificateFile = "/c.pem"
            $0.services[0].trust.clientKeyFile = "/k.pem"
            $0.services[0].trust.clientKeyPassphrase = "{{$env.KEY}}"
            $0.services[0].trust.pins = ["sha256//x"]
            $0.services[0].proxy = ProxyTemplate(url: "http://u:{{$env.PP}}@p:3128", except: ["a.b"])
        }
        let source = try ExportFixture.source(workspace)
        let exported = try PythonExport.text(of: source)
        for piece in [
            "timeout=httpx.Timeout(2.0, connect=1.0)", "http2=True", "cafile=\"/ca.pem\"", "load_cert_chain(\"/c.pem\", \"/k.pem\", env(\"KEY\"))",
            "verify=tls", "proxy=\"http://\" + quote(\"u\", safe=\"\") + \":\" + quote(env(\"PP\"), safe=\"\")",
        ] {
            #expect(exported.contains(piece), "\(piece): \(exported)")
        }
        let notes = try PythonExport.notes(of: source)
        for words in ["pinned", "not repeated", "total time", "exceptions of the proxy", "httpx[http2]"] {
            #expect(notes.contains { $0.contains(words) && $0.hasPrefix("s/x: ") }, "\(words): \(notes)")
            #expect(exported.contains(words), "\(words): \(exported)")
        }
    }

    @Test func `a path into the JSON of a string is refused by programs, and named by Hurl`() throws {
        let path = "$.payload | fromjson | $.id"
        let capturing = ExportFixture.endpoint { $0.captures = [Capture(name: "id", path: path)] }
        let expecting = ExportFixture.endpoint { $0.expectation = WorkspaceModel.Expectation(json: [Parameter(path, "1")]) }
        let run = RunDefinition(name: "r", kind: .chain, steps: [RunDefinition.Step(target: "s/x", name: "x")])
        for endpoint in [capturing, expecting] {
            let source = try ExportFixture.run(run, in: ExportFixture.workspace("http://h", [endpoint]))
            #expect(throws: Diagnostic.self) { try PythonExport.text(of: source) }
            #expect(throws: Diagnostic.self) { try SwiftExport.text(of: source) }
            #expect(try !HurlExport.text(of: source).contains("jsonpath"))
            #expect(try HurlExport.notes(of: source).contains { $0.contains(path) })
        }
    }

    @Test func `names become valid and unique identifiers`() {
        var names = CodeNames(reserved: PythonText.reserved)
        #expect(
            ["a/b-c", "a b c", "class", "7up", "é", "", "a/b/c"].map { names.name(for: $0, .snake) }
                == ["a_b_c", "a_b_c_2", "class_2", "_7up", "request", "request_2", "a_b_c_3"])
        var types = CodeNames(reserved: SwiftText.reserved)
        #expect(["check out", "Client", "9"].map { types.name(for: $0, .type) } == ["CheckOut", "Client_2", "_9"])
    }

    @Test(arguments: [UInt64(40), 41]) func `Python parses exported code with any text`(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        for format in [PythonExport.self, LocustExport.self] as [any ExportFormat.Type] {
            let endpoints = (0..<60).map { ExportFixture.anyEndpoint($0, file: "/tmp/\"f", using: &random) }
            let exported = try format.text(of: ExportFixture.source(ExportFixture.workspace("http://h", endpoints)))
            try folder.write("code.py", exported)
            let run = try await ProcessRun.run(
                "/usr/bin/env", ["python3", "-c", "import ast,sys; ast.parse(open(sys.argv[1]).read())", folder.path("code.py")])
            #expect(run.succeeded, "seed \(seed): \(run.errorOutput)")
            #expect(!exported.unicodeScalars.contains(where: ShellQuote.isHidden), "seed \(seed)")
        }
    }

    @Test(.enabled(if: PythonPackage.isAvailable("httpx"), "httpx is not installed; .ci/setup test does that"), arguments: [UInt64(50), 51])
    func `generated endpoints, exported and run with httpx, send the same requests`(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let bytes: [UInt8] = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let file = try folder.write("it's a $file", bytes)
        let server = try ScriptedServer(answering: .ok("ok"))
        let endpoints = (0..<60).map { ExportFixture.anyEndpoint($0, file: file, using: &random) }
        let source = try ExportFixture.source(ExportFixture.workspace(server.url, endpoints))
        try folder.write("code.py", try PythonExport.text(of: source))
        let run = try await PythonPackage.run("httpx", [folder.path("code.py")])
        #expect(run.succeeded, "seed \(seed): \(run.errorOutput)")
        let received = server.requests
        #expect(received.count == endpoints.count, "seed \(seed)")
        for (item, request) in zip(source.items, received) {
            let message = "seed \(seed), \(item.name): \(request.headText)"
            #expect(request.method == item.request.method.rawValue, "\(message)")
            #expect(request.target == item.request.url.requestTarget, "\(message)")
            for field in item.request.headers.fields {
                #expect(request.headers.contains { $0.name == field.name && Array($0.value.utf8) == Array(field.value.utf8) }, "\(message)")
            }
            switch item.request.body {
            case .none: #expect(request.body.isEmpty, "\(message)")
            case .bytes(let expected, let type): #expect(request.body == expected && request["Content-Type"] == type, "\(message)")
            case .file: #expect(request.body == bytes && request["Content-Type"] == "a/b", "\(message)")
            case .multipart(let parts):
                for part in parts {
                    let content = if case .bytes(let bytes) = part.content { bytes } else { bytes }
                    #expect(content.isEmpty || request.body.firstRange(of: content) != nil, "\(message)")
                    #expect(request.bodyText.contains("name=\"\(part.name)\""), "\(message)")
                }
            }
        }
    }

    @Test(.enabled(if: PythonPackage.isAvailable("httpx"), "httpx is not installed; .ci/setup test does that"))
    func `an exported chain passes captured values on and ends at a response that differs`() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer { $0.target == "/login" ? .json(ExportFixture.loginBody) : .status(500) }
        let workspace = ExportFixture.workspace(server.url, [ExportFixture.login(), ExportFixture.order()])
        try folder.write("code.py", try PythonExport.text(of: ExportFixture.run(ExportFixture.chain(), in: workspace)))
        let run = try await PythonPackage.run("httpx", [folder.path("code.py")], environment: ["PASS": "a\"b"])
        #expect(run.status == .exited(1) && run.output.contains("status: expected = 201, got 500"), "\(run)")
        #expect(server.requests.map(\.target) == ["/login", "/orders/7"])
        #expect(server.requests.first?.bodyText == "{\"user\": \"a b\", \"password\": \"a\\\"b\"}", "\(server.requests.first?.bodyText ?? "")")
        let order = try #require(server.requests.last)
        #expect(order["Authorization"] == "Bearer T\"é" && order["X-Type"] == "application/json 200", "\(order.headText)")
        let body = try JSONValue(parsing: order.bodyText)
        #expect(body == (try JSONValue(parsing: #"{"id": 7, "all": [6,7], "text": "T\"é"}"#)), "\(order.bodyText)")
    }

    @Test(.enabled(if: PythonPackage.isAvailable("httpx"), "httpx is not installed; .ci/setup test does that"))
    func `exported filters of JSON paths find the same values as the library`() async throws {
        let folder = try TemporaryFolder()
        let body = #"{"wanted": 2, "items": [{"id": 1, "name": "a", "tags": ["x"]}, {"id": 2.0, "name": "bb"}, {"id": "2", "name": null}]}"#
        let server = try ScriptedServer(answering: .json(body))
        let paths = [
            "$.items[?@.id == $.wanted].name", "$.items[?@.name == null].id", "$.items[?length(@.name) > 1 && !@.tags].name",
            "$.items[?match(@.name, 'b+') || count(@.tags[*]) == 1].id", "$.items[?@.id > 5].id", "$.items[?search(@.name, 'b')].name",
            "$.items[?@.id <= '2'].id", "$.items[?@.missing == @.other].id", "$..[?@ == 'x']", "$.items[?value(@..tags[0]) == 'x'].id",
            "$.items[?@.tags == $.items[0].tags].id", "$.items[?(@.id < 2 || @.id == '2') && @.name != 'a'].id",
        ]
        let root = try JSONValue(parsing: body)
        var endpoint = ExportFixture.endpoint()
        endpoint.captures = paths.enumerated().map { Capture(name: "c\($0)", path: $1) }
        let workspace = ExportFixture.workspace(server.url, [endpoint])
        let run = RunDefinition(name: "r", kind: .chain, steps: [RunDefinition.Step(target: "s/x", name: "x")])
        let code = try PythonExport.text(of: ExportFixture.run(run, in: workspace))
        try folder.write(
            "code.py", code.replacing("    return 1 if failed else 0", with: "    print(json.dumps(values))\n    return 1 if failed else 0"))
        let output = try await PythonPackage.run("httpx", [folder.path("code.py")])
        #expect(output.succeeded, "\(output)")
        let values = try JSONValue(parsing: String(output.output.split(separator: "\n").last ?? ""))
        for (index, path) in paths.enumerated() {
            let expected = JSONValue.array(try JSONPath(path).values(in: root))
            guard case .string(let text)? = values["x.c\(index)"] else {
                Issue.record("\(path): \(values.text)")
                continue
            }
            #expect(try JSONValue(parsing: text) == expected, "\(path)")
        }
    }
}
