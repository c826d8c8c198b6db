import Support
import Testing

/// Tests the workbench while the command of a secret waits.
@Suite(.serialized)
struct WaitingSecretTests {
    private func open(_ command: WaitingCommand, in sortie: Sortie, url: String) async throws -> Bench {
        try sortie.write("ws/workspace.yaml", "name: Trial\nsecrets:\n  key:\n    command: |\n      \(command.line)\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/asks.yaml", "name: Asks\npath: \(url)/slow\nheaders: {X-Mine: \"{{key}}\"}\n")
        try sortie.write("ws/api/fast.yaml", "name: Fast\npath: \(url)/fast\n")
        let bench = Bench(terminal: try await sortie.open("ws"), sortie: sortie)
        try await bench.see("Services", "Request", "Response", "Api")
        return bench
    }

    @Test func `Ctrl-C ends the command and the request, and the next request starts the command again`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer { _ in .ok("it came") }
        let command = try WaitingCommand(in: sortie.home)
        let bench = try await open(command, in: sortie, url: server.url)
        // The first endpoint is already open; with one chosen by a filter, the filter would take the keys.
        bench.press(.control("r"))
        try await command.waitUntilStarted()
        bench.press(.control("c"))
        try await command.waitUntilGone()
        try await bench.see("cancelled before it was sent")
        try await bench.seeNoMore("in flight")
        #expect(server.requests.isEmpty)
        bench.send("Fast")
        try await bench.see("200 OK", "it came")
        try await bench.quit()
    }

    @Test func `another request is sent while the command waits`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer { _ in .ok("it came") }
        let command = try WaitingCommand(in: sortie.home)
        let bench = try await open(command, in: sortie, url: server.url)
        bench.press(.control("r"))
        try await command.waitUntilStarted()
        bench.send("Fast")
        try await bench.see("200 OK", "it came")
        #expect(server.requests.map(\.target) == ["/fast"])
        try command.answer("value")
        #expect(try await server.waitForRequests(2, within: Sortie.patience).last?["X-Mine"] == "value")
    }

    @Test func `Esc ends the command that a replay needs before its plan is shown`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer { _ in .ok("it came") }
        let command = try WaitingCommand(in: sortie.home)
        let first = try await open(command, in: sortie, url: server.url)
        first.press(.control("r"))
        try await command.waitUntilStarted()
        try command.answer("value")
        try await first.see("200 OK", "it came")
        try await first.quit()
        let second = try WaitingCommand(in: sortie.home, name: "second")
        let bench = try await open(second, in: sortie, url: server.url)
        bench.terminal.type("H")
        try await bench.terminal.waitUntil("a row of the history", within: Sortie.patience) { $0.text.contains(/\d\d:\d\d:\d\d +api/) }
        bench.press(.control("r"))
        try await second.waitUntilStarted()
        bench.press(.escape)
        try await second.waitUntilGone()
        try await bench.quit()
        #expect(server.requests.count == 1)
    }

    @Test func `Esc ends a dry run that waits for a command`() async throws {
        let sortie = try Sortie()
        let command = try WaitingCommand(in: sortie.home)
        let bench = try await open(command, in: sortie, url: "http://127.0.0.1:9")
        bench.press(.character("2"), .character("v"))
        try await command.waitUntilStarted()
        bench.press(.escape)
        // It is displayed for some seconds.
        try await bench.see("The dry run was cancelled")
        try await command.waitUntilGone()
        try await bench.quit()
    }

    @Test func `Quit ends the command`() async throws {
        let sortie = try Sortie()
        let command = try WaitingCommand(in: sortie.home)
        let bench = try await open(command, in: sortie, url: "http://127.0.0.1:9")
        // The first endpoint is already open; with one chosen by a filter, the filter would take the keys.
        bench.press(.control("r"))
        try await command.waitUntilStarted()
        bench.press(.control("q"))
        try await bench.see("Quit?")
        bench.press(.down, .enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
        try await command.waitUntilGone()
    }
}
