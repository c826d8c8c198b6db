import Foundation
import Support
import Testing

/// Tests programs of hooks with the commands that send requests.
@Suite struct HookCommandTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\nvariables: {key: secret-key}\n")
    }

    private func write(_ server: ScriptedServer, hooks: String, endpoint: String = "") throws {
        try sortie.write("ws/api/service.yaml", "name: Api\nhooks:\n\(Self.patient(hooks))\n")
        try sortie.write("ws/api/a.yaml", "path: \(server.url)/a\n\(Self.patient(endpoint))\n")
    }

    /// The hooks with a time limit that a busy machine does not reach, unless they have one.
    private static func patient(_ text: String) -> String {
        text.contains("timeout:") ? text : text.replacing("{stage:", with: "{timeout: 300s, stage:")
    }

    /// A program that changes the request: its standard input is in the file `input`.
    private func writeProgram(_ name: String, _ lines: String) throws {
        let path = try sortie.write("ws/\(name)", "#!/bin/sh\n\(lines)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    @Test func `a program receives the request and signs it with a key from its environment`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign, x], env: {KEY: \"{{key}}\"}}")
        try writeProgram("sign", #"cat > input; echo "{\"headers\": {\"X-Mine\": \"$1 $KEY\"}}""#)
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map { $0["X-Mine"] } == ["x secret-key"])
        let input = String(decoding: try sortie.read("ws/input"), as: UTF8.self)
        #expect(input.contains(#""stage": "willSend""#) && input.contains(#""method": "GET""#) && input.contains("\(server.url)/a"), "\(input)")
    }

    @Test func `prepare runs before the signature, willSend after it`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(
            server,
            hooks: "  - {stage: willSend, run: [./last]}\n  - {stage: prepare, run: [./first]}",
            endpoint: "plugins: [sign: {secret: s, parameter: mark}]")
        try writeProgram("first", "tee first.json >/dev/null")
        try writeProgram("last", "tee last.json >/dev/null")
        #expect(try await sortie.run("send", "api/a", "-w", "ws").status == .exited(0))
        #expect(!String(decoding: try sortie.read("ws/first.json"), as: UTF8.self).contains("mark="))
        #expect(String(decoding: try sortie.read("ws/last.json"), as: UTF8.self).contains("mark="))
    }

    @Test func `checks of a program fail the request, and are shown`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: process, run: [./check]}")
        try writeProgram("check", #"echo '{"checks": [{"name": "digest", "passed": false, "expected": "a", "actual": "b"}]}'"#)
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(1) && run.errorOutput.contains("digest") && run.output.contains("fine"), "\(run)")
    }

    @Test func `the history has the checks of a program, with secrets masked, and does not run it again`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: process, run: [./check]}", endpoint: "expect: {status: 200}\nheaders: {X-Key: \"{{key}}\"}")
        let checks =
            #"{"name": "digest", "passed": false, "expected": "a", "actual": "b"}, {"name": "token", "passed": true, "actual": "hidden-one"}"#
        try writeProgram("check", "cat >/dev/null; echo run >> runs; echo '{\"checks\": [\(checks)]}'")
        #expect(try await sortie.run("send", "api/a", "-w", "ws").status == .exited(1))
        let shown = try await sortie.run("history", "show", "last", "--json")
        let record = try JSONSerialization.jsonObject(with: Data(shown.outputBytes)) as? [String: Any]
        let found = (record?["checks"] as? [[String: Any]] ?? []).map { check in
            ["key", "subject", "outcome", "expected", "actual"].map { check[$0] as? String ?? "-" }.joined(separator: " ")
        }
        #expect(found == ["hook digest failed a b", "hook token passed - ••••", "expect status passed 200 200"], "\(shown)")
        #expect(String(decoding: try sortie.read("ws/runs"), as: UTF8.self) == "run\n")
    }

    @Test func `the name of a check that contains a secret is masked on the terminal and in the reports of a run`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {pw: {command: echo geheimnis, hosts: [127.0.0.1]}}\n")
        try write(server, hooks: "  - {stage: process, run: [./check]}", endpoint: "headers: {X-Key: \"{{pw}}\"}")
        try writeProgram("check", #"cat >/dev/null; echo '{"checks": [{"name": "is geheimnis", "passed": false, "actual": "b"}]}'"#)
        try sortie.write("ws/runs/all.yaml", "chain:\n  - send: api/a\n")
        let sent = try await sortie.run("send", "api/a", "-w", "ws")
        let run = try await sortie.run("run", "all", "-w", "ws", "--junit", "report.xml")
        let report = String(decoding: try sortie.read("report.xml"), as: UTF8.self)
        for text in [sent.errorOutput, run.output + run.errorOutput, report] { #expect(text.contains("is ••••") && !text.contains("geheimnis")) }
    }

    @Test func `a captured value is used by the next step of a run, and the failed check is in its report`() async throws {
        let server = try ScriptedServer { request in request.target.hasPrefix("/a") ? .ok("fine") : .ok("next") }
        try write(server, hooks: "", endpoint: "hooks: [{stage: process, run: [./check]}]")
        try writeProgram("check", #"echo '{"checks": [{"name": "ok", "passed": true}], "capture": {"id": 7}}'"#)
        try sortie.write("ws/api/b.yaml", "path: \(server.url)/b/{{first.id}}\n")
        try sortie.write("ws/runs/all.yaml", "chain:\n  - {send: api/a, as: first}\n  - send: api/b\n")
        let run = try await sortie.run("run", "all", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map(\.target) == ["/a", "/b/7"])
        try writeProgram("check", #"echo '{"checks": [{"name": "never", "passed": false}]}'"#)
        let failed = try await sortie.run("run", "all", "-w", "ws")
        #expect(failed.status != .exited(0) && (failed.output + failed.errorOutput).contains("never"), "\(failed)")
    }

    @Test func `a response is repeated where the program says so`() async throws {
        let server = try ScriptedServer { request in request["X-Mine"] == "new" ? .ok("fine") : .status(401, "old") }
        try write(server, hooks: "  - {stage: willSend, run: [./token]}\n  - {stage: didReceive, run: [./again]}")
        try writeProgram("token", #"echo "{\"headers\": {\"X-Mine\": \"$(cat token.txt 2>/dev/null || echo old)\"}}""#)
        try writeProgram("again", #"grep -q '"status": 401' && { echo new > token.txt; echo '{"sendAgain": "a new token"}'; }; exit 0"#)
        let run = try await sortie.run("send", "api/a", "-w", "ws", "-v")
        #expect(run.output == "fine" && run.errorOutput.contains("sent again: a new token"), "\(run)")
    }

    @Test func `one process that keeps running handles all calls`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./count], keepRunning: true}")
        try writeProgram("count", #"n=0; while read -r line; do n=$((n + 1)); echo "{\"headers\": {\"X-Count\": \"$n $$\"}}"; done"#)
        try sortie.write("ws/runs/all.yaml", "batch:\n" + (1...20).map { "  - {send: api/a, as: s\($0)}\n" }.joined())
        let run = try await sortie.run("run", "all", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        let counts: [[Substring]] = server.requests.compactMap { $0["X-Count"]?.split(separator: " ") }
        let expected: [Substring] = (1...20).map { Substring(String($0)) }
        #expect(Set(counts.compactMap(\.first)) == Set(expected))
        #expect(Set(counts.map { $0[1] }).count == 1)
    }

    @Test(arguments: [
        ("exec >&-; sleep 1000", "took longer than its timeout of 1s", "1s"),
        ("echo first >&2; echo last >&2; exit 3", "failed with status 3: last", "300s"),
        ("sleep 1000", "took longer than its timeout of 1s", "1s"), ("exec >&- 2>&-; sleep 1000", "took longer than its timeout of 1s", "1s"),
        ("kill -9 $$", "was ended by signal 9", "300s"), ("echo '{'", "cannot be used", "300s"),
        ("echo '{\"error\": \"no key\"}'", "ended the call: no key", "300s"),
    ])
    func `a program that fails ends the call with its reason, and nothing is sent`(lines: String, reason: String, timeout: String) async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign], timeout: \(timeout)}")
        try writeProgram("sign", lines)
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(4) && run.errorOutput.contains("./sign (willSend)") && run.errorOutput.contains(reason), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["willPrepare", "prepare", "willSend", "didReceive", "process"], ["", ", keepRunning: true"])
    func `the time limit of the request ends a program in every stage`(stage: String, more: String) async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: \(stage), run: [./wait], timeout: 1h\(more)}")
        try writeProgram("wait", "echo $$ > pid; exec sleep 100000")
        try await growing(from: .seconds(1)) { limit -> Void? in
            let run = try await sortie.run("send", "api/a", "-w", "ws", "--timeout", limit.secondsText)
            #expect(run.status == .exited(4) && run.errorOutput.contains("timedOut"), "\(run)")
            // The program must have time to start.
            guard try await sortie.shell("test -s ws/pid").succeeded else { return nil }
            let wait = try await sortie.shell("while kill -0 $(cat ws/pid) 2>/dev/null; do sleep 0.05; done")
            return wait.succeeded ? () : nil
        }
    }

    @Test(arguments: ["", ", keepRunning: true"]) func `a program that only writes is ended, also when its input is long`(more: String) async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try sortie.write("ws/text", String(repeating: "a", count: 1 << 20))
        let hook = "  - {stage: willSend, run: [./sign], timeout: 300s\(more)}"
        try write(server, hooks: hook, endpoint: "method: POST\nbody: {text: \"{{$file text}}\"}")
        try writeProgram("sign", "while :; do echo 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'; done | tr -d '\\n'")
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(4) && run.errorOutput.contains("wrote more than"), "\(run)")
    }

    @Test func `a program that keeps running and ends is started again for the next call`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./once], keepRunning: true}")
        try writeProgram("once", #"read -r line; echo "{\"headers\": {\"X-Mine\": \"1\"}}""#)
        try sortie.write("ws/runs/all.yaml", "chain:\n  - {send: api/a, as: x}\n  - {send: api/a, as: y}\n  - {send: api/a, as: z}\n")
        let run = try await sortie.run("run", "all", "-w", "ws")
        #expect(run.status == .exited(0) && server.requests.count == 3, "\(run)")
    }

    @Test func `a program that keeps running and does not end after it has closed its output is killed at the end`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign], keepRunning: true}")
        try writeProgram("sign", "while read -r line; do echo '{}'; done; exec >&- 2>&-; sleep 1000")
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(0) && run.output == "fine", "\(run)")
    }

    @Test(arguments: [(SIGKILL, ""), (SIGKILL, ", keepRunning: true"), (SIGTERM, ""), (SIGINT, ", keepRunning: true")])
    func `a program of a hook does not outlive Sortie, which is killed`(signal: Int32, more: String) async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign], timeout: 1h\(more)}")
        let command = try WaitingCommand(in: sortie.home)
        // The second process leaves the session of the program.
        try writeProgram("sign", command.line.replacing("sleep", with: "setsid sleep"))
        let terminal = try await sortie.open("send", "api/a", "-w", "ws")
        try await command.waitUntilStarted()
        terminal.signal(signal)
        _ = try await terminal.exitStatus(within: Sortie.patience)
        try await command.waitUntilGone()
    }

    @Test(arguments: ["sleep", "setsid sleep", "setsid setsid -f sleep"])
    func `what a program of a hook leaves running ends with it`(sleep: String) async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign]}")
        let command = try WaitingCommand(in: sortie.home)
        let held = sortie.home.path("secret.held")
        try writeProgram("sign", "exec 9>\(held); echo $$ >&9; \(sleep) 1000 </dev/null >/dev/null 2>&1 & echo '{}'")
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        try await command.waitUntilGone()
    }

    @Test func `a process that has left the session and holds the output does not delay the end of the program`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign], timeout: 300s}")
        try writeProgram("sign", "setsid sleep 1000 & echo '{}'")
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(0) && run.output == "fine", "\(run)")
    }

    @Test func `a missing program and one that is not executable are named with the remedy`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign]}")
        let missing = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(missing.status == .exited(4) && missing.errorOutput.contains("there is no file"), "\(missing)")
        try sortie.write("ws/sign", "#!/bin/sh\n")
        let plain = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(plain.status == .exited(4) && plain.errorOutput.contains("chmod +x"), "\(plain)")
        try write(server, hooks: "  - {stage: willSend, run: [no-such-program]}")
        let unknown = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(unknown.status == .exited(4) && unknown.errorOutput.contains("PATH has no program no-such-program"), "\(unknown)")
    }

    @Test(arguments: [
        ("echo '{}'\n", "does not name its interpreter"), ("", "does not name its interpreter"),
        ("#!/no/such/sh\n", "there is no interpreter /no/such/sh"), ("#! /bin/sh\r\n", "ends with CR LF"),
        ("#!/usr/bin/env python3\r\n", "ends with CR LF"),
    ])
    func `a program that the system cannot start is named with the remedy, also by check`(content: String, reason: String) async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign]}")
        let path = try sortie.write("ws/sign", content)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let sent = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(sent.status == .exited(4) && sent.errorOutput.contains(reason), "\(sent)")
        let checked = try await sortie.run("check", "ws")
        #expect(checked.status == .exited(3) && checked.output.contains(reason), "\(checked)")
        #expect(server.requests.isEmpty)
    }

    @Test func `check reports a missing program at the entry that names it`() async throws {
        let present = try sortie.write("ws/present", "#!/bin/sh\necho '{}'\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: present)
        let entries = ["./present", "./missing", "sh", "./missing"].map { "  - stage: willSend\n    run: [\($0)]\n" }
        try sortie.write("ws/workspace.yaml", "name: W\nhooks:\n\(entries.joined())")
        let check = try await sortie.run("check", "ws")
        #expect(check.status == .exited(3), "\(check)")
        let lines = check.output.split(separator: "\n").filter { $0.contains("hooks: ") }.map { $0.prefix(18) }
        #expect(lines == ["workspace.yaml:5:5", "workspace.yaml:9:5"], "\(check)")
    }

    @Test(arguments: ["../outside", "./link"])
    func `check does not look at a program outside of the workspace`(name: String) async throws {
        try sortie.write("outside", "no program\n")
        try sortie.write("ws/workspace.yaml", "name: W\nhooks: [{stage: willSend, run: [\(name)]}]\n")
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/ws/link", withDestinationPath: "../outside")
        let check = try await sortie.run("check", "ws")
        #expect(check.status == .exited(0), "\(check)")
    }

    @Test func `the interpreter of a program may be relative to the folder of the workspace`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign]}")
        try FileManager.default.createSymbolicLink(atPath: sortie.work + "/ws/interpreter", withDestinationPath: "/bin/sh")
        let path = try sortie.write("ws/sign", "#!./interpreter\necho '{\"headers\": {\"X-Mine\": \"1\"}}'\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(0) && server.requests.first?["X-Mine"] == "1", "\(run)")
        #expect(try await sortie.run("check", "ws").status == .exited(0))
    }

    @Test func `a program receives its arguments and every byte of its input`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try sortie.write("ws/text", "\n\nfirst\\\n\n")
        try write(
            server, hooks: "  - {stage: willSend, run: [./sign, \"a b\", \"\", \"$x *\"]}",
            endpoint: "method: POST\nbody: {text: \"{{$file text}}\"}")
        try writeProgram("sign", #"printf '%s|' "$@" > words; cat > input; echo '{}'"#)
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(String(decoding: try sortie.read("ws/words"), as: UTF8.self) == "a b||$x *|")
        let input = try JSONSerialization.jsonObject(with: Data(sortie.read("ws/input"))) as? [String: Any]
        #expect((input?["request"] as? [String: Any])?["body"] as? String == "\n\nfirst\\\n", "\(String(describing: input))")
    }

    @Test func `without permission nothing is run, and a changed script needs a new permission`() async throws {
        let stranger = try Sortie(permitsOwn: false)
        let server = try ScriptedServer { _ in .ok("fine") }
        try stranger.write("ws/workspace.yaml", "name: W\n")
        try stranger.write("ws/api/service.yaml", "name: Api\nhooks: [{stage: willSend, run: [sh, sign.sh], timeout: 300s}]\n")
        try stranger.write("ws/api/a.yaml", "path: \(server.url)/a\n")
        try stranger.write("ws/sign.sh", "touch ran\n")
        func send() async throws -> ProcessRun { try await stranger.run("send", "api/a", "-w", "ws") }
        #expect(try await send().status == .exited(3))
        #expect(!FileManager.default.fileExists(atPath: stranger.work + "/ws/ran"))
        #expect(try await stranger.run("trust", "ws", "--allow").status == .exited(0))
        #expect(try await send().status == .exited(0))
        #expect(FileManager.default.fileExists(atPath: stranger.work + "/ws/ran"))
        try stranger.write("ws/sign.sh", "touch changed\n")
        #expect(try await send().status == .exited(3))
        #expect(!FileManager.default.fileExists(atPath: stranger.work + "/ws/changed"))
    }

    @Test(arguments: [
        ["ws/workspace.yaml": "name: W\nsecrets: {pw: {command: ./sign.sh, hosts: [127.0.0.1]}}\n"],
        ["ws/workspace.yaml": "name: W\nsecrets: {pw: {command: \"sh bin/'sign'.sh\", hosts: [127.0.0.1]}}\n"],
        [
            "ws/workspace.yaml": "name: W\nsecrets: {pw: {command: echo x, hosts: [127.0.0.1]}}\n",
            "ws/api/service.yaml": "name: Api\nhooks: [{stage: willSend, run: [sh, -c, \"sh \\\"bin/sign\\\".sh >&2\"], timeout: 300s}]\n",
        ],
    ]) func `a changed script of a secret's command or of a shell text needs a new permission`(files: [String: String]) async throws {
        let stranger = try Sortie(permitsOwn: false)
        let server = try ScriptedServer { _ in .ok("fine") }
        try stranger.write("ws/api/service.yaml", "name: Api\n")
        try stranger.write("ws/api/a.yaml", "path: \(server.url)/a\nheaders: {X-Mine: \"{{pw}}\"}\n")
        for (name, text) in files { try stranger.write(name, text) }
        func script(_ canary: String) throws {
            for name in ["ws/sign.sh", "ws/bin/sign.sh"] {
                let path = try stranger.write(name, "#!/bin/sh\ntouch \(canary)\necho geheim\n")
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            }
        }
        func has(_ canary: String) -> Bool { FileManager.default.fileExists(atPath: stranger.work + "/ws/" + canary) }
        try script("ran")
        #expect(try await stranger.run("send", "api/a", "-w", "ws").status == .exited(3))
        #expect(!has("ran"))
        #expect(try await stranger.run("trust", "ws", "--allow").output.contains("sign.sh = sha256:"))
        let sent = try await stranger.run("send", "api/a", "-w", "ws")
        #expect(sent.status == .exited(0) && has("ran"), "\(sent)")
        try script("changed")
        #expect(try await stranger.run("send", "api/a", "-w", "ws").status == .exited(3))
        #expect(!has("changed"))
    }

    @Test(arguments: [
        ("hooks: [{stage: willSend, run: [./large]}]", "", "the workspace cannot run the hook ./large"),
        ("name: Api", "headers: {X-Mine: \"{{pw}}\"}", "the command of the secret pw is not run"),
        ("tunnel: {command: exec ./large, port: 9}", "", "the workspace cannot open the tunnel exec ./large"),
    ]) func `a command whose file is too large for a digest is not run, although it is permitted`(
        service: String, endpoint: String, refusal: String
    ) async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {pw: {command: ./large, hosts: [127.0.0.1]}}\n")
        try sortie.write("ws/api/service.yaml", "\(service)\n")
        try sortie.write("ws/api/a.yaml", "path: \(server.url)/a\n\(endpoint)\n")
        try writeProgram("large", "touch ran; exit 1")
        let file = try FileHandle(forWritingTo: URL(filePath: sortie.work + "/ws/large"))
        try file.truncate(atOffset: 65 << 20)
        try file.close()
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status != .exited(0) && run.errorOutput.contains(refusal), "\(run)")
        #expect(run.errorOutput.contains("its file ./large cannot be read or has more than 64 MiB"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: sortie.work + "/ws/ran") && server.requests.isEmpty)
    }

    @Test func `a new variable in the environment of a program needs a new permission, and one that decides which code runs is refused`() async throws
    {
        let stranger = try Sortie(permitsOwn: false)
        let server = try ScriptedServer { _ in .ok("fine") }
        func write(_ hook: String) throws {
            try stranger.write("ws/api/service.yaml", "name: Api\nhooks: [{stage: willSend, \(hook), timeout: 300s}]\n")
        }
        try stranger.write("ws/workspace.yaml", "name: W\n")
        try stranger.write("ws/api/a.yaml", "path: \(server.url)/a\n")
        try stranger.write("ws/lib.sh", "touch ran\n")
        func send(_ options: String...) async throws -> ProcessRun {
            try await stranger.run(["send", "api/a", "-w", "ws"] + options)
        }
        try write("run: [bash, -c, exit]")
        #expect(try await stranger.run("trust", "ws", "--allow").status == .exited(0))
        #expect(try await send().status == .exited(0))
        try write("run: [bash, -c, exit], env: {KEY: lib.sh}")
        let refused = try await send()
        #expect(refused.status == .exited(3) && refused.errorOutput.contains("KEY=lib.sh bash -c exit"), "\(refused)")
        try write("run: [bash, -c, exit], env: {BASH_ENV: lib.sh}")
        let trusted = try await send("--trust")
        #expect(trusted.status != .exited(0) && trusted.errorOutput.contains("BASH_ENV decides which code"), "\(trusted)")
        #expect(!FileManager.default.fileExists(atPath: stranger.work + "/ws/ran"))
    }

    @Test func `a signature does not go to another origin`() async throws {
        let other = try ScriptedServer { _ in .ok("fine") }
        let server = try ScriptedServer { [url = other.url] _ in .redirect(to: "\(url)/b") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign]}")
        try writeProgram("sign", #"echo "{\"headers\": {\"X-Mine\": \"1\"}}""#)
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.first?["X-Mine"] == "1" && other.requests.map { $0["X-Mine"] } == [nil])
    }

    @Test(arguments: ["willPrepare", "prepare", "willSend"])
    func `a program cannot turn a request with a secret to an origin that is not permitted for it`(stage: String) async throws {
        let (server, other) = (try ScriptedServer(answering: .ok("fine")), try ScriptedServer(answering: .ok("other")))
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {pw: {command: echo hidden-value}}\n")
        try write(server, hooks: "  - {stage: \(stage), run: [./turn]}", endpoint: "headers: {X-Key: \"{{pw}}\"}")
        try writeProgram("turn", "cat > input; echo '{\"url\": \"\(other.url)/b\"}'")
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(!run.succeeded && run.errorOutput.contains("not permitted to send {{pw}} to \(other.url)"), "\(run)")
        #expect(other.requests.isEmpty && server.requests.isEmpty)
    }

    @Test(arguments: ["willPrepare", "prepare", "willSend"])
    func `a secret in the environment of a program does not go to another origin`(stage: String) async throws {
        let other = try ScriptedServer { _ in .ok("fine") }
        let server = try ScriptedServer { [url = other.url] request in
            request.target == "/a" ? .redirect(to: "\(url)/b") : .status(307, "", headers: [("Location", "\(url)/c")])
        }
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {pw: {command: echo hidden-value}}\n")
        try write(server, hooks: "  - {stage: \(stage), run: [./sign], env: {KEY: \"{{pw}}\"}}")
        try writeProgram("sign", #"echo "{\"headers\": {\"X-Mine\": \"v-$KEY\"}}""#)
        let run = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.first?["X-Mine"] == "v-hidden-value" && other.requests.map { $0["X-Mine"] } == [nil])
        try sortie.write("ws/api/a.yaml", "path: \(server.url)/body\nmethod: POST\nbody: {text: a}\n")
        try writeProgram("sign", #"echo "{\"body\": \"v-$KEY\"}""#)
        _ = try await sortie.run("send", "api/a", "-w", "ws")
        #expect(server.requests.last.map { String(decoding: $0.body, as: UTF8.self) } == "v-hidden-value")
        #expect(!other.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("hidden-value") })
    }

    @Test func `the examples of the guide sign a request and check a response`() async throws {
        let guide = try String(contentsOf: GeneratedDocument("Sources/sortie/Documentation.docc/Plugins.md").url, encoding: .utf8)
        let python = try #require(guide.firstMatch(of: /#!\/usr\/bin\/env python3\n[\s\S]*?sys\.stdout\)\n/)).output
        let shell = try #require(guide.firstMatch(of: /#!\/bin\/sh\n# The type[\s\S]*?\}\]\}"\n/)).output
        let server = try ScriptedServer { _ in .json("{}") }
        try write(server, hooks: "  - {stage: willSend, run: [python3, sign.py], env: {KEY: key}}\n  - {stage: process, run: [sh, check.sh]}")
        try sortie.write("ws/sign.py", String(python))
        try sortie.write("ws/check.sh", String(shell))
        let run = try await sortie.run("send", "api/a", "-w", "ws", "--json")
        #expect(run.status == .exited(0), "\(run)")
        // HMAC-SHA256 has 64 hexadecimal digits.
        #expect(server.requests.first?["X-Signature"]?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
    }

    @Test func `a program of the demo changes the request, and checks the response`() async throws {
        let demo = try await DemoProcess.shared
        let run = try await sortie.run("send", "echo/hook", "-w", try Sortie.demoWorkspace, "--var", "host=\(demo.authority)")
        #expect(run.status == .exited(0) && run.output.contains("X-Digest"), "\(run)")
    }

    @Test func `a dry run shows the changed request, and the program knows that nothing is sent`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(server, hooks: "  - {stage: willSend, run: [./sign]}")
        try writeProgram("sign", #"grep -q '"dryRun": true' && echo "{\"headers\": {\"X-Dry\": \"yes\"}}""#)
        let run = try await sortie.run("send", "api/a", "-w", "ws", "--dry-run")
        #expect(run.output.contains("X-Dry: yes") && server.requests.isEmpty, "\(run)")
    }
}
