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
            "3:19 {{login.token}} is captured by a later step; a step can use only values captured before it"
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
            "4:19 nothing here defines {{login.token}}; give it with --var login.token=…"
        ),
    ])
    func `a capture that no earlier step makes is reported`(text: String, warning: String) throws {
        #expect(try problems(text, severity: .warning) == [warning])
    }

    @Test func `the columns of the data are names for the run and its endpoints`() throws {
        let text = "chain:\n  - send: shop/list\n    with: {x: \"{{user}}\"}\ndata: d.csv\n"
        let workspace = try TemporaryWorkspace([
            "runs/r.yaml": text, "runs/d.csv": "user,token\na,b\n", "shop/list.yaml": "path: /{{token}}\n",
        ]).load()
        #expect(workspace.problems.map(\.description) == [])
        #expect(workspace.runs.first?.dataColumns == ["token", "user"])
    }

    @Test func `a run of a file outside the workspace is read with its problems`() throws {
        let workspace = try TemporaryWorkspace(endpoints.merging(["other/x.yaml": "batch: [{send: shop/lgin}]\n"]) { $1 })
        let (run, problems) = try WorkspaceFolder(path: workspace.path).run(at: workspace.path + "/other/x.yaml", in: try workspace.load())
        #expect(run?.name == "x")
        #expect(problems.first?.message == "there is no endpoint “shop/lgin”; did you mean “shop/login”?")
    }
}
