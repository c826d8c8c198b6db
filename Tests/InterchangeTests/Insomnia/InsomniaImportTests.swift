import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the import of Insomnia's exports.
struct InsomniaImportTests {
    private func imported(_ text: String) throws -> ImportedWorkspace {
        let source = ImportSource(name: "i.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        #expect(try ImportFormats.format(of: source).name == "insomnia")
        return try InsomniaImport.workspace(from: source)
    }

    private func version4(_ resources: String) throws -> ImportedWorkspace {
        try imported("_type: export\n__export_format: 4\nresources:\n  - {_id: w, parentId: null, name: W, _type: workspace}\n\(resources)")
    }

    private func endpoint(_ members: String) throws -> Endpoint {
        try #require(try version4("  - {_id: r, parentId: w, name: r, _type: request, \(members)}\n").endpoints.first)
    }

    @Test func `resources become a tree in the order of their keys`() throws {
        let workspace = try version4(
            """
              - {_id: r1, parentId: f, name: b, url: 'https://h/b', metaSortKey: 2, _type: request}
              - {_id: r2, parentId: f, name: a, url: 'https://h/a', metaSortKey: 1, _type: request}
              - {_id: r3, parentId: w, name: first, url: 'https://h/f', metaSortKey: -9, _type: request}
              - {_id: f, parentId: w, name: Folder, metaSortKey: 0, environment: {x: '1'}, _type: request_group}
              - {_id: s, parentId: w, name: socket, url: 'ws://h', _type: websocket_request}
              - {_id: c, parentId: w, name: jar, cookies: [{key: sid, value: canary}], _type: cookie_jar}

            """)
        #expect(workspace.endpoints.map(\.name) == ["first", "a", "b", "socket"] && workspace.folders == ["Folder"])
        #expect(workspace.endpoints[1].variables == ["x": "1"] && workspace.services[0].service.servers == ["*": ["https://h"]])
        #expect(workspace.endpoints.map(\.kind) == [.data, .data, .data, .webSocket] && workspace.endpoints[3].path == "http://h/")
        #expect(workspace.reasons(.omitted).contains { $0.hasSuffix(": sid") } && !workspace.report.lines.joined().contains("canary"))
    }

    @Test func `a variable of a folder is defined for the server, also beside a request with another URL`() throws {
        let workspace = try version4(
            """
              - {_id: f, parentId: w, name: F, environment: {base: 'http://h'}, _type: request_group}
              - {_id: r1, parentId: f, name: a, url: '{{ _.base }}/a', _type: request}
              - {_id: r2, parentId: w, name: b, url: 'http://other/b', _type: request}

            """)
        #expect(workspace.variables.isEmpty && workspace.reasons(.changed).isEmpty, "\(workspace.report.lines)")
    }

    @Test func `base and sub environments are variables and environments, with nested names, and the base is the initial one`() throws {
        let workspace = try version4(
            """
              - {_id: e, parentId: w, name: Base, data: {host: 'https://h', o: {a: 1, l: [x, true]}}, _type: environment}
              - {_id: e2, parentId: e, name: Dev, data: {host: 'https://dev', c: '{{ _.host }}/c'}, _type: environment}
              - {_id: r, parentId: w, name: r, url: '{{ _.host }}/{{ _.o.a }}/{{_["o"].l[0]}}', _type: request}

            """)
        #expect(workspace.variables == ["host": "https://h", "o.a": "1", "o.l": "x,true", "o.l.0": "x", "o.l.1": "true"])
        #expect(
            workspace.environments == [
                WorkspaceEnvironment(name: "Base"), WorkspaceEnvironment(name: "Dev", variables: ["host": "https://dev", "c": "{{host}}/c"]),
            ])
        #expect(workspace.initialEnvironment == "Base")
        #expect(workspace.endpoints[0].path == "/{{o.a}}/{{o.l.0}}" && workspace.services[0].service.servers == ["*": ["{{host}}"]])
    }

