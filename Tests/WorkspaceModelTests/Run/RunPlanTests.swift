import SortieHTTP
import Testing
import WorkspaceModel

/// The Testing module has a type with this name as well.
private typealias Expectation = WorkspaceModel.Expectation

struct RunPlanTests {
    private let definition = RunDefinition(
        name: "checkout", kind: .chain, steps: [.init(target: "shop/login", name: "login"), .init(target: "shop/list", name: "list")])

    @Test func `a run is repeated for each row, with steps named by row`() {
        let plan = RunPlan(definition, rows: [["user": "a"], ["user": "b"]])
        #expect(plan.steps.map(\.name) == ["login[1]", "list[1]", "login[2]", "list[2]"])
        #expect(plan.steps.map(\.values) == [["user": "a"], ["user": "a"], ["user": "b"], ["user": "b"]])
        #expect(plan.index(of: "list[2]") == 3)
        #expect(plan.index(of: "list") == 1)
        #expect(plan.index(of: "other") == nil)
    }

    @Test func `steps with the same name are numbered`() {
        let step = RunDefinition.Step(target: "echo/get", name: "get")
        #expect(RunPlan(.init(name: "r", kind: .batch, steps: [step, step, step])).steps.map(\.name) == ["get", "get-2", "get-3"])
    }

    @Test func `S2.45 restarting keeps completed steps and resets the others`() {
        let plan = RunPlan(definition)
        var record = plan.newRecord(environment: "e")
        record.steps[0].state = .done
        record.steps[0].captures = ["token": "t"]
        record.steps[1].state = .failed
        record.steps[1].failures = [StepFailure(.network, subject: "timedOut", actual: "late")]
        record.failedStep = 1
        record.state = .failed
        #expect(record.restartStep == 1)
        let again = record.restarting(at: 1)
        #expect(again.steps[0] == record.steps[0])
        #expect(again.steps[1] == StepRecord(name: "list", target: "shop/list"))
        #expect(again.failedStep == nil)
        #expect(plan.matches(again))
    }

    @Test func `a record of an ended program is cancelled, and its running step waits again`() {
        var record = RunPlan(definition).newRecord(environment: nil)
        record.steps[0].state = .done
        record.steps[1].state = .sending
        #expect(record.interrupted.state == .cancelled)
        #expect(record.interrupted.steps.map(\.state) == [.done, .waiting])
        #expect(record.interrupted.restartStep == 1)
    }

    @Test func `a record with other steps does not belong to this run`() {
        let other = RunDefinition(name: "checkout", kind: .chain, steps: [.init(target: "shop/login", name: "login")])
        #expect(!RunPlan(definition).matches(RunPlan(other).newRecord(environment: nil)))
    }
}

struct PreparedStepTests {
    private func workspace() -> Workspace {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.environments = [.init(name: "e", variables: ["token": "old", "id": "1"])]
        var service = Service(folder: "shop", name: "Shop")
        service.servers = ["e": ["http://h"]]
        var endpoint = Endpoint(target: "shop/one", name: "One", path: "/orders/{{id}}")
        endpoint.headers = [Parameter("X-Token", "{{token}}")]
        endpoint.expectation = Expectation(json: [Parameter("$.id", "{{id}}")])
        endpoint.captures = [Capture(name: "a", path: "$.a"), Capture(name: "b", path: "$.b")]
        service.endpoints = [endpoint]
        workspace.services = [service]
        return workspace
    }

    private func prepared(
        _ step: RunDefinition.Step, captures: [String: String] = [:], row: [String: String]? = nil, overrides: [String: String] = [:]
    ) throws -> PreparedStep {
        let plan = RequestBuilder(workspace: workspace(), environment: "e", overrides: [overrides])
        let run = RunPlan(.init(name: "r", kind: .chain, steps: [step]), rows: row.map { [$0] })
        return try plan.prepared(run.steps[0], captures: captures) { endpoint, plan in
            plan.scope(of: endpoint, secret: { $0 == "key" ? "SECRET" : nil }, builtin: { name, _ in name == "file" ? "FILE" : nil })
        }
    }

    @Test func `with: defines variables of the step from captures, data and other variables`() throws {
        let step = RunDefinition.Step(target: "shop/one", name: "one", variables: ["token": "{{login.token}}-{{user}}-{{id}}"])
        let prepared = try prepared(step, captures: ["login.token": "t"], row: ["user": "u", "id": "9"])
        #expect(prepared.request.headers["X-Token"] == "t-u-9")
        #expect(prepared.request.url.description == "http://h/orders/9")
        #expect(prepared.expectation.json == [Parameter("$.id", "9")])
    }

