import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

/// Tests the conditions, lists and repetitions of steps.
struct StepConditionTests {
    private func builder() -> RequestBuilder {
        var workspace = Workspace(name: "W", folder: "/w")
        var service = Service(folder: "s", name: "S")
        service.endpoints = [Endpoint(target: "s/a", name: "A", path: "http://127.0.0.1/")]
        workspace.services = [service]
        workspace.variables = ["stage": "test", "empty": ""]
        return RequestBuilder(workspace: workspace, environment: nil)
    }

    private func step(_ change: (inout RunDefinition.Step) -> Void) throws -> RunStep {
        var step = RunDefinition.Step(target: "s/a", name: "a", variables: ["token": "{{login.token}}", "mode": "fast"])
        change(&step)
        return try #require(RunPlan(RunDefinition(name: "r", kind: .chain, steps: [step])).steps.first)
    }

    @Test func `conditions of acceptance of a step take precedence over those of its endpoint, and others stay`() throws {
        var builder = builder()
        builder.workspace.services[0].endpoints[0].expectation = Expectation(status: 200, accepted: [200...299], contentTypes: ["a/b"])
        func prepared(_ expectation: WorkspaceModel.Expectation?) throws -> PreparedStep {
            try builder.prepared(try step { ($0.variables, $0.expectation) = ([:], expectation) }, captures: [:]) {
                $1.scope(of: $0, builtin: { _, _ in nil })
            }
        }
        let plain = try prepared(nil)
        #expect(plain.expectation.status == 200 && plain.request.options.answer.statuses == [200...299])
        let compared = try prepared(Expectation(status: 404))
        #expect(compared.expectation.status == 404 && compared.request.options.answer.statuses == [200...299])
        let accepted = try prepared(Expectation(accepted: [404...404], shape: "[]"))
        #expect(accepted.expectation.status == nil && accepted.request.options.answer.statuses == [404...404])
        #expect(accepted.request.options.answer.contentTypes == ["a/b"])
        #expect(try accepted.request.options.answer.schema == JSONSchema(shape: .array([])))
        let error = #expect(throws: Diagnostic.self) { try prepared(Expectation(shape: "[3]")) }
        #expect(error?.message.hasPrefix("expect: shape: ") == true, "\(error?.message ?? "")")
    }

    private func reason(_ conditions: [Parameter], captures: [String: String] = [:]) throws -> String? {
        try builder().reasonToSkip(try step { $0.conditions = conditions }, captures: captures) { $1.scope(of: $0, builtin: { _, _ in nil }) }
    }

    @Test(
        arguments: [
            ("stage", "test", nil), ("stage", "!= test", "stage is test, condition: not test"), ("mode", "fast", nil),
            ("login.n", "> 3", nil), ("login.n", "< 3", "login.n is 7, condition: < 3"), ("login.n", "type integer", nil),
            ("login.list", "type array", nil), ("login.token", "exists", "login.token is missing, condition: a value"),
            ("login.token", "missing", nil),
            ("{{stage}}-{{login.n}}", "test-7", nil), ("stage", "= {{stage}}", nil), ("empty", "x", "empty is empty, condition: x"),
            ("login.quoted", "\"x\"", nil), ("login.list", "= 5", "login.list is [1] (1 item), condition: 5"),
        ] as [(String, String, String?)])
    func `a condition compares a variable, a capture or a text`(name: String, condition: String, reason expected: String?) throws {
        let captures = ["login.n": "7", "login.list": "[1]", "login.quoted": "\"x\""]
        #expect(try reason([Parameter(name, condition)], captures: captures) == expected)
    }

    @Test func `the reason describes a long value instead of showing a part of it, which could not be masked`() throws {
        let captures = ["login.token": String(repeating: "a", count: 90), "login.ids": "[\(String(repeating: "1000, ", count: 30))1]"]
        #expect(try reason([Parameter("login.token", "x")], captures: captures) == "login.token is a text of 90 characters, condition: x")
        #expect(try reason([Parameter("login.ids", "x")], captures: captures) == "login.ids is a list of 31 items, condition: x")
    }

    @Test func `all conditions must hold`() throws {
        #expect(try reason([Parameter("stage", "test"), Parameter("mode", "slow")]) == "mode is fast, condition: slow")
    }

    @Test func `a template of a condition that nothing defines is an error with its place`() throws {
        let error = #expect(throws: Diagnostic.self) { try reason([Parameter("{{nothing}}", "x")]) }
        #expect(error?.message.hasPrefix("if “{{nothing}}”: nothing defines {{nothing}}") == true)
    }

    @Test func `a list is the JSON array of a template`() throws {
        let step = try step { $0.loop = .forEach(variable: "id", .template("{{list.ids}}")) }
        func items(_ text: String) throws -> [String] {
            try builder().items(of: step, captures: ["list.ids": text]) { $1.scope(of: $0, builtin: { _, _ in nil }) }
        }
        #expect(try items("[1, \"b\", {\"c\": 2}]") == ["1", "b", "{\"c\": 2}"].map { $0 == "{\"c\": 2}" ? try JSONValue(parsing: $0).text : $0 })
        #expect(try items("[]") == [])
        let single = #expect(throws: Diagnostic.self) { try items("7") }
        #expect(single?.message.contains("the value of {{list.ids}} is not a JSON array") == true)
        let many = "[" + Array(repeating: "1", count: 10_001).joined(separator: ",") + "]"
        let large = #expect(throws: Diagnostic.self) { try items(many) }
        #expect(large?.message == "forEach: the list has 10001 items, and at most 10000 are sent; use a narrower list")
    }

    @Test func `a step is repeated while all conditions hold`() throws {
        let step = try step { $0.loop = .repeats(while: [Parameter("a.state", "running"), Parameter("a.n", "< 3")], every: .zero, limit: 9) }
        func reason(_ captures: [String: String]) throws -> String? {
            try builder().reasonToRepeat(step, captures: captures) { $1.scope(of: $0, builtin: { _, _ in nil }) }
        }
        #expect(try reason(["a.state": "running", "a.n": "2"]) == "a.state is running, condition: running")
        #expect(try reason(["a.state": "running", "a.n": "3"]) == nil)
        #expect(try reason(["a.state": "done", "a.n": "2"]) == nil)
        #expect(try reason([:]) == nil)
    }
}
