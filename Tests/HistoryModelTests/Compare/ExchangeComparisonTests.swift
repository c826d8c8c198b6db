import BodyViews
import Foundation
import HistoryModel
import SortieHTTP
import Testing
import WorkspaceModel

@Suite struct ExchangeComparisonTests {
    private func past(
        _ body: String = "{\"a\": 1}", status: Int? = 200, headers: Headers = [HeaderField("Content-Type", "application/json")],
        error: NetworkError? = nil,
        change: (inout PastExchange) -> Void = { _ in }
    ) throws -> PastExchange {
        let url = try HTTPURL(parsing: "http://a/b")
        var exchange = Exchange(id: RequestID(high: 1, low: 1), request: Request(url: url), startedAt: Date(timeIntervalSince1970: 0))
        exchange.response = status.map {
            Response(status: $0, reason: "OK", headers: headers, body: BodyBytes(Array(body.utf8)), wireBytes: Int64(body.utf8.count))
        }
        exchange.error = error
        let item = HistoryItem(
            number: 1, id: exchange.id, startedAt: exchange.startedAt, url: "http://a/b", outcome: error == nil ? .answered : .failed, status: status,
            error: error?.code.rawValue, receivedBytes: Int64(body.utf8.count))
        var past = PastExchange(item: item, exchange: exchange)
        change(&past)
        return past
    }

    private func compare(_ left: PastExchange, _ right: PastExchange, _ rules: String...) throws -> ExchangeComparison {
        ExchangeComparison(left: left, right: right, ignoring: try CompareRules(parsing: rules))
    }

    @Test func `two equal responses are equal`() throws {
        let comparison = try compare(try past(), try past(" {\"a\":1.0}"))
        #expect(comparison.areEqual && comparison.body.form == .json)
    }

    @Test func `times, sizes, addresses and the request are not compared`() throws {
        let right = try past {
            $0.exchange.duration = 5
            $0.exchange.response?.wireBytes = 9
            $0.exchange.response?.remoteAddress = "127.0.0.1:9"
            $0.exchange.response?.httpVersion = "2"
            $0.item.url = "http://a/c"
            $0.item.method = .post
            $0.exchange.request.body = .text("x", contentType: nil)
            var attempt = Attempt(url: $0.exchange.request.url, method: .post, startedAt: $0.exchange.startedAt)
            attempt.sentHeaders = [HeaderField("X", "1")]
            $0.exchange.attempts = [attempt]
        }
        let comparison = try compare(try past(), right)
        #expect(comparison.areEqual && !comparison.request.isSame)
        let different = comparison.facts.filter(\.isDifferent).map(\.name)
        #expect(different == ["Time", "On the wire", "Address", "HTTP version"])
        #expect(comparison.request.facts.filter(\.isDifferent).map(\.name) == ["Method", "URL"])
        #expect(comparison.request.headers.map(\.change) == [.onlyRight] && comparison.request.body.addedCount == 1)
    }

