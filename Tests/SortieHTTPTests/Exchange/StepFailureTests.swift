import Testing

@testable import SortieHTTP

/// Tests that the reasons of failures contain no secret.
@Suite struct StepFailureTests {
    @Test(arguments: [
        ("$.data.token", true), ("header X-Own", true), ("capture token", true), ("$.code", false), ("header ETag", false), ("schema $.code", false),
        ("snapshot $.code", false), ("snapshot $.token", true),
    ])
    func `the value of a secret field in a failed condition is masked, also by the names of the workspace`(subject: String, isHidden: Bool) {
        let failure = StepFailure(.expectation, subject: subject, expected: "x", actual: "abc")
        #expect(failure.masked(by: Redaction(adding: ["X-Own"])).actual == (isHidden ? "••••" : "abc"))
        #expect(StepFailure(.expectation, subject: subject, expected: "x", actual: "nothing").masked(by: .standard).actual == "nothing")
    }

    @Test func `the name and the expected value of a check of a hook are masked, because they come from the response`() throws {
        let redaction = Redaction(values: ["geheimnis"])
        func masked(_ subject: String, expected: String) throws -> StepFailure {
            let failure = ExchangeCheck(.hook, .failed, subject: subject, expected: expected, actual: "other").failure
            return try #require(failure).masked(by: redaction)
        }
        #expect(try masked("is geheimnis", expected: "a").description == "is ••••: expected a, got other")
        #expect(try masked("token", expected: "a").description == "token: expected ••••, got ••••")
    }

    @Test func `a check says what can be done, whatever words its values have, and so does the check of its failure`() {
        let words = ExchangeCheck(.expect, .failed, subject: "snapshot", expected: "a recorded body", actual: "none")
        #expect(words.remedy == nil && words.failure?.remedy == nil)
        var missing = words
        missing.remedy = .missingSnapshot
        #expect(missing.failure?.remedy == .missingSnapshot && missing.masked(by: .standard).remedy == .missingSnapshot)
        #expect(missing.failure.map { ExchangeCheck(.expect, $0).remedy } == .missingSnapshot)
    }

    @Test func `a secret that crosses the end of a long value is masked as a whole`() {
        let secret = "secret-" + String(repeating: "0123456789", count: 30)
        let redaction = Redaction(values: [secret])
        let text = String(repeating: "a", count: 150) + secret + String(repeating: "b", count: 100)
        let failure = StepFailure(.expectation, subject: "text", expected: "x", actual: text)
        #expect(failure.masked(by: redaction).actual == String(repeating: "a", count: 150) + "••••" + String(repeating: "b", count: 46) + "…")
        let check = ExchangeCheck(.expect, failure)
        #expect(check.masked(by: redaction).actual == failure.masked(by: redaction).actual)
    }
}