    @Test func `requests in folders that contain each other are imported, with a line`() throws {
        let workspace = try version4(
            """
              - {_id: a, parentId: b, name: A, _type: request_group}
              - {_id: b, parentId: a, name: B, _type: request_group}
              - {_id: r, parentId: a, name: lost, url: 'https://h/r', _type: request}
              - {_id: s, parentId: w, name: there, url: 'https://h/s', _type: request}
            """)
        #expect(Set(workspace.endpoints.map(\.name)) == ["lost", "there"])
        #expect(workspace.reasons(.changed).contains { $0.contains("it is imported without the folder") })
    }

    @Test func `each of several collections has the values of its base environment`() throws {
        let workspace = try version4(
            """
              - {_id: w2, parentId: null, name: W2, _type: workspace}
              - {_id: e, parentId: w, name: Base, _type: environment, data: {host: 'https://one', same: x}}
              - {_id: e2, parentId: w2, name: Base, _type: environment, data: {host: 'https://two', same: x}}
              - {_id: r, parentId: w, name: r, url: '{{ _.host }}/r', _type: request}
              - {_id: s, parentId: w2, name: s, url: '{{ _.host }}/s', _type: request}
            """)
        #expect(workspace.variables["host"] == "https://one")
        #expect(workspace.endpoints.map(\.variables) == [[:], ["host": "https://two"]])
        #expect(workspace.reasons(.changed).contains { $0.hasPrefix("another collection has another value") })
    }

    @Test func `the only sub environment is the initial one where the base lacks values that it has`() throws {
        let workspace = try version4(
            """
              - {_id: e, parentId: w, name: Base, data: {base: '{{ _.scheme }}://{{ _.host }}'}, _type: environment}
              - {_id: e2, parentId: e, name: OpenAPI env, data: {scheme: https, host: h}, _type: environment}
              - {_id: r, parentId: w, name: r, url: '{{ _.base }}/x', _type: request}

            """)
        #expect(workspace.initialEnvironment == "OpenAPI env")
    }

    @Test func `a base without sub environments is no environment, and one named like a sub environment is another`() throws {
        let base = "  - {_id: e, parentId: w, name: Base, data: {a: x}, _type: environment}\n"
        #expect(try version4(base).environments.isEmpty)
        let workspace = try version4(base + "  - {_id: e2, parentId: e, name: Base, data: {a: y}, _type: environment}\n")
        #expect(workspace.environments == [WorkspaceEnvironment(name: "Base (base)"), WorkspaceEnvironment(name: "Base", variables: ["a": "y"])])
        #expect(workspace.initialEnvironment == "Base (base)")
    }

    @Test(arguments: [
        ("{{ _.a }}", "{{a}}"), ("{{a}}", "{{a}}"), ("{% uuid 'v4' %}", "{{$uuid}}"), ("{% now 'iso-8601', '' %}", "{{$date}}"),
        ("{% timestamp %}", "{{$timestamp}}"), ("{% now 'millis' %}", "{{$timestamp}}000"),
        ("{% prompt 'Name', 'Label', 'x', '', false, true %}", "{{$prompt Name = x}}"), ("{ \"a\": {{ _.b }} }", "{ \"a\": {{b}} }"),
        ("{{ unclosed", "{{$braces}} unclosed"), ("{% response 'body', 'req_1', '$.a' %}", "{{responseBodyReq1A}}"), ("{# note #}x", "x"),
        ("{% raw %}{{ a }} {% b %}{% endraw %}c", "{{$braces}} a }} {% b %}c"), ("{{ 'x' }}-{{ 12 }}", "x-12"), ("{% faker 'guid' %}", "{{$uuid}}"),
        ("{% base64 'encode', 'normal', 'me:pä' %}", "bWU6cMOk"), ("{% hash 'md5', 'hex', 'a' %}", "0cc175b9c0f1b6a831c399e269772661"),
        ("{% hash 'sha256', 'base64', 'ä' %}", "M+bXP+6CkEyNevt43hFU0ejcKg7bCBIOY99bk4XC2cw="),
        ("{% now 'custom', 'yyyy-MM-dd' %}", "{{$date yyyy-MM-dd}}"), ("{% prompt 'P', 'L', '', '', true %}", "{{$promptSecret P}}"),
    ])
    func `templates are translated`(_ source: String, _ expected: String) {
        var template = InsomniaTemplate()
        #expect(template.text(source) == expected)
    }

