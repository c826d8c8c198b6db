import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the workspaces that files of other tools are in place.
struct ForeignWorkspaceTests {
    private func http(_ files: [String: String], file: String? = "api.http") throws -> ForeignWorkspace {
        let reader: ImportSource.FileReader = { path in files[path].map { Array($0.utf8) } }
        var source =
            file.map { ImportSource(name: $0, bytes: Array((files[$0] ?? "").utf8), files: reader) }
            ?? ImportSource(name: "apis", bytes: [], paths: files.keys.sorted(), files: reader)
        source.isInPlace = true
        return ForeignWorkspace(try HTTPFileImport.workspace(from: source), in: "/work")
    }

    private static let flow = """
        ### Sign in
        # @name getToken
        POST http://h/login

        ###
        GET http://other/me
        Authorization: Bearer {{getToken.response.body.$.token}}
        """

    @Test func `requests have the names of their file, their place, and targets that templates lead to`() throws {
        let content = try http(["api.http": Self.flow])
        #expect(content.requests.map(\.target) == ["h/getToken", "other/get-http-other-me"])
        #expect(content.requests.map(\.place.line) == [3, 6] && content.requests[0].names == ["getToken", "Sign in", "Sign in"])
        for name in ["getToken", "Sign in", "h/getToken", "1"] { #expect(content.request(named: name)?.target == "h/getToken", "\(name)") }
        #expect(content.request(named: "2")?.target == "other/get-http-other-me" && content.request(named: "3") == nil)
        let workspace = content.workspace
        #expect(workspace.endpoint("h/getToken")?.location == SourceLocation(file: "api.http", line: 3, column: 1))
        let user = try #require(workspace.endpoint("other/get-http-other-me"))
        #expect(user.auth == .bearer(token: "{{getToken.token}}"))
        #expect(try workspace.earlierValue(named: "getToken.token", for: user) == EarlierValue(target: "h/getToken", capture: "token"))
        #expect(workspace.runs.map(\.name) == ["api"] && workspace.runs[0].kind == .chain)
        #expect(workspace.runs[0].steps.map(\.name) == ["getToken", "get-http-other-me"])
    }

    @Test func `requests that use no other ones are sent although one fails`() throws {
        let run = try http(["api.http": "GET http://h/a\n###\nGET http://h/b\n"]).run
        #expect(run.kind == .batch && run.concurrency == 1 && !run.stopsOnFailure && run.steps.count == 2)
    }

    @Test func `a folder has a run of each file, whose steps have different names`() throws {
        let content = try http(["a.http": Self.flow, "b/c.http": Self.flow], file: nil)
        #expect(content.workspace.runs.map(\.name) == ["apis", "a", "b/c"])
        #expect(content.run.steps.count == 4 && Set(content.run.steps.map(\.name)).count == 4)
        let user = try #require(content.workspace.endpoints.last { $0.location?.file == "b/c.http" })
        #expect(user.auth == .bearer(token: "{{getToken-2.token}}"))
    }

    @Test func `private values are used, and what is not done is a warning with its line`() throws {
        let content = try http([
            "api.http": "# @loop for 3\nGET {{host}}/a\nX-Key: {{key}}\n",
            "http-client.env.json": "{\"dev\": {\"host\": \"http://h\", \"key\": \"public\"}}",
            "http-client.private.env.json": "{\"dev\": {\"key\": \"hidden\"}}",
        ])
        #expect(content.workspace.environments == [WorkspaceEnvironment(name: "dev", variables: ["host": "http://h", "key": "hidden"])])
        #expect(content.workspace.redact == ["key"] && content.workspace.secrets.isEmpty)
        #expect(content.workspace.problems.map(\.location.line) == [1] && content.workspace.problems[0].message.contains("@loop for 3"))
    }
}