    @Test func `checks of hooks are compared by name, and a difference does not count`() throws {
        let failed = ExchangeCheck(.hook, .failed, subject: "digest", expected: "a", actual: "b")
        let passed = ExchangeCheck(.hook, .passed, subject: "digest", actual: "passed")
        let same = ExchangeCheck(.hook, .passed, subject: "type", actual: "passed")
        let comparison = try compare(
            try past { $0.exchange.reportedChecks = [passed, same] }, try past { $0.exchange.reportedChecks = [same, failed, failed] })
        #expect(comparison.areEqual)
        #expect(
            comparison.facts.filter { $0.name.hasPrefix("Check ") } == [
                .init("Check digest", "passed", "failed: expected a, got b"), .init("Check digest", nil, "failed: expected a, got b"),
                .init("Check type", "passed", "passed"),
            ])
    }

    @Test func `sizes that look equal but differ are displayed in bytes`() throws {
        let comparison = try compare(try past { $0.item.receivedBytes = 2603 }, try past { $0.item.receivedBytes = 2614 })
        #expect(comparison.facts.first { $0.name == "Body" } == .init("Body", "2603 B", "2614 B"))
    }

    @Test func `a different status is a difference unless it is ignored`() throws {
        let (left, right) = (try past(), try past(status: 201))
        #expect(try !compare(left, right).areEqual)
        #expect(try compare(left, right, "status").areEqual)
        #expect(try compare(left, right).facts.first == .init("Status", "200 OK", "201 OK", counts: true))
    }

    @Test func `a different reason phrase of the same status is not a difference`() throws {
        #expect(try compare(try past(), try past { $0.exchange.response?.reason = "Fine" }).areEqual)
    }

    @Test func `a missing response differs from a response, and different failures differ`() throws {
        let refused = try past("", status: nil, error: NetworkError(.connectionRefused, "no"))
        let late = try past("", status: nil, error: NetworkError(.timedOut, "late"))
        #expect(try compare(refused, refused).areEqual)
        #expect(try !compare(refused, late).areEqual)
        let comparison = try compare(try past(), refused)
        #expect(!comparison.areEqual && comparison.facts.first?.right == "failed: connectionRefused")
    }

    @Test func `header fields are compared without case, and in order only within a name`() throws {
        let left = try past(headers: [HeaderField("ETag", "a"), HeaderField("Via", "1"), HeaderField("Via", "2"), HeaderField("X-Old", "1")])
        let right = try past(headers: [HeaderField("via", "1"), HeaderField("via", "2"), HeaderField("etag", "b"), HeaderField("X-New", "1")])
        let comparison = try compare(left, right)
        #expect(comparison.headers.map(\.name) == ["ETag", "Via", "X-Old", "X-New"])
        #expect(comparison.headers.map(\.change) == [.changed, .same, .onlyLeft, .onlyRight])
        #expect(!comparison.areEqual)
        #expect(try compare(left, right, "header:etag", "header:X-OLD", "header:x-new").areEqual)
        let turned = try past(headers: [HeaderField("Via", "2"), HeaderField("Via", "1")])
        #expect(try !compare(turned, try past(headers: [HeaderField("Via", "1"), HeaderField("Via", "2")])).areEqual)
    }

    @Test func `the date and the age of a response are displayed but not compared`() throws {
        let comparison = try compare(
            try past(headers: [HeaderField("Date", "a"), HeaderField("Age", "1")]), try past(headers: [HeaderField("date", "b")]))
        #expect(comparison.areEqual && comparison.headers.allSatisfy { $0.isDifferent && !$0.counts })
    }

    @Test func `Content-Length is compared only without a body`() throws {
        #expect(
            try compare(
                try past("[1]", headers: [HeaderField("Content-Length", "3")]), try past("[1.0]", headers: [HeaderField("Content-Length", "5")])
            ).areEqual)
        #expect(
            try !compare(try past("", headers: [HeaderField("Content-Length", "3")]), try past("", headers: [HeaderField("Content-Length", "5")]))
                .areEqual)
    }

    @Test func `paths exclude values that change with every response`() throws {
        let (left, right) = (try past(#"{"a": 1, "at": 1}"#), try past(#"{"a": 1, "at": 2}"#))
        #expect(try !compare(left, right).areEqual)
        #expect(try compare(left, right, "$.at").areEqual)
        let (first, second) = (try past("[1, 2, 3]"), try past("[4, 5, 3]"))
        #expect(try compare(first, second, "$[:2]").areEqual && compare(first, second, "$[0, -2]").areEqual)
        #expect(try !compare(first, second, "$[1:]").areEqual)
    }

    @Test(arguments: [
        ("timestamp", "write a JSON path"), ("$.items[?@.a]", "has a filter"), ("header:", "has no name of a header field"),
        ("", "cannot be ignored"),
    ])
    func `an invalid ignored path is rejected with the remedy`(text: String, words: String) {
        #expect { try CompareRules(parsing: [text]) } throws: { "\($0)".contains(words) }
    }

    private func unkept(_ body: String, _ type: String = "text/plain", change: (inout PastExchange) -> Void = { _ in }) throws -> PastExchange {
        try past(body, headers: [HeaderField("Content-Type", type)]) {
            $0.exchange.response?.body = .empty
            $0.missingBody = "it was too large"
            change(&$0)
        }
    }

    @Test func `bodies of the same size that were not stored have an unknown result`() throws {
        let kept = try past("one", headers: [HeaderField("Content-Type", "text/plain")])
        for comparison in [try compare(kept, try unkept("two")), try compare(try unkept("one"), try unkept("one"))] {
            #expect(!comparison.areEqual && comparison.isUnknown && comparison.body.isUnknown && !comparison.body.isDifferent)
        }
        let comparison = try compare(kept, try unkept("two"))
        #expect(
            comparison.body.notes == [
                "The body on the right is missing: it was too large.", "Only the sizes are compared: both have 3 bytes.",
                "The result of the comparison is unknown.",
            ])
    }

    @Test func `other differences decide even without a stored body`() throws {
        let other = try unkept("two") { $0.exchange.response?.headers["X"] = "1" }
        let comparison = try compare(try unkept("one"), other)
        #expect(!comparison.areEqual && !comparison.isUnknown && comparison.body.isUnknown)
    }

    @Test func `unstored bodies of different sizes differ, unless they may be different spellings of JSON`() throws {
        let text = try compare(try unkept("one"), try unkept("three"))
        #expect(!text.areEqual && !text.isUnknown && text.body.isDifferent)
        let json = try compare(try past("{\"a\":1}"), try unkept("{\"a\": 1}", "application/json"))
        #expect(!json.areEqual && json.isUnknown)
    }

    @Test func `the size of a stored body is that of the received bytes, not of the masked ones`() throws {
        let masked = try past("a ••••", headers: [HeaderField("Content-Type", "text/plain")]) { $0.item.receivedBytes = 5 }
        #expect(try compare(masked, try unkept("a b c")).isUnknown)
    }

    @Test func `two empty bodies are equal, and an uncounted body has an unknown result`() throws {
        let empty = try unkept("")
        #expect(try compare(empty, try unkept("")).areEqual)
        let uncounted = try unkept("") { $0.exchange.response?.wireBytes = 7 }
        #expect(try compare(empty, uncounted).isUnknown)
        let cached = try unkept("") { $0.exchange.response?.isFromCache = true }
        #expect(try compare(cached, cached).isUnknown)
    }

    @Test func `an unstored request body leaves it unknown whether the requests are equal`() throws {
        let sent = try past {
            $0.missingRequestBody = "it was too large"; $0.item.sentBytes = 9
        }
        let comparison = try compare(sent, sent)
        #expect(comparison.areEqual && !comparison.request.isSame && comparison.request.body.isUnknown)
    }
}