    @Test func `tags and filters without an equal are reported`() throws {
        let workspace = try version4("  - {_id: r, parentId: w, name: r, url: \"https://h/{% faker 'x' %}/{{ _.a | upper }}\", _type: request}\n")
        #expect(workspace.endpoints[0].path == "/{{fakerX}}/{{a}}" && workspace.variables["fakerX"] == "{{$prompt fakerX}}")
        #expect(workspace.reasons(.changed).count == 3 && workspace.variables["a"] == "{{$prompt a}}")
    }

    @Test(arguments: [
        ("body: {mimeType: application/json, text: '{\"a\": 1}'}", BodyTemplate.json("{\"a\": 1}")),
        ("body: {mimeType: text/plain, text: hi}", .text("hi", contentType: "text/plain")),
        (
            "body: {mimeType: application/x-www-form-urlencoded, params: [{name: a, value: b}, {name: c, value: d, disabled: true}]}",
            .form([Parameter("a", "b"), Parameter("c", "d", isEnabled: false)])
        ),
        (
            "body: {mimeType: multipart/form-data, params: [{name: f, type: file, fileName: a.png}, {name: t, value: v, multiline: text/csv}]}",
            .multipart([.init(name: "f", value: "a.png", isFile: true), .init(name: "t", value: "v", contentType: "text/csv")])
        ),
        ("body: {mimeType: application/octet-stream, fileName: in.bin}", .file(path: "in.bin", contentType: nil)),
        (
            "body: {mimeType: application/graphql, text: '{\"query\": \"{ a }\", \"variables\": {\"x\": 1}, \"operationName\": \"Q\"}'}",
            .graphQL(GraphQLTemplate(query: "{ a }", variables: "{\n  \"x\": 1\n}", operation: "Q"))
        ),
        ("body: {mimeType: application/graphql, text: '{\"q\": 1}'}", .json("{\"q\": 1}")),
        ("body: {mimeType: application/graphql, text: '{\"query\": \"{ a }\"}'}", .graphQL(GraphQLTemplate(query: "{ a }"))),
    ])
    func `every kind of body is imported`(_ members: String, _ body: BodyTemplate) throws {
        #expect(try endpoint("url: 'https://h/', method: POST, \(members)").body == body)
    }

