import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Compares the URLs of imported requests with those of their tools, which insert values as text and read the URL afterwards.
struct TextualValuesTests {
    /// Variables and a URL; the expected URL is made by inserting the values.
    struct Case: CustomTestStringConvertible {
        var variables: [String: String]
        var url: String
        var scheme = ""

        var testDescription: String { url + " \(variables.sorted { $0.key < $1.key })" }

        var expected: String {
            var text = url
            for _ in 0..<4 { for (name, value) in variables { text = text.replacing("{{\(name)}}", with: value) } }
            return scheme + text
        }
    }

    static let cases: [Case] = [
        Case(variables: ["scheme": "http", "host": "127.0.0.1:8990"], url: "{{scheme}}://{{host}}/x"),
        Case(variables: ["scheme": "http", "host": "127.0.0.1:8990", "base": "{{scheme}}://{{host}}/v2"], url: "{{base}}/pets"),
        Case(variables: ["scheme": "https", "host": "h", "path": "/v2", "base": "{{scheme}}://{{host}}{{path}}"], url: "{{base}}/pets"),
        Case(variables: ["scheme": "https", "host": "h", "path": "/v2"], url: "{{scheme}}://{{host}}{{path}}/pets"),
        Case(variables: ["host": "api.test/v2"], url: "https://{{host}}/x"),
        Case(variables: ["host": "api.test:80/v2"], url: "{{host}}/x", scheme: "http://"),
        Case(variables: ["url": "http://h/complete"], url: "{{url}}"),
        Case(variables: ["end": "h:81/x"], url: "http://{{end}}"),
        Case(variables: ["host": "h:81"], url: "http://{{host}}"),
        Case(variables: ["path": "a/b"], url: "http://h/x/{{path}}"),
        Case(variables: ["path": "a%20b"], url: "http://h/x/{{path}}/y"),
        Case(variables: ["path": "../up"], url: "http://h/x/{{path}}"),
        Case(variables: ["rest": "items?x=1"], url: "http://h/{{rest}}"),
        Case(variables: ["base": "http://h"], url: "{{base}}/go/http://u@other/x"),
        Case(variables: ["plain": "Aa0-._~"], url: "http://h/{{plain}}?q={{plain}}"),
    ]

    static let queries: [Case] = [
        Case(variables: ["query": "x=1&y=2"], url: "http://h/x?{{query}}"),
        Case(variables: ["value": "a%20b"], url: "http://h/x?q={{value}}&r=1"),
        Case(variables: ["value": "a=b+c"], url: "http://h/x?r=1&q={{value}}"),
        Case(variables: ["value": "b%20c&d"], url: "http://h/x?q=a+{{value}}"),
        Case(variables: ["link": "http://t/a?b=1&c=2"], url: "http://h/x?u={{link}}"),
    ]

    private func url(of imported: ImportedWorkspace, in environment: String? = nil) throws -> String {
        let workspace = PlacedImport(imported, into: nil, folder: "/ws", sourceFolder: "/src", known: [:], taken: []).workspace
        let endpoint = try #require(workspace.services.first?.endpoints.first)
        let plan = RequestBuilder(workspace: workspace, environment: environment ?? workspace.environments.first?.name)
        return try plan.request(for: endpoint, in: plan.scope(of: endpoint) { _, _ in nil }).url.description
    }

    private func imported(http text: String) throws -> ImportedWorkspace {
        try HTTPFileImport.workspace(from: ImportSource(name: "api.http", bytes: Array(text.utf8)))
    }

    private func imported(postman variables: [String: String], _ url: String) throws -> ImportedWorkspace {
        let list = variables.sorted { $0.key < $1.key }.map { "{\"key\": \"\($0.key)\", \"value\": \"\($0.value)\"}" }.joined(separator: ", ")
        let text = """
            {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "variable": [\(list)], "item": [{"name": "r", "request": "\(url)"}]}
            """
        return try PostmanImport.workspace(from: ImportSource(name: "c.json", bytes: Array(text.utf8)))
    }

