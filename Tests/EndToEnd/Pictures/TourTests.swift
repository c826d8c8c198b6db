import Foundation
import Glibc
import Support
import Testing

/// The films of the README and the guide: sessions of the real program with the demo.
///
/// `make pictures` writes them. The text of each screen is not compared in other runs yet, because some screens depend on the ports that are free.
@Suite(.serialized, .enabled(if: GeneratedDocument.isUpdating)) struct TourTests {
    @Test func `the tour shows the program, from a pasted curl command to a download that continues after kill -9`() async throws {
        var film = try Recording("tour")
        var bench = try await Bench.demo()
        try await bench.see("List orders")
        try await film.take(bench, "sortie demo: services on the left, the request above its response")

        let port = try #require(bench.terminal.screen.firstMatch(of: /127\.0\.0\.1:(\d+)/)).1
        bench.terminal.paste("curl 'http://127.0.0.1:\(port)/orders?size=3' -H 'Authorization: Bearer 3f9aef0c1d2b4e5f'")
        try await bench.see("/orders •", "size    3", "Nothing was sent yet")
        try await film.take(bench, "A pasted curl command becomes a request, its token a secret of this machine")
        bench.press(.control("r"))
        try await bench.see("200 OK", "青花瓷茶杯")
        try await film.take(bench, "Ctrl-R sends it")
        bench.terminal.type("3f")
        try await bench.see("Filter")
        bench.terminal.type(".result.items[] | {id, title}\r")
        try await bench.see("\"id\": 3", "\"title\"")
        try await film.take(bench, "f filters the body as jq does, or by a JSON path")

        bench.press(.control("e"))
        try await bench.see("Environment", "New environment")
        try await film.take(bench, "Ctrl-E switches the environment")
        bench.press(.escape)
        try await bench.seeNoMore("New environment")
        bench.choose("checkout")
        bench.press(.control("r"))
        try await bench.see("finished", "4/4", "→ token")
        try await film.take(bench, "A run: steps use what earlier ones captured; r continues after a failure")

        bench.send("One order")
        try await bench.see("200 OK", "\"customer\"")
        bench.terminal.type("H")
        try await bench.see("GET     orders/detail           200", "checkout: private-ord")
        bench.terminal.type(" j c")
        try await bench.see("Compare  #")
        // The dates of the responses, which the rows below show, are equal or not.
        try await film.take(bench, "Space marks exchanges of the history, c compares them", before: "Header")
        bench.press(.escape)
        try await bench.seeNoMore("Compare  #")

        bench.send("Slow download")
        bench.terminal.type("T")
        try await bench.terminal.waitUntil("a tenth of the download", within: Sortie.patience) { $0.text.contains(/1\d %/) && $0.contains("B/s") }
        try await film.take(bench, "A download, with its rate and the time that is left")
        #expect(kill(bench.terminal.pid, SIGKILL) == 0)
        _ = try await bench.terminal.exitStatus(within: Sortie.patience)
        bench = Bench(terminal: try await bench.sortie.open("demo", size: (80, 24)), sortie: bench.sortie)
        try await bench.see("Services", "Slow download")
        bench.terminal.type("T")
        try await bench.see("↓ Slow download", "unfinished")
        // Whether the response names its server depends on the port of the second server.
        try await film.take(bench, "kill -9, and again sortie demo: what arrived is there", after: "Transfers")
        bench.terminal.type("r")
        try await bench.see("↓ Slow download", "B/s")
        try await film.take(bench, "r resumes it at the byte where it ended", seconds: 5, after: "Transfers")
        try film.write()
    }
}

/// Writes the screens of a session as a film, or compares them with it.
private struct Recording {
    private let document: GeneratedDocument
    private var film = Film()
    private var expected: [[String]] = []

    init(_ name: String) throws {
        document = GeneratedDocument("Sources/sortie/Documentation.docc/Resources/\(name).svg")
        if !GeneratedDocument.isUpdating { expected = Film.texts(ofSVG: try String(contentsOf: document.url, encoding: .utf8)) }
    }

    /// Adds the screen, with the sentence below it.
    ///
    /// - Parameters:
    ///   - heading: The first row of a popup that is not compared; nil compares all.
    ///   - title: The first row that is compared; nil compares all.
    mutating func take(
        _ bench: Bench, _ caption: String, seconds: Double = 3.5, before heading: String? = nil, after title: String? = nil
    ) async throws {
        if GeneratedDocument.isUpdating {
            try await bench.seeNoMessage()
            film.append(bench.terminal.display, caption, seconds: seconds)
            return
        }
        let film = try #require(expected.first, "the film has no screen “\(caption)”; make pictures writes it")
        @Sendable func compared(_ rows: [String]) -> [String] {
            PictureText.comparable(Array(rows.drop { row in title.map { !row.contains($0) } ?? false }), before: heading)
        }
        let screen = compared(film)
        expected.removeFirst()
        let what = "the screen “\(caption)” of \(document.path); if that is stale, make pictures writes it"
        try await bench.terminal.waitUntil(what, within: Sortie.patience) {
            compared($0.pictureText) == screen
        }
    }

    func write() throws {
        if GeneratedDocument.isUpdating { try PictureText.stable(film.svg).write(to: document.url, atomically: true, encoding: .utf8) }
    }
}
