import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

/// The Testing module has a type with this name as well.
private typealias Expectation = WorkspaceModel.Expectation

struct ExpectationTests {
    private let body: JSONValue = ["code": .integer(302), "items": .array([["id": .integer(1)], ["id": .integer(2)]])]

    private func failures(
        _ expectation: Expectation, status: Int = 200, headers: Headers = [], body: Result<JSONValue, BodyProblem>? = nil, seconds: Double = 0.1
    ) -> [String] {
        expectation.checks(of: Response(status: status, headers: headers), body: body ?? .success(self.body), seconds: seconds).compactMap(
            \.failure?.description)
    }

    @Test func `every failure contains subject, expected and actual value`() {
        let expectation = Expectation(
            status: 200, json: [Parameter("$.code", "200"), Parameter("$.total", "exists"), Parameter("$.code", "type string")],
            headers: [Parameter("ETag", "exists"), Parameter("Content-Type", "matches json")], under: .milliseconds(50))
        #expect(
            failures(expectation, status: 503, headers: [HeaderField("content-type", "text/html")]) == [
                "status: expected 200, got 503", "header ETag: expected a value, got nothing",
                "header Content-Type: expected a match of json, got \"text/html\"", "$.code: expected 200, got 302",
                "$.total: expected a value, got nothing", "$.code: expected string, got number 302", "under: expected at most 50 ms, got 100 ms",
            ])
    }

    @Test(arguments: [
        ("type integer", true), ("type number", true), ("type string", true), ("type boolean", false), ("type array", false),
        ("oneOf [\"6\", \"7\"]", true),
        ("< 10", true), ("longest 1", true), ("shortest 2", false),
    ])
    func `the value of a header field has the type of its text`(text: String, holds: Bool) {
        let all = failures(Expectation(headers: [Parameter("X-Count", text)]), headers: [HeaderField("X-Count", "7")])
        #expect(all.isEmpty == holds, "\(all)")
    }

    @Test func `an expectation that holds has no failures`() {
        let expectation = Expectation(
            status: 200, json: [Parameter("$.code", "302"), Parameter("$.items[*].id", "2"), Parameter("$.gone", "missing")],
            headers: [Parameter("etag", "x")], under: .seconds(1))
        #expect(failures(expectation, headers: [HeaderField("ETag", "x")]) == [])
    }

    @Test(arguments: [("< 10kB", true), ("<=3", true), ("> 3", false), (">= 3 B", true), ("3", true), ("= 4", false), ("< 3", false)])
    func `the size of the body is compared`(text: String, holds: Bool) throws {
        var expectation = Expectation()
        let size: SizeCondition = try #require(SizeCondition(text))
        expectation.size = size
        let response = Response(status: 200, headers: [], body: BodyBytes(Array("abc".utf8)))
        let failures = expectation.checks(of: response, body: .success(self.body), seconds: 0.1).compactMap(\.failure?.description)
        #expect(failures == (holds ? [] : ["size: expected \(size.text), got 3 B"]))
        #expect(SizeCondition(size.text) == size)
    }

    @Test func `a text without a size is no condition on a size`() {
        for text in ["", "<", "much", "< much", "=> 3", "-1", "matches x"] { #expect(SizeCondition(text) == nil, "\(text)") }
    }

    @Test func `a body that is not JSON fails each condition on it with the reason`() {
        let problem = BodyProblem(message: "not JSON: unexpected '<'", line: 1, column: 1, byte: 0)
        let all = failures(Expectation(json: [Parameter("$.code", "200")]), body: .failure(problem))
        #expect(all == ["$.code: expected 200, got not JSON: unexpected '<' at line 1, column 1 (byte 0)"])
    }

    @Test func `an expectation lists at most 20 failures, and hides values with the name of a secret`() throws {
        var expectation = WorkspaceModel.Expectation()
        let schema = try JSONSchema(parsing: #"{"properties": {"password": {"type": "null"}}, "items": {"type": "string"}}"#)
        expectation.schema = .loaded(schema, name: "a.json")
        func checks(_ text: String) throws -> [ExchangeCheck] {
            expectation.checks(of: Response(status: 200), body: .success(try JSONValue(parsing: text)), seconds: 0)
        }
        let many = try checks("[" + Array(repeating: "1", count: 30).joined(separator: ",") + "]")
        #expect(many.count == 21 && many.last?.actual == "more than the 20 failures that are listed")
        #expect(many.first?.failure?.description == "schema $[0]: expected type: string, got 1")
        #expect(try checks(#"{"password": "open-sesame"}"#).map(\.actual) == ["••••"])
        #expect(try checks(#"["a"]"#) == [ExchangeCheck(.expect, .passed, subject: "schema", expected: "a.json", actual: "valid", readsBody: true)])
    }

    @Test func `the value of a secret header field is not reported`() {
        let all = failures(Expectation(headers: [Parameter("Set-Cookie", "x")]), headers: [HeaderField("Set-Cookie", "session=s3cret")])
        #expect(all == ["header Set-Cookie: expected x, got ••••"])
    }
}

struct CaptureTests {
    private let response = Response(status: 201, headers: [HeaderField("ETag", "\"v1\"")])
    private let body: Result<JSONValue, BodyProblem> = .success(["id": .integer(7), "name": "n", "tags": .array(["a", "b"])])

    @Test(arguments: [("status", "201"), ("header etag", "\"v1\""), ("$.id", "7"), ("$.name", "n"), ("$.tags", "[\"a\", \"b\"]")])
    func `values are captured from status, header and JSON`(path: String, value: String) throws {
        #expect(try Capture(name: "x", path: path).value(in: response, body: body) == value)
    }

    @Test(arguments: [
        ("header Location", "capture x: expected a value of header Location, got the response has no such header"),
        ("$.token", "capture x: expected a value at $.token, got nothing"),
    ])
    func `a missing value to capture is a failure`(path: String, sentence: String) {
        let failure = #expect(throws: StepFailure.self) { try Capture(name: "x", path: path).value(in: response, body: body) }
        #expect(failure?.description == sentence)
    }

    @Test(arguments: [
        ("$.payload | fromjson | $.token", "t-1"), ("$.payload|fromjson|$.list[1]", "2"), ("$.payload | fromjson | $.inner | fromjson | $[0]", "7"),
        ("$.all[*] | fromjson | $.n", "[1, 2]"),
    ])
    func `a value in the JSON of a string is captured, and compared with an expectation`(path: String, value: String) throws {
        let body = try JSONValue(
            parsing: #"{"payload": "{\"token\": \"t-1\", \"list\": [1, 2], \"inner\": \"[7]\"}", "all": ["{\"n\": 1}", "{\"n\": 2}"]}"#)
        #expect(try Capture(name: "x", path: path).value(in: response, body: .success(body)) == value)
        let expectation = WorkspaceModel.Expectation(json: [Parameter(path, path.contains("*") ? "2" : value), Parameter(path, "other")])
        let checks = expectation.checks(of: response, body: .success(body), seconds: 0)
        #expect(checks.map(\.outcome) == [.passed, .failed])
    }

    @Test(arguments: [
        ("$.id | fromjson | $.a", "the value at $.id is not a string"),
        ("$.name | fromjson | $.a", "the string at $.name is not JSON"),
        ("$.none | fromjson | $.a", "got nothing"),
    ])
    func `a string without JSON on the way to a value to capture is named`(path: String, reason: String) {
        let failure = #expect(throws: StepFailure.self) { try Capture(name: "x", path: path).value(in: response, body: body) }
        #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
    }

    @Test func `a capture in the JSON of a string has the last name of its path`() {
        #expect(Capture(ofPath: "$.payload | fromjson | $.userToken", besides: []).name == "userToken")
        #expect(Capture(ofPath: "$.payload | fromjson | $", besides: []).name == "payload")
    }

    @Test(arguments: ["id", "header", "header a b:c", "$.", "Status", "$.a | fromjson", "$.a | fromjson | b"])
    func `a capture without a valid source is an error`(path: String) {
        #expect(throws: JSONPathError.self) { try Capture(name: "x", path: path).source() }
    }

    @Test func `a pattern over budget is an expectation that failed and says so`() throws {
        let expectation = WorkspaceModel.Expectation(json: [Parameter("$.text", "matches (.*,){100}x"), Parameter("$.n", "1")])
        let body: JSONValue = ["text": .string(String(repeating: "a,", count: 10_000)), "n": .integer(1)]
        let failures = expectation.checks(of: Response(status: 200), body: .success(body), seconds: 0, patternSteps: 100_000).compactMap(\.failure)
        #expect(failures.count == 1)
        let failure = try #require(failures.first)
        #expect(failure.kind == .expectation && failure.description.contains("steps"), "\(failure)")
    }
}
