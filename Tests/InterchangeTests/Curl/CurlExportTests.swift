import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests exported curl commands, by their text and by running them in a real shell.
struct CurlExportTests {
    private func workspace(_ url: String, _ endpoints: [Endpoint], change: (inout Workspace) -> Void = { _ in }) -> Workspace {
        var workspace = Workspace(name: "w", folder: "/ws")
        workspace.environments = [WorkspaceEnvironment(name: "e", variables: ["name": "a b"])]
        var service = Service(folder: "s", name: "S")
        service.servers = ["e": [url]]
        service.endpoints = endpoints
        workspace.services = [service]
        change(&workspace)
        return workspace
    }

    private func text(_ endpoint: Endpoint, url: String = "http://h", change: (inout Workspace) -> Void = { _ in }) throws -> String {
        let workspace = workspace(url, [endpoint], change: change)
        return try CurlExport.text(of: try source(workspace))
    }

    private func source(_ workspace: Workspace) throws -> ExportSource {
        let resolver = ExportResolver(workspace: workspace, environment: "e") { _, _ in nil }
        return ExportSource(name: "s", workspace: workspace, environment: "e", items: try workspace.endpoints.map { try resolver.item(for: $0) })
    }

    private func endpoint(_ path: String = "/x", _ change: (inout Endpoint) -> Void = { _ in }) -> Endpoint {
        var endpoint = Endpoint(target: "s/x", name: "x", path: path)
        (endpoint.redirects, endpoint.compression, endpoint.cookies) = (0, false, false)
        change(&endpoint)
        return endpoint
    }

    @Test func `a quote before a combining mark does not end a word`() {
        #expect(ShellQuote.quoted("'\u{301}; x").unicodeScalars.elementsEqual("''\\''\u{301}; x'".unicodeScalars))
    }

    @Test func `a plain endpoint is a plain command`() throws {
        #expect(try text(endpoint()) == "curl http://h/x\n")
        #expect(try text(endpoint { ($0.redirects, $0.compression, $0.cookies) = (nil, nil, nil) }) == "curl -L --compressed -b '' http://h/x\n")
    }

    @Test func `variables have their values, and credentials are variables of the shell`() throws {
        let exported = try text(
            endpoint("/{{name}}") {
                $0.auth = .bearer(token: "{{token}}")
                $0.headers = [Parameter("X-Api-Key", "literal"), Parameter("Y", "{{$env.HOME}}'s")]
                $0.query = [Parameter("password", "literal")]
            }
        ) { $0.secrets = ["token": .environment("MY_TOKEN")] }
        #expect(!exported.contains("literal"))
        #expect(exported.contains("'Authorization: Bearer '\"$MY_TOKEN\""))
        #expect(exported.contains("'http://h/a%20b?password='\"$(urlencode \"$S_PASSWORD\")\""))
        #expect(exported.contains("'Y: '\"$HOME\"''\\''s'"))
        #expect(exported.hasPrefix("# Set before: HOME MY_TOKEN S_API_KEY S_PASSWORD\nurlencode() { "))
    }

    @Test func `a file whose path begins with a value that is not exported is not in the folder of the workspace`() throws {
        let whole = try text(endpoint { ($0.method, $0.body) = (.put, .file(path: "{{$env.HOME}}/up.txt", contentType: nil)) })
        #expect(whole.contains(#"--data-binary @"$HOME"/up.txt"#), "\(whole)")
        let parts = try text(
            endpoint { endpoint in
                endpoint.method = .post
                endpoint.body = .multipart(
                    ["{{$prompt Dir}}/a", "{{token}}/b", "{{base}}/c", "d/{{$env.X}}", "e"].map {
                        .init(name: "f", value: $0, isFile: true, fileName: "", contentType: nil)
                    })
            }
        ) {
            $0.secrets = ["token": .environment("MY_TOKEN")]
            $0.variables = ["base": "{{$env.HOME}}/base"]
        }
        for name in ["DIR\")\"'/a", "MY_TOKEN\")\"'/b", "HOME\")\"'/base/c"] {
            #expect(parts.contains("<\"'\"$(partescape \"$" + name), "\(name): \(parts)")
        }
        #expect(parts.contains("<\"/ws/s/d/'\"") && parts.contains("<\"/ws/s/e\""), "\(parts)")
    }

