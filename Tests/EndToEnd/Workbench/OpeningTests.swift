import Support
import Testing

/// Tests that the workbench opens at every size and displays its stable labels.
@Suite(.serialized)
struct OpeningTests {
    @Test(arguments: Bench.sizes) func `the demo opens with panes, endpoints and keys`(size: Bench.Size) async throws {
        let bench = try await Bench.demo(size)
        try await bench.see("Services", "Request", "Response", "Transfers", "Runs", "Log", "History", "Monitor")
        try await bench.see("Shop", "Params", "Headers", "Auth", "^R Send", "^P Commands", "? Help")
        #expect(bench.terminal.isInAlternateScreen)
        #expect(bench.terminal.display.isMouseReported)
        #expect(bench.terminal.display.isPasteBracketed)
        #expect(bench.terminal.display.unrecognised.isEmpty)
        try await bench.quit()
    }

    @Test(arguments: Bench.sizes) func `the first endpoint of the demo succeeds and displays its description`(size: Bench.Size) async throws {
        let bench = try await Bench.demo(size)
        try await bench.see("List orders", "Orders by page.")
        bench.press(.control("r"))
        try await bench.see("200 OK")
        try await bench.quit()
    }

    @Test func `sortie without arguments opens the workspace of the current folder`() async throws {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: Here\n")
        try sortie.write("api/service.yaml", "name: Standing here\n")
        try sortie.write("api/get.yaml", "name: Get it\npath: http://127.0.0.1:9/\n")
        let bench = Bench(terminal: try await sortie.open(), sortie: sortie)
        try await bench.see("Standing here", "Get it")
        try await bench.quit()
    }

    @Test(arguments: [Bench.Size(39, 24), Bench.Size(80, 9), Bench.Size(20, 5)])
    func `below 40×10 a message is displayed, and Ctrl-Q still quits`(size: Bench.Size) async throws {
        let sortie = try Sortie()
        let bench = Bench(terminal: try await sortie.open("demo", size: (size.columns, size.rows)), sortie: sortie)
        try await bench.see("Sortie needs 40")
        #expect(!bench.terminal.screen.contains("Services"))
        try await bench.quit()
    }

    @Test func `a request can be sent at 40×10`() async throws {
        let server = try ScriptedServer(answering: .ok("it fits"))
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"], .init(40, 10))
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK", "it fits")
        try await bench.quit()
    }

    @Test func `a workspace with problems opens and displays their number`() async throws {
        let bench = try await Bench.open([
            "api/bad.yaml": "name: Bad\npath: [\n", "api/good.yaml": "name: Good one\npath: http://127.0.0.1:9/\n",
        ])
        try await bench.see("Good one", "1 problem")
        try await bench.quit()
    }

    @Test func `--no-color and NO_COLOR disable colours`() async throws {
        let sortie = try Sortie()
        for terminal in [try await sortie.open("demo", "--no-color"), try await sortie.open("demo", environment: ["NO_COLOR": "1"])] {
            try await Bench(terminal: terminal, sortie: sortie).see("Services", "Shop")
            let styles = terminal.display.cells.joined().map(\.style)
            #expect(styles.allSatisfy { $0.foreground == nil && $0.background == nil })
        }
    }
}
