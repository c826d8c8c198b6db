import Support
import Testing

/// Tests that long operations display progress and that Ctrl-C cancels them.
@Suite(.serialized)
struct CancellingTests {
    @Test(arguments: Bench.sizes) func `Ctrl-C cancels a request that waits for its response`(size: Bench.Size) async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .wait(for: gate)])
        let bench = try await Bench.open(["api/late.yaml": "name: Late\npath: \(server.url)/\n"], size)
        bench.press(.control("r"))
        try await gate.waitUntilReached(within: Sortie.patience)
        try await bench.see("sending", "1 in flight")
        bench.press(.control("c"))
        try await bench.see("cancelled")
        try await bench.seeNoMore("in flight")
        gate.open()
        try await server.waitForConnections(open: 0, within: Sortie.patience)
        try await bench.quit()
    }

    @Test func `Esc names the key that cancels, and Ctrl-C cancels and never quits`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([[.readRequest, .wait(for: gate)], .answering(.ok("second time"))])
        let bench = try await Bench.open(["api/late.yaml": "name: Late\npath: \(server.url)/\n"])
        bench.press(.control("r"))
        try await gate.waitUntilReached(within: Sortie.patience)
        bench.press(.escape)
        try await bench.see("^C cancels GET", "1 in flight")
        bench.press(.control("c"))
        try await bench.see("cancelled")
        bench.press(.control("c"), .control("c"), .control("r"))
        try await bench.see("200 OK", "second time")
        gate.open()
    }

    @Test(arguments: Bench.sizes) func `a body in progress displays its share, and the received part stays after cancelling`(
        size: Bench.Size
    ) async throws {
        let gate = Gate()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n"
        let server = try ScriptedServer([
            .readRequest, .send(head), .send("the first part\n" + String(repeating: ".", count: 485)), .wait(for: gate),
        ])
        let bench = try await Bench.open(["api/slow.yaml": "name: Slow\npath: \(server.url)/\n"], size)
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK", "50 %")
        bench.press(.control("c"))
        try await bench.see("cancelled", "the first part")
        gate.open()
        try await server.waitForConnections(open: 0, within: Sortie.patience)
    }

    @Test func `a delayed response of the demo is cancelled long before it arrives`() async throws {
        let bench = try await Bench.demo()
        bench.choose("Late response")
        // Nothing is sent yet, so that Ctrl-C does what Esc does.
        try await bench.see("Esc Clear filter")
        bench.press(.control("c"))
        try await bench.seeNoMore("/Late response")
        // The demo's own delay may be over before the key arrives.
        bench.terminal.type("2p")
        bench.press(.control("u"))
        bench.terminal.type("/delay/60\r")
        bench.press(.control("r"))
        try await bench.see("sending", "^C Cancel")
        bench.press(.control("c"))
        try await bench.see("cancelled")
    }

    @Test func `a slow body of the demo displays progress`() async throws {
        let bench = try await Bench.demo()
        bench.choose("Slow body with a length")
        // The filter has the name before the endpoint is open.
        try await bench.see("Esc Clear filter")
        // The demo's own eight seconds may be over before the key arrives.
        bench.terminal.type("2p")
        // The cursor is between the path and its query.
        bench.press(.control("k"), .control("u"))
        bench.terminal.type("/drip?bytes=10000&seconds=300&length=true\r")
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK", "*****", " %")
        bench.press(.control("c"))
        try await bench.see("cancelled")
    }

    @Test func `quitting with a running request requires confirmation`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .wait(for: gate), .send(.ok("it ended well")), .closeGracefully])
        let bench = try await Bench.open(["api/late.yaml": "name: Late\npath: \(server.url)/\n"])
        bench.press(.control("r"))
        try await gate.waitUntilReached(within: Sortie.patience)
        bench.press(.control("q"))
        try await bench.see("1 request in flight")
        bench.press(.escape)
        try await bench.seeNoMore("1 request in flight")
        gate.open()
        try await bench.see("it ended well")
        try await bench.quit()
    }
}
