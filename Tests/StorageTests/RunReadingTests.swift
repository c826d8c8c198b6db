import Foundation
import SortieBase
import SortieStorage
import Testing
import WorkspaceModel

/// Tests the syntax of runs, expectations and captures, and the messages about mistakes.
@Suite struct RunReadingTests {
    private let endpoints = [
        "shop/login.yaml": "path: /login\ncapture: {token: $.token}\n", "shop/list.yaml": "path: /list/{{token}}\ncapture: {id: $.id}\n",
    ]

    private func problems(_ run: String, severity: Diagnostic.Severity = .error, more: [String: String] = [:]) throws -> [String] {
        let files = endpoints.merging(["runs/r.yaml": run]) { $1 }.merging(more) { $1 }
        return try TemporaryWorkspace.problems(of: files, in: "runs/r.yaml", severity: severity)
    }

    @Test func `what is not compared with the previous run is read, and an invalid rule is an error with its location`() throws {
        #expect(try problems("chain: [{send: shop/login}]\nignore: [$.time, header:ETag, status]\n") == [])
        let invalid = try problems("chain: [{send: shop/login}]\nignore:\n  - $.time\n  - time\n")
        #expect(invalid.count == 1 && invalid[0].hasPrefix("4:5 “time” cannot be ignored; write a JSON path"), "\(invalid)")
    }

    @Test func `a similar endpoint is searched for the first 200 unknown ones, because each search compares all names`() throws {
        let found = try problems("chain:\n" + (1...201).map { "  - {send: shop/logn, as: s\($0)}\n" }.joined())
        #expect(found.prefix(200).allSatisfy { $0.hasSuffix("there is no endpoint “shop/logn”; did you mean “shop/login”?") })
        #expect(found.dropFirst(200) == ["202:12 there is no endpoint “shop/logn”; sortie list shows all"])
    }

    @Test func `a step has its own expectation and captures`() throws {
        let text = """
            chain:
              - send: shop/login
                expect: {status: 201, json: {$.code: 200, $.n: {type: integer, lessThan: 5, exists: true}, $.l: [1, 2]}, headers: {ETag: exists}}
                capture: {etag: header ETag, code: status, id: "$['an id']"}
            """
        let run = try #require(try TemporaryWorkspace(endpoints.merging(["runs/r.yaml": text]) { $1 }).load().runs.first)
        let expectation = try #require(run.steps[0].expectation)
        #expect(expectation.status == 201)
        #expect(expectation.json.map(\.value) == ["200", "type integer", "< 5", "exists", "= [\n  1,\n  2\n]"])
        #expect(expectation.headers == [Parameter("ETag", "exists")])
        #expect(run.steps[0].captures.map(\.path) == ["header ETag", "status", "$['an id']"])
        #expect(run.steps[0].location == SourceLocation(file: "runs/r.yaml", line: 2, column: 5))
        #expect(try problems(text) == [])
    }

    @Test(arguments: [
        (
            "chain:\n  - send: shop/login\n    expect: {json: {code: 200}}\n",
            "3:21 the JSON path “code” is invalid at character 1: a JSON path begins with $; write $.code"
        ),
        (
            "chain:\n  - send: shop/login\n    expect: {json: {$.a: < x}}\n",
            "3:26 “< x” does not compare with a number; write < and a number, or = < x for the text itself"
        ),
        ("chain:\n  - send: shop/login\n    expect: {json: {$.a: {lesThan: 3}}}\n", "3:27 this is not a condition; did you mean lessThan?"),
        (
            "chain:\n  - send: shop/login\n    expect: {json: {$.a: {matches: \"[\"}}}\n",
            "3:36 “[” is not a regular expression: the [ at character 1 is not closed; write \\[ for the character"
        ),
        (
            "chain:\n  - send: shop/login\n    capture: {id: id}\n",
            "3:19 the JSON path “id” is invalid at character 1: write a JSON path such as $.id, or header NAME, or status"
        ),
        ("chain:\n  - send: shop/login\n  - send: shop/login\n", "3:5 two steps are called “login”; name this one with as: NAME"),
        (
            "chain:\n  - send: shop/list\n    with: {token: \"{{login.token}}\"}\n  - send: shop/login\n",
            "3:19 {{login.token}} is captured by a later step or in the same parallel group; a step can use only values captured before it"
        ),
        ("chain: [{send: shop/login}]\ndata: gone.csv\n", "2:7 the data cannot be used: gone.csv: it cannot be read: No such file or directory"),
    ])
    func `an invalid value is an error with its location`(text: String, problem: String) throws {
        #expect(try problems(text).map { $0.replacing(/: \/[^ ]*gone.csv/, with: ": gone.csv") } == [problem])
    }