    @Test func `a user and a password are -u`() throws {
        #expect(
            try text(endpoint { $0.auth = .basic(user: "me", password: "{{p}}") }) { $0.secrets = ["p": .command("pass")] }.contains("-u me:\"$P\""))
        #expect(try text(endpoint { $0.auth = .ntlm(NTLMCredential(user: "me", password: "{{$prompt Pass}}")) }).contains("--ntlm -u me:\"$PASS\""))
        #expect(try text(endpoint { $0.auth = .negotiate }).contains("--negotiate -u :"))
        #expect(try text(endpoint { $0.auth = .digest(user: "me", password: "{{$prompt Pass}}") }).contains("--digest -u me:\"$PASS\""))
    }

    @Test func `a variable of the workspace with the name of a credential is not written`() throws {
        let exported = try text(endpoint { $0.headers = [Parameter("Z", "{{password}}")] }) { $0.variables = ["password": "s3cret"] }
        #expect(!exported.contains("s3cret") && exported.contains("$PASSWORD"))
    }

    @Test func `the connection's settings are options`() throws {
        let exported = try text(
            endpoint { endpoint in
                endpoint.timeouts = Timeouts(connect: .seconds(1), total: .milliseconds(2500))
                endpoint.version = .http1
            }, url: "https://h"
        ) {
            $0.services[0].trust.isInsecure = true
            $0.services[0].addresses.fixed = [IPAddress("127.0.0.1")].compactMap(\.self)
            $0.services[0].addresses.source = .fixed
            $0.services[0].proxy = ProxyTemplate(url: "http://p:3128", except: ["a.b"])
        }
        for option in ["--http1.1", "-m 2.5", "--connect-timeout 1", "-k", "--resolve h:443:127.0.0.1", "-x http://p:3128", "--noproxy a.b"] {
            #expect(exported.contains(option), "\(option): \(exported)")
        }
    }

    @Test func `a recorded request with masked values is a command with variables`() throws {
        var request = Request(method: .post, url: try HTTPURL(parsing: "http://h/a?b={{"))
        request.headers = Headers([HeaderField("Authorization", "Bearer ••••"), HeaderField("A", "{{x}}")])
        request.body = .text("{\"p\":\"••••\"}", contentType: "application/json")
        let resolver = ExportResolver(workspace: Workspace(name: "history", folder: "."), environment: nil) { _, _ in nil }
        let item = try resolver.item(for: Endpoint(recorded: request, named: "history/1"))
        let exported = try CurlExport.text(of: ExportSource(name: "", workspace: Workspace(name: "", folder: ""), environment: nil, items: [item]))
        #expect(
            exported.contains("'Authorization: Bearer '\"$AUTHORIZATION\"") && exported.contains("'A: {{x}}'")
                && exported.contains("'{\"p\":\"'\"$SECRET\"'\"}'"))
    }

    // MARK: Untrusted content

    @Test(arguments: ["X$(id)", "X$(curl${IFS}h|sh)", "1X", "X-Y", "X`id`", "Ü"])
    func `a name that a shell would not expand as a variable is an error`(_ name: String) throws {
        #expect(throws: Diagnostic.self) { try text(endpoint { $0.headers = [Parameter("A", "{{$env.\(name)}}")] }) }
        #expect(throws: Diagnostic.self) {
            try text(endpoint { $0.headers = [Parameter("A", "{{s}}")] }) { $0.secrets = ["s": .environment(name)] }
        }
        let placeholders = ExportPlaceholder(mark: "m")
        #expect(!ShellQuote.word(placeholders.text(name), placeholders).contains("$"))
    }

    @Test func `a text with the form of a placeholder is text`() throws {
        let placeholders = ExportPlaceholder(mark: "0123")
        let forged = ExportPlaceholder(mark: "7v").text("HOME")
        #expect(ShellQuote.word(forged, placeholders) == forged)
        #expect(ShellQuote.word(placeholders.text("HOME"), placeholders) == "\"$HOME\"")
        #expect(try text(endpoint("/" + forged)) == "curl http://h/\(forged)\n")
    }

    @Test(arguments: [
        BodyTemplate.Part(name: "a=@/etc/passwd;x", value: "v"), .init(name: "a=b", value: "v", fileName: "n"),
        .init(name: "a=b", value: "/f", isFile: true), .init(name: "a", value: "v", contentType: "text/x;headers=@/etc/passwd"),
        .init(name: "a", value: "/f", isFile: true, contentType: "text/x,/etc/passwd"), .init(name: "a", value: "\u{0}"),
    ])
    func `a part that curl would read as another part is an error`(_ part: BodyTemplate.Part) {
        #expect(throws: Diagnostic.self) { try text(endpoint { ($0.method, $0.body) = (.post, .multipart([part])) }) }
    }

    @Test func `control and bidi characters are not written as they are, and a shell restores them`() async throws {
        let hidden = "a\u{1b}[2J'b\u{7f}\u{85}\u{202e}\r\n%c"
        let placeholders = ExportPlaceholder(mark: "m")
        let word = ShellQuote.word(hidden, placeholders)
        let body = ShellQuote.printfArguments(Array((hidden + placeholders.text("V")).utf8), placeholders)
        let exported = try text(
            endpoint {
                ($0.method, $0.body) = (.post, .text(hidden + "{{$env.V}}", contentType: nil))
                $0.auth = .basic(user: hidden, password: "{{$env.V}}")
            })
        for text in [word, body, exported, ShellQuote.comment(hidden)] {
            #expect(!text.unicodeScalars.contains(where: ShellQuote.isHidden), "\(text.debugDescription)")
        }
        #expect(exported.hasPrefix("# Set before: V\nprintf ") && exported.contains("%s' \"$V\" | curl "), "\(exported)")
        let shell = try await ProcessRun.run("/bin/sh", ["-c", "printf %s \(word); printf \(body)"], environment: ["V": "%v"])
        #expect(shell.succeeded && Array(shell.output.utf8) == Array((hidden + hidden + "%v").utf8), "\(shell)")
    }

    @Test func `the comment of a request has no characters that a terminal interprets`() throws {
        let workspace = workspace("http://h", [endpoint { $0.target = "s/a\u{1b}[2J\nb" }, endpoint { $0.target = "s/c" }])
        #expect(try CurlExport.text(of: try source(workspace)).contains("# s/a<U+1B>[2J b\n"))
    }

    @Test func `prompts are variables with the name of the label`() throws {
        let exported = try text(endpoint { $0.headers = [Parameter("A", "{{$prompt Size = 20}}"), Parameter("B", "{{$promptSecret My pin}}")] })
        #expect(exported.contains("'A: '\"$SIZE\"") && exported.contains("'B: '\"$MY_PIN\""), "\(exported)")
    }

    @Test func `a variable of the command line is the answer to a prompt`() throws {
        let workspace = workspace("http://h", [endpoint("/{{$prompt Id}}/{{$prompt Other}}")])
        let resolver = ExportResolver(workspace: workspace, environment: "e", overrides: ["Id": "1"]) { _, _ in nil }
        let items = [try resolver.item(for: workspace.endpoints[0])]
        let exported = try CurlExport.text(of: ExportSource(name: "s", workspace: workspace, environment: "e", items: items))
        #expect(exported.hasPrefix("# Set before: OTHER\n") && exported.contains("http://h/1/"), "\(exported)")
    }

    @Test func `a recorded body of bytes is exported unchanged, and a part of bytes is an error`() throws {
        var request = Request(method: .post, url: try HTTPURL(parsing: "http://h/a"))
        request.body = .bytes([0xff, 0x41, 0x00], contentType: "a/b")
        let resolver = ExportResolver(workspace: Workspace(name: "history", folder: "."), environment: nil) { _, _ in nil }
        let item = try resolver.item(recorded: request, named: "history/1")
        let exported = try CurlExport.text(of: ExportSource(name: "", workspace: Workspace(name: "", folder: ""), environment: nil, items: [item]))
        #expect(exported.hasPrefix("printf '\\377A\\000' | curl "), "\(exported)")
        request.body = .multipart([.init(name: "p", content: .bytes([0xff]))])
        #expect(throws: Diagnostic.self) { try resolver.item(recorded: request, named: "history/1") }
    }

    @Test func `a recorded request keeps its credentials, its redirects and the fields that it removes`() throws {
        var request = Request(method: .post, url: try HTTPURL(parsing: "http://h/a"), body: .text("x", contentType: nil))
        request.options.maximumRedirects = 0
        request.options.removedFields = ["accept", "content-type"]
        var endpoint = Endpoint(target: "s/x", name: "x", path: "/a")
        endpoint.auth = .digest(user: "{{user}}", password: HeaderField.mask)
        request.origin = RequestOrigin(endpoint: endpoint, variables: ["user": "us"])
        let workspace = Workspace(name: "history", folder: ".")
        let resolver = ExportResolver(workspace: workspace, environment: nil) { _, _ in nil }
        let item = try resolver.item(recorded: request, named: "history/1")
        let source = ExportSource(name: "", workspace: workspace, environment: nil, items: [item])
        let command = try CurlExport.text(of: source)
        #expect(command.contains("--digest -u us:\"$PASSWORD\"") && !command.contains("-L"), "\(command)")
        #expect(command.contains("-H Accept:") && command.contains("-H Content-Type:"), "\(command)")
        let file = try HTTPFileExport.text(of: source)
        #expect(file.contains("# @no-redirect\n") && file.contains("Authorization: Digest us ") && !file.contains("Content-Type"), "\(file)")
        #expect(file.contains("# Not exported: the removal of the fields accept, which the tool adds\n"), "\(file)")
    }

    // MARK: In a real shell

    private static let pieces =
        "abc09 '\"\\$`!*?#&|;<>()[]}~%=+,@:/\n\t\u{e9}\u{6771}\u{1F600}".map(String.init) + [
            "$HOME", "$(id)", "`id`", "\\n", "''", "{{$braces}}x}}", "@file", "-d", "%s",
        ]

    private func anyText(_ count: Int, using random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private func anyEndpoint(_ index: Int, file: String, using random: inout SeededGenerator) -> Endpoint {
        endpoint("/p\(index)/" + PercentEncodedPath.of(anyText(6, using: &random))) { endpoint in
            endpoint.target = "s/e\(index)"
            endpoint.method = HTTPMethod(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "WHAT"].randomElement(using: &random) ?? "GET") ?? .get
            endpoint.query = (0..<Int.random(in: 0...3, using: &random)).map {
                Parameter("n\($0)" + anyText(3, using: &random), anyText(8, using: &random))
            }
            endpoint.headers = (0..<Int.random(in: 0...3, using: &random)).map {
                Parameter("X-\($0)", anyText(8, using: &random).filter { $0 != "\n" && $0 != "\t" }.trimmingCharacters(in: .whitespaces))
            }
            switch Int.random(in: 0...6, using: &random) {
            case 0: endpoint.body = .none
            case 1: endpoint.body = .text(anyText(60, using: &random), contentType: Bool.random(using: &random) ? "text/x" : nil)
            case 2: endpoint.body = .form((0..<3).map { Parameter("f\($0)" + anyText(3, using: &random), anyText(9, using: &random)) })
            case 3: endpoint.body = .json("{\"a\": [1, \"\\n'$x`\"]}")
            case 4: endpoint.body = .file(path: file, contentType: "a/b")
            case 5: endpoint.body = .text("\u{0}" + anyText(20, using: &random), contentType: "application/octet-stream")
            default:
                endpoint.body = .multipart([
                    .init(name: "t", value: anyText(20, using: &random)),
                    .init(name: "u", value: anyText(9, using: &random), fileName: "n;\"x", contentType: "text/x; charset=utf-8"),
                    .init(name: "v", value: file, isFile: true, contentType: "x/y"),
                ])
            }
        }
    }

    @Test(arguments: [UInt64(20), 21, 22, 23]) func `200 generated endpoints, exported and run by a shell, send the same requests`(_ seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let bytes: [UInt8] = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let file = try folder.write("it's a $file", bytes)
        let server = try ScriptedServer(answering: .ok("ok"))
        let endpoints = (0..<50).map { anyEndpoint($0, file: file, using: &random) }
        let source = try source(workspace(server.url, endpoints))
        try folder.write("script.sh", "set -e\n" + (try CurlExport.text(of: source)).replacing("curl ", with: "curl -q -sS --noproxy '*' "))
        let run = try await ProcessRun.run("/bin/sh", [folder.path("script.sh")], directory: folder.path, within: .seconds(300))
        #expect(run.succeeded, "seed \(seed): \(run)")
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
            case .bytes(let expected, let type):
                #expect(request.body == expected, "\(message)")
                #expect(request["Content-Type"] == type, "\(message)")
            case .file: #expect(request.body == bytes && request["Content-Type"] == "a/b", "\(message)")
            case .multipart(let parts):
                let boundary = try #require(request["Content-Type"]?.split(separator: "boundary=").last.map(String.init), "\(message)")
                #expect(request.body == Self.multipart(parts, boundary: boundary, file: bytes), "\(message)")
            }
        }
    }

    /// The bytes of parts (RFC 7578) with the escapes of browsers in names.
    private static func multipart(_ parts: [RequestBody.Part], boundary: String, file: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\""
            if let name = part.fileName { head += "; filename=\"\(name.replacing("\"", with: "%22"))\"" }
            if let type = part.contentType { head += "\r\nContent-Type: \(type)" }
            result += Array((head + "\r\n\r\n").utf8)
            if case .bytes(let bytes) = part.content { result += bytes } else { result += file }
            result += Array("\r\n".utf8)
        }
        return result + Array("--\(boundary)--\r\n".utf8)
    }

    /// Endpoints with a secret in each part of a request.
    private func endpointsWithKey(hasAPIKey: Bool) -> [Endpoint] {
        let changes: [(inout Endpoint) -> Void] = [
            {
                $0.path = "/p/{{key}}.x"
                $0.query = [Parameter("k", "lit&{{key}}+"), Parameter("n{{key}}", "v"), Parameter("z", "{{key}}{{key}}")]
                // An API key without a value is refused.
                if hasAPIKey { $0.auth = .apiKey(APIKey(name: "api", value: "{{key}}", in: .query)) }
            },
            {
                ($0.method, $0.query) = (.post, [Parameter("q", "{{key}}")])
                $0.body = .form([Parameter("f", "x {{key}}"), Parameter("g{{key}}", "a&b")])
            },
            { ($0.method, $0.body) = (.post, .json("{\"a\": \"<{{key}}>\", \"b\": [\"{{key}}\"], \"n\": 1}")) },
            { ($0.method, $0.body) = (.post, .json("{\"a\": \"\u{202e}{{key}}\"}")) },
            { ($0.method, $0.body) = (.post, .text("v={{key}}", contentType: "application/json")) },
            {
                $0.method = .post
                $0.body = .multipart([
                    .init(name: "u", value: "{{key}}.", fileName: "n", contentType: "text/x"), .init(name: "t", value: "{{key}}"),
                ])
            },
            { ($0.method, $0.body) = (.post, .plist("<plist version=\"1.0\"><string>{{key}}</string></plist>")) },
        ]
        return changes.enumerated().map { index, change in
            endpoint("/\(index)") {
                $0.target = "s/e\(index)"
                change(&$0)
            }
        }
    }

    @Test(arguments: ["a&b=c", "a&b=c d\u{e9}+%\"'\\~*$HOME`\n\tz\u{6771}", "\u{1}\u{1f}\u{7f}\r\n.", "", "plain"])
    func `values of variables are sent as Sortie sends them, in each part of a request`(_ value: String) async throws {
        let server = try ScriptedServer(answering: .ok("ok"))
        // XML has no control characters.
        let endpoints = endpointsWithKey(hasAPIKey: !value.isEmpty).dropLast(value.utf8.contains(1) ? 1 : 0)
        let workspace = workspace(server.url, Array(endpoints)) { $0.secrets = ["key": .environment("APIKEY")] }
        let folder = try TemporaryFolder()
        try folder.write(
            "script.sh", "set -e\n" + (try CurlExport.text(of: try source(workspace))).replacing("curl ", with: "curl -q -sS --noproxy '*' "))
        let run = try await ProcessRun.run("/bin/sh", [folder.path("script.sh")], environment: ["APIKEY": value], directory: folder.path)
        #expect(run.succeeded && server.requests.count == endpoints.count, "\(run)")
        let builder = RequestBuilder(workspace: workspace, environment: "e")
        for (endpoint, received) in zip(endpoints, server.requests) {
            let scope = builder.scope(of: endpoint, secret: { $0 == "key" ? value : nil }, builtin: { _, _ in nil })
            let expected = try builder.request(for: endpoint, in: scope)
            #expect(received.target == expected.url.requestTarget, "\(endpoint.target)")
            switch expected.body {
            case .none, .file: #expect(received.body.isEmpty, "\(endpoint.target)")
            case .bytes(let bytes, _): #expect(received.body == bytes, "\(endpoint.target): \(received.bodyText)")
            case .multipart(let parts):
                let boundary = try #require(received["Content-Type"]?.split(separator: "boundary=").last.map(String.init))
                #expect(received.body == Self.multipart(parts, boundary: boundary, file: []), "\(endpoint.target): \(received.bodyText)")
            }
        }
    }

    @Test func `a template with raw is not encoded, and a value in a host is not changed`() throws {
        let secrets: (inout Workspace) -> Void = { $0.secrets = ["key": .environment("APIKEY"), "host": .environment("HOST_NAME")] }
        let raw = try text(endpoint("/x?{{key|raw}}") { ($0.method, $0.body) = (.post, .json("{\"a\": \"{{key}}\"}")) }, change: secrets)
        #expect(raw.contains("'http://h/x?'\"$APIKEY\"\n") && raw.contains("\"$(jsonescape \"$APIKEY\")\""), "\(raw)")
        #expect(raw.contains("jsonescape() {") && !raw.contains("urlencode"), "\(raw)")
        let host = try text(endpoint("/a&b"), url: "http://{{host}}:8080", change: secrets)
        #expect(host.contains("\"$HOST_NAME\"") && !host.contains("urlencode"), "\(host)")
    }

    @Test func `a charset and a GraphQL document, for which the shell does not write values, are notes`() throws {
        func notes(_ change: (inout Endpoint) -> Void) throws -> [String] {
            let workspace = workspace("http://h", [endpoint("/x", change)]) { $0.secrets = ["key": .environment("APIKEY")] }
            return try CurlExport.notes(of: try source(workspace))
        }
        let style = ParameterStyle(charset: "gbk")
        let query = GraphQLTemplate(query: "{ a(b: \"{{key}}\") }")
        let inCharset = try notes { ($0.parameters, $0.query) = (style, [Parameter("k", "{{key}}")]) }
        let withoutVariable = try notes { ($0.parameters, $0.query) = (style, [Parameter("k", "v")]) }
        let inGraphQL = try notes { ($0.method, $0.body) = (.post, .graphQL(query)) }
        let others = try notes { ($0.method, $0.query) = (.post, [Parameter("k", "{{key}}")]) }
        #expect(inCharset.joined().contains("UTF-8") && inGraphQL.joined().contains("GraphQL"), "\(inCharset) \(inGraphQL)")
        #expect(withoutVariable.isEmpty && others.isEmpty, "\(withoutVariable) \(others)")
    }

    @Test func `an exported command with an encoded value in its URL is imported as it was`() throws {
        let exported = try text(endpoint("/p/{{key}}") { $0.query = [Parameter("k", "{{key}}")] }) { $0.secrets = ["key": .environment("APIKEY")] }
        let back = try reimported(exported)
        #expect(back.map(\.endpoint.path) == ["/p/{{$env.APIKEY}}?k={{$env.APIKEY}}"], "\(exported)")
    }

    // MARK: Stability

    private func reimported(_ text: String) throws -> [(endpoint: Endpoint, service: Service, bodyBytes: [UInt8]?)] {
        try CurlImport.workspace(from: ImportSource(name: "x", bytes: Array(text.utf8))).services.flatMap { service in
            service.items.compactMap { if case .endpoint(let item) = $0 { (item.endpoint, service.service, item.bodyBytes) } else { nil } }
        }
    }

    @Test(arguments: [UInt64(30), 31]) func `Sortie to curl to Sortie to curl gives the same command`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for index in 0..<100 {
            let first = try source(workspace("http://h.example", [anyEndpoint(index, file: "/tmp/f", using: &random)]))
            let text = try CurlExport.text(of: first)
            let back = try #require(try reimported(text).first, "seed \(seed): \(text)")
            // Bytes that are not text are written to a file, whose path differs.
            guard back.bodyBytes == nil else { continue }
            var endpoint = back.endpoint
            endpoint.target = "s/e\(index)"
            let again = try CurlExport.text(of: try source(workspace("http://h.example", [endpoint])))
            #expect(again == text, "seed \(seed)")
        }
    }

    @Test(arguments: [
        "curl http://h/a", "curl -L --compressed -b '' 'http://h/a?b=c&d'", "curl -X DELETE http://h/a", "curl -I http://h/",
        "curl --data-raw 'a=1&b=2' http://h/a", "curl --data-raw 'it'\\''s' -H 'Content-Type: text/x' http://h/a", "curl -u me:\"$P\" http://h/",
        "curl -H 'A: b' -H 'C;' -H Accept: http://h/", "curl --form-string a=b -F 'f=@\"/x y\";type=a/b;filename=\"n\"' http://h/",
        "curl -m 2.5 --connect-timeout 1 -k https://h/", "curl --digest -u me:\"$P\" http://h/", "curl --http1.1 http://h/",
    ])
    func `curl to Sortie to curl gives the same command`(_ command: String) throws {
        let back = try #require(try reimported(command).first)
        var endpoint = back.endpoint
        endpoint.target = "s/x"
        let again = try text(endpoint, url: "\(back.service.servers["*"]?.first ?? "")") { workspace in
            var service = back.service
            (service.folder, service.servers, service.endpoints) = ("s", workspace.services[0].servers, workspace.services[0].endpoints)
            workspace.services = [service]
        }
        let lines = again.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.joined(separator: "\n").replacing(" \\\n  ", with: " ") == command)
    }
}

/// Percent-encodes a text as a segment of a path.
private enum PercentEncodedPath {
    static func of(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte) || "()*!',;=@:$&~+".utf8.contains(byte)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
