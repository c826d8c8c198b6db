import Foundation
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
        ("[{stage: process, run: [a], env: {\"A=B\": c}}]", "“A=B” is not the name of an environment variable, which has letters, digits and _"),
        ("[{stage: process, run: [a], env: {a.b: c}}]", "“a.b” is not the name of an environment variable, which has letters, digits and _"),
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

    @Test func `variables of the environment are part of the permission, with their templates`() throws {
        func subject(_ environment: String) throws -> String? {
            let temporary = try TemporaryWorkspace(files(endpoint: "hooks: [{stage: willSend, run: [sign]\(environment)}]"))
            return CapabilityScan(try temporary.load()).all.first?.subject
        }
        #expect(try subject("") == "sign")
        #expect(try subject(", env: {KEY: \"{{key}}\", A: b c}") == "\"A=b c\" KEY={{key}} sign")
        #expect(HookSetting(.process, command: ["A=b", "c"]).permissionText(digests: [:]) == "\"A=b\" c")
    }

    @Test(arguments: ["PATH", "LD_PRELOAD", "PYTHONPATH", "PERL5LIB", "RUBYOPT", "NODE_OPTIONS", "BASH_ENV", "ENV", "IFS", "GCONV_PATH"])
    func `a variable that decides which code runs is refused`(name: String) throws {
        let message = try problems("[{stage: process, run: [a], env: {\(name): b}}]").first
        #expect(message?.hasPrefix("\(name) decides which code the program runs") == true)
    }

    @Test func `variables that decide nothing are accepted`() throws {
        #expect(try problems("[{stage: process, run: [a], env: {KEY: b, PYTHONUNBUFFERED: \"1\", NODE_ENV: test}}]") == [])
    }

    @Test(arguments: [
        "sh, sign.sh", "sh, ./sign.sh", "sh, link", "sh, -sign.sh", "sh, FOLDER/sign.sh", "sh, /proc/self/cwd/sign.sh",
        "sh, /proc/thread-self/cwd/api/../sign.sh",
        "sh, to-folder/sign.sh", "sh, /proc/self/root/FOLDER/sign.sh", "sh, -c, \". ./sign.sh; exit\"", "awk, -fsign.sh", "awk, --file=sign.sh",
        "make, -sfsign.sh", "sh, -c, \"awk -fsign.sh\"", "sh, -c, \"make -sfsign.sh\"", "sh, -c, \"sh $PWD/sign.sh\"",
        "sh, -c, 'sh \"$PWD\"/sign.sh'", "sh, -c, \"sh $(pwd)/sign.sh\"", "sh, -c, \"sh ~+/sign.sh\"", "sh, -c, \"sh /proc/$$/cwd/sign.sh\"",
    ])
    func `a changed file of the workspace needs a new permission, however the command names it`(command: String) throws {
        let temporary = try TemporaryWorkspace([:])
        let command = command.replacing("FOLDER", with: temporary.path)
        for (name, text) in files(endpoint: "hooks: [{stage: willSend, run: [\(command)]}]") { try temporary.write(text, to: name) }
        for name in ["sign.sh", "-sign.sh"] { try temporary.write("echo a\n", to: name) }
        try FileManager.default.createSymbolicLink(atPath: temporary.path + "/link", withDestinationPath: "sign.sh")
        try FileManager.default.createSymbolicLink(atPath: temporary.path + "/to-folder", withDestinationPath: "/proc/self/cwd")
        func capabilities() throws -> Set<Capability> { CapabilityScan(try temporary.load()).all }
        let first = try capabilities()
        #expect(first.first?.subject.contains("sha256:") == true, "\(first)")
        for name in ["sign.sh", "-sign.sh"] { try temporary.write("echo b\n", to: name) }
        #expect(try capabilities() != first)
    }

    @Test(
        arguments: [
            ("sh $PWD/none.sh", "$PWD/none.sh"), ("sh x?sh", "x?sh"), ("sh [x]sign.sh", "[x]sign.sh"), ("sh \"a\"*.sh", "a*.sh"),
            ("sh $(pwd)/none.sh", "/none.sh"), ("sh $PWD/sign.sh", nil),
            ("jq '.[0]? | $a/2' < a; echo $? \"$*\" \"$KEY\"", nil), ("[ -f a ] && b", nil),
        ] as [(String, String?)])
    func `the permission for a shell text names what cannot be resolved`(text: String, name: String?) throws {
        let temporary = try TemporaryWorkspace(["sign.sh": "a"])
        let source = SecretSource.command(text)
        let digests = ProgramDigests.digests(of: source.fileNames, in: temporary.path)
        let subject = Capability(source, digests: digests).subject
        #expect(name.map { subject.hasSuffix("(\($0) = not resolved)") } ?? !subject.contains("not resolved"), "\(subject)")
        #expect(HookSetting(.process, command: ["sh", "-c", text]).permissionText(digests: digests).contains("not resolved") == (name != nil))
    }

    @Test func `a file that a shell text writes, and one outside of the workspace, have no digest`() throws {
        let hook = HookSetting(.process, command: ["/bin/sh", "-c", "echo a >> log; cat log"])
        let temporary = try TemporaryWorkspace(["log": "a"])
        #expect(ProgramDigests.digests(of: hook.fileNames, in: temporary.path) == [:])
        for text in ["date >$PWD/log", "date > ${PWD}/log", "date >> \"log\""] {
            #expect(ProgramDigests.digests(of: SecretSource.command(text).fileNames, in: temporary.path) == [:], "\(text)")
        }
        for text in ["sh >${x} log", "sh >$ log", "sh >'>' log"] {
            #expect(ProgramDigests.digests(of: SecretSource.command(text).fileNames, in: temporary.path).keys.contains("log"), "\(text)")
        }
    }

    @Test func `a file that is too large for a digest is marked, so that the command is not run`() throws {
        let temporary = try TemporaryWorkspace([:])
        let file = open(temporary.path + "/sign", O_CREAT | O_WRONLY, 0o755)
        #expect(file >= 0 && ftruncate(file, 65 << 20) == 0)
        close(file)
        #expect(ProgramDigests.digests(of: ["./sign"], in: temporary.path) == ["./sign": ProgramDigests.missing])
    }

    @Test func `a secret in the environment of a hook needs its own permission`() throws {
        var files = files(service: "hooks: [{stage: willSend, run: [a], env: {KEY: \"{{pw}}\"}}]")
        files["workspace.yaml"] = "name: W\nsecrets: {pw: {command: pass show pw}}\n"
        let workspace = try TemporaryWorkspace(files).load()
        let endpoint = try #require(workspace.endpoint("api/a"))
        let needed = CapabilityScan(workspace).needed(by: endpoint, environment: nil)
        #expect(needed == [Capability(.command, "KEY={{pw}} a"), Capability(.command, "pass show pw")])
    }

    @Test func `words that could be read as other words are quoted in the list`() {
        let hook = HookSetting(.process, command: ["sh", "-c", "a  (b = sha256:1)", ""])
        #expect(hook.permissionText(digests: [:]) == "sh -c \"a  (b = sha256:1)\" \"\"")
    }
}