    @Test(arguments: [
        (
            "chain:\n  - send: shop/login\n  - send: shop/list\n    with: {token: \"{{login.tokn}}\"}\n",
            "4:19 nothing here defines {{login.tokn}}; did you mean {{login.token}}?"
        ),
        (
            "batch:\n  - send: shop/login\n  - send: shop/list\n    with: {token: \"{{login.token}}\"}\n",
            "4:19 nothing here defines {{login.token}}; define it in the environment, or under variables: of a file"
        ),
    ])
    func `a capture that no earlier step makes is reported`(text: String, warning: String) throws {
        #expect(try problems(text, severity: .warning) == [warning])
    }

    @Test func `a step has conditions and a loop`() throws {
        let text = """
            chain:
              - send: shop/list
                capture: {ids: $.ids}
              - send: shop/login
                if: {list.id: exists, "{{list.ids}}": {not: "[]"}}
                forEach: {order: "{{list.ids}}"}
                with: {token: "{{order}}"}
              - send: shop/login
                as: fixed
                forEach: [1, b]
              - send: shop/login
                as: poll
                while: {poll.token: waiting}
                every: 2s
                limit: 5
            """
        #expect(try problems(text) == [])
        #expect(try problems(text, severity: .warning) == [])
        let run = try #require(try TemporaryWorkspace(endpoints.merging(["runs/r.yaml": text]) { $1 }).load().runs.first)
        #expect(run.steps[1].conditions == [Parameter("list.id", "exists"), Parameter("{{list.ids}}", "!= []")])
        #expect(run.steps[1].loop == .forEach(variable: "order", .template("{{list.ids}}")))
        #expect(run.steps[2].loop == .forEach(variable: "item", .list(["1", "b"])))
        #expect(run.steps[3].loop == .repeats(while: [Parameter("poll.token", "waiting")], every: .seconds(2), limit: 5))
    }

    @Test(arguments: [
        ("chain:\n  - send: shop/login\n    if: 3\n", "3:9 if must be a mapping of names to conditions; write if: {login.role: admin}"),
        ("chain:\n  - send: shop/login\n    every: 1s\n", "3:12 every is valid only with while; add while: {NAME: CONDITION}"),
        (
            "chain:\n  - send: shop/login\n    forEach: 3\n",
            "3:14 forEach must be a list or a template of one; write forEach: [1, 2] or forEach: \"{{list.ids}}\""
        ),
        ("chain:\n  - send: shop/login\n    forEach: []\n", "3:14 forEach must be a list with items; write forEach: [1, 2]"),
        (
            "chain:\n  - send: shop/login\n    forEach: [\"{{a}}\"]\n",
            "3:15 the items of forEach are not resolved; write the whole list as a template: forEach: \"{{list.ids}}\""
        ),
        (
            "chain:\n  - send: shop/login\n    forEach: {a: [1], b: [2]}\n",
            "3:14 forEach must be a list, or a mapping with one name; write forEach: {order: [1, 2]}"
        ),
        (
            "batch:\n  - send: shop/login\n    forEach: \"{{token}}\"\n",
            "3:14 in a batch the items of forEach are written in the file: forEach: [1, 2]; a chain can take them from a template"
        ),
        (
            "batch:\n  - send: shop/login\n    while: {token: exists}\n",
            "3:12 while is valid only in a chain, because it compares what the step captured"
        ),
        (
            "chain:\n  - send: shop/login\n    forEach: [1]\n    while: {token: exists}\n",
            "4:12 a step has while or forEach, not both; use two steps"
        ),
        (
            "chain:\n  - send: shop/list\n    if: {login.token: exists}\n  - send: shop/login\n",
            "3:10 {{login.token}} is captured by a later step or in the same parallel group; a step can use only values captured before it"
        ),
        ("chain:\n  - send: shop/login\n    while: {a: 1}\n    limit: 0\n", "4:12 limit must be a whole number from 1 to 10000, not 0"),
    ])
    func `a mistake in a condition or a loop is an error with its location`(text: String, problem: String) throws {
        #expect(try problems(text) == [problem])
    }

    @Test func `the steps of a parallel group have its number and its concurrency`() throws {
        let text = """
            chain:
              - parallel: [{send: shop/login}, {send: shop/list, with: {token: 1}}]
              - send: shop/list
                as: between
                with: {token: "{{login.token}}"}
              - parallel:
                  - {send: shop/list, as: last, with: {token: "{{login.token}}"}}
                concurrency: 3
            """
        #expect(try problems(text) == [])
        #expect(try problems(text, severity: .warning) == [])
        let run = try #require(try TemporaryWorkspace(endpoints.merging(["runs/r.yaml": text]) { $1 }).load().runs.first)
        #expect(run.steps.map(\.name) == ["login", "list", "between", "last"])
        #expect(run.steps.map(\.group) == [StepGroup(number: 1), StepGroup(number: 1), nil, StepGroup(number: 2, concurrency: 3)])
    }

