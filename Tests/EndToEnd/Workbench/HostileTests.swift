import Support
import Testing

/// Tests that bytes from the network never control the terminal (`CONTRIBUTING.md`, rule 4).
@Suite(.serialized)
struct HostileTests {
    @Test(arguments: Bench.sizes) func `escape sequences of body and header are displayed as text`(
        size: Bench.Size
    ) async throws {
        let bench = try await Bench.demo(size)
        bench.send("Escape sequences")
        bench.press(.character("3"))
        try await bench.see("200 OK", "plain line", "␛[31mred␛[0m")
        bench.terminal.type("]")
        try await bench.see("X-Escape", "␛[31mred␛[0m")
        bench.terminal.type("[")
        try await bench.see("plain line")
        let screen = bench.terminal.display
        #expect(screen.systemCommands.isEmpty)
        #expect(screen.bells == 0)
        #expect(screen.title.isEmpty)
        #expect(screen.unrecognised.isEmpty)
        #expect(screen.isInAlternateScreen)
        #expect(screen.row(0).contains("Services"))
        #expect(screen.row(size.rows - 1).contains("Send"))
        #expect(!bench.terminal.rawOutput.contains(7))
        try await bench.quit()
    }

    @Test func `a hostile status line, URL and file name of the workspace are displayed as text`() async throws {
        let server = try ScriptedServer(
            answering: HTTPAnswer(status: 200, reason: "\u{1b}]0;taken\u{7}OK", body: Array("\u{9b}31m\u{202e}txt".utf8)))
        let bench = try await Bench.open([
            "api/get.yaml": "name: \"Na\\e]0;taken\\ame\"\npath: \(server.url)/\nquery: {q: \"\\e[2J\\r\"}\n"
        ])
        bench.press(.control("r"), .character("3"))
        try await bench.see("␛]0;taken␇OK")
        #expect(bench.terminal.display.title.isEmpty)
        #expect(bench.terminal.display.systemCommands.isEmpty)
        #expect(bench.terminal.display.bells == 0)
        #expect(bench.terminal.screen.contains("Services"))
        try await bench.quit()
    }

    @Test func `wide characters of a body keep the frame in place`() async throws {
        let bench = try await Bench.demo(.large)
        bench.send("Wide characters")
        bench.press(.character("3"))
        try await bench.see("你好，世界", "Boxes:")
        let screen = bench.terminal.display
        for row in 1..<8 { #expect(screen.cell(row: row, column: 199)?.text == "│", "row \(row): \(screen.row(row))") }
    }
}
