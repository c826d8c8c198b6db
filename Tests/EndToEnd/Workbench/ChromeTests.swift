import Support
import Testing

/// Tests what surrounds the contents: labels to jump to, messages, remembered sizes, characters, marks of cut lines, bars of runs.
@Suite(.serialized)
struct ChromeTests {
    private static let endpoint = ["api/list.yaml": "name: List\npath: http://127.0.0.1:9/list\nquery: {page: 1}\n"]

    @Test(arguments: [Bench.Size(80, 24), Bench.Size(40, 10)], ["", "1"])
    func `jump mode goes to a tab and to a pane by one letter, with and without colours`(size: Bench.Size, noColour: String) async throws {
        let bench = try await Bench.open(Self.endpoint, size, environment: noColour.isEmpty ? [:] : ["NO_COLOR": noColour])
        bench.terminal.type("'")
        try await bench.see("Jump ·")
        // Services, Request and Response come first, then the tabs of the bottom pane.
        bench.terminal.type("j")
        try await bench.see("History", "is empty")
        bench.press(.control("g"))
        try await bench.see("Jump ·")
        bench.press(.escape)
        try await bench.seeNoMore("Jump ·")
        bench.press(.control("g"))
        try await bench.see("Jump ·")
        bench.terminal.type("s")
        try await bench.seeNoMore("Jump ·")
        bench.terminal.type("p")
        // The field shows the end of the URL.
        try await bench.see("/list?page=1")
        bench.press(.control("g"))
        try await bench.see("Jump ·")
        bench.press(.escape)
        try await bench.seeNoMore("Jump ·")
        try await bench.quit()
    }

    @Test(arguments: [Bench.Size(80, 24), Bench.Size(40, 10)])
    func `a message that has disappeared is in the list of messages`(size: Bench.Size) async throws {
        let bench = try await Bench.open(Self.endpoint, size)
        bench.press(.control("s"))
        try await bench.see("no changes since")
        bench.press(.down)
        try await bench.seeNoMore("no changes since")
        bench.press(.function(8))
        try await bench.see("Messages", "! There are no changes", "Esc")
        bench.press(.escape)
        try await bench.seeNoMore("Messages")
        try await bench.quit()
    }

    @Test func `moved borders, the zoom and folded rows are those of the last session`() async throws {
        let bench = try await Bench.open(Self.endpoint)
        let before = bench.firstRow
        // The open endpoint is selected; the row above it is its service.
        bench.terminal.type(">>>k ")
        try await bench.see("▸ Api")
        let moved = bench.firstRow
        #expect(moved != before)
        try await bench.quit()
        let again = Bench(terminal: try await bench.sortie.open("ws"), sortie: bench.sortie)
        try await again.see("▸ Api")
        #expect(again.firstRow == moved)
        again.terminal.type("2z")
        try await again.seeNoMore("Services")
        try await again.quit()
        let zoomed = Bench(terminal: try await bench.sortie.open("ws", size: (40, 10)), sortie: bench.sortie)
        try await zoomed.see("Request", "page")
        #expect(!zoomed.terminal.display.text.contains("Services"))
        try await zoomed.quit()
    }

    @Test func `a locale without UTF-8 and the setting mean ASCII`() async throws {
        let server = try ScriptedServer { _ in .ok("caf\u{e9}") }
        let files = ["api/list.yaml": "name: List\npath: \(server.url)/list\n"]
        let bench = try await Bench.open(files, environment: ["LC_ALL": "C"])
        try await bench.see("+ Services -", "v Api")
        bench.press(.control("r"))
        try await bench.see("200 OK . ", "caf?")
        #expect(bench.terminal.display.text.unicodeScalars.allSatisfy { $0.isASCII }, "\(bench.terminal.display.text)")
        try await bench.quit()
        try bench.sortie.home.write("config/sortie/config.yaml", "characters: ascii\n")
        let chosen = Bench(terminal: try await bench.sortie.open("ws"), sortie: bench.sortie)
        try await chosen.see("+ Services -")
        try bench.sortie.home.write("config/sortie/config.yaml", "characters: unicode\n")
        try await chosen.see("┌ Services ─")
        try await chosen.quit()
    }

    @Test func `without colours the focused title and the selected tab are in brackets`() async throws {
        let bench = try await Bench.open(Self.endpoint, environment: ["NO_COLOR": "1"])
        try await bench.see("[Services]", "[Params•]", "[Transfers]")
        bench.terminal.type("2]")
        try await bench.see("[Request]", "[Headers]", " Services ")
        bench.terminal.type("p")
        try await bench.see("[http://127.0.0.1:9/list", "]")
        bench.press(.escape)
        try await bench.seeNoMore("[http")
        try await bench.quit()
    }

