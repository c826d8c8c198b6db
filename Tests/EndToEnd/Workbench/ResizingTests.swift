import Support
import Testing

/// Tests that resizing the terminal loses no content.
@Suite(.serialized)
struct ResizingTests {
    @Test func `a request in progress continues at every size, and its response arrives`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .wait(for: gate), .send(.ok("it came"))])
        let bench = try await Bench.open(["api/late.yaml": "name: Late\npath: \(server.url)/\n"])
        bench.press(.control("r"))
        try await gate.waitUntilReached(within: Sortie.patience)
        try await bench.see("sending")
        for (columns, rows) in [(200, 50), (40, 10), (120, 30), (30, 6), (80, 24)] {
            try bench.terminal.resize(columns: columns, rows: rows)
            if columns < 40 { try await bench.see("Sortie needs") } else { try await bench.see("Response", "Send") }
        }
        try await bench.see("sending", "Late")
        gate.open()
        try await bench.see("200 OK", "it came")
        #expect(server.requests.count == 1)
        try await bench.quit()
    }
}
