import Foundation
import Glibc
import Support
import Testing

/// Tests commands of secrets that wait, fail or are interrupted.
@Suite(.serialized)
struct SecretCommandTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
        try sortie.write("ws/api/service.yaml", "name: Api\n")
    }

    private func write(command: String, url: String) throws {
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets:\n  key:\n    command: |\n      \(command)\n")
        try sortie.write("ws/api/slow.yaml", "name: Slow\npath: \(url)/slow\nheaders: {X-Mine: \"{{key}}\"}\n")
        try sortie.write("ws/api/fast.yaml", "name: Fast\npath: \(url)/fast\n")
    }

    @Test func `100 requests are sent while more steps than processors wait for one command, which runs once for all that wait`() async throws {
        let command = try WaitingCommand(in: sortie.home)
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(command: command.line, url: server.url)
        let slow = ProcessInfo.processInfo.activeProcessorCount + 2
        let steps = (1...slow).map { "  - {send: api/slow, as: slow\($0)}\n" } + (1...100).map { "  - {send: api/fast, as: fast\($0)}\n" }
        try sortie.write("ws/runs/all.yaml", "batch:\n\(steps.joined())concurrency: \(slow + 20)\n")
        async let run = sortie.run("run", "all", "-w", "ws")
        try await command.waitUntilStarted()
        let sent = try await server.waitForRequests(100, within: Sortie.patience)
        #expect(sent.allSatisfy { $0["X-Mine"] == nil })
        try command.answer("value")
        #expect(try await run.status == .exited(0))
        #expect(server.requests.filter { $0["X-Mine"] == "value" }.count == slow)
        #expect(command.starts == 1)
    }

    @Test func `100 requests are sent while more commands than processors wait, and then those that need their values`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let commands = try (1...count).map { try WaitingCommand(in: sortie.home, name: "secret\($0)") }
        let secrets = commands.enumerated().map { "  key\($0): {command: \"\($1.line)\"}\n" }
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets:\n\(secrets.joined())")
        for index in commands.indices {
            try sortie.write("ws/api/slow\(index).yaml", "name: Slow\npath: \(server.url)/slow\nheaders: {X-Mine: \"{{key\(index)}}\"}\n")
        }
        try sortie.write("ws/api/fast.yaml", "name: Fast\npath: \(server.url)/fast\n")
        let steps = commands.indices.map { "  - {send: api/slow\($0)}\n" } + (1...100).map { "  - {send: api/fast, as: fast\($0)}\n" }
        try sortie.write("ws/runs/all.yaml", "batch:\n\(steps.joined())concurrency: \(count + 20)\n")
        async let run = sortie.run("run", "all", "-w", "ws")
        for command in commands { try await command.waitUntilStarted() }
        let sent = try await server.waitForRequests(100, within: Sortie.patience)
        #expect(sent.allSatisfy { $0["X-Mine"] == nil })
        for (index, command) in commands.enumerated() { try command.answer("value\(index)") }
        #expect(try await run.status == .exited(0))
        #expect(Set(server.requests.compactMap { $0["X-Mine"] }) == Set(commands.indices.map { "value\($0)" }))
        #expect(commands.allSatisfy { $0.starts == 1 })
    }

    @Test func `two secrets, a file and an answer of the user are fetched one after the other for one request`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets:\n  one: {command: echo first}\n  two: {command: echo second}\n")
        try sortie.write("ws/note.txt", "from a file")
        try sortie.write(
            "ws/api/all.yaml",
            "name: All\npath: \(server.url)/\nheaders:\n  X-Secrets: \"{{one}} {{two}} {{one}}\"\n  X-File: \"{{$file note.txt}}\"\n"
                + "  X-Entered: \"{{$prompt Name}} {{$prompt Place}} {{$prompt Name}}\"\n")
        let terminal = try await sortie.open("send", "api/all", "-w", "ws")
        try await terminal.waitForText("Name:", within: Sortie.patience)
        terminal.type("a\r")
        try await terminal.waitForText("Place:", within: Sortie.patience)
        terminal.type("b\r")
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let request = try #require(server.requests.first)
        #expect(request["X-Secrets"] == "first second first" && request["X-File"] == "from a file" && request["X-Entered"] == "a b a")
    }

    @Test func `a process that a command leaves running with its output open is not waited for, and is killed`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        let command = try WaitingCommand(in: sortie.home)
        let held = sortie.home.path("secret.held")
        try write(command: "exec 9>\(held); echo $$ >&9; sleep 1000 & echo value", url: server.url)
        #expect(try await sortie.run("send", "api/slow", "-w", "ws").status == .exited(0))
        #expect(server.requests.first?["X-Mine"] == "value")
        try await command.waitUntilGone()
    }

    @Test(arguments: ["send", "run"])
    func `SIGINT ends the command of a secret and all its processes, and the status is 130`(verb: String) async throws {
        let command = try WaitingCommand(in: sortie.home)
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(command: command.line, url: server.url)
        try sortie.write("ws/runs/one.yaml", "chain:\n  - {send: api/slow}\n")
        let target = verb == "send" ? "api/slow" : "one"
        // The shell writes the ID of the program, which replaces it; a background job would ignore SIGINT.
        let line = "echo $$ > pid; exec \"$SORTIE\" \(verb) \(target) -w ws"
        async let run = sortie.shell(line)
        try await command.waitUntilStarted()
        let pid = try #require(pid_t(String(decoding: sortie.read("pid"), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(pid, SIGINT) == 0)
        try await command.waitUntilGone()
        let end = try await run
        #expect(end.status == .exited(130) && end.errorOutput.hasPrefix("sortie: cancelled: "), "\(end)")
        #expect(server.requests.isEmpty)
    }

    @Test func `SIGINT ends the command of a plugin's secret`() async throws {
        let command = try WaitingCommand(in: sortie.home)
        try write(command: command.line, url: "http://127.0.0.1:9")
        try sortie.write("ws/api/service.yaml", "name: Api\nplugins: [{token: {value: \"{{key}}\"}}]\n")
        async let run = sortie.shell("echo $$ > pid; exec \"$SORTIE\" send api/fast -w ws")
        try await command.waitUntilStarted()
        let pid = try #require(pid_t(String(decoding: sortie.read("pid"), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(pid, SIGINT) == 0)
        try await command.waitUntilGone()
        let end = try await run
        #expect(end.failed(130, "cancelled"), "\(end)")
    }

    @Test func `the error of a command contains its status and the last line of its standard error, but not its output`() async throws {
        try write(command: "echo half-a-secret; echo first >&2; echo no key for half-a-secret >&2; exit 5", url: "http://127.0.0.1:9")
        let run = try await sortie.run("send", "api/slow", "-w", "ws")
        #expect(run.failed(3, "workspace"), "\(run)")
        #expect(run.errorOutput.contains("the command of the secret key failed with status 5: no key for ••••"))
        #expect(!run.errorOutput.contains("first"))
        #expect(!run.description.contains("half-a-secret"))
    }

    @Test func `a command with endless output is stopped`() async throws {
        try write(command: "yes", url: "http://127.0.0.1:9")
        let run = try await sortie.run("send", "api/slow", "-w", "ws")
        #expect(run.failed(3, "workspace"), "\(run)")
        #expect(run.errorOutput.contains("the command of the secret key printed more than"))
    }

    @Test(arguments: [["send", "api/slow", "--timeout", "0.2"], ["send", "api/short"], ["run", "one"]])
    func `a command that does not end is ended at the limit of the request`(arguments: [String]) async throws {
        try write(command: "sleep 100000", url: "http://127.0.0.1:9")
        try sortie.write("ws/api/short.yaml", "path: http://127.0.0.1:9/\nheaders: {X-Mine: \"{{key}}\"}\ntimeout: 200ms\n")
        try sortie.write("ws/runs/one.yaml", "chain:\n  - {send: api/short}\n")
        let run = try await sortie.run(arguments + ["-w", "ws"])
        #expect(run.status == .exited(4) && run.errorOutput.hasPrefix("sortie: timedOut: "), "\(run)")
        #expect(run.errorOutput.contains("the command of the secret key did not end within 200ms"), "\(run)")
    }

    @Test(arguments: ["true", "echo"])
    func `a command that prints nothing is an error that names the secret, and nothing is sent`(command: String) async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(command: command, url: server.url)
        let run = try await sortie.run("send", "api/slow", "-w", "ws")
        #expect(run.failed(3, "workspace"), "\(run)")
        #expect(run.errorOutput.contains("the secret key comes from its command, which printed nothing"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `a command prompts on the terminal, and Ctrl-C ends both`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        try write(command: "printf 'Phrase: ' >&2; read phrase < /dev/tty; echo \"$phrase\"", url: server.url)
        let terminal = try await sortie.open("send", "api/slow", "-w", "ws")
        try await terminal.waitForText("Phrase:", within: Sortie.patience)
        terminal.type("open\r")
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        #expect(server.requests.first?["X-Mine"] == "open")
        let second = try await sortie.open("send", "api/slow", "-w", "ws")
        try await second.waitForText("Phrase:", within: Sortie.patience)
        second.press(.control("c"))
        #expect(try await second.exitStatus(within: Sortie.patience) == .exited(130))
        #expect(server.requests.count == 1)
    }
}
