import Support
import Testing

/// The workbench on a terminal, with a workspace of its own, and the robot that uses it.
struct Bench: Sendable {
    /// The sizes at which everything has to work: the smallest usual one, and one with request and response side by side.
    static let sizes = [Size(80, 24), Size(200, 50)]

    struct Size: Sendable, CustomTestStringConvertible {
        let columns: Int
        let rows: Int

        init(_ columns: Int, _ rows: Int) { (self.columns, self.rows) = (columns, rows) }

        var testDescription: String { "\(columns)×\(rows)" }
    }

    // In this order, because the program is to end before its home goes.
    let terminal: PseudoTerminal
    let sortie: Sortie
    /// The server that the workspace's endpoints talk to, kept for as long as the workbench runs.
    var server: ScriptedServer?

    /// Opens the demo with its server.
    static func demo(_ size: Size = sizes[0]) async throws -> Bench {
        let sortie = try Sortie()
        let bench = Bench(terminal: try sortie.open("demo", size: (size.columns, size.rows)), sortie: sortie)
        try await bench.see("Services", "Request", "Response", "Behaviour")
        return bench
    }

    /// Opens a workspace with these files, by their paths in it.
    static func open(
        _ files: [String: String], _ size: Size = sizes[0], environment: [String: String] = [:]
    ) async throws -> Bench {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        for (name, text) in files { try sortie.write("ws/\(name)", text) }
        let terminal = try sortie.open("ws", size: (size.columns, size.rows), environment: environment)
        let bench = Bench(terminal: terminal, sortie: sortie)
        try await bench.see("Services", "Request", "Response", "Api")
        return bench
    }

    /// Waits until all these texts are on the screen at once.
    func see(_ texts: String...) async throws {
        let list = texts.map { "“\($0)”" }.joined(separator: ", ")
        try await terminal.waitUntil(list, within: Sortie.patience) { screen in texts.allSatisfy { screen.contains($0) } }
    }

    /// Waits until this text is gone.
    func seeNoMore(_ text: String) async throws { try await terminal.waitForNoText(text, within: Sortie.patience) }

    /// Opens an endpoint by a piece of its name, through the filter of Services, and sends it.
    func send(_ name: String) {
        choose(name)
        terminal.press(.control("r"))
    }

    /// Opens an endpoint by a piece of its name, through the filter of Services.
    func choose(_ name: String) {
        terminal.type("1/\(name)\r")
    }

    /// Presses keys.
    func press(_ keys: TerminalKey...) { for key in keys { terminal.press(key) } }

    /// Leaves with Ctrl-Q, and checks that the terminal is as it was.
    func quit() async throws {
        terminal.press(.control("q"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        try expectTerminalIsGivenBack()
    }

    /// The main screen, the cursor, and the line settings are the shell's again; mouse and framed pastes are off.
    func expectTerminalIsGivenBack() throws {
        let screen = terminal.display
        #expect(!screen.isInAlternateScreen)
        #expect(screen.isCursorVisible)
        #expect(!screen.isMouseReported)
        #expect(!screen.isPasteBracketed)
        #expect(try terminal.settings == terminal.settingsBefore)
    }
}