    @Test func `a variable of with may refer to one of the same name`() throws {
        let step = RunDefinition.Step(target: "shop/one", name: "one", variables: ["id": "{{id}}0"])
        #expect(try prepared(step).request.url.description == "http://h/orders/10")
    }

    @Test(arguments: ["{{$file /etc/passwd}}", "{{key}}", "{{id}}"])
    func `values of a server or a data file are literals`(hostile: String) throws {
        let step = RunDefinition.Step(target: "shop/one", name: "one", variables: ["token": "{{login.token}}"])
        #expect(try prepared(step, captures: ["login.token": hostile]).request.headers["X-Token"] == hostile)
        #expect(try prepared(.init(target: "shop/one", name: "one"), row: ["token": hostile]).request.headers["X-Token"] == hostile)
    }

    @Test func `the expectation and captures of a step take precedence over the endpoint's`() throws {
        var step = RunDefinition.Step(target: "shop/one", name: "one")
        step.expectation = Expectation(status: 404)
        step.captures = [Capture(name: "b", path: "header B")]
        let prepared = try prepared(step)
        #expect(prepared.expectation == Expectation(status: 404))
        #expect(prepared.captures == [Capture(name: "a", path: "$.a"), Capture(name: "b", path: "header B")])
    }

    @Test(arguments: [
        ("{{v}}", "exists", "= exists"), ("{{v}}", "!= 0", "= != 0"), ("{{v}}", "= x", "= = x"), ("{{v}}", "plain", "plain"),
        ("= {{v}}", "exists", "= exists"),
        ("!= {{v}}", "exists", "!= exists"), ("matches ^{{v}}$", "a.c", "matches ^a\\.c$"), ("< {{v}}", "5", "< 5"), ("{{v|raw}}", "> 5", "> 5"),
        ("= [\"{{v}}\", 1]", "a\", \"b", "= [\"a\\\", \\\"b\", 1]"), ("= [{{v}}", "b", "= [b"),
    ])
    func `a value in an expectation determines the operand, not the test`(condition: String, value: String, expected: String) throws {
        var step = RunDefinition.Step(target: "shop/one", name: "one")
        step.expectation = Expectation(json: [Parameter("$.id", condition)], headers: [Parameter("X", condition)])
        let prepared = try prepared(step, row: ["v": value])
        #expect(prepared.expectation.json == [Parameter("$.id", expected)])
        #expect(prepared.expectation.headers == [Parameter("X", expected)])
    }

    @Test func `an undefined name is a problem of the step`() {
        var step = RunDefinition.Step(target: "shop/one", name: "one", variables: ["id": "{{list.ident}}"])
        step.location = SourceLocation(file: "runs/r.yaml", line: 4, column: 5)
        let problem = #expect(throws: Diagnostic.self) { try prepared(step, captures: ["list.id": "1"]) }
        #expect(problem?.description == "runs/r.yaml:4:5: with “id”: nothing defines {{list.ident}}; did you mean {{list.id}}?")
    }
}

struct DataRowsTests {
    @Test func `CSV has a header line, quotes, and line breaks inside them`() throws {
        let text = "\u{feff}user,note\r\nada,\"a \"\"b\"\", c\nd\"\r\n\r\nbob,\n"
        #expect(try DataRows.parse(text, file: "d.csv") == [["user": "ada", "note": "a \"b\", c\nd"], ["user": "bob", "note": ""]])
    }

    @Test func `JSON is an array of objects`() throws {
        let text = " [{\"user\": \"ada\", \"age\": 36, \"on\": true}]"
        #expect(try DataRows.parse(text, file: "d.json") == [["user": "ada", "age": "36", "on": "true"]])
    }

    @Test(arguments: [
        ("a,b\n1\n", "d:2:1: this row has 1 fields, but the header line has 2"), ("a,a\n", "d:1:1: two columns of the data have the name “a”"),
        ("a,\n", "d:1:1: column 2 of the data has no name"), ("a\n\"x", "d:2:1: a quote of the data is not closed"),
        ("", "d:1:1: the data has no header line with names"), ("[1]", "d:1:1: row 1 of the data is not an object: write {\"name\": \"value\"}"),
        ("a\n\"x\"y\n", "d:2:1: there is text after a closing quote; double the quotes inside a quoted field"),
    ])
    func `invalid data is a problem with its position`(text: String, sentence: String) {
        #expect(#expect(throws: Diagnostic.self) { try DataRows.parse(text, file: "d") }?.description == sentence)
    }
}
