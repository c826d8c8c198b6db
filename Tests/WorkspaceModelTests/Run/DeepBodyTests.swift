import BodyViews
import SortieHTTP
import Testing
import WorkspaceModel

/// Tests that a body with 100,000 nested levels from a hostile server does not overflow the stack in any operation.
@Suite struct DeepBodyTests {
    private static let depth = 100_000
    static let bodies: [(text: String, type: String)] = [
        (String(repeating: "[", count: depth) + String(repeating: "]", count: depth), "application/json"),
        (String(repeating: "{\"token\":", count: depth) + "1" + String(repeating: "}", count: depth), "application/json"),
        (String(repeating: "[", count: depth), "application/json"),
        (String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth), "application/xml"),
        ("<plist>" + String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth) + "</plist>", "application/x-plist"),
    ]

    @Test(arguments: bodies.indices)
    func `a deep body is displayed and searched`(index: Int) {
        let (text, type) = Self.bodies[index]
        var view = BodyView.make(bytes: BodyBytes(Array(text.utf8)), contentType: type, isFinal: true)
        while !view.isComplete { view.advance(budget: 1 << 20) }
        #expect(view.rowCount > 0 && !view.rows(0..<min(3, view.rowCount)).isEmpty)
        _ = view.rows(max(0, view.rowCount - 3)..<view.rowCount)
        _ = JSONText.pretty(text)
    }

    @Test(arguments: bodies.indices)
    func `a deep body is masked`(index: Int) {
        let (text, type) = Self.bodies[index]
        #expect(!Redaction.standard.maskedBody(text, contentType: type).isEmpty)
    }

    @Test(arguments: bodies.indices)
    func `captures and expectations of a deep body fail with a reason`(index: Int) {
        let text = Self.bodies[index].text
        let body: Result<JSONValue, BodyProblem>
        do throws(BodyProblem) { body = .success(try JSONValue(parsing: text)) } catch { body = .failure(error) }
        let response = Response(status: 200)
        #expect(throws: StepFailure.self) { try Capture(name: "a", path: "$..token").value(in: response, body: body) }
        let expectation = WorkspaceModel.Expectation(json: [Parameter("$..token", "exists")])
        #expect(expectation.checks(of: response, body: body, seconds: 0).compactMap(\.failure).count == 1)
    }

    @Test func `nested values are compared within the budget`() throws {
        let inner = "\"" + String(repeating: "x", count: 100_000) + "\""
        let body = try JSONValue(parsing: String(repeating: "[", count: 500) + inner + String(repeating: "]", count: 500))
        let expectation = WorkspaceModel.Expectation(json: [Parameter("$..*", "[1, 2]")])
        let failures = expectation.checks(of: Response(status: 200), body: .success(body), seconds: 0, patternSteps: 1_000_000).compactMap(\.failure)
        #expect(failures.first?.description.contains("more than \(WorkspaceLimits.patternSteps) steps") == true, "\(failures)")
    }

    @Test func `a path as long as a file is parsed and applied`() throws {
        let path = try JSONPath("$" + String(repeating: "[0]", count: Self.depth))
        let body = try JSONValue(parsing: String(repeating: "[", count: 500) + String(repeating: "]", count: 500))
        #expect(try path.values(in: body).isEmpty)
    }
}
