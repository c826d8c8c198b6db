import Support
import Testing

/// Tests that help, the palette and the environments are displayed over the panes.
@Suite(.serialized)
struct PopupTests {
    @Test func `help lists the keys of the focused pane`() async throws {
        let bench = try await Bench.demo(.large)
        bench.press(.character("?"))
        try await bench.see("Keys for Services", "Open the endpoint", "Move up")
        bench.press(.escape)
        try await bench.seeNoMore("Keys for Services")
        bench.press(.character("2"), .character("?"))
        try await bench.see("Keys for Request", "Add a row")
    }

    @Test(arguments: Bench.sizes) func `F1 shows the part of the guide about what has the focus`(size: Bench.Size) async throws {
        let bench = try await Bench.demo(size)
        bench.press(.f1)
        try await bench.see("Guide", "sortie guide workspaces#endpoints", "One file each")
        bench.press(.f1)
        try await bench.seeNoMore("sortie guide workspaces")
        bench.press(.character("2"), .f1)
        try await bench.see("sortie guide requests")
    }

    @Test(arguments: Bench.sizes) func `Ctrl-P finds a command by a few letters and executes it`(size: Bench.Size) async throws {
        let bench = try await Bench.demo(size)
        bench.press(.control("p"))
        try await bench.see("Commands", "Esc closes")
        bench.terminal.type("quit sor")
        try await bench.see("Quit Sortie")
        bench.press(.enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
        try bench.expectTerminalIsGivenBack()
    }

    @Test func `Ctrl-E switches the environment of requests`() async throws {
        let server = try ScriptedServer { .ok("got \($0.target)") }
        let bench = try await Bench.open([
            "workspace.yaml": """
            name: Trial
            environment: red
            environments: {red: {variables: {v: "1"}}, blue: {variables: {v: "2"}}}

            """,
            "api/service.yaml": "name: Api\nservers: {red: [\"\(server.url)/r\"], blue: [\"\(server.url)/b\"]}\n",
            "api/get.yaml": "name: Get\npath: /x{{v}}\n",
        ])
        bench.press(.control("r"))
        try await bench.see("got /r/x1")
        bench.press(.control("e"))
        try await bench.see("Environment", "blue")
        bench.press(.down, .enter)
        try await bench.seeNoMore("Esc closes")
        bench.press(.control("r"))
        try await bench.see("got /b/x2", "blue")
    }

    @Test func `Ctrl-E shows the demo's environments`() async throws {
        let bench = try await Bench.demo()
        bench.press(.control("e"))
        try await bench.see("develop", "local", "Environment")
        bench.press(.escape)
        try await bench.seeNoMore("Esc closes")
        try await bench.quit()
    }
}
