import Support
import Testing

/// Tests WebSocket connections in the program, with the server of the package websockets.
@Suite(.serialized)
struct WebSocketRobotTests {
    private func bench(_ server: WebSocketServer, _ size: Bench.Size, more: String = "") async throws -> Bench {
        let endpoint = "name: Room\npath: \(server.url)/\nkind: webSocket\nmessages:\n  farewell: bye\n  greet: {name: \"{{name}}\"}\n\(more)"
        return try await Bench.open(["api/room.yaml": endpoint, "workspace.yaml": "name: W\nvariables: {name: Ada}\n"], size)
    }

    @Test(.enabled(if: WebSocketServer.isAvailable), arguments: Bench.sizes)
    func `a connection is opened, messages are sent and shown, and it is closed`(size: Bench.Size) async throws {
        let server = try WebSocketServer.start()
        let bench = try await bench(server, size, more: "body: {text: hello}\n")
        bench.press(.control("r"), .character("3"))
        try await bench.see("101 Switching Protocols", "2 messages · live", #""hello""#, #""echo: hello""#)
        bench.press(.character("i"))
        try await bench.see("Send to Room")
        bench.terminal.type("many 3")
        bench.press(.enter)
        try await bench.see("6 messages · live", #"{"number": 2}"#)
        bench.press(.character("I"))
        try await bench.see("farewell", "greet")
        bench.press(.down, .enter)
        try await bench.see("8 messages · live", #"{"name": "Ada"}"#)
        bench.press(.control("c"))
        try await bench.seeNoMore("live")
        try await bench.see("10 messages", "close 1000")
        try await bench.quit()
        withExtendedLifetime(server) {}
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `a close by the server with an error is displayed, and the messages are in the history`() async throws {
        let server = try WebSocketServer.start()
        let bench = try await bench(server, .small)
        bench.press(.control("r"), .character("3"))
        try await bench.see("101 Switching Protocols")
        bench.press(.character("I"))
        try await bench.see("farewell")
        bench.press(.enter)
        try await bench.see("the server closed the connection with 1011: overload", "close 1011", "101 Switching Protocols · closed", "✗")
        bench.press(.character("H"))
        try await bench.see("101 closed", "WS ")
        try await bench.quit()
        let shown = try await bench.sortie.run("history", "show", "1")
        #expect(shown.output.contains(#""data":"bye""#) && shown.output.contains(#""close":1011,"reason":"overload""#), "\(shown)")
        let replayed = try await bench.sortie.run("history", "replay", "1")
        #expect(replayed.status == .exited(2) && replayed.errorOutput.contains("sortie listen"), "\(replayed)")
        withExtendedLifetime(server) {}
    }

    @Test(.enabled(if: WebSocketServer.isAvailable))
    func `a connection that is open when the program ends is in the history with its messages`() async throws {
        let server = try WebSocketServer.start()
        let bench = try await bench(server, .small, more: "body: {text: hello}\n")
        bench.press(.control("r"), .character("3"))
        try await bench.see("2 messages · live")
        bench.press(.control("q"))
        try await bench.see("in flight")
        bench.press(.down, .enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
        let shown = try await bench.sortie.run("history", "show", "1")
        #expect(shown.output.contains(#""data":"hello""#) && shown.output.contains(#""data":"echo: hello""#), "\(shown)")
        let list = try await bench.sortie.run("history", "list")
        #expect(list.output.contains("\tWS\tws://127.0.0.1:\(server.port)/\tcancelled\t"), "\(list)")
        let deadline = ContinuousClock.now + Sortie.patience
        var codes: [Substring]
        // The server may read the Close frame after the program has ended. The codes of these connections are 1000.
        repeat {
            let run = try await bench.sortie.shell("echo codes | \"$SORTIE\" listen ws://127.0.0.1:\(server.port)/ --count 1")
            codes = run.output.split(whereSeparator: \.isWhitespace).filter { $0 != "1000" }
        } while codes.isEmpty && ContinuousClock.now < deadline
        #expect(codes == ["1001"])
        withExtendedLifetime(server) {}
    }

    @Test func `a refused handshake is displayed with the status`() async throws {
        let server = try ScriptedServer(answering: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        var bench = try await Bench.open(["api/room.yaml": "name: Room\npath: ws://\(server.authority)/\n"], .small)
        bench.server = server
        bench.press(.control("r"), .character("3"))
        try await bench.see("403 Forbidden · rejected", "needs 101", "check the path", "WS  ws://\(server.authority)/")
        try await bench.quit()
        let list = try await bench.sortie.run("history", "list")
        #expect(list.output.contains("\tWS\tws://\(server.authority)/\tstatus\t"), "\(list)")
        let shown = try await bench.sortie.run("history", "show", "1", "--json")
        #expect(shown.output.contains("needs 101"), "\(shown)")
    }
}
