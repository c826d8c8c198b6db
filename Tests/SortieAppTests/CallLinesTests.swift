import Foundation
import SortieHTTP
import Testing

@testable import SortieApp

/// Tests the lines of `-v`.
struct CallLinesTests {
    @Test func `the end of a call has the phases of its last attempt`() throws {
        var exchange = Exchange(
            id: RequestID(high: 0, low: 1), request: Request(url: try HTTPURL(parsing: "http://h/")), startedAt: Date(timeIntervalSince1970: 0))
        var attempt = Attempt(url: exchange.request.url, method: .get, startedAt: exchange.startedAt)
        (attempt.timing.connect, attempt.timing.requestStart, attempt.timing.firstByte, attempt.timing.total) = (0.5, 0.5, 2.5, 2.75)
        exchange.attempts = [attempt]
        let lines = CallLines(redaction: .standard).lines(of: .finished(exchange))
        #expect(lines == ["* time: connect 500 ms, waiting 2.0 s, receive 250 ms, total 2.8 s"])
    }
}
