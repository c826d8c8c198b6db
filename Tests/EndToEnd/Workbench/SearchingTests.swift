import Support
import Testing

/// Tests searching a body in the program.
@Suite(.serialized)
struct SearchingTests {
    @Test(arguments: Bench.sizes) func `visible text in formatted JSON is found and displayed`(size: Bench.Size) async throws {
        let items = (1...400).map { #"{"id":\#($0),"name":"item"}"# }.joined(separator: ",")
        let server = try ScriptedServer(answering: .json("[\(items)]"))
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"], size)
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK", #""id": 1"#)
        // What arrives later is not searched.
        try await bench.seeNoMore(" in flight")
        bench.terminal.type(#"/"id": 39"#)
        try await bench.see("match 1 of 11", #""id": 39"#)
        bench.press(.enter, .character("n"))
        try await bench.see("match 2 of 11", #""id": 390"#)
        bench.press(.escape)
        try await bench.seeNoMore("match 2 of 11")
        try await bench.quit()
    }
}
