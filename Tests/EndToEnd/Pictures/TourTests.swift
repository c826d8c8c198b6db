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
        try await bench.see("GET     orders/detail", "checkout: private-ord", "┌ Transfers  Runs  Log  History  Monitor")
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
        bench = try await bench.killedAndOpened(port: port)
        try await film.take(bench, "kill -9, and again sortie demo: what arrived is there")
        bench.terminal.type("r")
        try await bench.see("↓ Slow download", "B/s")
        try await film.take(bench, "r resumes it at the byte where it ended", seconds: 5)
        try film.write(title: "Sortie: a tour")
    }
}

/// Films of one feature each for the guide.
///
/// `make pictures` records them; the suite does not repeat them, because other tests prove the features.
@Suite(.serialized, .enabled(if: GeneratedDocument.isUpdating)) struct FilmTests {
    @Test func `the film of GraphQL shows a query, its response, and a mistake that the schema finds`() async throws {
        var film = try Recording("graphql")
        let bench = try await Bench.demo()
        bench.choose("GraphQL")
        try await bench.see("query Order", "Operation")
        try await film.take(bench, "A GraphQL body: the operation, the query and its variables")
        bench.press(.control("r"))
        try await bench.see("200 OK", "\"price\"")
        try await film.take(bench, "Ctrl-R sends it as JSON; errors of the response would fail the request")
        bench.press(.character("2"), .down, .down, .down, .down, .enter)
        try await bench.see("2   order(id: $id)")
        bench.press(.control(" "))
        try await bench.see("The schema has")
        try await film.take(bench, "Ctrl-Space reads the schema of the server")
        bench.press(.end, .left, .left)
        bench.terminal.type(" titl")
        try await bench.see("did you mean title?", "Tab inserts")
        try await film.take(bench, "Fields are completed and compared with the schema while they are typed", seconds: 5)
        bench.press(.tab)
        try await bench.seeNoMore("did you mean")
        bench.press(.escape, .control("r"))
        try await bench.see("200 OK")
        try await film.take(bench, "Tab inserts the field, and Ctrl-R sends the query again")
        try film.write(title: "Sortie: GraphQL")
    }

    @Test func `the film of downloads shows a limit, a killed program and the resumed file`() async throws {
        var film = try Recording("download")
        let port = 10_000 + (Int(getpid()) + 1) % 20_000
        var bench = try await Bench.demo(port: port)
        bench.choose("Slow download")
        try await bench.see("files/slow")
        try await film.take(bench, "An endpoint with kind: download")
        bench.press(.control("r"))
        bench.terminal.type("T")
        try await bench.terminal.waitUntil("a tenth of the download", within: Sortie.patience) { $0.text.contains(/1\d %/) && $0.contains("B/s") }
        try await film.take(bench, "Ctrl-R starts it; T shows the transfers with their rates")
        bench.terminal.type("p")
        try await bench.see("⏸ ↓ Slow download")
        try await film.take(bench, "p pauses it, and again p continues it")
        bench.terminal.type("p")
        try await bench.terminal.waitUntil("a second tenth", within: Sortie.patience) { $0.text.contains(/2\d %/) && $0.contains("B/s") }
        bench = try await bench.killedAndOpened(port: port)
        try await film.take(bench, "After kill -9 and a new start, what arrived is there")
        bench.terminal.type("r")
        try await bench.terminal.waitUntil("more than was there", within: Sortie.patience) { $0.text.contains(/[3-9]\d %/) && $0.contains("B/s") }
        try await film.take(bench, "r continues with the next byte, unless the file of the server has changed", seconds: 5)
        try film.write(title: "Sortie: a download that is killed")
    }

    @Test func `the film of contracts shows what a response has that its description does not permit`() async throws {
        var film = try Recording("contract")
        let demo = try await DemoProcess.shared
        let description = """
            openapi: 3.1.0
            info: {title: Shop, version: "1"}
            paths:
              /orders:
                get:
                  parameters:
                    - {name: size, in: query, schema: {type: integer, maximum: 1}}
                  responses:
                    "200":
                      description: Orders
                      content:
                        application/json:
                          schema:
                            properties:
                              result:
                                properties:
                                  items: {items: {properties: {id: {type: string}, price: {type: number}}}}

            """
        let bench = try await Bench.open([
            "workspace.yaml": "name: Shop\nenvironment: develop\nenvironments: {develop: {}}\n",
            "api/service.yaml": "name: Api\nservers: {develop: [\"http://\(demo.authority)\"]}\ncontract: {openapi: shop.yaml}\n",
            "api/orders.yaml": "name: List orders\npath: /orders\nquery: {size: 2, colour: red}\n", "api/shop.yaml": description,
        ])
        bench.send("List orders")
        try await bench.see("200 OK", "not as described")
        try await film.take(bench, "contract: {openapi: shop.yaml} of the service compares each exchange")
        bench.terminal.type("3[z")
        try await bench.see("not compared", "query size", "not in the description")
        try await film.take(bench, "Checks has the place, what the description says with its line, and the value", seconds: 6)
        try film.write(title: "Sortie: contracts")
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

    /// Writes the film as an image, and beside it as an asciicast for `asciinema play`.
    func write(title: String = "Sortie") throws {
        guard GeneratedDocument.isUpdating else { return }
        try PictureText.stable(film.svg).write(to: document.url, atomically: true, encoding: .utf8)
        let cast = document.url.deletingPathExtension().appendingPathExtension("cast")
        try PictureText.stable(film.asciicast(title: title)).write(to: cast, atomically: true, encoding: .utf8)
    }
}

extension Bench {
    /// Kills the program during its download, and opens the transfers of the next one, whose demo has the same port.
    fileprivate func killedAndOpened(port: Int) async throws -> Bench {
        #expect(kill(terminal.pid, SIGKILL) == 0)
        _ = try await terminal.exitStatus(within: Sortie.patience)
        let next = Bench(terminal: try await sortie.open("demo", "--port", "\(port)", size: (80, 24)), sortie: sortie)
        try await next.see("Services", "Slow download")
        next.terminal.type("T")
        try await next.see("↓ Slow download", "unfinished")
        return next
    }
}
