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
            Endpoint(target: "api/one", name: "", path: "/orders/{{id}}"), Endpoint(target: "api/new", name: "", path: "/orders/new"),
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

    @Test(arguments: [
        ("$.code", "200", #"{"code": 200}"#), ("$.name", "= a b", #"{"name": "a b"}"#),
        ("$.list[1].id", "type integer", #"{"list": [null, {"id": 0}]}"#),
        ("$.n", "> 5", #"{"n": 6}"#), ("$.n", "missing", "{}"), ("$..n", "1", "{}"), ("$.n", "type null", #"{"n": null}"#),
        ("$.list[5000000]", "1", "{}"), ("$.ok", "true", #"{"ok": true}"#),
    ]) func `an example has the values that are expected`(path: String, condition: String, expected: String) {
        let example = MockExample(Expectation(status: 201, json: [Parameter(path, condition)], headers: [Parameter("X-A", "b")]))
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
        let description = MockDescription([
            DescribedResponse(statuses: 400...400, contentType: "application/json", body: "bad"),
            DescribedResponse(statuses: 200...200, example: "small", contentType: "application/json", body: "small"),
            DescribedResponse(statuses: 200...200, example: "large", contentType: "application/json; charset=utf-8", body: "large"),
            DescribedResponse(statuses: 200...200, contentType: "text/csv", body: "csv"),
            DescribedResponse(statuses: 404...404, body: "plain"), DescribedResponse(statuses: 404...404, example: "not found", body: "gone"),
            DescribedResponse(statuses: 400...499, body: "range"), DescribedResponse(statuses: nil, body: "other"),
        ])
        let (response, status) = try #require(description.choice(code: code, example: example, accept: accept))
        #expect("\(status) \(response.body)" == expected)
    }

    @Test func `a description without a success has its default, else its first response`() {
        let failure = DescribedResponse(statuses: 404...404, body: "missing")
        let other = DescribedResponse(statuses: nil, body: "other")
        #expect(MockDescription([failure, other]).choice(code: nil, example: nil, accept: nil).map { "\($1) \($0.body)" } == "200 other")
        #expect(MockDescription([failure]).choice(code: nil, example: nil, accept: nil).map { "\($1) \($0.body)" } == "404 missing")
        #expect(MockDescription([failure]).choice(code: 500, example: nil, accept: nil).map { "\($1) \($0.body)" } == "404 missing")
        #expect(MockDescription([]).choice(code: nil, example: nil, accept: nil) == nil)
    }

    @Test func `a stored response keeps no fields of its connection, length and coding`() {
        let headers: Headers = [
            HeaderField("Connection", "close, X-Hop"), HeaderField("X-Hop", "1"), HeaderField("Content-Length", "3"),
            HeaderField("Content-Encoding", "gzip"), HeaderField("X-Kept", "1"),
        ]
        #expect(MockResponder.sendable(headers).map(\.0) == ["X-Kept"])
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
}