    @Test func `a cut line has a mark at the side where it goes on`() async throws {
        let server = try ScriptedServer { _ in .ok((1...60).map { "word\($0)" }.joined(separator: " ")) }
        let bench = try await Bench.open(["api/list.yaml": "name: List\npath: \(server.url)/list\n"])
        bench.press(.control("r"))
        try await bench.see("word1 word2", "›")
        bench.terminal.type("3l")
        try await bench.see("‹")
        try await bench.quit()
    }

    @Test(arguments: [Bench.Size(80, 24), Bench.Size(40, 10)])
    func `the steps of a run are bars on one axis, and a failed one is marked`(size: Bench.Size) async throws {
        let server = try ScriptedServer { $0.target == "/bad" ? HTTPAnswer(status: 500, body: Array("no".utf8)) : .ok("it came") }
        let bench = try await Bench.open(
            [
                "api/good.yaml": "name: Good\npath: \(server.url)/good\n",
                "api/bad.yaml": "name: Bad\npath: \(server.url)/bad\nexpect: {status: 200}\n",
                "runs/both.yaml": "chain: [{send: api/good}, {send: api/bad}]\n",
            ], size)
        bench.terminal.type("G")
        bench.press(.control("r"))
        try await bench.see("failed")
        bench.terminal.type("Rz")
        try await bench.see("✓ good", "✗ bad", "█")
        // Forty columns have space for the end of the axis only.
        if size.columns >= 80 { try await bench.see("0─") }
        try await bench.quit()
    }

    @Test func `a download is started with its own options, after an invalid one was corrected`() async throws {
        let server = try ScriptedServer { _ in .ok("it came") }
        let bench = try await Bench.open(["api/list.yaml": "name: List\npath: \(server.url)/list\n"])
        bench.press(.control("p"))
        bench.terminal.type("checksum\r")
        try await bench.see("Download List", "limit rate", "connections", "SHA-256")
        bench.press(.control("u"))
        bench.terminal.type("\(bench.sortie.work)/got.txt\tfast\r")
        try await bench.see("“fast” is not a number of bytes a second: write 2MB")
        bench.press(.control("u"), .tab, .space, .tab)
        bench.terminal.type("f8caa7b0209372341fe8347a6708e195e05b04801c16c0b23aa046493df2cf9f\r")
        try await bench.see("was saved")
        bench.terminal.type("T\r")
        try await bench.see("2 connections", "expected")
        bench.press(.escape)
        try await bench.seeNoMore("2 connections")
        try await bench.quit()
    }

    @Test(arguments: [Bench.Size(40, 10), Bench.Size(200, 50)])
    func `a click on a key in the footer executes its command, and a click on a row of the palette chooses it`(size: Bench.Size) async throws {
        let bench = try await Bench.open(Self.endpoint, size)
        try await bench.see("Commands")
        let key = try #require(bench.terminal.display.position(of: "Commands"))
        bench.terminal.click(row: key.row, column: key.column)
        try await bench.see("type a name")
        bench.terminal.type("url")
        // The whole word is typed, so that the list changes no more.
        try await bench.terminal.waitUntil("the row of the URL", within: Sortie.patience) { $0.contains("│ url ") && $0.position(of: "URL ") != nil }
        let row = try #require(bench.terminal.display.position(of: "URL "))
        bench.terminal.click(row: row.row, column: row.column)
        try await bench.seeNoMore("Edit the path")
        // The field shows the end of the URL.
        try await bench.see("/list?page=1")
        bench.press(.enter)
        try await bench.quit()
    }

    @Test(arguments: [("?", "Keys for Services"), (",", "Settings"), ("a", "New")])
    func `a popup on the smallest screen has its keys in the footer`(key: String, title: String) async throws {
        let bench = try await Bench.open(Self.endpoint, Bench.Size(40, 10))
        bench.terminal.type(key)
        try await bench.see(title, "Esc Close")
        bench.press(.escape)
        try await bench.seeNoMore(title)
        try await bench.quit()
    }
}

extension Bench {
    /// The first row of the screen, which has the borders of the upper panes.
    fileprivate var firstRow: String { terminal.display.text.split(separator: "\n").first.map(String.init) ?? "" }
}
