import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests importing `.http` files: request lines, fields, bodies, variables and what is not imported.
struct HTTPFileImportTests {
    private func workspace(_ text: String, files: [String: String] = [:]) throws -> ImportedWorkspace {
        let source = ImportSource(name: "api.http", bytes: Array(text.utf8), files: { path in files[path].map { Array($0.utf8) } })
        return try HTTPFileImport.workspace(from: source)
    }

    private func folder(_ files: [String: String]) throws -> ImportedWorkspace {
        let source = ImportSource(name: "apis", bytes: [], paths: files.keys.sorted(), files: { path in files[path].map { Array($0.utf8) } })
        #expect(HTTPFileImport.recognizes(source))
        return try HTTPFileImport.workspace(from: source)
    }

    private func endpoints(_ workspace: ImportedWorkspace) -> [Endpoint] {
        var result: [Endpoint] = []
        for var service in workspace.services { service.items.mapEndpoints { result.append($0.endpoint) } }
        return result
    }

    private func endpoint(_ text: String, files: [String: String] = [:]) throws -> Endpoint {
        let all = endpoints(try workspace(text, files: files))
        #expect(all.count == 1)
        return try #require(all.first)
    }

    private func reasons(_ workspace: ImportedWorkspace) -> String { workspace.report.lines.joined(separator: "\n") }

    @Test func `a line that is indented more than its field continues the value, as JetBrains describes`() throws {
        let endpoint = try endpoint("POST http://h/a\nX-Long: a,\n  b,\n\tc\nX-B: d\n\n  body")
        #expect(endpoint.headers == [Parameter("X-Long", "a, b, c"), Parameter("X-B", "d")] && "\(endpoint.body)".contains("\"  body\""))
    }

    // MARK: Requests

    @Test func `requests have the names of their separators, else the name of a directive, else method and URL`() throws {
        let workspace = try workspace("### List\nGET http://h/a\n###\n# @name second\nPOST http://h/b\n###\nhttp://h/c HTTP/1.1\n")
        #expect(endpoints(workspace).map(\.name) == ["List", "second", "GET http://h/c"])
        #expect(endpoints(workspace).map(\.method) == [.get, .post, .get])
        #expect(endpoints(workspace).map(\.path) == ["/a", "/b", "/c"])
        #expect(workspace.services.map(\.service.servers) == [[ImportedService.everywhere: ["http://h"]]])
        #expect(workspace.report.count(.imported) == 3 && workspace.report.entries[0].place?.line == 2)
    }

    @Test func `a URL continues on indented lines, and its query becomes rows`() throws {
        let request = try endpoint("GET https://h/a\n    /b\n    ?x=1\n    &y=two words\n    #part HTTP/1.1\nAccept: text/plain\n")
        #expect(request.path == "/a/b" && request.query == [Parameter("x", "1"), Parameter("y", "two words")])
        #expect(request.headers == [Parameter("Accept", "text/plain")])
        let commented = try endpoint("GET https://h/a\n    ?x=1\n#   &y=2\n    // off\n    &z=3\n# X-Off: 1\nAccept: */*\n")
        #expect(commented.query.map(\.name) == ["x", "z"] && commented.summary == "&y=2\noff")
        #expect(commented.headers.map(\.name) == ["X-Off", "Accept"])
        let plain = try endpoint("GET https://h/a?flag&b=1")
        #expect(plain.path == "/a" && plain.query.map(\.name) == ["flag", "b"] && plain.query[0].isNameOnly)
    }

    @Test func `the version of HTTP may have the remark of JetBrains`() throws {
        let request = try endpoint("GET http://h/a HTTP/2 (Prior Knowledge)\n")
        #expect(request.path == "/a" && request.version == .http2)
    }

    @Test(arguments: ["http/1.1", "Http/2"]) func `the version of HTTP may be in lower case`(written: String) throws {
        let request = try endpoint("GET http://h/a \(written)\n")
        #expect(try request.path == "/a" && request.version == endpoint("GET http://h/a \(written.uppercased())\n").version)
        #expect(try endpoint("GET http://h/a http/b\n").path.hasSuffix("http/b"))
    }

