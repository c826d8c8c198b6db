import Foundation
import Support
import Testing

/// Tests the history in the workbench, across sessions and with other programs.
@Suite struct HistoryTests {
    private static let files = [
        "workspace.yaml": "name: Trial\nsecrets: {key: {env: THE_KEY}}\n",
        "api/post.yaml": """
        name: Post it
        method: POST
        path: SERVER/post?of={{$uuid}}
        auth: {bearer: "{{key}}"}
        body: {json: {"password": "{{key}}", "at": "{{$uuid}}"}}

        """,
    ]

    private func bench(_ size: Bench.Size, _ server: ScriptedServer) async throws -> Bench {
        let files = Self.files.mapValues { $0.replacing("SERVER", with: server.url) }
        var bench = try await Bench.open(files, size, environment: ["THE_KEY": "open-sesame"])
        bench.server = server
        return bench
    }

    /// Waits until a row of the list displays the start time of its exchange.
    private func ended(_ bench: Bench) async throws {
        try await bench.terminal.waitUntil("a row of the history", within: Sortie.patience) { screen in
            screen.text.contains(/\d\d:\d\d:\d\d +api/)
        }
    }

    @Test(arguments: Bench.sizes)
    func `requests of the first program are displayed by the second one as past, and replayed`(size: Bench.Size) async throws {
        let server = try ScriptedServer(answering: .ok("you said open-sesame"))
        let bench = try await bench(size, server)
        bench.send("Post it")
        try await bench.see("200 OK", "you said")
        bench.terminal.type("H")
        try await bench.see("POST", "200")
        try await bench.quit()
        #expect(try bench.sortie.files(telling: "open-sesame") == [])

        let next = Bench(
            terminal: try await bench.sortie.open("ws", size: (size.columns, size.rows), environment: ["THE_KEY": "open-sesame"]),
            sortie: bench.sortie, server: server)
        try await next.see("Services", "Api")
        next.terminal.type("H")
        try await ended(next)
        next.press(.enter)
        try await next.see("past", "you said ••••", "From the history")
        next.terminal.type("H")
        next.press(.control("r"))
        try await next.see("Created anew", "Authorization, with its current value", "a secret in the body, with its current value", "Send it")
        next.press(.enter)
        let requests = try await server.waitForRequests(2)
        #expect(requests[0].headText == requests[1].headText)
        #expect(requests[0].bodyText == requests[1].bodyText)
        try await next.see("you said open-sesame")
        try await next.quit()
        #expect(try bench.sortie.files(telling: "open-sesame") == [])
    }

    @Test func `requests of a command appear in the list, and a filter matches while it is typed`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/broken" ? HTTPAnswer(status: 503, reason: "No", headers: [], body: Array("the dragon sleeps".utf8)) : .ok("fine")
        }
        let bench = try await bench(.large, server)
        bench.terminal.type("H")
        try await bench.see("The history is empty")
        _ = try await bench.sortie.run("send", "\(server.url)/sound")
        try await bench.see("/sound")
        _ = try await bench.sortie.run("send", "\(server.url)/broken")
        try await bench.see("/sound", "/broken", "503")
        bench.terminal.type("/status:5xx dragon")
        try await bench.seeNoMore("/sound")
        try await bench.see("/broken")
        bench.press(.escape)
        try await bench.see("/sound", "/broken")
        try await bench.quit()
    }

    @Test func `an exchange that ended more than a second before the program is killed is stored`() async throws {
        let server = try ScriptedServer(answering: .ok(String(repeating: "long ", count: 20_000)))
        let bench = try await bench(.small, server)
        bench.terminal.type("H")
        bench.send("Post it")
        // It appears in the list once it is on the disk.
        try await ended(bench)
        bench.terminal.signal(SIGKILL)
        _ = try await bench.terminal.exitStatus(within: Sortie.patience)
        let list = try await bench.sortie.run("history", "list", "--json")
        #expect(list.output.contains(#""status": 200"#), "\(list)")
        let show = try await bench.sortie.run("history", "show", "last")
        #expect(show.outputBytes.count == 100_000, "\(show.errorOutput)")
    }
}
