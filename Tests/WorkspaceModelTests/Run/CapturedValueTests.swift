import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

/// Tests writing a template where a request has the value of an earlier response, and expecting values.
@Suite struct CapturedValueTests {
    private let template = "{{login.token}}"

    private func endpoint(_ change: (inout Endpoint) -> Void = { _ in }) -> Endpoint {
        var endpoint = Endpoint(target: "s/e", name: "e", path: "/orders")
        change(&endpoint)
        return endpoint
    }

    @Test(arguments: [
        ("/orders/42/items", "/orders/{{x}}/items"), ("/orders/142", "/orders/142"), ("http://42/orders/42?a=42", "http://42/orders/{{x}}?a=42"),
        ("{{base}}/a%20b/42", "{{base}}/a%20b/{{x}}"),
    ])
    func `a whole segment of the path is replaced`(path: String, expected: String) {
        var endpoint = endpoint { $0.path = path }
        let places = endpoint.replace("42", by: "{{x}}")
        #expect(endpoint.path == expected && places == (path == expected ? [] : ["path"]))
    }

    @Test func `query, headers and credentials are replaced where they are the value`() {
        var endpoint = endpoint {
            $0.query = [Parameter("a", "abc"), Parameter("b", "abcd"), Parameter("c", "abc", isEnabled: false)]
            $0.headers = [Parameter("If-Match", "abc"), Parameter("X-Key", "Key abc"), Parameter("X-Other", "xabc")]
            $0.auth = .bearer(token: "abc")
        }
        #expect(endpoint.replace("abc", by: template) == ["query a", "header If-Match", "header X-Key", "auth"])
        #expect(endpoint.query.map(\.value) == [template, "abcd", "abc"])
        #expect(endpoint.headers.map(\.value) == [template, "Key \(template)", "xabc"])
        #expect(endpoint.auth == .bearer(token: template))
    }

    @Test func `a string of JSON keeps its quotes, and a number has none; names stay`() {
        var endpoint = endpoint { $0.body = .json("{\"abc\": \"abc\", \"n\": [12, 112, 12.5], \"s\": \"12\", \"t\": \"{{abc}}\"}") }
        #expect(endpoint.replace("abc", by: "{{x}}") == ["body"])
        #expect(endpoint.replace("12", by: "{{y}}") == ["body"])
        #expect(endpoint.body == .json("{\"abc\": \"{{x}}\", \"n\": [{{y}}, 112, 12.5], \"s\": \"{{y}}\", \"t\": \"{{abc}}\"}"))
    }

    @Test func `fields of forms are named`() {
        var endpoint = endpoint { $0.body = .form([Parameter("id", "abc"), Parameter("other", "x")]) }
        #expect(endpoint.replace("abc", by: template) == ["field id"])
        #expect(endpoint.body == .form([Parameter("id", template), Parameter("other", "x")]))
        #expect(endpoint.replace("nowhere", by: template).isEmpty && endpoint.replace("", by: template).isEmpty)
    }

    // MARK: Expecting

    @Test func `what is expected replaces the expectation for the same place`() throws {
        var endpoint = endpoint { $0.expectation = Expectation(status: 201, json: [Parameter("$.a", "1"), Parameter("$.b", "2")]) }
        try endpoint.expect("200, 2xx", of: "status")
        try endpoint.expect("> 3", of: "$.a")
        try endpoint.expect("matches json", of: "header Content-Type")
        #expect(endpoint.expectation?.statuses == [200...200, 200...299] && endpoint.expectation?.status == nil)
        #expect(endpoint.expectation?.json == [Parameter("$.b", "2"), Parameter("$.a", "> 3")])
        #expect(endpoint.expectation?.headers == [Parameter("Content-Type", "matches json")])
    }

    @Test func `an invalid condition or place changes nothing`() {
        var endpoint = endpoint()
        for (condition, path) in [("2yy", "status"), ("< many", "$.a"), ("1", "a"), ("matches (", "header ETag")] {
            #expect(throws: ConditionError.self) { try endpoint.expect(condition, of: path) }
        }
        #expect(endpoint.expectation == nil)
    }

    @Test func `the proposed condition is met by the value alone`() throws {
        for value: JSONValue in [.string("exists"), .string("abc"), .string("= x"), .string("> 3"), .number("4"), .bool(true), .string("")] {
            #expect(try Condition(Condition.text(metBy: value)).holds(for: value))
        }
        #expect(Condition.text(metBy: .string("exists")) == "= exists" && Condition.text(metBy: .string("abc")) == "abc")
        #expect(Condition.text(metBy: .null) == "type null" && Condition.text(metBy: .array([])) == "type array")
    }
}
