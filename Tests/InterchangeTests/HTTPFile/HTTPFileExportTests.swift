import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests exported `.http` files by their text, and by importing them again.
struct HTTPFileExportTests {
    private func workspace(_ endpoints: [Endpoint], change: (inout Workspace) -> Void = { _ in }) -> Workspace {
        var workspace = Workspace(name: "w", folder: "/ws")
        workspace.environments = [WorkspaceEnvironment(name: "e", variables: ["host": "http://h", "name": "a"])]
        var service = Service(folder: "s", name: "S")
        service.servers = ["e": ["{{host}}/v1"]]
        service.headers = [Parameter("X-All", "1")]
        service.endpoints = endpoints
        workspace.services = [service]
        change(&workspace)
        return workspace
    }

    private func endpoint(_ path: String = "/x", _ change: (inout Endpoint) -> Void = { _ in }) -> Endpoint {
        var endpoint = Endpoint(target: "s/x", name: "List \(path)", path: path)
        change(&endpoint)
        return endpoint
    }

    private func text(_ endpoint: Endpoint, change: (inout Workspace) -> Void = { _ in }) throws -> String {
        try HTTPFileRoundTrip.text(workspace([endpoint], change: change))
    }

    @Test func `a GraphQL body is exported as its JSON`() throws {
        let exported = try text(
            endpoint("/graphql") {
                $0.method = .post
                $0.body = .graphQL(GraphQLTemplate(query: "{\n  a\n}", variables: "{\"n\": \"{{name}}\"}"))
            })
        #expect(exported.contains("POST {{host}}/v1/graphql\n"), "\(exported)")
        #expect(
            exported.contains("Content-Type: application/json\n\n{\n  \"query\": \"{\\n  a\\n}\",\n  \"variables\": {\"n\": \"{{name}}\"}\n}"),
            "\(exported)")
    }

    @Test(arguments: ["a'b", "a\"b", "'a'", "\"a\"", "a b", "a' b", "\\'", "a:b"])
    func `a name with quotes and blanks in a login is imported again`(name: String) throws {
        let exported = try text(endpoint { $0.auth = .basic(user: name, password: "{{name}}") })
        let source = ImportSource(name: "a.http", bytes: Array(exported.utf8))
        let imported = try HTTPFileImport.workspace(from: source).endpoints[0].auth
        #expect(imported == .basic(user: name, password: "{{name}}"), "\(exported)")
    }

    @Test(arguments: ["a\nb", "' \"", "''\"\""]) func `a name of a login that the format cannot write is left out`(name: String) throws {
        let exported = try text(endpoint { $0.auth = .basic(user: name, password: "{{name}}") })
        #expect(!exported.contains("Authorization") && exported.contains("Not exported: the login"), "\(exported)")
    }

    @Test func `names and descriptions have no control characters in the comments`() throws {
        let workspace = workspace([
            endpoint {
                $0.name = "a\u{1b}]0;b\u{7}"
                $0.summary = "c\u{9b}2J\r\nd\te"
            }
        ])
        #expect(try HTTPFileRoundTrip.text(workspace).contains("### a]0;b\n# c2J\n# d\te\n"))
    }

    @Test func `values that these tools insert as text, and that Sortie encodes, are a line`() throws {
        let exported = try text(
            endpoint("/{{a}}/{{b|raw}}/{{c}}/{f}") {
                $0.method = .post
                $0.variables = ["a": "x/y", "b": "x/y", "c": "x y", "d": "\"", "e": "&", "f": "1/2"]
                $0.query = [Parameter("q", "{{e}}")]
                $0.body = .json("{\"a\": \"{{d}}\"}")
            })
        #expect(exported.contains("# Not exported: the values of a, d, e, f are inserted as text"), "\(exported)")
        #expect(try !text(endpoint("/{{a}}") { $0.variables = ["a": "x y"] }).contains("inserted as text"))
    }

    @Test func `variables are names with their values at the beginning, and secrets come from the environment`() throws {
        let exported = try text(
            endpoint("/{{name}}") {
                $0.query = [Parameter("q", "a b&c")]
                $0.auth = .bearer(token: "{{token}}")
                $0.headers = [Parameter("X-Api-Key", "canary"), Parameter("Id", "{{$uuid}} {{$random 5}}")]
            }
        ) { $0.secrets = ["token": .environment("MY_TOKEN")] }
        #expect(
            exported == """
                # Set these variables, for example in http-client.private.env.json: apiKey
                @host = http://h
                @name = a
                @token = {{$env.MY_TOKEN}}

                ### List /{{name}}
                GET {{host}}/v1/{{name}}?q=a%20b%26c
                X-All: 1
                X-Api-Key: {{apiKey}}
                Id: {{$uuid}} {{$random.integer(0, 5)}}
                Authorization: Bearer {{token}}

                """)
    }

    @Test func `settings are directives, and what has none is named in a comment`() throws {
        let exported = try text(
            endpoint {
                ($0.redirects, $0.cookies, $0.retry) = (0, false, RetryPolicy(limit: 2))
                $0.timeouts = Timeouts(total: .seconds(3))
                $0.captures = [Capture(name: "id", path: "$.a.id")]
                $0.expectation = Expectation(status: 201)
            })
        for line in ["# @no-redirect", "# @no-cookie-jar", "# @timeout 3000 ms", "# Not exported: retry", "> {%"] {
            #expect(exported.contains(line + "\n"), "\(line)")
        }
        #expect(exported.contains("client.global.set(\"id\", response.body.a.id);") && exported.contains("response.status === 201"))
    }

    @Test func `bodies are written as the format has them`() throws {
        #expect(try text(endpoint { $0.body = .json("{\"a\": 1}") }).hasSuffix("Content-Type: application/json\n\n{\"a\": 1}\n"))
        #expect(
            try text(endpoint { $0.body = .form([Parameter("a", "b c"), Parameter("d", "{{name}}")]) }).hasSuffix(
                "Content-Type: application/x-www-form-urlencoded\n\na=b+c&d={{name}}\n"))
        #expect(try text(endpoint { $0.body = .file(path: "/f/x.csv", contentType: nil) }).hasSuffix("Content-Type: text/csv\n\n< /f/x.csv\n"))
        let parts = try text(
            endpoint {
                $0.body = .multipart([
                    .init(name: "a", value: "one\ntwo"), .init(name: "f", value: "/f/x.txt", isFile: true, contentType: "text/plain"),
                ])
            })
        #expect(
            parts.hasSuffix(
                """
                Content-Type: multipart/form-data; boundary=boundary

                --boundary
                Content-Disposition: form-data; name="a"

                one
                two
                --boundary
                Content-Disposition: form-data; name="f"; filename="x.txt"
                Content-Type: text/plain

                < /f/x.txt
                --boundary--

                """))
    }

    @Test func `line breaks that the format cannot have are a line`() throws {
        let exported = try text(endpoint { ($0.method, $0.body) = (.post, .text("a\r\nb", contentType: "text/plain")) })
        #expect(exported.contains("# Not exported: the line breaks CR LF of the body; LF is sent\n"), "\(exported)")
        #expect(exported.hasSuffix("\n\na\nb\n"), "\(exported)")
    }

    @Test func `braces that are text are a variable, because the tools would read them as the start of one`() throws {
        let exported = try text(
            endpoint { ($0.method, $0.body) = (.post, .text("{{$braces}}name}} {{$braces}}{{name}}", contentType: "text/plain")) })
        #expect(exported.contains("@openingBrace = {\n"), "\(exported)")
        let brace = "{{openingBrace}}{{openingBrace}}"
        #expect(exported.hasSuffix("\n\n\(brace)name}} \(brace){{name}}\n") && !exported.contains("Not exported"), "\(exported)")
    }

    @Test func `the variables of a run's step are those of its request, and captured values keep their names`() throws {
        let workspace = workspace([
            endpoint("/login") {
                $0.target = "s/login"
                $0.captures = [Capture(name: "token", path: "$.token")]
            }, endpoint("/orders/{{id}}?size={{size}}&t={{token}}") { $0.target = "s/order" },
        ])
        let resolver = ExportResolver(workspace: workspace, environment: "e") { _, _ in nil }
        let step = ["id": "7", "size": "{{name}}", "token": "{{login.token}}"]
        let items = [
            try resolver.item(for: workspace.endpoints[0]),
            try resolver.item(for: workspace.endpoints[1], variables: step, captured: ["login.token"]),
        ]
        let exported = try HTTPFileExport.text(of: ExportSource(name: "r", workspace: workspace, environment: "e", items: items))
        #expect(exported.contains("@id = 7\n") && exported.contains("@size = {{name}}\n") && exported.contains("@name = a\n"), "\(exported)")
        #expect(!exported.contains("@token") && !exported.contains("Set these variables"), "\(exported)")
        #expect(exported.contains("client.global.set(\"token\", response.body.token);") && exported.contains("t={{token}}"), "\(exported)")
    }

    @Test(arguments: ["### x", "> a", "< b", "<> c"]) func `a line of a body that means something else is an error`(line: String) {
        #expect {
            try text(endpoint { $0.body = .text("a\n\(line)", contentType: "text/plain") })
        } throws: {
            "\($0)".contains("the line “\(line)” has a meaning in .http files")
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `what is exported is the same after importing it again`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["a", "b c", "é", "x=1", "\"q\"", "{{name}}", "100%", "1&2", "{", "#h", "semi;colon", "'", "\\", "+", "Ω: y", "[]"]
        func word() -> String { words.randomElement(using: &random) ?? "" }
        for round in 0..<40 {
            var endpoints: [Endpoint] = []
            for index in 0..<3 {
                var endpoint = Endpoint(target: "s/e\(index)", name: "Request \(index)", path: "/p\(index)")
                endpoint.query = (0..<Int.random(in: 0...3, using: &random)).map { Parameter("q\($0)", word()) }
                endpoint.headers = (0..<Int.random(in: 0...2, using: &random)).map {
                    Parameter("X-\($0)", word(), isEnabled: Bool.random(using: &random))
                }
                endpoint.method = .post
                switch Int.random(in: 0...4, using: &random) {
                case 0: endpoint.body = .json("{\"a\": \"\(word().replacing("\\", with: "").replacing("\"", with: ""))\"}")
                case 1: endpoint.body = .form([Parameter("f", word()), Parameter("g h", word())])
                case 2: endpoint.body = .text("\(word())\n\(word())", contentType: "text/plain")
                case 3: endpoint.body = .multipart([.init(name: "m", value: word()), .init(name: "n", value: "/d/f.bin", isFile: true)])
                default: break
                }
                if Bool.random(using: &random) { endpoint.auth = .basic(user: "u", password: "{{$env.W_PASSWORD}}") }
                endpoints.append(endpoint)
            }
            let first = try HTTPFileRoundTrip.text(workspace(endpoints))
            let second = try HTTPFileRoundTrip.exported(ImportSource(name: "w.http", bytes: Array(first.utf8)))
            #expect(second == first, "seed \(seed), round \(round)")
        }
    }
}
