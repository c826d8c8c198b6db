import Support
import Testing

/// Tests the settings file with the real program.
@Suite(.serialized) struct UserSettingsTests {
    private func bench(_ text: String, _ size: Bench.Size = .small, seeing first: String = "Services") async throws -> Bench {
        let sortie = try Sortie()
        try sortie.home.write("config/sortie/config.yaml", text)
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        let bench = Bench(terminal: try await sortie.open("ws", size: (size.columns, size.rows)), sortie: sortie)
        try await bench.see("Services", "Request", "Response", first)
        return bench
    }

    @Test(arguments: Bench.sizes) func `a change of the file applies while the program runs`(size: Bench.Size) async throws {
        let bench = try await bench("keys: {Help: F2}\n", size)
        try await bench.see("F2 Help")
        try bench.sortie.home.write("config/sortie/config.yaml", "keys: {Help: F3}\ntheme: contrast\nmouse: false\n")
        try await bench.see("F3 Help")
        try await bench.terminal.waitUntil("no reports of the mouse", within: Sortie.patience) { !$0.isMouseReported }
        try await bench.quit()
    }

    @Test func `an emoji sequence is written as a whole with that setting, and its first emoji without it`() async throws {
        let family = "👩\u{200D}👩\u{200D}👧"
        for (setting, texts) in [("whole", (written: family + "|", other: "👩|")), ("first", (written: "👩|", other: family))] {
            let sortie = try Sortie()
            try sortie.home.write("config/sortie/config.yaml", "emoji: \(setting)\n")
            try sortie.write("ws/workspace.yaml", "name: Trial\n")
            try sortie.write("ws/api/service.yaml", "name: \"\(family)| Families\"\n")
            try sortie.write("ws/api/list.yaml", "path: http://127.0.0.1:9/\n")
            let bench = Bench(terminal: try await sortie.open("ws"), sortie: sortie)
            try await bench.see("Families")
            let output = String(decoding: bench.terminal.rawOutput, as: UTF8.self)
            #expect(output.contains(texts.written) && !output.contains(texts.other), "\(output.debugDescription)")
            try await bench.quit()
        }
    }

    @Test(arguments: [8, 16])
    func `no more colours are used than the settings permit, and texts differ in theirs`(count: Int) async throws {
        let server = try ScriptedServer { _ in .json("{\"name\": \"x\", \"count\": 3}") }
        let sortie = try Sortie()
        try sortie.home.write("config/sortie/config.yaml", "colors: \(count)\n")
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/a.yaml", "name: First\npath: \(server.url)/a\n")
        let bench = Bench(terminal: try await sortie.open("ws", size: (200, 50)), sortie: sortie, server: server)
        try await bench.see("First")
        bench.send("First")
        try await bench.see("200 OK", "\"count\": 3")
        let styles = bench.terminal.display.cells.joined().map(\.style)
        let used = Set(styles.flatMap { [$0.foreground, $0.background] }.compactMap(\.self))
        let permitted = Set((0..<count).map(ScreenColor.indexed))
        #expect(used.isSubset(of: permitted) && used.count >= 4, "\(used)")
        // A border in grey is one of the bright colours, which a terminal of 8 colours lacks.
        #expect(used.contains(.indexed(8)) == (count == 16), "\(used)")
        try await bench.quit()
    }

    @Test func `a theme that is chosen applies, and only its line of the file is written`() async throws {
        let bench = try await bench("mouse: true # mine\n", .large)
        bench.terminal.type(",")
        try await bench.see("theme", "automatic", "layout.services")
        bench.press(.enter)
        try await bench.see("solarized-dark", "gruvbox")
        bench.press(.down, .enter)
        try await bench.see("The settings were applied")
        #expect(String(decoding: try bench.sortie.home.read("config/sortie/config.yaml"), as: UTF8.self) == "mouse: true # mine\ntheme: dark\n")
        bench.press(.escape)
        // Escape and a key that follow each other at once are one key with Alt.
        try await bench.seeNoMore("layout.services")
        try await bench.quit()
    }

    @Test func `one invalid line is reported and the rest applies`() async throws {
        // The message at the start is displayed for some seconds.
        let bench = try await bench("theme: drak\nkeys: {Help: F2}\n", .large, seeing: "did you mean “dark”?")
        try await bench.see("F2 Help")
        bench.terminal.type(",")
        try await bench.see("Settings", "Invalid; the defaults apply", "line 1:", "theme must be one of")
    }

    @Test func `sortie config --check names the place of each invalid line and ends with 3`() async throws {
        let sortie = try Sortie()
        let file = try sortie.home.write("config/sortie/config.yaml", "theme: drak\nkeys: {Hepl: x}\nmouse: true\n")
        let run = try await sortie.run("config", "--check")
        #expect(run.status == .exited(3))
        #expect(run.output.contains("\(file):1:8: theme must be one of") && run.output.contains("\(file):2:8: there is no command “Hepl”"), "\(run)")
        try sortie.home.write("config/sortie/config.yaml", "theme: dark\n")
        let again = try await sortie.run("config", "--check")
        #expect(again.status == .exited(0) && again.output.isEmpty)
    }

    @Test func `sortie config creates the file, opens it in the editor and checks it`() async throws {
        let sortie = try Sortie()
        let path = try await sortie.run("config", "--path")
        #expect(path.output == sortie.home.path("config/sortie/config.yaml") + "\n")
        let terminal = try await sortie.openShell("EDITOR='sed -i s/.*theme:.automatic.*/theme:\\ none/' \"$SORTIE\" config; echo ended $?")
        try await terminal.waitUntil("the report", within: Sortie.patience) { $0.contains("theme must be one of") && $0.contains("ended 3") }
        #expect(String(decoding: try sortie.home.read("config/sortie/config.yaml"), as: UTF8.self).contains("theme: none"))
        let refused = try await sortie.run("config")
        #expect(refused.status == .exited(2) && refused.errorOutput.contains("the editor needs a terminal"))
    }
}
