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

    @Test func `a refused connection is displayed as a sentence, and sending again works`() async throws {
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
}
