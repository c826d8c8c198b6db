import Foundation
import SortieHTTP
import Testing
import WorkspaceModel

#if canImport(FoundationXML)
    import FoundationXML
#endif

struct JUnitReportTests {
    private func record() -> RunRecord {
        var steps = ["login", "list", "detail", "last"].map { StepRecord(name: $0, target: "shop/\($0)") }
        steps[0].state = .done
        steps[0].seconds = 0.25
        steps[1].state = .failed
        steps[1].failures = [
            StepFailure(.expectation, subject: "$.a", expected: "<b>&\"c\"", actual: "x\u{0}\u{1b}[31m\u{fffe}]]>\n😀"),
            StepFailure(.expectation, subject: "status", expected: "200", actual: "503"),
        ]
        steps[2].state = .failed
        steps[2].failures = [StepFailure(.network, subject: "connectionRefused", actual: "nobody listens")]
        steps[3].state = .skipped
        var record = RunRecord(run: "check & out", kind: .chain, steps: steps)
        record.state = .failed
        record.duration = 1.5
        return record
    }

    @Test func `a JUnit parser reads names, counts and reasons with any characters`() throws {
        let document = try XMLDocument(data: Data(JUnitReport.text(of: [record()]).utf8))
        let suite = try #require(document.rootElement()?.elements(forName: "testsuite").first)
        #expect(suite.attribute(forName: "name")?.stringValue == "check & out")
        #expect(["tests", "failures", "errors", "skipped"].map { suite.attribute(forName: $0)?.stringValue } == ["4", "1", "1", "1"])
        let cases = suite.elements(forName: "testcase")
        #expect(cases.map { $0.attribute(forName: "name")?.stringValue } == ["login", "list", "detail", "last"])
        #expect(cases[0].childCount == 0)
        #expect(cases[0].attribute(forName: "time")?.stringValue == "0.25")
        let failure = try #require(cases[1].elements(forName: "failure").first)
        #expect(
            failure.stringValue
                == "step list: $.a: expected <b>&\"c\", got x\u{fffd}\u{fffd}[31m\u{fffd}]]>\n😀\nstep list: status: expected 200, got 503")
        #expect(JUnitReport.text(of: [RunRecord(run: "a\u{2028}\u{202e}b", kind: .chain, steps: [])]).contains("a&#x2028;&#x202e;b"))
        #expect(cases[2].elements(forName: "error").first?.attribute(forName: "message")?.stringValue == "connectionRefused: nobody listens")
        #expect(cases[3].elements(forName: "skipped").count == 1)
    }
}
