import FoundationEssentials
import HistoryModel
import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests the comparison of exchanges with the files of their endpoints.
@Suite struct ResponseCheckTests {
    private func past(_ body: String, missingBody: String? = nil, reported: [ExchangeCheck] = [], _ change: (inout Endpoint) -> Void) throws
        -> [ExchangeCheck]
    {
        var endpoint = Endpoint(target: "shop/a", name: "a", path: "/a")
        change(&endpoint)
        var request = Request(url: try HTTPURL(parsing: "http://127.0.0.1/a?page=3"))
        request.origin = RequestOrigin(endpoint: endpoint, variables: ["code": "302"])
        var exchange = Exchange(id: RequestID(high: 1, low: 1), request: request, startedAt: Date(timeIntervalSince1970: 0))
        exchange.response = Response(
            status: 200, headers: [HeaderField("Content-Type", "application/json")], body: BodyBytes(Array(body.utf8)))
        exchange.reportedChecks = reported
        let item = HistoryItem(
            number: 1, id: exchange.id, startedAt: exchange.startedAt, url: "http://127.0.0.1/a", outcome: .answered, attempts: 1)
        let past = ResponseCheck.repeated(PastExchange(item: item, exchange: exchange, missingBody: missingBody))
        return past.exchange.expectationResult?.checks ?? []
    }

    @Test func `a past exchange is compared with the endpoint and the values that were recorded`() throws {
        let checks = try past(#"{"code": 302, "id": 7}"#) {
            $0.expectation = Expectation(
                status: 200, json: [Parameter("$.code", "{{code}}"), Parameter("$.id", "8")], accepted: [200...204], contentTypes: ["text/html"])
            $0.captures = [Capture(name: "id", path: "$.id")]
            $0.parameters = ParameterStyle()
            $0.parameters?.rules = [ParameterRule("page", type: .integer), ParameterRule("size", isRequired: true)]
        }
        let texts = checks.map { "\($0.key) \($0.subject) \($0.outcome) \($0.expected ?? "-") \($0.actual)" }
        #expect(
            texts == [
                "parameters page passed - 3", "parameters size failed is missing not sent", "answer accept passed 200-204 200",
                "answer types failed text/html application/json", "expect status passed 200 200", "expect $.code passed 302 302",
                "expect $.id failed 8 7", "capture id passed $.id 7",
            ])
    }

    @Test func `a response is compared with the example that its request matches, by the members and types of its body`() throws {
        let checks = try past(#"{"id": "x", "more": 1}"#) {
            var other = EndpointExample("other", response: .init(statuses: 200...200, body: .json("[]")))
            other.request.query = [Parameter("page", "9")]
            let small = EndpointExample(
                "small", response: .init(statuses: 200...200, headers: [Parameter("X-A", "1")], body: .json(#"{"id": 7, "list": []}"#)))
            $0.examples = [other, EndpointExample("gone", response: .init(statuses: 404...404)), small]
        }
        let texts = checks.map { "\($0.key) \($0.subject) \($0.outcome)" }
        #expect(texts.prefix(2) == ["example small: status passed", "example small: header X-A warned"])
        #expect(texts.count == 4 && texts.contains("example small: body $.id warned"), "\(texts)")
        #expect(
            try past(#"{"id": 8, "list": [1]}"#) { $0.examples = [EndpointExample("a", response: .init(body: .json(#"{"id": 7}"#)))] }
                .map(\.outcome) == [.passed])
    }

    @Test func `a past exchange without its body, its values or with masks says what is not compared`() throws {
        let missing = try past("", missingBody: "the file is gone") {
            $0.expectation = Expectation(status: 200, json: [Parameter("$.code", "1")])
            $0.captures = [Capture(name: "id", path: "$.id")]
        }
        #expect(missing.map(\.outcome) == [.passed, .skipped, .skipped])
        #expect(missing.last?.actual == "the file is gone")
        let unknown = try past("{}") { $0.expectation = Expectation(json: [Parameter("$.code", "{{gone}}")]) }
        #expect(unknown.map(\.outcome) == [.skipped])
        #expect(unknown.first?.actual.hasPrefix("a value that was not recorded: ") == true)
        let masked = try past(#"{"key": "\#(HeaderField.mask)"}"#) { $0.expectation = Expectation(json: [Parameter("$.key", "abc")]) }
        #expect(masked.map(\.outcome) == [.skipped] && masked.first?.actual == "the value is masked in the history")
    }

    @Test func `the checks of hooks are those that were recorded, also without the body and with masks`() throws {
        let reported = [
            ExchangeCheck(.hook, .passed, subject: "signature", actual: "passed"),
            ExchangeCheck(.hook, .failed, subject: "key", expected: "abc", actual: HeaderField.mask),
        ]
        #expect(try past("{}", missingBody: "the file is gone", reported: reported) { _ in } == reported)
        let mixed = try past("{}", reported: reported) { $0.expectation = Expectation(status: 200) }
        #expect(mixed.map(\.key) == [.hook, .hook, .expect])
    }

    @Test func `an endpoint that says nothing about its response has no checks`() throws {
        #expect(try past("{}") { _ in } == [])
    }

    @Test func `format and shape are compared with the body`() throws {
        let checks = try past(#"{"code": "x"}"#) {
            $0.expectation = Expectation(shape: #"{"code": "integer"}"#)
            $0.expectation?.format = .json
        }
        #expect(checks.map(\.subject) == ["format", "shape $.code"])
        #expect(checks.map(\.outcome) == [.passed, .failed])
        let broken = try past("{") { $0.expectation = Expectation(shape: #"{"code": "integer"}"#) }
        #expect(broken.map(\.outcome) == [.failed])
    }
}
