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

    @Test(arguments: Bench.sizes) func `a body is folded, and the path of the row is displayed`(size: Bench.Size) async throws {
        let bench = try await bench(size)
        bench.press(.character("-"))
        try await bench.see("… 400 items ]", #""end": true"#)
        bench.press(.character("j"), .enter)
        try await bench.see("{ … 3 members }", " $.items ")
        bench.press(.character("j"), .character("l"), .character("j"))
        try await bench.see(" $.items[0].id ")
        bench.press(.character("+"))
        try await bench.see(#""name": "item""#)
        try await bench.quit()
    }

    @Test(arguments: Bench.sizes) func `elements of XML are folded, and the XPath of the row is displayed`(size: Bench.Size) async throws {
        let orders = (1...300).map { "<order id=\"\($0)\"><name>n\($0)</name></order>" }.joined()
        let body = "<shop><orders>\(orders)</orders><end/></shop>"
        let server = try ScriptedServer(answering: .ok(body, headers: [("Content-Type", "application/xml")]))
        var bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"], size)
        bench.server = server
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK", "<name>n1</name>")
        try await bench.seeNoMore(" in flight")
        bench.press(.character("-"))
        try await bench.see("<orders> … 300 elements </orders>", "<end/>")
        bench.press(.character("j"), .character("l"), .character("j"))
        // The elements in an unfolded one are still folded.
        try await bench.see(" /shop/orders[1]/order[1] ", "… 1 element </order>")
        bench.press(.enter)
        try await bench.see("<name>n1</name>")
        try await bench.quit()
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
