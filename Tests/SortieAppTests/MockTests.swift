import Interchange
import SortieHTTP
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests the routes, examples and faults of `sortie mock`.
struct MockTests {
    private static let routes: MockRoutes = {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.variables = ["host": "http://127.0.0.1:1", "base": "{{host}}/v1"]
        var service = Service(folder: "api", name: "API")
        service.servers = ["dev": ["{{base}}"]]
        service.endpoints = [
            Endpoint(target: "api/one", name: "", path: "/orders/:id"), Endpoint(target: "api/new", name: "", path: "/orders/new"),
            Endpoint(target: "api/file", name: "", path: "/files/f-{{id}}.txt?x=1"),
            Endpoint(target: "api/item", name: "", path: "/items/{id}/parts/p{part}"),
            Endpoint(target: "api/make", name: "", method: .post, path: "/orders"),
            Endpoint(target: "api/absolute", name: "", path: "https://other.example/a%20b/{{x}}"),
        ]
        workspace.services = [service]
        return MockRoutes(workspace, environment: "dev", variables: [:])
    }()

    private func result(_ method: String, _ path: String) -> String {
        switch Self.routes.match(method, path) {
        case .route(let route): route.endpoint.target
        case .methods(let methods): methods.joined(separator: ",")
        case .none(let near): "near " + near.joined(separator: ",")
        }
    }

    @Test(arguments: [
        ("GET", "/v1/orders/5", "api/one"), ("HEAD", "/v1/orders/5", "api/one"), ("GET", "/v1/orders/new", "api/new"),
        ("GET", "/v1/files/f-7.txt", "api/file"),
        ("GET", "/v1/files/g-7.txt", "near /v1/files/f-*.txt,/v1/items/*/parts/p*,/v1/orders,/v1/orders/*,/v1/orders/new"),
        ("GET", "/v1/items/5/parts/p7", "api/item"), ("POST", "/v1/orders", "api/make"), ("PUT", "/v1/orders", "OPTIONS,POST"),
        ("PUT", "/v1/orders/5", "GET,HEAD,OPTIONS"),
        ("GET", "/a%20b/c", "api/absolute"), ("GET", "/orders/5", "near /v1/orders/*"), ("GET", "/v1/files/f-.txt", "near /v1/files/f-*.txt"),
    ]) func `a request has the endpoint of its method and path`(method: String, path: String, expected: String) {
        #expect(result(method, path).hasPrefix(expected))
    }

    @Test func `of endpoints with one path, those with examples are before others, and then the first one`() {
        var workspace = Workspace(name: "W", folder: "/w")
        var service = Service(folder: "api", name: "API")
        var example = Endpoint(target: "api/example", name: "", path: "/orders/{{id}}")
        example.examples = [EndpointExample("one", response: .init(statuses: 200...200))]
        service.endpoints = [
            Endpoint(target: "api/first", name: "", path: "/orders/{{order}}"), Endpoint(target: "api/own", name: "", path: "/orders/new"), example,
        ]
        workspace.services = [service]
        let routes = MockRoutes(workspace, environment: nil, variables: [:])
        func target(_ path: String) -> String? { if case .route(let route) = routes.match("GET", path) { route.endpoint.target } else { nil } }
        #expect(target("/orders/7") == "api/example")
        #expect(target("/orders/new") == "api/own", "a literal segment is before a variable")
    }

    @Test func `the values of the variables in a path are known by their names`() {
        let values = PathTemplate("/a/{{ x }}/{y}/n{{z|raw}}.txt").values(in: ["a", "1", "2", "n3.txt"])
        #expect(values == ["x": "1", "y": "2", "z": "3"])
    }

