import Support
import Testing

/// Tests streams of messages and regular expressions in the program.
@Suite(.serialized)
struct LiveStreamRobotTests {
    /// Opens a workspace whose endpoint sends a first part, waits at a gate, and sends a second part.
    private func bench(_ type: String, _ first: String, _ second: String, _ gates: [Gate], _ size: Bench.Size) async throws -> Bench {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([
            .readRequest, .send(head + first), .wait(for: gates[0]), .send(second), .wait(for: gates[1]), .closeGracefully,
        ])
        var bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"], size)
        bench.server = server
        bench.press(.control("r"), .character("3"))
        return bench
    }

    private func lines(_ range: ClosedRange<Int>) -> String { range.map { #"{"n":\#($0)}"# + "\n" }.joined() }

    @Test(arguments: Bench.sizes) func `JSON lines are displayed as they arrive, paused and followed`(size: Bench.Size) async throws {
        let gates = [Gate(), Gate()]
        let bench = try await bench("application/x-ndjson", lines(1...20), lines(21...55), gates, size)
        try await bench.see("20 messages · live", #""n": 20"#)
        bench.press(.character("p"))
        try await bench.see("paused · 0 new")
        gates[0].open()
        try await bench.see("paused · 35 new", #""n": 20"#)
        bench.press(.character("p"))
        try await bench.see("55 messages · live", #""n": 55"#)
        gates[1].open()
        try await bench.seeNoMore("live")
        try await bench.see("55 messages", #""n": 55"#)
        try await bench.quit()
    }

    @Test func `server-sent events are displayed with name, ID and data`() async throws {
        let gates = [Gate(), Gate()]
        let event = "event: tick\nid: 7\ndata: {\"price\":12}\n\n"
        let bench = try await bench("text/event-stream", event, "data: plain words\n\n", gates, .small)
        try await bench.see("1 message · live", #""event": "tick""#, #""price": 12"#)
        gates[0].open()
        try await bench.see("2 messages · live", #""data": "plain words""#)
        bench.terminal.type("f.data")
        try await bench.see("2 results", #""plain words""#, #""price": 12"#)
        bench.press(.escape)
        try await bench.seeNoMore("Filter ")
        try await bench.see("2 messages · live")
        gates[1].open()
        try await bench.seeNoMore("live")
        try await bench.quit()
    }

    @Test(arguments: Bench.sizes) func `a body is searched with a regular expression`(size: Bench.Size) async throws {
        let items = (1...400).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let server = try ScriptedServer(answering: .json("[\(items)]"))
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"], size)
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK", #""id": 1"#)
        // What arrives later is not searched.
        try await bench.seeNoMore(" in flight")
        bench.terminal.type("/")
        try await bench.see("Alt-r regex")
        bench.press(.alt(.character("r")))
        bench.terminal.type("id\": 39[0-9")
        try await bench.see("is not closed")
        bench.terminal.type("]$")
        try await bench.see("match 1 of 10", #""id": 390"#)
        bench.press(.enter, .character("n"))
        try await bench.see("match 2 of 10", #""id": 391"#)
        try await bench.quit()
    }
}
