import Foundation
import Support
import Testing

/// Tests what surrounds the contents: labels to jump to, messages, remembered sizes, characters, marks of cut lines, bars of runs.
@Suite(.serialized)
struct ChromeTests {
    private static let endpoint = ["api/list.yaml": "name: List\npath: http://127.0.0.1:9/list\nquery: {page: 1}\n"]

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

    @Test func `each change of the screen is one frame of synchronized output`() async throws {
        let bench = try await Bench.open(Self.endpoint)
        bench.terminal.type("T")
        try await bench.see("There are no transfers")
        // The same screen is sent again, as a whole.
        bench.press(.control("l"))
        try await bench.terminal.waitForOutput("the screen again", within: Sortie.patience) {
            String(decoding: $0, as: UTF8.self).components(separatedBy: "There are no transfers").count > 2
        }
        try await bench.quit()
        let output = String(decoding: bench.terminal.rawOutput, as: UTF8.self)
        let parts = output.split(separator: "\u{1b}[?2026h").map { $0.components(separatedBy: "\u{1b}[?2026l") }
        // The program enters the mode for the keys and the mouse before the first frame.
        let frames = parts.dropFirst()
        #expect(frames.contains { $0[0].contains("Services") } && frames.contains { $0[0].contains("There are no transfers") })
        #expect(frames.allSatisfy { $0.count == 2 && !$0[1].contains("─") } && parts[0].count == 1, "\(output.debugDescription)")
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
}

extension Bench {
    /// The first row of the screen, which has the borders of the upper panes.
    fileprivate var firstRow: String { terminal.display.text.split(separator: "\n").first.map(String.init) ?? "" }
}