    @Test(arguments: [
        ("chain:\n  - parallel: []\n", "2:15 parallel must be a list of {send: TARGET}"),
        (
            "batch:\n  - parallel: [{send: shop/login}]\n",
            "2:5 parallel is valid only in a chain; the steps of a batch are sent at the same time anyway"
        ),
        (
            "chain:\n  - parallel:\n    - parallel: [{send: shop/login}]\n",
            "3:7 a parallel group cannot contain another one; write its steps in this group"
        ),
        (
            "chain:\n  - parallel:\n    - {send: shop/login, while: {login.token: x}}\n",
            "3:7 while is not valid in a parallel group; write the step before or after the group"
        ),
        (
            "chain:\n  - parallel:\n    - send: shop/login\n    - {send: shop/list, with: {token: \"{{login.token}}\"}}\n",
            "4:39 {{login.token}} is captured by a later step or in the same parallel group; a step can use only values captured before it"
        ),
        ("chain:\n  - parallel: [{send: shop/login}]\n    send: shop/list\n", "3:5 unknown key “send” in a parallel group"),
    ])
    func `a mistake in a parallel group is an error with its location`(text: String, problem: String) throws {
        #expect(try problems(text) + problems(text, severity: .warning) == [problem])
    }

    @Test func `a list has at most 10,000 items`() throws {
        let items = Array(repeating: "1", count: 10_001).joined(separator: ",")
        let found = try problems("chain:\n  - send: shop/login\n    forEach: [\(items)]\n")
        #expect(found == ["3:14 forEach has 10001 items, and at most 10000 are sent; use several steps"])
    }

    @Test func `a misspelt name of a condition is reported`() throws {
        let text = "chain:\n  - send: shop/login\n  - send: shop/list\n    if: {login.tokn: exists}\n    with: {token: 1}\n"
        #expect(try problems(text, severity: .warning) == ["4:10 nothing here defines {{login.tokn}}; did you mean {{login.token}}?"])
    }

    @Test(arguments: ["exists", "missing", "{exists: true}", "{exists: false}"])
    func `a condition that finds out whether a name is defined is no problem where nothing defines it`(condition: String) throws {
        let text = "chain:\n  - send: shop/login\n  - send: shop/login\n    as: again\n    if: {debug: \(condition)}\n"
        #expect(try problems(text, severity: .warning) == [])
    }

    @Test(arguments: ["x", "'!= exists'", "{exists: true, equals: x}"])
    func `a condition on the value of a name that nothing defines is a warning`(condition: String) throws {
        let text = "chain:\n  - send: shop/login\n    if: {debug: \(condition)}\n"
        let found = try problems(text, severity: .warning)
        #expect(found.count == 1 && found[0].hasPrefix("3:10 nothing here defines {{debug}}"), "\(found)")
    }

    @Test func `the columns of the data are names for the run and its endpoints`() throws {
        let text = "chain:\n  - send: shop/list\n    with: {x: \"{{user}}\"}\ndata: d.csv\n"
        let workspace = try TemporaryWorkspace([
            "runs/r.yaml": text, "runs/d.csv": "user,token\na,b\n", "shop/list.yaml": "path: /{{token}}\n",
        ]).load()
        #expect(workspace.problems.map(\.description) == [])
        #expect(workspace.runs.first?.dataColumns == ["token", "user"])
    }

    @Test func `a name in with: is one for the endpoint of the step, and for those that this one extends`() throws {
        let workspace = try TemporaryWorkspace([
            "runs/r.yaml": "chain:\n  - send: shop/list\n    with: {size: 1}\n",
            "shop/base.yaml": "path: /{{size}}\n", "shop/list.yaml": "extends: shop/base\nquery: {size: \"{{size}}\"}\n",
            "shop/other.yaml": "path: /{{size}}\n",
        ]).load()
        #expect(
            workspace.problems.map(\.description) == [
                "shop/other.yaml:1:7: nothing here defines {{size}}; define it in the environment, or under variables: of a file"
            ])
    }

    @Test func `a run of a file outside the workspace is read with its problems`() throws {
        let workspace = try TemporaryWorkspace(endpoints.merging(["other/x.yaml": "batch: [{send: shop/lgin}]\n"]) { $1 })
        let (run, problems) = try WorkspaceFolder(path: workspace.path).run(at: workspace.path + "/other/x.yaml", in: try workspace.load())
        #expect(run?.name == "x")
        #expect(problems.first?.message == "there is no endpoint “shop/lgin”; did you mean “shop/login”?")
    }
}
