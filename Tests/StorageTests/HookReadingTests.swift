import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

/// Tests `hooks:` of workspaces, services and endpoints.
@Suite struct HookReadingTests {
    private func files(service: String = "", endpoint: String = "") -> [String: String] {
        [
            "workspace.yaml": "name: W\nvariables: {key: k}\n", "api/service.yaml": "name: Api\n\(service)\n",
            "api/a.yaml": "path: http://127.0.0.1/a\n\(endpoint)\n",
        ]
    }

    private func problems(_ hooks: String) throws -> [String] {
        try TemporaryWorkspace(files(endpoint: "hooks: \(hooks)")).load().problems.map(\.message)
    }

    @Test func `hooks of workspace, service and endpoint are read and run in this order`() throws {
        var files = files(
            service: "hooks: [{stage: willSend, run: [./sign.py, -v], env: {KEY: \"{{key}}\"}, timeout: 5s, keepRunning: true}]",
            endpoint: "hooks: [{stage: process, run: [sh, -c, exit]}]")
        files["workspace.yaml"]? += "hooks:\n  - stage: willPrepare\n    run: [a]\n"
        let workspace = try TemporaryWorkspace(files).load()
        #expect(workspace.problems == [])
        let service = try #require(workspace.service("api"))
        #expect(
            workspace.hooks(of: workspace.endpoint("api/a"), in: service) == [
                HookSetting(.willPrepare, command: ["a"]),
                HookSetting(.willSend, command: ["./sign.py", "-v"], environment: ["KEY": "{{key}}"], timeout: .seconds(5), keepsRunning: true),
                HookSetting(.process, command: ["sh", "-c", "exit"]),
            ])
    }

    @Test(arguments: [
        ("{stage: willSend, run: [a]}", "hooks must be a list, as in - {stage: willSend, run: [./sign.py]}"),
        ("[{run: [a]}]", "the hook has no stage; write stage: and one of willPrepare, prepare, willSend, didReceive, process"),
        ("[{stage: process}]", "the hook has no program; write run: [./PROGRAM, ARGUMENT]"),
        ("[{stage: process, run: []}]", "run must begin with a program"),
        ("[{stage: process, run: [a], timeout: 0s}]", "timeout must be longer than 0"),
        ("[{stage: process, run: [a], env: {\"A=B\": c}}]", "“A=B” is not the name of an environment variable"),
        (
            "[{stage: process, run: ./check.py}]",
            "run must be a list of the program and its arguments, as in run: [./sign.py]; run: [sh, -c, \"…\"] runs a shell command"
        ),
    ])
    func `an invalid hook is reported`(hooks: String, message: String) throws {
        #expect(try problems(hooks) == [message])
    }

    @Test func `an unknown stage and an unknown key get a suggestion`() throws {
        #expect(try problems("[{stage: willsend, run: [a]}]").first?.contains("did you mean “willSend”?") == true)
        #expect(try problems("[{stage: willSend, run: [a], timout: 5s}]").first?.contains("timeout") == true)
    }

    @Test func `the program needs permission, and a changed script a new one`() throws {
        let temporary = try TemporaryWorkspace(files(endpoint: "hooks: [{stage: willSend, run: [sh, sign.sh]}]"))
        func capabilities() throws -> Set<Capability> { CapabilityScan(try temporary.load()).all }
        let missing = try capabilities()
        #expect(missing == [Capability(.command, "sh sign.sh")])
        try temporary.write("echo a\n", to: "sign.sh")
        let first = try capabilities()
        #expect(first.count == 1 && first.first?.kind == .command && first != missing)
        #expect(first.first?.subject.hasPrefix("sh sign.sh  (sign.sh = sha256:") == true)
        try temporary.write("echo b\n", to: "sign.sh")
        #expect(try capabilities() != first)
    }

    @Test func `a secret in the environment of a hook needs its own permission`() throws {
        var files = files(service: "hooks: [{stage: willSend, run: [a], env: {KEY: \"{{pw}}\"}}]")
        files["workspace.yaml"] = "name: W\nsecrets: {pw: {command: pass show pw}}\n"
        let workspace = try TemporaryWorkspace(files).load()
        let endpoint = try #require(workspace.endpoint("api/a"))
        let needed = CapabilityScan(workspace).needed(by: endpoint, environment: nil)
        #expect(needed == [Capability(.command, "a"), Capability(.command, "pass show pw")])
    }

    @Test func `words that could be read as other words are quoted in the list`() {
        let hook = HookSetting(.process, command: ["sh", "-c", "a  (b = sha256:1)", ""])
        #expect(hook.permissionText(digests: [:]) == "sh -c \"a  (b = sha256:1)\" \"\"")
    }
}