    @Test func `dates in a format of the REST Client have its pattern`() throws {
        let request = try endpoint("GET http://h/\nA: {{$localDatetime 'YYYY-MM-DD'}}\nB: {{$localDatetime 'Do' 1 d}}\n")
        #expect(request.headers[0].value == "{{$date yyyy-MM-dd}}" && request.headers[1].value.hasPrefix("{{$prompt"))
        let other = try workspace("GET http://h/\nA: {{$datetime \"HH:mm\"}}\n")
        #expect(endpoints(other)[0].headers[0].value == "{{$date HH:mm}}" && reasons(other).contains("not UTC"))
    }

    @Test func `a path gets its server from the field Host`() throws {
        let workspace = try workspace("GET /get\nHost: example.com\nX-A: b")
        #expect(workspace.services[0].service.servers == [ImportedService.everywhere: ["http://example.com"]])
        #expect(endpoints(workspace)[0].headers.map(\.name) == ["X-A"])
    }

    @Test func `requests that follow each other directly are separate`() throws {
        #expect(endpoints(try workspace("    GET https://h/a\n    GET https://h/b\n    X: y\n")).map(\.path) == ["/a", "/b"])
    }

    @Test func `directives become settings, and unknown ones are reported with their place`() throws {
        let text =
            "# A comment\n# @no-redirect\n// @no-cookie-jar\n# @timeout 5\n# @connection-timeout 200 ms\n# @tag a,b\n# @loop for 3\nGET http://h/a"
        let workspace = try workspace(text)
        let request = endpoints(workspace)[0]
        #expect(request.redirects == 0 && request.cookies == false && request.tags == ["a", "b"] && request.summary == "A comment")
        #expect(request.timeouts?.total == .seconds(5) && request.timeouts?.connect == .milliseconds(200))
        #expect(reasons(workspace).contains("@loop for 3: there is no such setting (api.http:7:1)"))
    }

    @Test func `credentials in plain text become authentication`() throws {
        func auth(_ value: String) throws -> Auth { try endpoint("GET http://h/\nAuthorization: \(value)").auth }
        #expect(try auth("Basic me secret") == .basic(user: "me", password: "secret"))
        #expect(try auth("Basic me a secret") == .basic(user: "me", password: "a secret"))
        #expect(try auth("Basic bob it's") == .basic(user: "bob", password: "it's"))
        #expect(try auth("Basic b\"ob 'a b' c'd") == .basic(user: "b\"ob", password: "a b c'd"))
        #expect(try auth("Basic \"\" 'x") == .basic(user: "", password: "'x"))
        #expect(try auth("Basic john:") == .basic(user: "john", password: ""))
        #expect(try auth("Basic am9objpwdw==") == .basic(user: "john", password: "pw"))
        #expect(try auth("Basic {{user}} {{pass word}}") == .basic(user: "{{user}}", password: "{{$prompt pass word}}"))
        #expect(try auth("Digest u p") == .digest(user: "u", password: "p"))
        #expect(try auth("Bearer {{token}}") == .bearer(token: "{{token}}"))
        let other = try workspace("GET http://h/\nAuthorization: AWS a b region:c")
        #expect(endpoints(other)[0].headers.map(\.name) == ["Authorization"] && reasons(other).contains("AWS authentication"))
    }

    // MARK: Bodies

    @Test func `the variables of a file among other lines are replaced only where the line says so`() throws {
        let files = ["f.txt": "file {{token}} {{ open"]
        func text(_ mark: String) throws -> String {
            let body = "POST http://h/\nContent-Type: text/plain\n\nbefore {{a}}\n\(mark) ./f.txt\nafter"
            guard case .text(let text, _) = try endpoint(body, files: files).body else { return "" }
            return text
        }
        #expect(try text("<") == "before {{a}}\nfile {{$braces}}token}} {{$braces}} open\nafter")
        #expect(try text("<@") == "before {{a}}\nfile {{token}} {{$braces}} open\nafter")
    }

