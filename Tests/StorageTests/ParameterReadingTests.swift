import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

/// Tests nested parameters, charsets, property lists and `answer:` of endpoint files, and that saving preserves them.
@Suite struct ParameterReadingTests {
    private func workspace(_ endpoint: String, service: String = "") throws -> TemporaryWorkspace {
        try TemporaryWorkspace([
            "workspace.yaml": "name: W\nenvironments: {dev: {}}\n",
            "api/service.yaml": "name: Api\nservers: {dev: [\"http://127.0.0.1\"]}\n\(service)",
            "api/get.yaml": endpoint,
        ])
    }

    private func rows(_ style: String) throws -> [String] {
        let text = "path: /\nquery:\n  user: {name: a, tags: [1, 02]}\n  on: true\n  none: null\n"
        let workspace = try workspace(text, service: "parameters: {\(style)}\n").load()
        #expect(workspace.problems == [])
        return try #require(workspace.endpoint("api/get")).query.map { "\($0.isEnabled ? "" : "#")\($0.name)=\($0.value)" }
    }

    @Test(arguments: [
        ("", ["user[name]=a", "user[tags][]=1", "user[tags][]=02", "on=true", "none=null"]),
        ("arrays: index, booleans: numbers, nulls: empty", ["user[name]=a", "user[tags][0]=1", "user[tags][1]=02", "on=1", "none="]),
        ("arrays: repeat, nulls: omit", ["user[name]=a", "user[tags]=1", "user[tags]=02", "on=true", "#none="]),
        ("arrays: comma", ["user[name]=a", "user[tags]=1,02", "on=true", "none=null"]),
    ])
    func `S0.32 nested values become rows in the style of the file`(style: String, expected: [String]) throws {
        #expect(try rows(style) == expected)
    }

    @Test func `S0.31 a query and a form are sent in the charset of the file`() throws {
        let workspace = try workspace("method: POST\npath: /\nparameters: {charset: gbk}\nquery: {q: 编码}\nbody: {form: {t: 编 码}}\n").load()
        let endpoint = try #require(workspace.endpoint("api/get"))
        let plan = RequestBuilder(workspace: workspace, environment: "dev")
        let request = try plan.request(for: endpoint, in: plan.scope(of: endpoint) { _, _ in nil })
        #expect(request.url.query == "q=%B1%E0%C2%EB")
        #expect(request.body == .text("t=%B1%E0+%C2%EB", contentType: "application/x-www-form-urlencoded; charset=GBK"))
    }

    @Test func `a character that the charset lacks is a problem before anything is sent`() throws {
        let workspace = try workspace("path: /\nparameters: {charset: latin1}\nquery: {q: 编}\n").load()
        let endpoint = try #require(workspace.endpoint("api/get"))
        let plan = RequestBuilder(workspace: workspace, environment: "dev")
        let problem = #expect(throws: Diagnostic.self) { try plan.request(for: endpoint, in: plan.scope(of: endpoint) { _, _ in nil }) }
        #expect(problem?.description.contains("api/get.yaml:1:1: query: ISO-8859-1 cannot encode “编”") == true)
    }

    @Test func `S2.7 a value under plist is an XML property list`() throws {
        let workspace = try workspace("method: POST\npath: /\nbody: {plist: {name: a&b, amount: 2}}\n").load()
        #expect(workspace.problems == [])
        guard case .plist(let text)? = workspace.endpoint("api/get")?.body else { return #expect(Bool(false)) }
        #expect(text.contains("<key>name</key>\n\t<string>a&amp;b</string>\n\t<key>amount</key>\n\t<integer>2</integer>"))
    }

    @Test func `S0.14 S0.16 S2.60 answer: defines the accepted responses`() throws {
        let text = "path: /\nanswer: {status: [200-299, 304], types: application/json, shape: {id: integer}, codes: {7: seven}}\n"
        let workspace = try workspace(text).load()
        #expect(workspace.problems == [])
        let answer = try #require(workspace.endpoint("api/get")?.answer)
        #expect(answer.statuses == [200...299, 304...304])
        #expect(answer.contentTypes == ["application/json"])
        #expect(answer.messages == ["7": "seven"])
        #expect(try answer.rules().shape == .object([.init("id", .integer)]))
    }

    @Test(arguments: [
        ("answer: {status: [2xx]}", "api/get.yaml:2:19: “2xx” is neither a status nor a range such as 200-299"),
        ("answer: {shape: {id: int}}", "api/get.yaml:2:17: shape: "),
        ("parameters: {charset: utf9}", "api/get.yaml:2:23: there is no charset “utf9” here; did you mean “UTF-8”?"),
        ("parameters: {arrays: bracket}", "api/get.yaml:2:22: arrays must be one of brackets, index, repeat, comma"),
        ("body: {plist: {a: null}}", "api/get.yaml:2:15: plist: $.a cannot be in a property list"),
    ])
    func `problems are reported with their location`(line: String, problem: String) throws {
        let problems = try workspace("path: /\n\(line)\n").load().problems.map(\.description)
        #expect(problems.count == 1 && problems.first?.hasPrefix(problem) == true, "\(problems)")
    }

    @Test func `saving another change keeps nested values, answer: and style byte for byte`() throws {
        let text = """
            path: /
            parameters: {arrays: repeat}   # ours
            query:
              user: {name: a, tags: [1, 2]}   # nested
            answer: {status: [200-299], shape: {id: integer}}
            name: Get

            """
        let workspace = try workspace(text)
        let endpoint = try #require(try workspace.load().endpoint("api/get"))
        var changed = endpoint
        changed.name = "Got"
        try workspace.save(changed, replacing: endpoint)
        #expect(try workspace.read("api/get.yaml") == text.replacing("Get", with: "Got"))
    }

    @Test func `an edited row of a nested value is written as a row`() throws {
        let workspace = try workspace("path: /\nquery:\n  user: {name: a, tag: b}\n")
        let endpoint = try #require(try workspace.load().endpoint("api/get"))
        var changed = endpoint
        changed.query[0].value = "c"
        try workspace.save(changed, replacing: endpoint)
        #expect(try workspace.load().endpoint("api/get")?.query.map { "\($0.name)=\($0.value)" } == ["user[name]=c", "user[tag]=b"])
    }
}
