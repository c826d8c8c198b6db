import Foundation
import Glibc
import Support
import Testing

/// The films of the README and the guide: sessions of the real program with the demo.
///
/// `make pictures` writes them. Otherwise each session is repeated, and the text of each screen is compared with that of the film, as that of pictures is.
@Suite(.serialized) struct TourTests {
    @Test func `the tour shows the program, from a pasted curl command to a download that continues after kill -9`() async throws {
        var film = try Recording("tour")
        // A download continues only from the same URL, so both demos have one port: of those that servers with any port never get.
        let port = 10_000 + Int(getpid()) % 20_000
        var bench = try await Bench.demo(port: port)
        try await bench.see("List orders")
        try await film.take(bench, "sortie demo: services on the left, the request above its response")

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
        bench = Bench(terminal: try await bench.sortie.open("demo", "--port", "\(port)", size: (80, 24)), sortie: bench.sortie)
        try await bench.see("Services", "Slow download")
        bench.terminal.type("T")
        try await bench.see("↓ Slow download", "unfinished")
        try await film.take(bench, "kill -9, and again sortie demo: what arrived is there")
        bench.terminal.type("r")
        try await bench.see("↓ Slow download", "B/s")
        try await film.take(bench, "r resumes it at the byte where it ended", seconds: 5)
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
    /// - Parameter heading: The first row of a popup that is not compared; nil compares all.
    mutating func take(_ bench: Bench, _ caption: String, seconds: Double = 3.5, before heading: String? = nil) async throws {
        if GeneratedDocument.isUpdating {
            try await bench.seeNoMessage()
            film.append(bench.terminal.display, caption, seconds: seconds)
            return
        }
        let film = try #require(expected.first, "the film has no screen “\(caption)”; make pictures writes it")
        let screen = PictureText.comparable(film, before: heading)
        expected.removeFirst()
        let what = "the screen “\(caption)” of \(document.path); if that is stale, make pictures writes it"
        try await bench.terminal.waitUntil(what, within: Sortie.patience) {
            PictureText.comparable($0.pictureText, before: heading) == screen
        }
    }

    func write() throws {
        if GeneratedDocument.isUpdating { try PictureText.stable(film.svg).write(to: document.url, atomically: true, encoding: .utf8) }
    }
}
