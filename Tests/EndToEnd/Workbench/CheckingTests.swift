import Support
import Testing

/// Tests the results of checks in Response, and editing the rules of an endpoint in Request.
@Suite(.serialized)
struct CheckingTests {
    private static func text(_ url: String) -> String {
        """
        # the list
        name: List
        path: \(url)/list   # of all
        expect: {status: 200, json: {$.code: 200}}   # compared
        # at the end
        capture: {id: $.id}

        """
    }

    /// A workspace with one endpoint, whose response meets one expectation and breaks another.
    private func open(_ size: Bench.Size = .small) async throws -> Bench {
        let server = try ScriptedServer(answering: .json(#"{"code": 302, "id": 7}"#))
        var bench = try await Bench.open(["api/list.yaml": Self.text(server.url)], size)
        bench.server = server
        return bench
    }

    private func showChecks(_ bench: Bench) { bench.terminal.type("3]]]]]]") }

    @Test(arguments: Bench.sizes) func `an expectation is edited as text, and saving changes only its line`(size: Bench.Size) async throws {
        let bench = try await open(size)
        bench.terminal.type("2]]]]")
        try await bench.see("Rules", "expect:", "status: 200", "json: {$.code: 200}")
        bench.terminal.type("jjj")
        bench.press(.enter, .end, .backspace, .backspace, .backspace, .backspace)
        bench.terminal.type("302}")
        try await bench.see("json: {$.code: 302}")
        bench.press(.control("s"))
        try await bench.see("Saved")
        let before = Self.text(try #require(bench.server).url)
        let text = String(decoding: try bench.sortie.read("ws/api/list.yaml"), as: UTF8.self)
        #expect(text == before.replacing("json: {$.code: 200}", with: "json: {$.code: 302}"))
        let check = try await bench.sortie.run("check", "ws")
        #expect(check.status == .exited(0), "\(check.output)")
        bench.press(.control("r"))
        try await bench.see("200 OK")
        bench.press(.escape)
        try await bench.seeNoMore("Esc Leave")
        showChecks(bench)
        try await bench.see("3 passed, 0 failed")
    }

    @Test func `a text that cannot be read is marked with its place, stays a draft, and is neither saved nor sent`() async throws {
        let bench = try await open()
        bench.terminal.type("2]]]]")
        try await bench.see("status: 200")
        bench.terminal.type("jj")
        bench.press(.enter, .end, .backspace)
        bench.terminal.type("x")
        try await bench.see("status: 20x", "1:9: “20x” is neither a status nor a range such as")
        bench.press(.control("s"))
        try await bench.see("Not saved")
        #expect(String(decoding: try bench.sortie.read("ws/api/list.yaml"), as: UTF8.self) == Self.text(try #require(bench.server).url))
        bench.press(.control("r"))
        try await bench.see("not sent")
        bench.press(.control("q"))
        try await bench.see("Keep as drafts and quit")
        bench.press(.down, .down, .enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))

        let next = Bench(terminal: try await bench.sortie.open("ws"), sortie: bench.sortie, server: bench.server)
        try await next.see("edited", "expect 1:9: “20x”")
        next.terminal.type("2]]]]")
        try await next.see("status: 20x")
        next.terminal.type("jj")
        next.press(.enter, .end, .backspace)
        next.terminal.type("0")
        try await next.seeNoMore("neither a status")
        next.press(.control("r"))
        try await next.see("200 OK")
    }

    @Test func `what differs from a description is shown for the history, for generated requests, and for what a mock receives`() async throws {
        let bench = try await Bench.demo(.large)
        bench.send("Feed that differs")
        try await bench.see("200 OK", "not as described")
        bench.press(.control("p"))
        try await bench.see("Commands and places")
        bench.terminal.type("contract drift\r")
        try await bench.see("Exchanges that are not as described", "$.result.next", "1 exchange compared, 1 not as described")
        bench.press(.escape)
        try await bench.seeNoMore("Exchanges that are not as described")
        bench.press(.control("p"))
        try await bench.see("Commands and places")
        bench.terminal.type("contract test\r")
        try await bench.see("Generated requests for")
        bench.terminal.type("\r")
        try await bench.see("Contract test", "requests with the seed", "$.result.next")
        bench.press(.escape)
        try await bench.seeNoMore("Contract test")
        bench.press(.control("p"))
        try await bench.see("Commands and places")
        bench.terminal.type("mock\r")
        try await bench.see("Mock  contract", "listening on http://127.0.0.1:")
        bench.press(.escape)
        try await bench.seeNoMore("Mock  contract")
        bench.press(.control("p"))
        try await bench.see("Commands and places")
        bench.terminal.type("stop the mock\r")
        try await bench.see("Stopped")
        try await bench.quit()
    }
}
