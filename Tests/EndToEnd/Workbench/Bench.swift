import Support
import Testing

/// The workbench on a terminal with a separate workspace, and functions that control it.
struct Bench: Sendable {
    /// The terminal sizes of the tests: the smallest common one, and in a long run one with request and response side by side.
    ///
    /// What differs between sizes is drawn by functions, which `WorkbenchTests` test with both.
    static let sizes: [Size] = LongRun.isRequested ? [.small, .large] : [.small]

    struct Size: Sendable, CustomTestStringConvertible {
        static let small = Size(80, 24)
        static let large = Size(200, 50)

        let columns: Int
        let rows: Int

        init(_ columns: Int, _ rows: Int) { (self.columns, self.rows) = (columns, rows) }

        var testDescription: String { "\(columns)×\(rows)" }
    }

    // In this order, because the program must end before its home folder is removed.
    let terminal: PseudoTerminal
    let sortie: Sortie
    /// The server of the workspace's endpoints, retained while the workbench runs.
    var server: ScriptedServer?

    /// Opens the demo with its server.
    static func demo(_ size: Size = sizes[0], port: Int? = nil) async throws -> Bench {
        let sortie = try Sortie()
        let arguments = ["demo"] + (port.map { ["--port", "\($0)"] } ?? [])
        let bench = Bench(terminal: try await sortie.open(arguments, size: (size.columns, size.rows)), sortie: sortie)
        try await bench.see("Services", "Request", "Response", "Shop")
        return bench
    }

    /// Opens a workspace with these files, by relative path.
    static func open(
        _ files: [String: String], _ size: Size = sizes[0], environment: [String: String] = [:]
    ) async throws -> Bench {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        for (name, text) in files { try sortie.write("ws/\(name)", text) }
        let terminal = try await sortie.open("ws", size: (size.columns, size.rows), environment: environment)
        let bench = Bench(terminal: terminal, sortie: sortie)
        try await bench.see("Services", "Request", "Response", "Api")
        return bench
    }

    /// Waits until all these texts are on the screen at the same time.
    func see(_ texts: String...) async throws {
        let list = texts.map { "“\($0)”" }.joined(separator: ", ")
        try await terminal.waitUntil(list, within: Sortie.patience) { screen in texts.allSatisfy { screen.contains($0) } }
    }

    /// Waits until this text is no longer on the screen.
    func seeNoMore(_ text: String) async throws { try await terminal.waitForNoText(text, within: Sortie.patience) }

    /// Opens an endpoint by a part of its name, through the filter of Services, and sends it.
    func send(_ name: String) {
        choose(name)
        terminal.press(.control("r"))
    }

    /// Opens an endpoint by a part of its name, through the filter of Services.
    func choose(_ name: String) {
        terminal.type("1/\(name)\r")
    }

    /// Presses keys.
    func press(_ keys: TerminalKey...) { for key in keys { terminal.press(key) } }

    /// Quits with Ctrl-Q, and verifies that the terminal is restored.
    func quit() async throws {
        // A body is displayed before its request has ended, and quitting before that requires confirmation. Narrow screens do not have the number of
        // requests, so that the confirmation is dismissed until none is left.
        try await seeNoMore(" in flight")
        terminal.press(.control("q"))
        // Each repetition waits for the screen, and all together for the patience of a wait.
        let end = ContinuousClock.now + Sortie.patience
        while try await asksForRequests(), .now < end {
            terminal.press(.control("c"))
            try await seeNoMore("Quit?")
            terminal.press(.control("q"))
        }
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
        try expectTerminalIsGivenBack()
    }

    /// Waits for the end of the program, or for a question; true for the one that a request in flight causes.
    private func asksForRequests() async throws -> Bool {
        try await terminal.waitUntil("the end or a question", within: Sortie.patience) { $0.contains("Quit?") || !$0.isInAlternateScreen }
        let screen = terminal.display
        return screen.isInAlternateScreen && screen.contains("1 request in flight.")
    }

    /// Verifies that main screen, cursor and line settings are restored, and that mouse reporting and bracketed paste are off.
    func expectTerminalIsGivenBack() throws {
        let screen = terminal.display
        #expect(!screen.isInAlternateScreen)
        #expect(screen.isCursorVisible)
        #expect(!screen.isMouseReported)
        #expect(!screen.isPasteBracketed)
        #expect(try terminal.settings == terminal.settingsBefore)
    }
}