    private func imported(insomnia environments: [String: [String: String]], _ url: String) throws -> ImportedWorkspace {
        let subs = environments.sorted { $0.key < $1.key }.map { name, variables in
            let data = variables.sorted { $0.key < $1.key }.map { "\($0.key): \"\($0.value)\"" }.joined(separator: ", ")
            return "  - {_id: env_\(name), _type: environment, parentId: env_b, name: \(name), data: {\(data)}}\n"
        }
        let text = """
            _type: export
            __export_format: 4
            resources:
              - {_id: wrk_1, _type: workspace, name: w}
              - {_id: env_b, _type: environment, parentId: wrk_1, name: Base, data: {}}
            \(subs.joined())  - {_id: req_1, _type: request, parentId: wrk_1, name: r, method: GET, url: "\(url)"}
            """
        return try InsomniaImport.workspace(from: ImportSource(name: "i.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
    }

    @Test func `a segment of the path in a .http file that looks like a parameter is text`() throws {
        let text = "@id = 5\n@part = a/b\n\n### r\nGET http://h/:id/{id}/:part/x?q={{id}}{{part}}\n"
        #expect(try url(of: imported(http: text)) == "http://h/:id/%7Bid%7D/:part/x?q=5a/b")
    }

    @Test(arguments: cases + queries) func `a URL of a .http file is the one with its values inserted`(_ example: Case) throws {
        let variables = example.variables.sorted { $0.key < $1.key }.map { "@\($0.key) = \($0.value)\n" }.joined()
        let workspace = try imported(http: variables + "GET \(example.url)\n")
        #expect(try url(of: workspace) == (try HTTPURL(parsing: example.expected)).description, "\(workspace.services)")
    }

    @Test(arguments: cases + queries) func `a URL of Postman is the one with its values inserted`(_ example: Case) throws {
        let workspace = try imported(postman: example.variables, example.url)
        #expect(try url(of: workspace) == (try HTTPURL(parsing: example.expected)).description, "\(workspace.services)")
    }

    @Test(arguments: cases + queries) func `a URL of Insomnia is the one with its values inserted`(_ example: Case) throws {
        let workspace = try imported(insomnia: ["Only": example.variables], example.url)
        #expect(try url(of: workspace, in: "Only") == (try HTTPURL(parsing: example.expected)).description, "\(workspace.services)")
    }

    /// A request of Bruno and the URL that Bruno sends: without `encodeUrl` values and the query are text.
    struct BrunoCase: CustomTestStringConvertible {
        var settings = ""
        var url: String
        var value: String
        var expected: String

        var testDescription: String { "\(url) \(value) \(settings)" }
    }

    static let brunoCases: [BrunoCase] = [
        BrunoCase(url: "http://h/u/:id/p?q=a,b&r=%20#f", value: "a,b@c", expected: "http://h/u/a,b@c/p?q=a,b&r=%20"),
        BrunoCase(url: "http://h/u/:id", value: "a/b?c=d", expected: "http://h/u/a/b?c=d"),
        BrunoCase(url: "http://h/u/:id", value: "{{v}}", expected: "http://h/u/x/y"),
        BrunoCase(url: "http://h/{{v}}?q={{v}}", value: "", expected: "http://h/x/y?q=x/y"),
        BrunoCase(settings: "encodeUrl: false", url: "http://h/u/:id?q=a,b", value: "a/b", expected: "http://h/u/a/b?q=a,b"),
        BrunoCase(settings: "encodeUrl: true", url: "http://h/u/:id?q=a,b&r=%20&s", value: "a/b", expected: "http://h/u/a%2Fb?q=a%2Cb&r=%2520&s"),
        BrunoCase(settings: "encodeUrl: true", url: "http://h/{{v}}?q={{v}}", value: "", expected: "http://h/x/y?q=x%2Fy"),
        BrunoCase(settings: "timeout: 0", url: "http://h/u/:id?q=a,b", value: "a/b", expected: "http://h/u/a%2Fb?q=a%2Cb"),
    ]

    @Test(arguments: brunoCases) func `a URL of Bruno has its values as text, or encoded where a setting says so`(_ example: BrunoCase) throws {
        let text = """
            meta {
              name: r
            }

            get {
              url: \(example.url)
            }

            params:path {
              id: \(example.value)
            }

            vars:pre-request {
              v: x/y
            }

            """
        let settings = example.settings.isEmpty ? "" : "\nsettings {\n  \(example.settings)\n}\n"
        let workspace = try BrunoImport.workspace(from: ImportSource(name: "r.bru", bytes: Array((text + settings).utf8)))
        #expect(try url(of: workspace) == (try HTTPURL(parsing: example.expected)).description, "\(workspace.services)")
    }

    @Test func `a value in a path of Postman is text, whose characters that end the path are encoded`() throws {
        let text = """
            {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "item": [{"name": "r", "request": {"url": {"raw": "http://h/:id/:x", "variable": [
            {"key": "id", "value": "a/b?c#d"}, {"key": "x", "value": "7"}]}}}]}
            """
        let workspace = try PostmanImport.workspace(from: ImportSource(name: "c.json", bytes: Array(text.utf8)))
        #expect(try url(of: workspace) == "http://h/a/b%3Fc%23d/7" && workspace.endpoints.first?.path == "/{{id|raw}}/:x")
    }

    @Test func `each environment sends its own URL, also where one has a scheme and another has none`() throws {
        let workspace = try imported(
            insomnia: ["A": ["base": "https://a.test/v1"], "B": ["base": "b.test:81"], "C": ["base": "http://c"]], "{{ base }}/x")
        #expect(try url(of: workspace, in: "A") == "https://a.test/v1/x")
        #expect(try url(of: workspace, in: "B") == "http://b.test:81/x")
        #expect(try url(of: workspace, in: "C") == "http://c/x")
    }

    @Test func `a complete URL whose value has a scheme in some environments only is reported`() throws {
        let workspace = try imported(insomnia: ["A": ["url": "https://a.test/v1"], "B": ["url": "b.test/x"]], "{{ url }}")
        #expect(workspace.reasons(.changed).contains("the value of {{url}} has no scheme in the environments B; write http:// before it"))
    }

    @Test func `a form whose values have its syntax is the text that the tool sends`() throws {
        let workspace = try imported(
            http: "@v = a%20b\n@w = 7\nPOST http://h/\nContent-Type: application/x-www-form-urlencoded\n\na={{v}}&b=1\n###\n"
                + "POST http://h/\nContent-Type: application/x-www-form-urlencoded\n\na={{w}}&b=1\n")
        #expect(workspace.endpoints[0].body == .text("a={{v}}&b=1", contentType: "application/x-www-form-urlencoded"))
        #expect(workspace.endpoints[1].body == .form([Parameter("a", "{{w}}"), Parameter("b", "1")]))
    }

    @Test(arguments: ["http:/h:81/x", "http:\\\\h:81\\x"]) func `other slashes after the scheme are read as browsers do`(_ url: String) throws {
        let workspace = try imported(http: "GET \(url)\n")
        #expect(try self.url(of: workspace) == "http://h:81/x")
    }

    @Test func `values without syntax keep templates without raw`() throws {
        let workspace = try imported(http: "@host = h:81\n@id = 7\nGET http://{{host}}/{{id}}?q={{id}}\n")
        #expect(workspace.services[0].service.servers == [ImportedService.everywhere: ["http://{{host}}"]])
        #expect(workspace.endpoints[0].path == "/{{id}}" && workspace.endpoints[0].query == [Parameter("q", "{{id}}")])
    }

    @Test func `a base URL without a host is asked for, and the report says so`() throws {
        let workspace = try imported(postman: ["baseUrl": "/"], "{{baseUrl}}/pets")
        #expect(workspace.variables["baseUrl"] == "{{$prompt baseUrl}}")
        #expect(workspace.reasons(.changed).contains { $0.hasPrefix("the value “/” names no server") })
    }

    @Test func `variables that repeat each other many times are not inserted`() throws {
        let chain = (0..<14).map { ("v\($0)", String(repeating: "{{v\($0 + 1)}}", count: 10)) } + [("v14", "")]
        let workspace = try imported(postman: Dictionary(uniqueKeysWithValues: chain), "http://h/{{v0}}")
        #expect(workspace.endpoints.map(\.path) == ["/{{v0}}"])
    }

    @Test func `a value that is not known stays encoded for its place`() throws {
        let workspace = try imported(http: "GET http://h/{{id}}?q={{id}}\n")
        #expect(workspace.endpoints[0].path == "/{{id}}" && workspace.endpoints[0].query == [Parameter("q", "{{id}}")])
    }

    @Test func `variables of a shell are inserted into path and query as they are`() throws {
        let text = "curl \"http://h/$P?$Q\"\ncurl \"$BASE/x\"\n"
        let workspace = try CurlImport.workspace(from: ImportSource(name: "a.sh", bytes: Array(text.utf8)))
        #expect(workspace.endpoints.map(\.path) == ["/{{$env.P|raw}}?{{$env.Q|raw}}", "/x"])
        #expect(workspace.services.map(\.service.servers) == [["*": ["http://h"]], ["*": ["{{$env.BASE}}"]]])
        #expect(workspace.reasons(.changed) == ["the value of $BASE must begin with http:// or https://; curl uses http where it has neither"])
    }

    @Test func `a variable that an exported command encodes is encoded in the URL`() throws {
        let text = #"curl "http://h/$(urlencode "$P")?q=$(urlencode "$Q")""#
        let workspace = try CurlImport.workspace(from: ImportSource(name: "a.sh", bytes: Array(text.utf8)))
        #expect(workspace.endpoints.map(\.path) == ["/{{$env.P}}?q={{$env.Q}}"])
    }

    @Test func `a value with the syntax of JSON strings is inserted into them as text`() throws {
        var workspace = ImportedWorkspace(name: "w")
        workspace.variables = ["quoted": #"say \"hi\""#, "plain": "a/b", "object": #"{"a": 1}"#]
        var endpoint = Endpoint(target: "", name: "e", path: "/")
        endpoint.body = .json(#"{"{{plain}}": "{{quoted}} {{unknown}}", "o": {{object}}}"#)
        workspace.services = [ImportedService(id: "s", Service(folder: "", name: "s"), items: [.endpoint(ImportedEndpoint(id: "e", endpoint))])]
        let result = TextualValues.applied(to: workspace, insertsInQueries: true)
        #expect(result.endpoints.map(\.body) == [.json(#"{"{{plain}}": "{{quoted|raw}} {{unknown}}", "o": {{object}}}"#)])
    }

    @Test func `a value that is no part of a JSON string stays encoded in variables of GraphQL, which are parsed before they are sent`() throws {
        var workspace = ImportedWorkspace(name: "w")
        workspace.variables = ["quoted": #"say \"hi\""#, "bare": #"a "q""#]
        var endpoint = Endpoint(target: "", name: "e", path: "/")
        endpoint.body = .graphQL(GraphQLTemplate(query: "{ a }", variables: #"{"a": "{{quoted}}", "b": "{{bare}}"}"#))
        workspace.services = [ImportedService(id: "s", Service(folder: "", name: "s"), items: [.endpoint(ImportedEndpoint(id: "e", endpoint))])]
        let result = TextualValues.applied(to: workspace, insertsInQueries: true)
        let expected = GraphQLTemplate(query: "{ a }", variables: #"{"a": "{{quoted|raw}}", "b": "{{bare}}"}"#)
        #expect(result.endpoints.map(\.body) == [.graphQL(expected)])
    }
}
