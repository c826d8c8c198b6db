import Support
import Testing

/// Tests sending an endpoint with keys only.
@Suite(.serialized)
struct SendingRequestTests {
    @Test(arguments: Bench.sizes) func `arrows, Enter and Ctrl-R send an endpoint and show status and body`(
        size: Bench.Size
    ) async throws {
        let server = try ScriptedServer { .json(#"{"you asked": "\#($0.target)"}"#) }
        var files: [String: String] = [:]
        for name in ["one", "two", "three"] {
            files["api/\(name).yaml"] = "name: Endpoint \(name)\npath: \(server.url)/\(name)\n"
        }
        let bench = try await Bench.open(files, size)
        try await bench.see("Endpoint one", "Endpoint three", "Endpoint two")
        bench.press(.down, .down, .up, .enter, .control("r"))
        try await bench.see("200 OK", "you asked", "/three")
        #expect(server.requests.map(\.target) == ["/three"])
        try await bench.quit()
    }

    @Test(arguments: Bench.sizes) func `an endpoint of the demo is found by name, and the response's tabs tell the rest`(
        size: Bench.Size
    ) async throws {
        let bench = try await Bench.demo(size)
        bench.send("List orders")
        bench.press(.character("3"))
        try await bench.see("200 OK", "\"code\"", "\"description\"")
        bench.terminal.type("]")
        try await bench.see("HTTP/1.1", "Content-Type", "application/json")
        bench.terminal.type("]")
        try await bench.see("sets no cookies")
        bench.terminal.type("]")
        try await bench.see("Total")
        bench.terminal.type("]")
        try await bench.see("1 attempt")
        bench.terminal.type("[[[[")
        try await bench.see("\"code\"")
        try await bench.quit()
    }

    @Test(arguments: Bench.sizes) func `a message and a stream of the demo's gRPC server are displayed as JSON`(size: Bench.Size) async throws {
        let bench = try await Bench.demo(size)
        bench.send("Way of an order")
        bench.press(.character("3"))
        try await bench.see("\"PACKED\"")
        try await bench.see("gRPC OK", "\"SENT\"")
        bench.send("Missing order")
        try await bench.see("gRPC NOT_FOUND")
        try await bench.quit()
    }

    @Test func `F5 sends too`() async throws {
        let server = try ScriptedServer(answering: .ok("sent by F5"))
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"])
        bench.press(.f5)
        try await bench.see("sent by F5")
    }

    @Test func `a status of 404 is an answer and its body is shown`() async throws {
        let server = try ScriptedServer(answering: .status(404, "no such thing"))
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"])
        bench.press(.control("r"))
        try await bench.see("404", "no such thing")
    }

    @Test func `a refused connection is told in a sentence, and sending again works`() async throws {
        let port = try DeadPort(.refusing)
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(port.url)/\n"])
        bench.press(.control("r"), .character("3"))
        try await bench.see("connection refused", "refused the connection")
        let server = try port.open(.answering(.ok("now it is there")))
        bench.press(.control("r"))
        try await bench.see("200 OK", "now it is there")
        #expect(server.requests.count == 1)
        try await bench.quit()
    }

    @Test func `a name that nothing defines is told before anything is sent`() async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/{{nowhere}}\n"])
        bench.press(.control("r"), .character("3"))
        try await bench.see("not sent", "nowhere")
        #expect(server.acceptedConnections == 0)
    }

    @Test func `the second of two sends counts, the first is cancelled`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([
            [.readRequest, .wait(for: gate), .send(.ok("first")), .closeGracefully], .answering(.ok("second")),
        ])
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"])
        bench.press(.control("r"))
        try await gate.waitUntilReached(within: Sortie.patience)
        bench.press(.control("r"))
        try await bench.see("200 OK", "second")
        gate.open()
        try await server.waitForConnections(open: 1, within: Sortie.patience)
        #expect(!bench.terminal.screen.contains("first"))
    }

    @Test func `what was sent and what came stands in the log`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"])
        bench.press(.control("r"))
        try await bench.see("200 OK")
        bench.terminal.type("L")
        try await bench.see("▸", "GET  api/get")
    }

    @Test func `a body of many lines is scrolled to its end and back`() async throws {
        let lines = (1...5000).map { "line \($0) of the body" }.joined(separator: "\n")
        let server = try ScriptedServer(answering: .ok(lines, headers: [("Content-Type", "text/plain")]))
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"])
        bench.press(.control("r"), .character("3"))
        // The lower border has the number of rows once all are known.
        try await bench.see("200 OK", "line 1 of the body", "/5000 ")
        bench.press(.end)
        try await bench.see("line 5000 of the body")
        bench.press(.home)
        try await bench.see("line 1 of the body")
        bench.terminal.type("/line 2500 of\r")
        try await bench.see("line 2500 of the body")
    }

    @Test func `the mouse selects an endpoint`() async throws {
        let bench = try await Bench.open([
            "api/a.yaml": "name: Alpha\npath: http://127.0.0.1:9/first\n",
            "api/b.yaml": "name: Beta\npath: http://127.0.0.1:9/second\n",
        ])
        try await bench.see("Beta", "/first")
        let place = try #require(bench.terminal.display.position(of: "Beta"))
        bench.terminal.click(row: place.row, column: place.column)
        try await bench.see("/second")
    }
}
