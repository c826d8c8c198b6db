import Foundation
import Glibc
import Support
import Testing

/// The films of the README and the guide: sessions of the real program with the demo.
///
/// `make pictures` writes them. Otherwise each session is repeated, and the text of each screen is compared with that of the film, as that of pictures is.
@Suite(.serialized) struct TourTests {
    @Test func `the tour shows the program, from a pasted curl command to a download that resumes after kill -9`() async throws {
        var film = try Recording("tour")
        // A download continues only from the same URL, so both demos have one port: of those that servers with any port never get.
        let port = 10_000 + Int(getpid()) % 20_000
        var bench = try await Bench.demo(port: port)
        try await bench.see("List orders", "Nothing was sent yet", "? Help")
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
        try await bench.see("Environment", "New environment", "Enter Choose")
        try await film.take(bench, "Ctrl-E switches the environment")
        bench.press(.escape)
        try await bench.seeNoMore("New environment")
        bench.choose("checkout")
        bench.press(.control("r"))
        try await bench.see("finished", "4/4", "→ token")
        try await film.take(bench, "A run: steps use what earlier ones captured; r resumes it after a failure")

        bench.send("One order")
        try await bench.see("200 OK", "\"customer\"")
        bench.terminal.type("H")
        try await bench.see("checkout: private-ord", "┌ Transfers  Runs  Log  History  Monitor")
        // The run has sent the same endpoint; the exchange of One order arrives last.
        try await bench.terminal.waitUntil("both exchanges of One order", within: Sortie.patience) {
            $0.text.matches(of: /GET +orders\/detail/).count == 2
        }
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
/// A screen is recorded when its last row, the footer, is there, because a terminal shows rows as they arrive.
@Suite(.serialized) struct FilmTests {
    private static let shop = [
        "workspace.yaml": "name: Shop\nenvironment: develop\nenvironments: {develop: {variables: {page: \"1\"}}}\n",
        "api/login.yaml": "name: Log in\nmethod: POST\npath: /login\nbody: {json: {username: demo, password: sortie}}\n",
        "api/orders.yaml": "name: My orders\npath: /private/orders\n",
    ]

    /// Opens a workspace of two endpoints with the server of the demo.
    private func open(_ files: [String: String] = [:]) async throws -> Bench {
        let demo = try await DemoProcess.shared
        var all = Self.shop
        all["api/service.yaml"] = "name: Api\nservers: {develop: [\"http://\(demo.authority)\"]}\n"
        all.merge(files) { $1 }
        return try await Bench.open(all)
    }

    @Test func `the film of a first request shows a POST with a field, JSON and a token, typed with thirteen keys`() async throws {
        var film = try Recording("request")
        let demo = try await DemoProcess.shared
        let sortie = try Sortie()
        let bench = Bench(terminal: try await sortie.open(size: (80, 24)), sortie: sortie)
        try await bench.see("type a URL")
        bench.terminal.type("http://\(demo.authority)/echo")
        bench.press(.tab, .character("]"), .character("a"))
        bench.terminal.type("X-Trace\t77\r")
        try await bench.see("[x] X-Trace", "^S Save")
        try await film.take(bench, "sortie in any folder: a URL, ] for the next tab, a adds a header field")
        bench.press(.character("]"), .enter)
        try await bench.see("application/json", "Enter Choose")
        try await film.take(bench, "Enter lists the kinds of body; JSON is selected")
        bench.press(.enter)
        try await bench.see("{}")
        bench.terminal.type("\"title\": \"Teacup\"")
        try await bench.see("Teacup")
        try await film.take(bench, "The body is checked while it is typed; GET becomes POST")
        bench.press(.escape)
        try await bench.seeNoMore("Esc Leave")
        bench.press(.character("]"), .enter, .enter)
        try await bench.see("Token")
        bench.terminal.type("a-token")
        bench.press(.control("r"))
        try await bench.see("200 OK", "\"POST\"", "token in clear text")
        try await film.take(bench, "Auth has Bearer selected; Ctrl-R sends, also while a field is edited", seconds: 5)
        try film.write(title: "Sortie: a first request")
    }

    @Test func `the film of large bodies shows a search, a filter and a table`() async throws {
        var film = try Recording("filter")
        let bench = try await Bench.demo()
        bench.send("List orders")
        try await bench.see("200 OK", "青花瓷茶杯")
        try await film.take(bench, "A response as a tree; Enter folds, / searches, y copies")
        bench.terminal.type("3zf")
        try await bench.see("Filter")
        bench.terminal.type(".result.items[] | select(.price > 100) | {id, title, price}")
        // The last row of the pane has the number of lines of the results.
        try await bench.see("{id, title, price}", "13 results", "/65 ")
        try await film.take(bench, "f filters the body as jq does, while it is typed")
        bench.press(.control("u"))
        bench.terminal.type("$.result.items\r")
        try await bench.see("\"customer\"")
        bench.terminal.type("gt")
        try await bench.see("customer", "title", "price", "table · 1/20", "= Sort")
        try await film.take(bench, "t shows an array of objects as a table, which = sorts", seconds: 5)
        try film.write(title: "Sortie: large bodies")
    }

    @Test func `the film of secrets shows a value that two keys keep out of the files`() async throws {
        var film = try Recording("secret")
        let bench = try await open(["api/orders.yaml": "name: My orders\npath: /private/orders\nheaders: {X-Api-Key: sesame-101}\n"])
        bench.choose("My orders")
        bench.terminal.type("2]")
        try await bench.see("X-Api-Key", "in clear text", "Nothing was sent yet")
        try await film.take(bench, "A credential in clear text is named where it stands, and by sortie check")
        bench.press(.character("s"))
        try await bench.see("Make it a secret", "Tab Next")
        try await film.take(bench, "s makes it a secret of this machine, of pass, a keyring, a vault or a program")
        bench.press(.enter)
        try await bench.see("{{apiKey}}")
        bench.press(.control("s"))
        try await bench.see("Saved to")
        bench.terminal.type("E")
        try await bench.see("Variables", "stored secret", "Enter Uses")
        try await film.take(bench, "The files have {{apiKey}} and where it comes from, never the value", seconds: 5)
        try film.write(title: "Sortie: secrets")
    }

    @Test func `the film of environments shows a new one whose variables stand beside those of the others`() async throws {
        var film = try Recording("environment")
        let bench = try await open()
        bench.press(.control("e"))
        try await bench.see("New environment")
        bench.press(.character("n"), .enter)
        try await bench.see("such as test")
        bench.terminal.type("stage")
        try await bench.see("Name     stage")
        try await film.take(bench, "Ctrl-E switches the environment, or creates one as a copy of another")
        bench.press(.enter)
        try await bench.see("Variables", "1 variable")
        bench.terminal.type("a")
        try await bench.see("used as {{name}}")
        bench.terminal.type("host=stage.example.com")
        try await bench.see("host=stage.example.com")
        try await film.take(bench, "Its variables are shown at once; a adds one as name=value")
        bench.press(.enter)
        try await bench.see("2 variables")
        bench.press(.down, .character("e"))
        try await bench.see("Edit page")
        bench.press(.control("u"))
        bench.terminal.type("2\r")
        try await bench.see("in stage: 2")
        bench.terminal.type("c")
        try await bench.see("2 different", "in stage: 2")
        try await film.take(bench, "c shows what differs between two environments", seconds: 5)
        try film.write(title: "Sortie: environments")
    }

    @Test func `the film of runs shows a chain of two marked endpoints whose second uses a value of the first`() async throws {
        var film = try Recording("capture")
        let bench = try await open()
        bench.press(.control("r"))
        try await bench.see("200 OK", "\"token\"")
        bench.press(.space)
        try await bench.see("1 marked")
        bench.press(.down, .space)
        try await bench.see("2 marked")
        bench.press(.up, .character("r"))
        try await bench.see("New run of 2 endpoints", "Tab Next")
        try await film.take(bench, "Space marks endpoints in their order, r makes a run of them")
        bench.press(.enter)
        try await bench.see("not started")
        bench.press(.character("3"), .character("/"))
        bench.terminal.type("\"token\"")
        bench.press(.enter)
        try await bench.see("match 1")
        bench.press(.character("v"))
        try await bench.see("Capture for later steps", "orders: Bearer token", "Tab Next")
        try await film.take(bench, "v on a value of a response captures it for a later step")
        bench.press(.enter)
        // The endpoint that uses the value is saved last.
        try await bench.see("is used by orders: Bearer token; saved to")
        bench.press(.character("4"), .control("r"))
        try await bench.see("finished", "2/2", "→ token")
        bench.press(.enter)
        try await bench.see("Request  My orders", "\"items\"", "f Filter")
        try await film.take(bench, "The run is a file; sortie run repeats it, and r resumes it after a failure", seconds: 5)
        try film.write(title: "Sortie: runs")
    }

    @Test func `the film of comparisons shows two responses of the history beside each other`() async throws {
        var film = try Recording("compare")
        let bench = try await Bench.demo()
        bench.send("One order")
        try await bench.see("200 OK", "\"customer\"")
        bench.terminal.type("2p")
        bench.press(.end)
        bench.press(.control("u"))
        bench.terminal.type("/orders/8")
        bench.press(.control("r"))
        try await bench.see("200 OK", "\"id\": 8")
        bench.terminal.type("H")
        // The second exchange arrives in the history after its response.
        try await bench.terminal.waitUntil("two exchanges", within: Sortie.patience) { $0.text.split(separator: "orders/detail  ").count == 3 }
        bench.terminal.type("  ")
        try await bench.see("2 marked", "Esc Clear")
        try await film.take(bench, "Everything that was sent is in the history; Space marks two")
        bench.terminal.type("c")
        try await bench.see("Compare  #", "y Copy")
        try await film.take(bench, "c compares them: head, times and body", before: "Header")
        try film.write(title: "Sortie: comparison")
    }

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
        try await bench.see("⏸ ↓ Slow download", "MB  paused", "Response  paused")
        try await film.take(bench, "p pauses it, and p again resumes it")
        bench.terminal.type("p")
        try await bench.terminal.waitUntil("a second tenth", within: Sortie.patience) { $0.text.contains(/2\d %/) && $0.contains("B/s") }
        bench = try await bench.killedAndOpened(port: port)
        try await film.take(bench, "After kill -9 and a new start, what arrived is there")
        bench.terminal.type("r")
        try await bench.terminal.waitUntil("more than was there", within: Sortie.patience) { $0.text.contains(/[3-9]\d %/) && $0.contains("B/s") }
        try await film.take(bench, "r resumes it at the next byte, unless the file of the server has changed", seconds: 5)
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
        // The title is drawn before the body.
        try await bench.see("200 OK", "not as described", "\"items\"", "? Help")
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
    private var expected: [(caption: String, rows: [String])] = []

    init(_ name: String) throws {
        document = GeneratedDocument("Sources/sortie/Documentation.docc/Resources/\(name).svg")
        if !GeneratedDocument.isUpdating { expected = Film.screens(ofSVG: try String(contentsOf: document.url, encoding: .utf8)) }
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
        let film = expected.isEmpty ? nil : expected.removeFirst()
        guard let film, film.caption == caption else {
            Issue.record("\(document.path) has no screen “\(caption)” in this place; make pictures writes it")
            return
        }
        let screen = PictureText.comparable(film.rows, before: heading)
        let what = "the screen “\(caption)” of \(document.path); if that is stale, make pictures writes it"
        try await bench.terminal.waitUntil(what, within: Sortie.patience) {
            PictureText.comparable($0.pictureText, before: heading) == screen
        }
    }

    /// Writes the film as an image, and beside it as an asciicast for `asciinema play`.
    func write(title: String = "Sortie") throws {
        guard GeneratedDocument.isUpdating else {
            #expect(expected.isEmpty, "\(document.path) has further screens; make pictures writes it")
            return
        }
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