    @Test func `bodies are JSON, forms, files or text by their type`() throws {
        #expect(try endpoint("POST http://h/\nContent-Type: application/json\n\n{\"a\": {{n}}}\n\n").body == .json("{\"a\": {{n}}}"))
        let text = "{ “a” }"
        #expect(
            try endpoint("POST http://h/\nContent-Type: application/json\n\n\(text)\n").body == .text(text, contentType: "application/json"))
        #expect(
            try endpoint("POST http://h/\nContent-Type: application/x-www-form-urlencoded\n\na=b+c&\nd={{e}}\n").body
                == .form([Parameter("a", "b c"), Parameter("d", "{{e}}")]))
        #expect(
            try endpoint("POST http://h/\nContent-Type: application/x-www-form-urlencoded\n\na = 1 &\nb = {{e}} &\nc = x\n").body
                == .form([Parameter("a", "1"), Parameter("b", "{{e}}"), Parameter("c", "x")]))
        #expect(
            try endpoint("PUT http://h/\nContent-Type: text/csv\n\n< ./data.csv").body == .file(path: "data.csv", contentType: "text/csv"))
        let plain = try endpoint("POST http://h/\n\none\n# two\n")
        #expect(plain.body == .text("one\n# two", contentType: nil) && plain.removedHeaders == ["Content-Type"])
        let copied = try endpoint("POST http://h/\nContent-Type: application/json\n\n<@ a.json", files: ["a.json": "{\"x\": \"{{$guid}}\"}"])
        #expect(copied.body == .json("{\"x\": \"{{$uuid}}\"}"))
    }

    @Test func `multipart bodies become parts`() throws {
        let request = try endpoint(
            """
            POST http://h/upload
            Content-Type: multipart/form-data; boundary=abcd

            --abcd
            Content-Disposition: form-data; name="text"
            Content-Type: text/plain

            Two
            lines
            --abcd
            Content-Disposition: form-data; name="file"; filename="in;put.txt"

            < ./input.txt
            --abcd--
            """)
        #expect(request.headers.isEmpty)
        #expect(
            request.body
                == .multipart([
                    .init(name: "text", value: "Two\nlines", contentType: "text/plain"),
                    .init(name: "file", value: "input.txt", isFile: true, fileName: "in;put.txt"),
                ]))
    }

    @Test func `a GraphQL request is a POST with query and variables`() throws {
        let request = try endpoint("GRAPHQL http://h/graphql\n\nquery Q($id: ID!) {\n  node(id: $id) { \"x\" }\n}\n\n{\"id\": {{id}}}\n")
        #expect(request.method == .post)
        #expect(request.body == .graphQL(GraphQLTemplate(query: "query Q($id: ID!) {\n  node(id: $id) { \"x\" }\n}", variables: "{\"id\": {{id}}}")))
        #expect(
            try endpoint("POST http://h/graphql\nX-REQUEST-TYPE: GraphQL\n\n{ a }\n").body == .graphQL(GraphQLTemplate(query: "{ a }")))
    }

    // MARK: Variables

    @Test func `variables of the file and of environments keep their names, and private ones become secrets`() throws {
        let workspace = try workspace(
            "@host = https://h\n@base={{host}}/v1\nGET {{base}}/x?i={{id}}\nX: {{$processEnv HOME}} {{$randomInt 0 9}} {{$isoTimestamp}}\n",
            files: [
                HTTPFileEnvironments.publicName: "{\"dev\": {\"id\": 1, \"key\": \"p\"}, \"prod\": {\"id\": \"2\"}}",
                HTTPFileEnvironments.privateName: "{\"dev\": {\"key\": \"canary\"}}",
            ])
        #expect(workspace.variables == ["host": "https://h", "base": "{{host}}/v1"])
        #expect(workspace.environments.map(\.name) == ["dev", "prod"] && workspace.environments.map(\.variables) == [["id": "1"], ["id": "2"]])
        #expect(workspace.secrets == ["key": .environment("API_KEY")] && !reasons(workspace).contains("canary"))
        #expect(workspace.services[0].service.servers == [ImportedService.everywhere: ["{{base}}"]])
        #expect(endpoints(workspace)[0].headers[0].value == "{{$env.HOME}} {{$random 9}} {{$date}}")
    }

    @Test func `members of objects in an environment are variables by their paths`() throws {
        let environment = #"{"dev": {"user": {"name": "Ada", "roles": [1]}, "key": {"provider": "AzureKeyVault"}}}"#
        let workspace = try workspace("GET http://h/{{user.name}}", files: [HTTPFileEnvironments.publicName: environment])
        #expect(workspace.environments.map(\.variables) == [["user.name": "Ada"]])
        #expect(workspace.report.entries.filter { $0.outcome == .omitted }.map(\.item) == ["dev: user.roles", "dev: key"])
    }

    @Test func `variables with different values belong to the endpoints that use them`() throws {
        let workspace = try workspace("@n = 1\nGET http://h/{{n}}\n###\n@n = 2\nGET http://h/{{n}}\n###\nGET http://h/\n")
        #expect(workspace.variables.isEmpty && endpoints(workspace).map(\.variables) == [["n": "1"], ["n": "2"], [:]])
    }

    @Test func `a host without a scheme in a variable gets http`() throws {
        let workspace = try workspace("@host = localhost:8080\nGET {{host}}/x\n")
        #expect(workspace.services[0].service.servers == [ImportedService.everywhere: ["http://{{host}}"]])
    }

    @Test func `values that only the other tool can make are asked for and reported`() throws {
        let workspace = try workspace("GET http://h/{{$random.email}}?a={{f(1)}}\n")
        #expect(endpoints(workspace)[0].path == "/{{$prompt $random.email}}" && endpoints(workspace)[0].query[0].value == "{{$prompt f 1}}")
        #expect(workspace.report.count(.changed) == 2)
    }

    @Test func `values of earlier responses are captured, and a run has the requests in order`() throws {
        let workspace = try workspace(
            "# @name login\nPOST http://h/login\n\n###\n# @name other\nGET http://h/\n\n### use\nGET http://h/me\nAuthorization: Bearer {{login.response.body.$.data.token}}\n"
        )
        let all = endpoints(workspace)
        #expect(all[0].captures == [Capture(name: "token", path: "$.data.token")] && all[2].auth == .bearer(token: "{{login.token}}"))
        #expect(workspace.runs.map(\.kind) == [.chain] && workspace.runs[0].steps.map(\.name) == ["login", "use"])
        #expect(workspace.runs[0].steps.map(\.target) == ["request login", "request use"])
    }

    @Test func `a variable of the file with a part of a response is a capture, also through another variable`() throws {
        let workspace = try workspace(
            "# @name login\nPOST http://h/login\n\n###\n@t = {{login.response.body.$.token}}\n@header = Bearer {{t}}\n\n"
                + "GET http://h/me\nAuthorization: {{header}}\n\n###\nGET http://h/plain\n")
        let all = endpoints(workspace)
        #expect(all[0].captures == [Capture(name: "token", path: "$.token")] && all[1].auth == .bearer(token: "{{login.token}}"))
        #expect(workspace.variables.isEmpty && workspace.runs.map(\.steps.count) == [2])
        #expect(workspace.report.entries.allSatisfy { !$0.reason.programText.contains("asked for") })
    }

    @Test func `a variable of the file behind the body of a request may have a part of the response to that request, or to another one`() throws {
        let workspace = try workspace(
            "# @name login\nPOST http://h/login\n\n{}\n\n@t = {{login.response.body.token}}\n\n### other\nGET http://h/other\nX: {{t}}\n\n"
                + "@u = {{login.response.headers.X-U}}\n\n### last\nGET http://h/last\nX: {{u}}\n")
        let all = endpoints(workspace)
        #expect(all.map(\.captures) == [[Capture(name: "token", path: "$.token"), Capture(name: "X-U", path: "header X-U")], [], []])
        #expect(all[1].headers.map(\.value) == ["{{login.token}}"] && all[2].headers.map(\.value) == ["{{login.X-U}}"])
        #expect(all.allSatisfy(\.variables.isEmpty) && workspace.variables.isEmpty && workspace.runs.map(\.steps.count) == [3])
    }

    @Test func `a name of a field without a colon before another field is a field without a value`() throws {
        let workspace = try workspace("GET http://h/\nX-A\nX-B: b\n\nbody")
        #expect(endpoints(workspace).map(\.headers) == [[Parameter("X-A", ""), Parameter("X-B", "b")]])
        #expect(reasons(workspace).contains("the field X-A has no colon; it is sent without a value, as by the REST Client (api.http:2:1)"))
    }

    @Test func `variables with a part of a response that refer to each other end`() throws {
        let workspace = try workspace(
            "@a = {{login.response.body.$.token}}{{b}}\n@b = {{a}}\n# @name login\nPOST http://h/login\n\n###\nGET http://h/me\nX: {{a}}\n")
        #expect(endpoints(workspace)[1].headers.map(\.value) == ["{{login.token}}{{a}}"])
    }

    @Test func `scripts are comments and report entries; what they set and expect is kept`() throws {
        let workspace = try workspace(
            "< {%\n  x();\n%}\nPOST http://h/a\n\nbody\n\n> {%\n client.global.set(\"tok\", response.body.t);\n client.assert(response.status === 201);\n%}\n<> old.json\n>> out.json\n"
        )
        let request = endpoints(workspace)[0]
        #expect(request.body == .text("body", contentType: nil))
        #expect(request.captures == [Capture(name: "tok", path: "$.t")] && request.expectation?.status == 201)
        var notes: [String] = []
        var service = workspace.services[0]
        service.items.mapEndpoints { notes = $0.notes }
        #expect(notes.count == 3 && notes.contains { $0.contains("x();") && !$0.contains("client.global") })
        #expect(workspace.report.count(.omitted) == 3)
    }

    @Test func `checks of httpyac become expectations`() throws {
        let workspace = try workspace(
            "GET http://h/\n\n?? status == 200\n?? header content-type exists\n?? js response.parsedBody.a.b == 1\n?? js x()\n")
        let expected = Expectation(status: 200, json: [Parameter("$.a.b", "1")], headers: [Parameter("content-type", "exists")])
        #expect(endpoints(workspace)[0].expectation == expected && reasons(workspace).contains("?? js x(): this check is not made"))
    }

    // MARK: Folders and errors

    @Test func `a folder is one import, with a folder for each file of a server`() throws {
        let workspace = try folder([
            "a/users.http": "GET http://h/u\n\n< body.txt", "orders.rest": "GET http://h/o\n", "b/x.http": "GET http://other/\n", "notes.txt": "GET",
        ])
        #expect(workspace.services.map(\.service.name) == ["h", "other"])
        guard case .folder("a", let inner) = workspace.services[0].items[0], case .folder("users", let leaves) = inner[0],
            case .endpoint(let leaf) = leaves[0]
        else { throw Missing() }
        #expect(leaf.endpoint.body == .file(path: "a/body.txt", contentType: nil))
    }

    @Test(arguments: ["WEBSOCKET ws://h/x", "GET ws://h/x", "WS http://h/x"])
    func `a request of WebSocket is an endpoint of this kind with its messages`(_ line: String) throws {
        let workspace = try workspace("@v = 1\n\(line)?a=b\nX-A: b\n\nfirst {{v}}\nline\n===\n=== wait-for-server\n{\"a\": 1}\n")
        let endpoint = try #require(endpoints(workspace).first)
        #expect(endpoint.kind == .webSocket && endpoint.method == .get && endpoint.path == "/x" && endpoint.query == [Parameter("a", "b")])
        #expect(endpoint.headers == [Parameter("X-A", "b")] && endpoint.body == .none)
        #expect(endpoint.messages == [Parameter("message-1", "first {{v}}\nline"), Parameter("message-2", "{\"a\": 1}")])
        #expect(workspace.services[0].service.servers == [ImportedService.everywhere: ["http://h"]])
    }

    @Test(arguments: ["GRPC h:50051/shop.Orders/List", "GRPC grpc://h:50051/shop.Orders/List"])
    func `a request of gRPC is a call of its method`(_ line: String) throws {
        let workspace = try workspace("\(line)\nX-A: b\n\n{\"id\": 1}\n### odd\nGRPC h:50051/nothing\n")
        let endpoint = try #require(endpoints(workspace).first)
        #expect(endpoint.kind == .grpc && endpoint.method == .post && endpoint.path.isEmpty)
        #expect(endpoint.grpc == GRPCSetting(method: "shop.Orders/List"))
        #expect(endpoint.body == .json("{\"id\": 1}") && endpoint.headers == [Parameter("X-A", "b")])
        #expect(workspace.services[0].service.servers == [ImportedService.everywhere: ["http://h:50051"]])
        #expect(reasons(workspace).contains("omitted: odd: the URL names no method of gRPC; it must end in /package.Service/Method (api.http:6:1)"))
    }

    @Test func `other protocols and blocks without a request are reported`() throws {
        let workspace = try workspace("MQTT mqtt://h/x\n\n===\nhello\n### odd\nthis is nothing\n###\nimport other.http\nGET http://h/\n")
        #expect(endpoints(workspace).count == 1)
        #expect(reasons(workspace).contains("MQTT requests cannot be sent; those of HTTP, WebSocket and gRPC can be (api.http:1:1)"))
        #expect(
            reasons(workspace).contains(
                "“this is nothing” is no request line; write a method and a URL, such as GET https://example.com (api.http:6:1)"))
    }

    @Test(arguments: [
        (
            "GET http://h/\n\n> {%\n x\n",
            "api.http:3:1: nothing can be imported: > {%: the request is not imported: this script does not end; write %} after it"
        ),
        (
            "GET http://h/\nAccept text/plain\nX: y\n",
            "api.http:2:1: nothing can be imported: Accept text/plain: the request is not imported: "
                + "this is no header field; write NAME: value, or an empty line before the body"
        ),
        ("###\n# only a comment\n", "api.http:1:1: nothing can be imported: there is no request"),
    ]) func `malformed files are errors with their place`(text: String, message: String) {
        #expect {
            try workspace(text)
        } throws: {
            ($0 as? Diagnostic)?.description == message
        }
    }

    @Test(arguments: ["Accept text/plain\nX: y", "\n> {%\n x"])
    func `a malformed request is omitted with its place, and the others of the file are imported`(_ rest: String) throws {
        let workspace = try workspace("### a\nGET http://h/a\n### bad\nGET http://h/bad\n\(rest)\n### c\nGET http://h/c\n")
        #expect(endpoints(workspace).map(\.path) == ["/a", "/c"])
        let omitted = workspace.report.entries.filter { $0.outcome == .omitted }
        #expect(omitted.map(\.item) == ["bad"] && omitted[0].place != nil && omitted[0].reason.programText.hasPrefix("the request is not imported: "))
    }

    @Test func `a field may have blanks before its colon, as the tools permit`() throws {
        #expect(try endpoint("GET http://h/\nAccept : text/plain\nX\t: y\n").headers == [Parameter("Accept", "text/plain"), Parameter("X", "y")])
    }

    @Test func `a line that only looks like a variable is omitted, and its request is imported`() throws {
        let workspace = try workspace("### bad\n@xpath_ns b=http://example.com/b\nGET http://h/bad\n")
        #expect(endpoints(workspace).map(\.path) == ["/bad"])
        #expect(reasons(workspace).contains("omitted: @xpath_ns b=http://example.com/b: it defines no variable; write @NAME = VALUE (api.http:2:1)"))
    }

    @Test(arguments: [
        "@host=http://h\n### a\nGET {{host}}/a\n\n### b\ncurl {{host}}/b\n", "### a\nGET http://h/a\n### b\ncurl http://h/b\n",
        "@host = h\ncurl {{host}}/a\n### b\ncurl '{{ host }}/b'",
    ])
    func `a curl command line in a file named http is a request`(_ text: String) throws {
        let source = ImportSource(name: "a.HTTP", bytes: Array(text.utf8))
        let format = try ImportFormats.format(of: source)
        #expect(format.name == "http")
        let workspace = try format.workspace(from: source)
        #expect(endpoints(workspace).map(\.path) == ["/a", "/b"] && workspace.report.count(.omitted) == 0, "\(reasons(workspace))")
        let servers = workspace.services.flatMap { $0.service.servers.values.flatMap(\.self) }
        #expect(Set(servers).isSubset(of: ["http://h", "{{host}}", "http://{{host}}"]), "\(servers)")
    }

    @Test func `a curl command has templates, a name, a body of several lines and a handler, and is sent as the clients send it`() throws {
        let text = #"""
            ### second
            # @name b
            # @timeout 5
            curl -X PUT "http://h/b/{{$processEnv P}}?q={{ q }}" \
              -H 'Authorization: Bearer {{token}}' -k \
              -H 'Content-Type: application/json' \
              --data '{"a": "{{ x }}",

            "b": {{$randomInt 0 9}}}'

            > {% client.test("s", function() { client.assert(response.status === 201) }) %}

            ### third
            curl --json '{"a":"{{b.response.body.$.id}}"}' http://h/c
            """#
        let workspace = try workspace(text)
        let all = endpoints(workspace)
        try #require(all.count == 2, "\(reasons(workspace))")
        #expect(all[0].name == "second" && all[0].method == .put && all[0].path == "/b/{{$env.P}}?q={{q}}")
        #expect(all[0].headers == [Parameter("Authorization", "Bearer {{token}}")])
        #expect(all[0].body == .json("{\"a\": \"{{x}}\",\n\n\"b\": {{$random 9}}}"), "\(all[0].body)")
        #expect(all[0].timeouts?.total == .seconds(5) && all[0].expectation?.status == 201)
        #expect(all[0].redirects == nil && all[0].compression == nil && all[0].cookies == nil)
        #expect(all[0].captures == [Capture(name: "id", path: "$.id")] && all[1].body == .json("{\"a\":\"{{b.id}}\"}"))
        #expect(workspace.services.contains { $0.service.trust.isInsecure })
    }

    @Test func `a template that curl encodes for a query is encoded for its place`() throws {
        let workspace = try workspace("### a\ncurl -G http://h/a --data-urlencode 'q={{x}} y'\n")
        #expect(
            endpoints(workspace)[0].path == "/a?q={{x}}+y"
                && workspace.report.entries.allSatisfy { !$0.reason.programText.contains("percent-encoded") })
    }

    @Test func `what a block with a curl command has no place for is reported with its line`() throws {
        let workspace = try workspace(
            "### a\n\ncurl http://h/a http://h/b\ncurl http://h/c\n### d\ncurl -x http://p:1 http://h/d\n### e\ncurl --bad http://h")
        #expect(endpoints(workspace).map(\.path) == ["/a", "/d"])
        let lines = reasons(workspace)
        for words in [
            "a command for http://h/b (api.http:3:17)", "write ### before the next one (api.http:4:1)", "proxies, addresses",
            "curl has no option --bad",
        ] {
            #expect(lines.contains(words), "\(words): \(lines)")
        }
    }

    @Test func `the blanks of a form are those that the REST Client or JetBrains sends`() throws {
        let type = "Content-Type: application/x-www-form-urlencoded\n\n"
        let continued = try workspace("POST http://h/\n\(type)name = a b\n&c = {{d}}\n")
        #expect(
            endpoints(continued)[0].body == .text("name = a b&c = {{d}}", contentType: "application/x-www-form-urlencoded"), "\(endpoints(continued))"
        )
        #expect(reasons(continued).contains("as the REST Client does"))
        let trailing = try workspace("POST http://h/\n\(type)name = a b &\nc = {{d}}\n")
        #expect(endpoints(trailing)[0].body == .text("name=a b&c={{d}}", contentType: "application/x-www-form-urlencoded"))
        #expect(reasons(trailing).contains("as in JetBrains"))
    }

    @Test func `content of another format is recognized under the ending of this one`() throws {
        #expect(try ImportFormats.format(of: ImportSource(name: "a.http", bytes: Array("TOKEN=1 curl http://h/a\n".utf8))).name == "curl")
        #expect(try ImportFormats.format(of: ImportSource(name: "a.http", bytes: Array("nothing\n".utf8))).name == "http")
    }

    @Test func `a malformed environment file is an error with its place`() {
        #expect {
            try workspace("GET http://h/", files: [HTTPFileEnvironments.publicName: "{\"a\": }"])
        } throws: {
            "\($0)".hasPrefix("http-client.env.json:1:7: ")
        }
    }

    @Test func `the content is recognized, and other formats are not`() {
        func recognizes(_ text: String) -> Bool { HTTPFileImport.recognizes(ImportSource(name: "x", bytes: Array(text.utf8))) }
        #expect(recognizes("# c\n\nGET https://h\n") && recognizes("### a\n") && recognizes("{{\n}}\nPOST /x\n"))
        #expect(recognizes("\u{feff}GET https://h\n"))
        #expect(!recognizes("{\"###\": 1}") && !recognizes("hello\nGET lost\n"))
    }

    private struct Missing: Error {}

    @Test func `a name that is made of the URL has no credentials`() throws {
        let name = try endpoint("GET http://h/x?api_key=canary&a={{b}}\n").name
        #expect(!name.contains("canary") && name.hasPrefix("GET http://h/x?api_key=") && name.hasSuffix("&a={{b}}"), "\(name)")
    }

    @Test func `a script of httpyac after a body is not a part of it, and what it exports is captured`() throws {
        let workspace = try workspace(
            """
            # @name login
            POST http://h/login
            Content-Type: application/json

            {"a":1}

            {{
              exports.token = response.parsedBody.token;
            }}

            ###
            GET http://h/me
            Authorization: Bearer {{token}}
            """)
        let all = endpoints(workspace)
        #expect(all.map(\.body) == [.json(#"{"a":1}"#), .none])
        #expect(all[0].captures == [Capture(name: "token", path: "$.token")])
        #expect(reasons(workspace).contains("sets token: captured from $.token"), "\(reasons(workspace))")
    }

    @Test func `braces in a body that no line ends are text`() throws {
        #expect(try endpoint("POST http://h/a\nContent-Type: text/plain\n\na\n{{\nb\n").body == .text("a\n{{$braces}}\nb", contentType: "text/plain"))
    }

    @Test func `a token of the security settings of an environment file becomes OAuth 2`() throws {
        let settings = #"""
            {"dev": {"Security": {"Auth": {"my-auth": {
              "Type": "OAuth2", "Grant Type": "Client Credentials", "Token URL": "http://dev/token", "Client ID": "id", "Scope": "a b",
              "Client Credentials": "in body"
            }}}},
            "prod": {"Security": {"Auth": {"my-auth": {
              "Type": "OAuth2", "Grant Type": "Client Credentials", "Token URL": "http://prod/token", "Client ID": "id", "Scope": "a b"
            }}}}}
            """#
        let secret = #"{"dev": {"Security": {"Auth": {"my-auth": {"Client Secret": "canary"}}}}}"#
        let workspace = try workspace(
            "GET http://h/a\nAuthorization: Bearer {{$auth.token(\"my-auth\")}}\n",
            files: ["http-client.env.json": settings, "http-client.private.env.json": secret])
        let endpoint = try #require(endpoints(workspace).first)
        guard case .oauth2(let oauth) = endpoint.auth else { return #expect(Bool(false), "\(endpoint.auth)") }
        #expect(oauth.grant == .clientCredentials && oauth.clientID == "id" && oauth.scope == "a b" && oauth.clientAuthentication == .post)
        #expect(oauth.tokenURL == "{{myAuthTokenUrl}}")
        #expect(workspace.environments.map { $0.variables["myAuthTokenUrl"] } == ["http://dev/token", "http://prod/token"])
        #expect(!"\(workspace)".contains("canary") && oauth.clientSecret == "{{myAuthClientSecret}}")
        #expect(workspace.secrets["myAuthClientSecret"] != nil)
    }
}