    @Test(arguments: [
        ("$.code", "200", #"{"code": 200}"#), ("$.name", "= a b", #"{"name": "a b"}"#),
        ("$.list[1].id", "type integer", #"{"list": [null, {"id": 0}]}"#),
        ("$.n", "> 5", #"{"n": 6}"#), ("$.n", "missing", "{}"), ("$..n", "1", "{}"), ("$.n", "type null", #"{"n": null}"#),
        ("$.list[5000000]", "1", "{}"), ("$.ok", "true", #"{"ok": true}"#),
    ]) func `an example has the values that are expected`(path: String, condition: String, expected: String) {
        let example = MockExpectation(Expectation(status: 201, json: [Parameter(path, condition)], headers: [Parameter("X-A", "b")]))
        #expect(example.body.text == expected)
        #expect(example.status == 201)
        #expect(example.headers.map { "\($0.0): \($0.1)" } == ["X-A: b"])
    }

    @Test(arguments: [
        ("code=404", 404), ("respond-async, Code = \"404\"; x=1", 404), ("code=abc", nil), ("code=99999", nil), ("codes=404", nil), ("", nil),
        ("a=\"x, code=500\", code=404", 404), ("a; b=\"c, code=500\", code=404", 404), (#"a="\"", code=404"#, 404),
    ]) func `a Prefer field names a status`(field: String, expected: Int?) {
        #expect(MockPreferences(field).status == expected)
    }

    @Test(arguments: [
        ("example=small", "small"), ("example=\"not found\"", "not found"), ("example = \"a, b; c\"; x=1, code=404", "a, b; c"),
        (#"example="a \"b\" \\""#, #"a "b" \"#), ("example=\"open", "open"), ("example", nil), ("examples=a", nil),
    ]) func `a Prefer field names an example, also in a quoted string`(field: String, expected: String?) {
        #expect(MockPreferences(field).example == expected)
    }

    @Test(arguments: [
        ("https://app.example", "https://app.example"), ("https://App.example:443/", "https://app.example"),
        ("http://[::1]:3000", "http://[::1]:3000"),
        ("app://localhost", "app://localhost"), ("null", "null"), ("app.example", nil), ("https://app.example/x", nil),
        ("https://app.example?x", nil), ("", nil), ("*", nil),
    ]) func `an origin that is permitted is a scheme, a host and a port, in the form of browsers`(text: String, expected: String?) {
        #expect(MockOrigins.serialized(text) == expected)
    }

    @Test(
        arguments: [
            (nil, nil, nil, "200 small"), (nil, "large", nil, "200 large"), (nil, "none", nil, "200 small"), (nil, "not found", nil, "404 gone"),
            (404, "not found", nil, "404 gone"), (200, "not found", nil, "200 small"), (nil, nil, "text/csv", "200 csv"),
            (nil, nil, "text/*;q=0.5, image/png", "200 csv"), (nil, nil, "image/png", "200 small"),
            (nil, nil, "application/json;q=0, */*", "200 csv"),
            (404, nil, nil, "404 plain"), (418, nil, nil, "418 range"), (400, nil, nil, "400 bad"), (503, nil, nil, "503 other"),
        ] as [(Int?, String?, String?, String)])
    func `a described response has the wanted status, example and type, else those of the first success`(
        code: Int?, example: String?, accept: String?, expected: String
    ) throws {
        let examples = [
            Self.example("400", 400...400, "bad"), Self.example("small", 200...200, "small"),
            Self.example("large", 200...200, "large", type: "application/json; charset=utf-8"),
            Self.example("200", 200...200, "csv", type: "text/csv"), Self.example("404", 404...404, "plain", type: nil),
            Self.example("not found", 404...404, "gone", type: nil), Self.example("4XX", 400...499, "range", type: nil),
            Self.example("default", nil, "other", type: nil),
        ]
        let (found, status) = try #require(
            MockExamples(examples.inOrderOfChoice).choice(code: code, name: example, accept: accept, of: Self.candidate()))
        #expect("\(status) \(found.response.body.literal ?? "")" == expected)
    }

    private static func example(_ name: String, _ statuses: ClosedRange<Int>?, _ body: String, type: String? = "application/json") -> EndpointExample
    {
        var example = EndpointExample(name, response: .init(statuses: statuses, body: .text(body, contentType: nil)))
        if let type { example.response.headers = [Parameter("Content-Type", type)] }
        return example
    }

    private static func candidate(path: [String: String] = [:], query: String = "", body: String = "") -> EndpointExample.Candidate {
        EndpointExample.Candidate(path: path, query: query, headers: [HeaderField("X-A", "1")], body: Array(body.utf8))
    }

    @Test(
        arguments: [
            (["id": "9"], "", "", "none"), (["id": "7"], "size=1", "", "small"), (["id": "7"], "size=2&tag=x", "", "tagged"),
            (["id": "7"], "", #"{ "b": [], "a": 1 }"#, "first"),
            (["id": "7"], "", #"{"a": 2, "b": []}"#, "any"), ([:], "", "x=1&y=2", "form"),
        ] as [([String: String], String, String, String)]) func `a request gets the first example that it matches`(
            path: [String: String], query: String, body: String, expected: String
        )
    {
        func example(_ name: String, _ change: (inout EndpointExample.Request) -> Void) -> EndpointExample {
            var example = EndpointExample(name)
            change(&example.request)
            return example
        }
        let examples = [
            example("none") { $0.path = [Parameter("id", "9")] }, example("small") { $0.query = [Parameter("size", "1")] },
            example("tagged") { ($0.query, $0.headers) = ([Parameter("tag", "{{any}}")], [Parameter("x-a", "1")]) },
            example("first") { $0.body = .json(#"{"a": 1.0, "b": []}"#) }, example("form") { $0.body = .form([Parameter("x", "1")]) },
            EndpointExample("any"),
        ]
        let found = MockExamples(examples).choice(code: nil, name: nil, accept: nil, of: Self.candidate(path: path, query: query, body: body))
        #expect(found?.example.name == expected)
    }

    @Test func `an example with times is served so often, and its calls are expected`() {
        var first = EndpointExample("busy", response: .init(statuses: 503...503))
        first.times = 2
        var endpoint = Endpoint(target: "api/x", name: "x", path: "/x")
        endpoint.examples = [first, EndpointExample("ok", response: .init(statuses: 200...200))]
        let calls = MockCalls()
        func status() -> Int? {
            calls.example(of: endpoint.target) { served in
                MockExamples(endpoint.examples, served: served).choice(code: nil, name: nil, accept: nil, of: Self.candidate())
            }?.status
        }
        let other = Endpoint(target: "api/y", name: "y", path: "/y")
        let routes = [endpoint, other].map { MockRoute($0, server: nil, variables: [:]) }
        #expect(status() == 503)
        #expect(calls.expected(by: routes).map(\.text) == ["missing api/x busy 1 of 2", "missing api/y 0 of 1"])
        calls.note(other.target)
        #expect([status(), status(), status()] == [503, 200, 200])
        #expect(calls.expected(by: routes).map(\.text) == ["came api/x busy 2 of 2", "came api/y 1 of 1"])
    }

    @Test func `examples without a success have the one for any status first, and none has a status that it does not describe`() {
        let failure = EndpointExample("404", response: .init(statuses: 404...404))
        func status(_ examples: [EndpointExample], code: Int? = nil) -> Int? {
            MockExamples(examples.inOrderOfChoice).choice(code: code, name: nil, accept: nil, of: Self.candidate())?.status
        }
        #expect(status([failure, EndpointExample("default")]) == 200 && status([failure]) == 404)
        #expect(status([failure], code: 500) == nil && status([]) == nil)
    }

    @Test func `a stored response keeps no fields of its connection, length and coding`() {
        let headers: Headers = [
            HeaderField("Connection", "close, X-Hop"), HeaderField("X-Hop", "1"), HeaderField("Content-Length", "3"),
            HeaderField("Content-Encoding", "gzip"), HeaderField("X-Kept", "1"),
        ]
        #expect(EndpointExample.Response.fields(of: headers).map(\.name) == ["X-Kept"])
    }

    @Test func `a seed gives one sequence of faults, in about the share that is asked for`() {
        func sequence(_ seed: UInt64) -> [Bool] {
            let faults = MockFaults(.reset, share: 0.1, seed: seed)
            return (0..<1000).map { _ in faults.next() != nil }
        }
        #expect(sequence(7) == sequence(7) && sequence(7) != sequence(8))
        #expect(MockFaults.share("110%") == nil && MockFaults.share("nan") == nil && MockFaults.share("10%") == 0.1)
        #expect((60...140).contains(sequence(7).count { $0 }))
    }

    @Test func `a delay is a time, or a distribution with two percentiles that a seed repeats`() {
        #expect(MockDelay("200ms") == .constant(.milliseconds(200)))
        #expect(MockDelay("p50=20ms,p99=2s") == .distribution(p50: .milliseconds(20), p99: .seconds(2)))
        for text in ["", "fast", "20ms,2s", "p50=2s,p99=20ms", "p50=0s,p99=1s", "p50=1s", "p50=1s,p99=2s,p99=3s"] {
            #expect(MockDelay(text) == nil, "\(text)")
        }
        func delays(_ seed: UInt64) -> [Duration] {
            let faults = MockFaults(.reset, share: 0, delay: .distribution(p50: .milliseconds(20), p99: .seconds(2)), seed: seed)
            return (0..<1000).map { _ in faults.nextDelay() }
        }
        let all = delays(7)
        #expect(all == delays(7) && all != delays(8))
        #expect((450...550).contains(all.count { $0 < .milliseconds(20) }) && (3...20).contains(all.count { $0 > .seconds(2) }))
    }
}
