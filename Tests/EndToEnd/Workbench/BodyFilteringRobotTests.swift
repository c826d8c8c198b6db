import Support
import Testing

/// Tests folding and filtering a body in the program.
@Suite(.serialized)
struct BodyFilteringRobotTests {
    private func bench(_ size: Bench.Size) async throws -> Bench {
        let items = (1...400).map { #"{"id":\#($0),"name":"item","tags":["a","b"]}"# }.joined(separator: ",")
        let server = try ScriptedServer(answering: .json(#"{"items":[\#(items)],"end":true}"#))
        var bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"], size)
        bench.server = server
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK", #""id": 1"#)
        // The first rows are displayed before the whole body has arrived.
        try await bench.seeNoMore(" in flight")
        return bench
    }

    @Test(arguments: Bench.sizes) func `a body is filtered while the filter is typed`(size: Bench.Size) async throws {
        let bench = try await bench(size)
        bench.terminal.type("f.items[] | select(.id > 398) | {id}")
        try await bench.see("2 results", #""id": 399"#, #""id": 400"#)
        try await bench.seeNoMore(#""id": 1,"#)
        bench.terminal.type(" |")
        try await bench.see("the filter is incomplete")
        bench.press(.control("u"))
        bench.terminal.type("$.items[?@.id == 7].tags[1]")
        try await bench.see("1 result", ".tags[1]", #""b""#)
        try await bench.seeNoMore(#""name": "item""#)
        bench.press(.enter)
        try await bench.see("Whole body")
        bench.press(.escape)
        try await bench.see(#""name": "item""#)
        try await bench.seeNoMore("Filter $")
        try await bench.quit()
    }
}
