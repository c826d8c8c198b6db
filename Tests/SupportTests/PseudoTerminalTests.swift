import Testing

@testable import Support

@Suite(.timeLimit(.minutes(30))) struct PseudoTerminalTests {
    private func shell(_ script: String, size: (columns: Int, rows: Int) = (80, 24)) throws -> PseudoTerminal {
        try PseudoTerminal(running: "/bin/sh", arguments: ["-c", script], size: size)
    }

    @Test func `a program has a controlling terminal of the specified size`() async throws {
        let terminal = try shell("stty size </dev/tty; tty; echo $TERM", size: (100, 30))
        #expect(try await terminal.exitStatus() == .exited(0))
        #expect(terminal.row(0) == "30 100")
        #expect(terminal.row(1).hasPrefix("/dev/pts/"))
        #expect(terminal.row(2) == "xterm-256color")
    }

    @Test func `typed text reaches the program and a control key interrupts it`() async throws {
        let terminal = try shell("read name; echo hello $name; cat")
        terminal.type("world\n")
        try await terminal.waitForText("hello world")
        // A shell can lose the signal while it starts cat, so cat has to run: its line comes after that of the terminal.
        terminal.type("again\n")
        try await terminal.waitUntil("the line of cat") { $0.text.matches(of: /again/).count == 2 }
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus() == .signalled(2))
    }

    @Test func `a program is notified of a new size`() async throws {
        let terminal = try shell("trap 'stty size' WINCH; echo ready; while true; do read line; done")
        try await terminal.waitForText("ready")
        try terminal.resize(columns: 61, rows: 17)
        try await terminal.waitForText("17 61")
        #expect(terminal.display.columns == 61 && terminal.display.rowCount == 17)
    }

    @Test func `settings left by a program are visible after its end`() async throws {
        let terminal = try shell("stty raw -echo")
        try await terminal.exitStatus()
        let settings = try terminal.settings
        #expect(settings != terminal.settingsBefore && !settings.isEchoing && !settings.isCanonical)

        let tidy = try shell("saved=$(stty -g); stty raw -echo; stty $saved")
        try await tidy.exitStatus()
        #expect(try tidy.settings == tidy.settingsBefore)
    }

    @Test func `a full-screen program uses the alternate screen and restores the main one`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("long", (1...200).map { "line \($0)\n" }.joined())
        let terminal = try PseudoTerminal(running: "/usr/bin/less", arguments: [folder.path("long")], environment: ["LESS": ""])
        try await terminal.waitForText("line 23")
        #expect(terminal.isInAlternateScreen)
        #expect(terminal.row(0) == "line 1")
        terminal.press(.pageDown)
        try await terminal.waitForText("line 46")
        #expect(terminal.row(0) == "line 24")
        terminal.press(.up)
        try await terminal.waitUntil("line 23 on top") { $0.row(0) == "line 23" }
        terminal.type("q")
        #expect(try await terminal.exitStatus() == .exited(0))
        #expect(!terminal.isInAlternateScreen)
        #expect(terminal.display.unrecognised == [])
        #expect(try terminal.settings == terminal.settingsBefore)
    }

    @Test func `a frame of synchronized output is shown when it is complete, or the program has ended`() {
        var state = TerminalSession.State(VirtualScreen(columns: 20, rows: 2))
        func row(after text: String) -> String {
            state.take(Array(text.utf8))
            return state.screen.row(0)
        }
        #expect(row(after: "one") == "one")
        #expect(row(after: "\u{1b}[?2026h two") == "one")
        #expect(row(after: " three\u{1b}[?2026l") == "one two three")
        #expect(row(after: "\u{1b}[?2026h four") == "one two three")
        state.end()
        #expect(state.screen.row(0) == "one two three four")
    }

    @Test func `a program killed by a signal has that exit status`() async throws {
        let terminal = try shell("echo up; exec cat")
        try await terminal.waitForText("up")
        terminal.signal(15)
        #expect(try await terminal.exitStatus() == .signalled(15))
    }

    @Test func `an expired wait reports the screen, and a wait ends with the program`() async throws {
        let terminal = try shell("echo something else; read line; exit 3")
        try await terminal.waitForText("something else")
        let late = await #expect(throws: DeadlineExceeded.self) {
            try await terminal.waitForText("the text", within: .milliseconds(20))
        }
        #expect(late?.description.contains("|something else ") == true)
        terminal.press(.enter)
        let ended = await #expect(throws: ProgramEnded.self) { try await terminal.waitForText("the text", within: .seconds(300)) }
        #expect(ended?.status == .exited(3))
    }

    @Test func `all output before the end is on the screen`() async throws {
        let terminal = try shell("seq 1 20000; printf end")
        try await terminal.exitStatus()
        #expect(terminal.row(23) == "end" && terminal.row(22) == "20000")
    }

    @Test func `more input can be typed than the program reads at once`() async throws {
        let terminal = try shell("stty raw -echo; echo ready; head -c 200000 | wc -c")
        try await terminal.waitForText("ready")
        terminal.type(String(repeating: "x", count: 200_000))
        try await terminal.waitForText("200000")
    }

    @Test func `queries to the terminal get replies`() async throws {
        let terminal = try shell(#"stty raw -echo; printf '\033[6n'; head -c 6 | od -c"#)
        try await terminal.waitForText(#"033   [   1   ;   1   R"#)
    }
}
