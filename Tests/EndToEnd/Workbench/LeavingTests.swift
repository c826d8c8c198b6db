import Glibc
import Support
import Testing

/// Tests that the terminal is restored on every kind of exit.
@Suite(.serialized)
struct LeavingTests {
    private func open() async throws -> Bench {
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: http://127.0.0.1:9/\n"])
        #expect(bench.terminal.isInAlternateScreen)
        #expect(try bench.terminal.settings != bench.terminal.settingsBefore)
        return bench
    }

    @Test func `Ctrl-Q quits with exit code 0`() async throws {
        try await open().quit()
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT]) func `SIGTERM restores the terminal`(signal: Int32) async throws {
        let bench = try await open()
        bench.terminal.signal(signal)
        _ = try await bench.terminal.exitStatus(within: Sortie.patience)
        try bench.expectTerminalIsGivenBack()
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGABRT]) func `a signal ends the program also while the terminal takes no output`(signal: Int32) async throws
    {
        let bench = try await open()
        try await bench.terminal.holdOutput()
        // Draws the list of keys, which the terminal does not take.
        bench.press(.character("?"))
        bench.terminal.signal(signal)
        _ = try await bench.terminal.exitStatus(within: Sortie.patience)
        #expect(try bench.terminal.settings == bench.terminal.settingsBefore)
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGILL, SIGQUIT])
    func `a crash restores the terminal and is still reported as a crash`(signal: Int32) async throws {
        let bench = try await open()
        bench.terminal.signal(signal)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .signalled(signal))
        try bench.expectTerminalIsGivenBack()
    }

    @Test(.enabled(if: access("/bin/bash", X_OK) == 0))
    func `Ctrl-Z returns the terminal to the shell, and fg takes it again`() async throws {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        let lines = "set -m; \"$SORTIE\" ws; echo it has stopped; read line; fg > /dev/null; echo it ended with $?"
        let bench = Bench(terminal: try await sortie.openShell(lines), sortie: sortie)
        try await bench.see("Services", "Api")
        bench.press(.control("z"))
        try await bench.see("it has stopped")
        try bench.expectTerminalIsGivenBack()
        bench.press(.enter)
        try await bench.see("Services", "Api")
        #expect(bench.terminal.isInAlternateScreen)
        bench.press(.control("q"))
        try await bench.see("it ended with 0")
        try bench.expectTerminalIsGivenBack()
    }

    @Test func `SIGTERM during a request restores the terminal`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .wait(for: gate)])
        let bench = try await Bench.open(["api/late.yaml": "name: Late\npath: \(server.url)/\n"])
        bench.press(.control("r"))
        try await gate.waitUntilReached(within: Sortie.patience)
        bench.terminal.signal(SIGTERM)
        _ = try await bench.terminal.exitStatus(within: Sortie.patience)
        try bench.expectTerminalIsGivenBack()
        gate.open()
    }
}