    @Test func `rows, credentials and settings are imported`() throws {
        let endpoint = try endpoint(
            """
            url: 'https://h/x?a=1', parameters: [{name: b, value: '2'}, {name: c, value: '3', disabled: true}], headers: [{name: H, value: v}],
                authentication: {type: basic, username: u, password: p}, settingFollowRedirects: 'off', settingSendCookies: false,
                settingStoreCookies: false, pathParameters: []
            """)
        #expect(endpoint.query == [Parameter("a", "1"), Parameter("b", "2"), Parameter("c", "3", isEnabled: false)])
        #expect(endpoint.headers == [Parameter("H", "v")] && endpoint.auth == .basic(user: "u", password: "p"))
        #expect(endpoint.redirects == 0 && endpoint.cookies == false)
        #expect(
            try self.endpoint("url: 'https://h/', authentication: {type: apikey, key: k, value: v, addTo: queryParams}").auth
                == .apiKey(APIKey(name: "k", value: "v", in: .query)))
    }

    @Test func `a text without a type is sent without one`() throws {
        #expect(try endpoint("url: 'https://h/', method: POST, body: {mimeType: '', text: a}").removedHeaders == ["Content-Type"])
        #expect(try endpoint("url: 'https://h/', method: POST, body: {mimeType: text/x, text: a}").removedHeaders == nil)
        let fields = "headers: [{name: content-type, value: text/x}]"
        #expect(try endpoint("url: 'https://h/', method: POST, body: {mimeType: '', text: a}, \(fields)").removedHeaders == nil)
    }

    @Test func `a folder gives fields and credentials as in Insomnia, also to a request whose own credentials are switched off`() throws {
        let workspace = try version4(
            """
              - {_id: f, parentId: w, name: F, _type: request_group, headers: [{name: X-A, value: f}, {name: Host, value: f}, {name: X-B, value: f}],
                 authentication: {type: bearer, token: t}}
              - {_id: r, parentId: f, name: r, url: 'https://h/', _type: request, authentication: {type: basic, username: u, disabled: true},
                 headers: [{name: x-a, value: r}, {name: host, value: r}, {name: X-B, value: r, disabled: true}, {name: X-C, value: r}]}

            """)
        #expect(
            workspace.endpoints[0].headers == [
                Parameter("x-a", "f, r"), Parameter("host", "r"), Parameter("X-B", "f"), Parameter("X-B", "r", isEnabled: false),
                Parameter("X-C", "r"),
            ])
        #expect(workspace.endpoints[0].auth == .bearer(token: "t"))
        #expect(workspace.reasons(.omitted) == ["the credentials (basic) are switched off; those of the folder are used"])
    }

    @Test func `values of responses are captured, in a run that sends their requests first`() throws {
        let workspace = try version4(
            """
              - {_id: e, parentId: w, name: Base, data: {token: "{% response 'body', 'req_2', 'b64::JC50b2tlbg==::46b', 'never', 60 %}"}, _type: environment}
              - {_id: req_1, parentId: w, name: List, url: 'https://h/', _type: request, metaSortKey: 1, headers: [{name: X-T, value: '{{ _.token }}'}]}
              - {_id: req_2, parentId: w, name: Log in, url: 'https://h/in', _type: request, metaSortKey: 2}
              - {_id: req_3, parentId: w, name: Tag, url: "https://h/{% response 'header', 'req_2', 'ETag' %}/{% response 'body', 'gone', '$.a' %}", _type: request}

            """)
        let captures = [Capture(name: "logInResponseToken", path: "$.token"), Capture(name: "logInResponseHeaderEtag", path: "header ETag")]
        let login = try #require(workspace.endpoints.first { $0.name == "Log in" })
        #expect(Set(login.captures.map(\.path)) == Set(captures.map(\.path)) && workspace.variables["token"] == "{{logInResponseToken}}")
        let run = try #require(workspace.runs.first)
        #expect(run.steps.first?.target == "req_2" && Set(run.steps.map(\.target)) == ["req_1", "req_2", "req_3"])
        #expect(run.steps.first { $0.target == "req_1" }?.variables == ["logInResponseToken": "{{step1.logInResponseToken}}"])
    }

    @Test func `a value of the path whose name another variable has is text, encoded as in Insomnia`() throws {
        let endpoint = try endpoint("url: 'https://h/:id/{{ _.id }}', pathParameters: [{name: id, value: 'a/b'}]")
        #expect(endpoint.path == "/a%2Fb/{{id}}" && endpoint.variables.isEmpty)
    }

    @Test func `version 5 has nested items, scripts and environments`() throws {
        let workspace = try imported(
            """
            type: collection.insomnia.rest/5.0
            name: V5
            meta: {id: wrk_1, description: about}
            collection:
              - name: Folder
                meta: {id: fld_1, sortKey: 2}
                authentication: {type: bearer, token: '{{ _.t }}'}
                children:
                  - {url: 'https://h/:id', name: in, meta: {id: req_1, sortKey: 1}, method: PUT, pathParameters: [{name: id, value: '5'}]}
              - url: https://h/first
                name: first
                meta: {id: req_2, sortKey: 1}
                method: GET
                scripts: {afterResponse: 'test();'}
                settings: {followRedirects: 'off'}
              - {url: 'grpc://h', name: g, meta: {id: greq_1}}
              - {url: 'grpcs://h:1', name: call, meta: {id: greq_2, sortKey: 3}, protoMethodName: /p.S/Get, body: {text: '{"a": 1}'}, metadata: [{name: X, value: y}]}
            environments:
              name: Base
              data: {t: x}
              subEnvironments:
                - {name: Dev, data: {u: y}}

            """)
        #expect(workspace.name == "V5" && workspace.summary == "about")
        #expect(workspace.endpoints.map(\.name) == ["first", "in", "call"] && workspace.endpoints[0].redirects == 0)
        #expect(workspace.endpoints[1].path == "/:id" && workspace.endpoints[1].variables == ["id": "5"])
        #expect(workspace.endpoints[1].auth == .bearer(token: "{{t}}"))
        #expect(workspace.variables == ["t": "x"] && workspace.initialEnvironment == "Base")
        #expect(workspace.environments == [WorkspaceEnvironment(name: "Base"), WorkspaceEnvironment(name: "Dev", variables: ["u": "y"])])
        #expect(workspace.notes.contains { $0.hasSuffix("test();") })
        #expect(workspace.reasons(.omitted).contains { $0.hasPrefix("the request names no method of gRPC") })
        let call = workspace.endpoints[2]
        #expect(call.kind == .grpc && call.grpc == GRPCSetting(method: "p.S/Get") && call.method == .post && call.path.hasPrefix("https://h:1"))
        #expect(call.body == .json("{\"a\": 1}") && call.headers == [Parameter("X", "y")])
    }

    @Test(arguments: [
        ("{\"_type\": \"export\", \"__export_format\": 1, \"items\": []}", "version 1"),
        ("{\"_type\": \"export\", \"__export_format\": 4, \"resources\": 1}", "no list “resources”"),
        ("_type: export\n__export_format: 4\nresources: [\n", "i.yaml:"), ("type: mock.insomnia.rest/5.0\n", "have no requests"),
    ])
    func `what cannot be imported is an error with the place`(_ text: String, _ message: String) throws {
        let problem = #expect(throws: Diagnostic.self) { try imported(text) }
        #expect(problem?.description.contains(message) == true && problem?.location.file == "i.yaml", "\(problem?.description ?? "")")
    }

    @Test func `scripts of a folder are not those of WebSocket and gRPC requests in it`() throws {
        let script = "insomnia.test('s', () => { insomnia.expect(insomnia.response.code).to.eql(200); });"
        let workspace = try imported(
            """
            type: collection.insomnia.rest/5.0
            name: C
            collection:
              - name: F
                meta: {id: fld_1}
                scripts: {afterResponse: "\(script)"}
                children:
                  - {url: "https://h/a", name: a, method: GET, meta: {id: req_1}}
                  - {url: "wss://h/w", name: w, meta: {id: ws-req_1}}
                  - {url: "h:1", name: g, protoMethodName: /p.S/M, meta: {id: greq_1}}

            """)
        #expect(workspace.endpoints.map { ($0.expectation ?? Expectation()) == Expectation() } == [false, true, true])
    }

    @Test func `a user in another charset than UTF-8 has a line`() throws {
        func reasons(_ user: String) throws -> [String] {
            let auth = "authentication: {type: basic, useISO88591: true, username: \(user), password: p}"
            return try version4("  - {_id: r, parentId: w, name: r, url: 'https://h/', \(auth), _type: request}\n").reasons(.changed)
        }
        #expect(try reasons("ü").contains { $0.contains("UTF-8 instead of ISO-8859-1") })
        #expect(try !reasons("u").contains { $0.contains("ISO-8859-1") })
    }

    @Test func `a list of an environment is also a text with commas`() throws {
        let workspace = try version4("  - {_id: e, parentId: w, name: Base, data: {tags: [a, 2], user: {id: 7}}, _type: environment}\n")
        #expect(workspace.variables == ["tags": "a,2", "tags.0": "a", "tags.1": "2", "user.id": "7"])
    }

    @Test(arguments: ["{% base64 'encode', 'normal', _.user %}", "{% hash 'md5', 'hex', _.user %}", "{% file _.user %}", "{% prompt _.user %}"])
    func `a tag with a variable as an argument is asked for`(_ tag: String) throws {
        let fields = "[{name: X, value: \"\(tag)\"}]"
        let workspace = try version4("  - {_id: r, parentId: w, name: r, url: 'https://h/', headers: \(fields), _type: request}\n")
        let name = String(workspace.endpoints[0].headers[0].value.dropFirst(2).dropLast(2))
        #expect(workspace.variables[name] == "{{$prompt \(name)}}")
        #expect(workspace.reasons(.changed).contains { $0.contains("has a variable as an argument") })
    }
}
