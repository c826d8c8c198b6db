import Support
import Testing

/// Tests the keymaps of vi and Emacs with the real program.
@Suite(.serialized) struct KeymapRobotTests {
    /// Opens a workspace of forty endpoints with this keymap.
    private func bench(_ keymap: String) async throws -> Bench {
        let sortie = try Sortie()
        try sortie.home.write("config/sortie/config.yaml", "keymap: \(keymap)\n")
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        for number in 10..<50 { try sortie.write("ws/api/e\(number).yaml", "name: Number \(number)\npath: http://127.0.0.1:9/\(number)\n") }
        let bench = Bench(terminal: try await sortie.open("ws"), sortie: sortie)
        try await bench.see("Api", "Number 10")
        bench.terminal.type("1g")
        return bench
    }

    @Test func `in vi's keymap control keys move by pages and a colon opens the palette`() async throws {
        let bench = try await bench("vi")
        bench.press(.control("d"), .control("f"), .control("f"), .control("f"), .enter)
        try await bench.see("Number 49", "http://127.0.0.1:9/49")
        bench.terminal.type("1")
        bench.press(.control("u"), .control("b"), .control("b"), .control("b"), .down, .enter)
        try await bench.see("Number 10", "http://127.0.0.1:9/10")
        bench.terminal.type(":")
        try await bench.see("Commands", "type a name")
        bench.terminal.type("q")
        try await bench.see("Quit Sortie")
        bench.press(.enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
    }

    @Test func `in the keymap of Emacs control keys move, search and leave, and Alt-x opens the palette`() async throws {
        let bench = try await bench("emacs")
        bench.press(.control("n"), .control("n"), .control("n"), .control("p"), .enter)
        try await bench.see("http://127.0.0.1:9/11")
        bench.terminal.type("1")
        bench.press(.alt(.character(">")), .enter)
        try await bench.see("Number 49", "http://127.0.0.1:9/49")
        bench.terminal.type("1")
        bench.press(.alt(.character("<")), .control("v"), .alt(.character("v")), .control("n"), .enter)
        try await bench.see("http://127.0.0.1:9/10")
        bench.terminal.type("1")
        bench.press(.control("s"))
        bench.terminal.type("Number 33\r")
        try await bench.see("http://127.0.0.1:9/33")
        try await bench.seeNoMore("Number 10")
        bench.terminal.type("1")
        bench.press(.control("g"))
        try await bench.see("Number 32", "Number 34")
        bench.press(.alt(.character("x")))
        try await bench.see("Commands", "type a name")
        bench.press(.control("g"))
        try await bench.seeNoMore("type a name")
        try await bench.quit()
    }
}
