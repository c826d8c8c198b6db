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

    @Test func `a text that is being typed is kept and can be continued`() async throws {
        let server = try ScriptedServer { .ok("got \($0.target)") }
        let bench = try await Bench.open(["api/list.yaml": "name: List\npath: \(server.url)/list\nquery: {page: 1}\n"])
        try await bench.see("[x] page")
        bench.terminal.type("2\r23")
        try await bench.see("123")
        try bench.terminal.resize(columns: 30, rows: 8)
        try await bench.see("Sortie needs")
        try bench.terminal.resize(columns: 200, rows: 50)
        try await bench.see("123")
        bench.terminal.type("45")
        bench.press(.enter, .control("r"))
        try await bench.see("got /list?page=12345")
    }

    @Test func `the footer is in the last row at every size`() async throws {
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: http://127.0.0.1:9/\n"])
        for (columns, rows) in [(200, 50), (60, 15), (80, 24), (81, 25)] {
            try bench.terminal.resize(columns: columns, rows: rows)
            try await bench.terminal.waitUntil("the footer in row \(rows - 1)", within: Sortie.patience) { screen in
                screen.row(rows - 1).contains("Send") && !(0..<rows - 1).contains { screen.row($0).contains("^R Send") }
            }
        }
    }
}
