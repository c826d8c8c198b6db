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

    /// A chain with a list, a list of a capture, and a step that is repeated by a condition.
    private var loops: RunPlan {
        var steps = ["fixed", "open", "poll", "last"].map { RunDefinition.Step(target: "s/\($0)", name: $0) }
        steps[0].loop = .forEach(variable: "item", .list(["a", "b"]))
        steps[1].loop = .forEach(variable: "id", .template("{{list.ids}}"))
        steps[2].loop = .repeats(while: [Parameter("poll.state", "running")], every: .zero, limit: 3)
        return RunPlan(RunDefinition(name: "loops", kind: .chain, steps: steps))
    }

    /// The record of ``loops`` with two items and three repetitions, of which the last one failed.
    private var repeated: RunRecord {
        let plan = loops
        var record = plan.newRecord(environment: nil)
        record.apply(
            RunExpansion(
                position: 2, replacesStep: true,
                steps: ["x", "y"].enumerated().map { plan.steps[2].repeated(StepRepetition(number: $0 + 1, item: $1, isAdded: true)).newRecord }))
        let further = [2, 3].map { plan.steps[3].repeated(StepRepetition(number: $0, isAdded: true)).newRecord }
        record.apply(RunExpansion(position: 5, replacesStep: false, steps: further))
        for index in 0..<6 { record.steps[index].state = .done }
        record.steps[6].state = .failed
        record.steps[7].state = .skipped
        record.failedStep = 6
        record.state = .failed
        return record
    }

    @Test func `a list in the file is known before the run, a template is not`() {
        #expect(loops.steps.map(\.name) == ["fixed#1", "fixed#2", "open", "poll", "last"])
        #expect(loops.steps.map(\.values) == [["item": "a"], ["item": "b"], [:], [:], [:]])
        #expect(loops.index(of: "fixed") == 0)
    }

    @Test func `repetitions by a condition are numbered from 1, also when they begin again`() {
        #expect(repeated.steps.map(\.repetition?.number) == [1, 2, 1, 2, 1, 2, 3, nil])
        let again = loops.continuing(repeated, at: [6])
        #expect(again.steps.map(\.repetition?.number) == [1, 2, 1, 2, 1, nil])
    }

    @Test func `a record with added repetitions belongs to its run, and has their items`() throws {
        let steps = try #require(loops.steps(of: repeated))
        #expect(steps.map(\.name) == ["fixed#1", "fixed#2", "open#1", "open#2", "poll", "poll#2", "poll#3", "last"])
        #expect(steps.map { $0.values["id"] } == [nil, nil, "x", "y", nil, nil, nil, nil])
        var other = repeated
        other.steps.remove(at: 7)
        #expect(loops.steps(of: other) == nil)
    }

    @Test func `a restart at a repetition by a condition counts from the beginning`() {
        let again = loops.continuing(repeated, at: [6])
        #expect(again.steps.map(\.name) == ["fixed#1", "fixed#2", "open#1", "open#2", "poll", "last"])
        #expect(again.steps.map(\.state) == [.done, .done, .done, .done, .waiting, .waiting])
        #expect(loops.matches(again))
    }

    @Test func `a restart before a list evaluates it again, and one in it keeps its items`() throws {
        #expect(loops.continuing(repeated, at: [1]).steps.map(\.name) == ["fixed#1", "fixed#2", "open", "poll", "last"])
        let inside = loops.continuing(repeated, at: [3])
        #expect(inside.steps.map(\.name) == ["fixed#1", "fixed#2", "open#1", "open#2", "poll", "last"])
        #expect(inside.steps.map(\.state) == [.done, .done, .done, .waiting, .waiting, .waiting])
        #expect(inside.steps[3].repetition?.item == "y")
    }

    @Test func `retrying resets only what failed or was not reached`() {
        var record = RunPlan(definition, rows: [["n": "1"], ["n": "2"]]).newRecord(environment: nil)
        for (index, state) in [StepRecord.State.failed, .skipped, .done, .done].enumerated() { record.steps[index].state = state }
        record.failedStep = 0
        #expect(record.retryingFailed.steps.map(\.state) == [.waiting, .waiting, .done, .done])
        #expect(repeated.retryingFailed.steps.map(\.name) == ["fixed#1", "fixed#2", "open#1", "open#2", "poll", "last"])
    }

    /// A chain with a parallel group of three steps between two others.
    private func group(rows: Int? = nil) -> RunPlan {
        var steps = ["start", "a", "b", "c", "end"].map { RunDefinition.Step(target: "s/\($0)", name: $0) }
        for index in 1...3 { steps[index].group = StepGroup(number: 1) }
        return RunPlan(RunDefinition(name: "g", kind: .chain, steps: steps), rows: rows.map { Array(repeating: [:], count: $0) })
    }

    private func record(of plan: RunPlan, _ states: [StepRecord.State]) -> RunRecord {
        var record = plan.newRecord(environment: nil)
        for (index, state) in states.enumerated() { record.steps[index].state = state }
        return record
    }

    @Test(
        arguments: [
            ([1], [.done, .waiting, .done, .waiting, .waiting]), ([2], [.done, .waiting, .waiting, .waiting, .waiting]),
            ([0], [.waiting, .waiting, .waiting, .waiting, .waiting]), ([4], [.done, .failed, .done, .failed, .waiting]),
        ] as [(Set<Int>, [StepRecord.State])])
    func `in a group only the named and the incomplete steps are sent again, and all steps after it`(named: Set<Int>, states: [StepRecord.State]) {
        let plan = group()
        let record = record(of: plan, [.done, .failed, .done, .failed, .skipped])
        #expect(plan.continuing(record, at: named).steps.map(\.state) == states)
    }

    @Test(
        arguments: [
            ([1], [.done, .waiting, .interrupted, .waiting, .waiting]), ([2], [.done, .interrupted, .waiting, .waiting, .waiting]),
            ([3], [.done, .interrupted, .interrupted, .waiting, .waiting]), ([1, 2], [.done, .waiting, .waiting, .waiting, .waiting]),
        ] as [(Set<Int>, [StepRecord.State])])
    func `an interrupted step of a group is sent again only if it is named`(named: Set<Int>, states: [StepRecord.State]) {
        let plan = group()
        let record = record(of: plan, [.done, .interrupted, .interrupted, .failed, .waiting])
        let next = plan.continuing(record, at: named)
        #expect(next.steps.map(\.state) == states)
        #expect(Set(record.sentAgain(in: next)) == Set(named.map { record.steps[$0].name }).union(["c"]))
        #expect(plan.unnamedInterrupted(in: record, continuingAt: named) == [])
        #expect(plan.unnamedInterrupted(in: record, continuingAt: [0, 2]) == [1])
    }

    @Test func `a run continues at any step of a group, and not after a step that is not done`() {
        let plan = group()
        let record = record(of: plan, [.done, .interrupted, .failed, .done, .skipped])
        #expect((0...4).map { plan.obstacle(to: record, continuingAt: $0) } == [nil, nil, nil, nil, 1])
    }

    @Test func `a later row with an interrupted step stays as it is`() {
        let plan = group(rows: 3)
        let record = record(
            of: plan,
            [.done, .failed, .done, .done, .skipped] + [.done, .done, .interrupted, .waiting, .waiting] + [.done, .done, .done, .done, .done])
        let next = plan.continuing(record, at: [1])
        #expect(next.steps[..<5].map(\.state) == [.done, .waiting, .done, .done, .waiting])
        #expect(next.steps[5..<10].map(\.state) == record.steps[5..<10].map(\.state))
        #expect(next.steps[10...].allSatisfy { $0.state == .waiting })
    }

    @Test func `added steps move the failed step`() {
        let plan = group()
        var record = record(of: plan, [.done, .waiting, .failed, .done, .waiting])
        record.failedStep = 2
        record.apply(RunExpansion(position: 1, replacesStep: true, steps: ["a#1", "a#2", "a#3"].map { StepRecord(name: $0, target: "s/a") }))
        #expect(record.failedStep == 4 && record.steps[4].name == "b")
    }

    @Test func `a step that a condition excluded is complete`() {
        let plan = RunPlan(definition)
        var record = plan.newRecord(environment: nil)
        record.steps[0].state = .skipped
        #expect(record.restartStep == 0)
        record.steps[0].reason = "no"
        #expect(record.restartStep == 1)
        #expect(plan.continuing(record, at: [1]).steps[0].reason == "no")
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
        let again = plan.continuing(record, at: [1])
        #expect(again.steps[0] == record.steps[0])
        #expect(again.steps[1] == StepRecord(name: "list", target: "shop/list"))
        #expect(again.failedStep == nil)
        #expect(plan.matches(again))
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
        let builder = RequestBuilder(workspace: workspace(), environment: "e", overrides: [overrides])
        let run = RunPlan(.init(name: "r", kind: .chain, steps: [step]), rows: row.map { [$0] })
        return try builder.prepared(run.steps[0], captures: captures) { endpoint, builder in
            builder.scope(of: endpoint, secret: { $0 == "key" ? "SECRET" : nil }, builtin: { name, _ in name == "file" ? "FILE" : nil })
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

    @Test func `a captured value takes precedence over a value of the data with its name, and that of with over both`() throws {
        var step = RunDefinition.Step(target: "shop/one", name: "one", variables: ["token": "{{login.token}}"])
        let (captures, row) = (["login.token": "captured"], ["login.token": "row"])
        #expect(try prepared(step, captures: captures, row: row).request.headers["X-Token"] == "captured")
        step.variables = ["token": "with"]
        #expect(try prepared(step, captures: ["token": "captured"], row: ["token": "row"]).request.headers["X-Token"] == "with")
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

    @Test func `lines of CSV end with LF, CR LF or CR only`() throws {
        #expect(
            try DataRows.parse("a,b\n1\u{2028}2,x\u{85}y\u{b}z\r3,4\n", file: "d.csv") == [
                ["a": "1\u{2028}2", "b": "x\u{85}y\u{b}z"], ["a": "3", "b": "4"],
            ])
    }

    @Test func `JSON is an array of objects`() throws {
        let text = " [{\"user\": \"ada\", \"age\": 36, \"on\": true}]"
        #expect(try DataRows.parse(text, file: "d.json") == [["user": "ada", "age": "36", "on": "true"]])
    }

    @Test(arguments: [
        ("{\"id\":1}", ["1"]),
        ("\u{feff}\n {\"id\":1}\r\n\r\n{\"id\":\"b\"}\n\n", ["1", "b"]),
        ("{\n  \"id\": 1\n}\n{\n  \"id\": 2\n}\n", ["1", "2"]),
        ("{\"id\": [1, {\"a\": 2}]}\n", ["[1, {\"a\": 2}]"]),
    ])
    func `JSON objects one after the other are rows`(text: String, ids: [String]) throws {
        #expect(try DataRows.parse(text, file: "d.ndjson") == ids.map { ["id": $0] })
    }

    @Test func `a run without rows says that it sends nothing`() {
        let run = RunDefinition(name: "dn", kind: .chain, steps: [RunDefinition.Step(target: "shop/one", name: "one")])
        #expect(RunPlan(run, rows: []).emptyNotice == "the run dn sends nothing, because its data has no rows")
        #expect(RunPlan(run, rows: [["id": "1"]]).emptyNotice == nil && RunPlan(run).emptyNotice == nil)
    }

    @Test(arguments: [
        ("a,b\n1\n", "d:2:1: this row has 1 fields, but the header line has 2"), ("a,a\n", "d:1:1: two columns of the data have the name “a”"),
        ("a;b\n1;2\n", "d:1:1: the columns of the data are separated by “;”, not by commas"),
        ("a\tb\n", "d:1:1: the columns of the data are separated by tabs, not by commas"),
        ("a,\n", "d:1:1: column 2 of the data has no name"), ("a\n\"x", "d:2:1: a quote of the data is not closed"),
        ("", "d:1:1: the data has no header line with names"), ("[1]", "d:1:2: row 1 of the data is not an object: write {\"name\": \"value\"}"),
        ("[{},\n  7]", "d:2:3: row 2 of the data is not an object: write {\"name\": \"value\"}"),
        ("{\"a\": 1}\n\n [2]\n", "d:3:2: row 2 of the data is not an object: write {\"name\": \"value\"}"),
        ("{\"a\": 1}\n{\"a\": }\n", "d:2:7: not JSON: unexpected '}', expected a value"),
        ("{\"a\": 1} {\"a\": 2}\n", "d:1:10: not JSON: unexpected '{', expected a new line before the next value"),
        ("[{\"a\": 1}]\n{}\n", "d:2:1: not JSON: unexpected '{', expected the end of the text"),
        ("a\n\"x\"y\n", "d:2:1: there is text after a closing quote; double the quotes inside a quoted field"),
    ])
    func `invalid data is a problem with its position`(text: String, sentence: String) {
        #expect(#expect(throws: Diagnostic.self) { try DataRows.parse(text, file: "d") }?.description == sentence)
    }
}
