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
}
