import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the programs of all languages by their text, and by running those whose tools this machine has.
struct CodeLanguageTests {
    private static let languages: [any CodeLanguage.Type] = ExportFormats.all.compactMap { $0 as? any CodeLanguage.Type }
    /// The programs that run a file of a language, by the name of the format.
    private static let tools = [
        "javascript": ["node"], "java": ["java"], "go": ["go", "run"], "php": ["php"], "powershell": ["pwsh", "-File"], "wget": ["sh"],
        "httpie": ["sh"],
    ]
    /// The programs that command lines run.
    private static let clients = ["wget": "wget", "httpie": "http"]

    /// Whether a tool is in the search path.
    private static func has(_ name: String) -> Bool {
        guard let tool = clients[name] ?? tools[name]?.first else { return false }
        return (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
        }
    }

    private func source(_ url: String, _ endpoints: [Endpoint]) throws -> ExportSource {
        let workspace = ExportFixture.workspace(url, endpoints)
        let resolver = ExportResolver(workspace: workspace, environment: "e") { _, _ in nil }
        return ExportSource(name: "s", workspace: workspace, environment: "e", items: try workspace.endpoints.map { try resolver.item(for: $0) })
    }

    @Test(arguments: ["javascript", "go", "rust", "php", "java", "powershell"])
    func `a program has a function for each request, and the names of its variables`(_ name: String) throws {
        let language = try #require(ExportFormats.named(name))
        let text = try language.text(
            of: source(
                "http://h",
                [
                    ExportFixture.endpoint("/a/{{$env.P}}") {
                        ($0.method, $0.redirects, $0.timeouts) = (.post, 3, Timeouts(total: .seconds(3)))
                        $0.headers = [Parameter("A", "b\"\\$`")]
                        $0.body = .json("{\"a\": \"{{$env.V}}\", \"n\": {{$env.N}}}")
                        $0.auth = .basic(user: "me", password: "{{$env.PASS}}")
                    }
                ]))
        #expect(text.contains("Set before: N P PASS V\n"), "\(text)")
        for piece in ["POST s/x", "http://h/a/", "urlencode", "jsontext", "3"] { #expect(text.contains(piece), "\(piece): \(text)") }
        #expect(text.contains(name == "rust" || name == "php" ? "send_s_x" : "sendSX"), "\(text)")
    }

    @Test func `a name does not end the comment that it stands in`() throws {
        var source = try source("http://h", [ExportFixture.endpoint()])
        source.name = "a ?><?php b(); \\u000a c();\n\u{2028}zq();"
        for language in Self.languages {
            let text = try language.text(of: source)
            let lines = text.split(whereSeparator: \.isNewline).filter { $0.contains("zq();") }
            #expect(lines.count == 1 && lines[0].contains("exported by sortie"), "\(text)")
            #expect(lines.allSatisfy { $0.hasPrefix(language.comment.drop { $0 == " " }) }, "\(text)")
        }
        #expect(try !PHPExport.text(of: source).contains("?>") && JavaExport.text(of: source).contains("b(); \\\\u000a c"))
    }

    @Test func `values of variables that the workspace masks are in no export`() throws {
        let endpoint = ExportFixture.endpoint("/a?k={{plain}}&n={{name}}")
        let workspace = ExportFixture.workspace("http://h", [endpoint]) {
            $0.variables = ["plain": "hidden-value"]
            $0.redact = ["PLAIN"]
        }
        let resolver = ExportResolver(workspace: workspace, environment: "e") { _, _ in nil }
        let source = ExportSource(
            name: "s", workspace: workspace, environment: "e", items: try workspace.endpoints.map { try resolver.item(for: $0) })
        for name in ["curl", "http", "hurl", "har", "openapi", "postman", "python", "javascript"] {
            let format = try #require(ExportFormats.named(name))
            #expect(try !format.text(of: source).contains("hidden-value"), "\(format.name)")
        }
    }

    @Test(arguments: [("http", "@n = given\n"), ("hurl", "variable: n=given\n"), ("postman", "/given?"), ("curl", "/given?"), ("har", "/given?")])
    func `a variable of the command line has its value in formats that write variables`(_ name: String, _ words: String) throws {
        let workspace = ExportFixture.workspace("http://h", [ExportFixture.endpoint("/{{n}}?m={{m}}")]) { $0.variables = ["n": "former", "m": "1"] }
        let resolver = ExportResolver(workspace: workspace, environment: "e", overrides: ["n": "given", "other": "unused"]) { _, _ in nil }
        let source = ExportSource(
            name: "s", workspace: workspace, environment: "e", items: try workspace.endpoints.map { try resolver.item(for: $0) })
        let text = try #require(ExportFormats.named(name)).text(of: source)
        #expect(text.contains(words) && !text.contains("former") && !text.contains("unused"), "\(text)")
    }

    @Test func `what a client does not do is a note`() throws {
        let source = try source(
            "http://h",
            [
                ExportFixture.endpoint {
                    ($0.redirects, $0.body, $0.auth) = (3, .text("x", contentType: nil), .digest(user: "a", password: "b"))
                    $0.headers = [Parameter("Expect", "100-continue")]
                }
            ])
        let notes = try JavaScriptExport.notes(of: source)
        for words in ["the client sends no body with GET", "redirects is not limited to 3", "the digest authentication is not performed"] {
            #expect(notes.contains { $0.hasPrefix("s/x: ") && $0.contains(words) }, "\(words): \(notes)")
        }
        #expect(try JavaExport.notes(of: source).contains("s/x: the field Expect is set by the client"))
    }

    @Test func `fields that are not ASCII, bodies without a type and redirects of POST are those of Sortie, or a note`() throws {
        let source = try source(
            "http://h",
            [
                ExportFixture.endpoint {
                    ($0.method, $0.body, $0.removedHeaders) = (.post, .text("x", contentType: nil), ["Content-Type"])
                    $0.headers = [Parameter("X-U", "\u{e9}")]
                }
            ])
        let script = try JavaScriptExport.text(of: source)
        #expect(script.contains("[\"X-U\", utf8(\"\u{e9}\")]") && script.contains("body: Buffer.from(\"x\"),"), "\(script)")
        let php = try PHPExport.text(of: source)
        #expect(php.contains("CURLOPT_POST => true") && php.contains("[\"Content-Type:\", ") && !php.contains("CUSTOMREQUEST"), "\(php)")
        for language in [JavaExport.self, PowerShellExport.self] as [any CodeLanguage.Type] {
            let isNamed = try language.notes(of: source).contains { $0.contains("the field X-U, because") }
            #expect(isNamed, "\(language.name)")
        }
        #expect(try PowerShellExport.notes(of: source).contains { $0.contains("the client adds Content-Type") })
    }

    @Test func `command lines have the options of their clients, and the names of their variables`() throws {
        let source = try source(
            "http://h",
            [
                ExportFixture.endpoint("/a/{{$env.P}}") {
                    ($0.target, $0.method, $0.redirects, $0.timeouts) = ("s/a", .post, 3, Timeouts(total: .milliseconds(2500)))
                    $0.headers = [Parameter("A", "it's"), Parameter("B", "{{$env.V}}"), Parameter("C", "")]
                    $0.body = .json("{\"a\": \"{{$env.V}}\"}")
                    $0.auth = .basic(user: "me", password: "{{$env.PASS}}")
                },
                ExportFixture.endpoint("/b") { ($0.target, $0.redirects) = ("s/b", 0) },
            ])
        let wget = try WgetExport.text(of: source)
        #expect(wget.hasPrefix("# s: exported by sortie, for command lines of Wget.\n# Set before: P PASS V\nurlencode() {"), "\(wget)")
        #expect(
            wget.hasSuffix(
                #"""
                # POST s/a
                timeout 2.5 wget \
                  -q \
                  -O \
                  - \
                  --content-on-error \
                  --tries=1 \
                  --max-redirect=3 \
                  --method=POST \
                  --header='A: it'\''s' \
                  --header=B': '"$V" \
                  --header='C: ' \
                  --header='Content-Type: application/json' \
                  --header='Authorization: Basic '"$(base64text me:"$PASS")" \
                  --body-data='{"a": "'"$(jsonescape "$V")"'"}' \
                  http://h/a/"$(urlencode "$P")"

                # GET s/b
                wget -q -O - --content-on-error --tries=1 --max-redirect=0 http://h/b

                """#), "\(wget)")
        let httpie = try HTTPieExport.text(of: source)
        #expect(
            httpie.contains(
                #"""
                timeout 2.5 http \
                  --follow \
                  --max-redirects=3 \
                  --ignore-stdin \
                  --raw='{"a": "'"$(jsonescape "$V")"'"}' \
                  POST \
                  http://h/a/"$(urlencode "$P")" \
                  'A: it'\''s' \
                  B': '"$V" \
                  C';' \
                  'Content-Type: application/json' \
                  'Authorization: Basic '"$(base64text me:"$PASS")" \
                  'Accept: */*'

                # GET s/b
                http --ignore-stdin GET http://h/b
                """#), "\(httpie)")
    }

    @Test func `what the clients of command lines do not send is a note`() throws {
        let source = try source(
            "http://h",
            [
                ExportFixture.endpoint("/p") {
                    ($0.method, $0.body, $0.removedHeaders, $0.redirects) = (.put, .text("x", contentType: nil), ["Content-Type"], 0)
                    $0.headers = [Parameter("X-A", "a\\;b")]
                }
            ])
        #expect(try WgetExport.notes(of: source) == ["s/x: the client adds Content-Type: application/x-www-form-urlencoded"])
        #expect(try HTTPieExport.notes(of: source) == ["s/x: the field X-A, whose value the client reads as something else"])
        let httpie = try HTTPieExport.text(of: source)
        #expect(httpie.contains("http --ignore-stdin --raw=x PUT http://h/p Content-Type: 'Accept: */*'"), "\(httpie)")
    }

    @Test(arguments: ["javascript", "java", "go", "php", "powershell", "wget", "httpie"].filter(has))
    func `a program sends the requests of Sortie`(_ name: String) async throws {
        let language = try #require(ExportFormats.named(name))
        let folder = try TemporaryFolder()
        let file = try folder.write("file.bin", [UInt8](0...255))
        let server = try ScriptedServer(answering: .ok("received"))
        let text = "quote \" ' ` $HOME \\ \\n {0} \u{e9}\u{1F600} \u{1b}1\u{202e}\r\nend"
        let endpoints = [
            ExportFixture.endpoint("/a/{{$env.PASS}}?q=%20") {
                ($0.target, $0.method) = ("s/a", .post)
                $0.headers = [Parameter("X-A", "a \"b\" $c")]
                $0.body = .json("{\"a\": \"{{$env.PASS}}\"}")
                $0.auth = .basic(user: "me", password: "{{$env.PASS}}")
            },
            ExportFixture.endpoint("/b") { ($0.target, $0.method, $0.body) = ("s/b", .put, .text(text, contentType: "text/x")) },
            ExportFixture.endpoint("/c") { ($0.target, $0.method, $0.body) = ("s/c", .post, .file(path: file, contentType: "a/b")) },
            ExportFixture.endpoint("/d") {
                ($0.target, $0.method) = ("s/d", .post)
                $0.body = .multipart([.init(name: "t", value: "x"), .init(name: "f", value: file, isFile: true, fileName: "n", contentType: "x/y")])
            },
        ]
        let program = try folder.write("Program.\(language.fileExtension)", try language.text(of: source(server.url, endpoints)))
        let tool = try #require(Self.tools[name])
        // Java reads variables in the charset of the locale.
        let run = try await ProcessRun.run(
            "/usr/bin/env", tool + [program], environment: ["PASS": "p \"\\%\u{e9}", "LC_ALL": "C.UTF-8"], directory: folder.path)
        let response = Self.clients[name] == nil ? "200 received" : "received"
        #expect(run.succeeded && run.output.components(separatedBy: response).count == 5, "\(run)")
        let sent = server.requests
        try #require(sent.count == 4)
        #expect(sent[0].target == "/a/p%20%22%5C%25%C3%A9?q=%20" && sent[0]["X-A"] == "a \"b\" $c")
        #expect(sent[0].bodyText == "{\"a\": \"p \\\"\\\\%\u{e9}\"}" || sent[0].bodyText == "{\"a\": \"p \\\"\\\\%\\u00e9\"}")
        #expect(sent[0]["Authorization"] == "Basic " + Base64.text("me:p \"\\%\u{e9}".utf8) && sent[0]["Content-Type"] == "application/json")
        #expect(sent[1].method == "PUT" && sent[1].bodyText == text && sent[1]["Content-Type"] == "text/x")
        #expect(sent[2].body == [UInt8](0...255))
        let second = "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"n\"\r\nContent-Type: x/y\r\n\r\n"
        let parts = "name=\"t\"\r\n\r\nx\r\n--sortie-boundary" + second
        #expect(String(decoding: sent[3].body, as: UTF8.self).contains(parts))
        #expect(sent[3]["Content-Type"] == "multipart/form-data; boundary=sortie-boundary")
    }
}
