import Foundation
import Support
import Testing

/// Tests that requests without network wait across the end of the program or a kill and are sent once and in order (S3.16), and that unfinished
/// runs continue (S2.45).
@Suite struct ParkedRequestTests {
    private static func event(_ name: String, port: UInt16) -> String {
        "name: \(name)\nmethod: POST\npath: http://127.0.0.1:\(port)/\(name)\nretry: {limit: 0, parkWhenOffline: true}\n"
    }

    /// A workbench with two endpoints of an unreachable server, both sent, in this order.
    private func bench(port: UInt16) async throws -> Bench {
        let bench = try await Bench.open(["api/one.yaml": Self.event("one", port: port), "api/two.yaml": Self.event("two", port: port)])
        bench.send("one")
        try await bench.see("one waits for the network")
        bench.send("two")
        try await bench.see("two waits for the network")
        return bench
    }

    /// A home folder whose workbench was killed while both requests waited and neither was being sent.
    ///
    /// The oldest request is attempted every few seconds, and a request that is being sent at the kill is left to the user, so a kill at such a
    /// moment is repeated in a new home folder.
    private func killedWhileWaiting(port: UInt16) async throws -> Sortie {
        for _ in 1...100 {
            let first = try await bench(port: port)
            first.terminal.signal(SIGKILL)
            #expect(try await first.terminal.exitStatus(within: Sortie.patience) == .signalled(SIGKILL))
            if try first.sortie.files(telling: #""isOut":true"#).isEmpty { return first.sortie }
        }
        throw DeadlineExceeded(what: "a kill while both requests wait", limit: Sortie.patience)
    }

    @Test func `S3.16 after a kill the next program sends the waiting requests, once and in order`() async throws {
        let dead = try DeadPort(.refusing)
        let home = try await killedWhileWaiting(port: dead.port)

        let terminal = try await home.open("ws", size: (120, 30))
        let second = Bench(terminal: terminal, sortie: home)
        try await second.see("2 waiting")
        let server = try dead.open(.answering(.ok("taken")))
        try await second.see("two, after waiting: 200 OK")
        #expect(server.requests.map(\.target) == ["/one", "/two"])
        try await second.quit()

        let third = Bench(terminal: try await home.open("ws", size: (120, 30)), sortie: home)
        try await third.see("Services", "Response")
        try await third.quit()
        #expect(server.requests.count == 2)
    }

    @Test func `S3.16 a waiting request is cancelled in Runs and never sent`() async throws {
        let dead = try DeadPort(.refusing)
        let bench = try await bench(port: dead.port)
        bench.terminal.type("R")
        try await bench.see("⏸ one", "⏸ two")
        bench.terminal.type("gx")
        // A request without the mark may be one that is being attempted.
        try await bench.see("Waiting: 1 request")
        let server = try dead.open(.answering(.ok("taken")))
        try await bench.see("200 OK")
        #expect(server.requests.map(\.target) == ["/two"])
        try await bench.quit()
    }

    @Test func `S2.45 a failed chain continues at its failed step, also after a restart of the program`() async throws {
        let isUp = Watched(false)
        let server = try ScriptedServer { request in
            request.target == "/flaky" && !isUp.current
                ? HTTPAnswer(status: 500, reason: "Down") : .ok(#"{"token": "t"}"#, headers: [("Content-Type", "application/json")])
        }
        let files = [
            "api/login.yaml": "name: Login\npath: \(server.url)/login\ncapture: {token: $.token}\n",
            "api/flaky.yaml": "name: Flaky\npath: \(server.url)/flaky\nexpect: {status: 200}\n",
            "runs/both.yaml": "chain:\n  - send: api/login\n  - send: api/flaky\n",
        ]
        let first = try await Bench.open(files)
        first.choose("both")
        first.press(.control("r"))
        try await first.see("Run both failed")
        try await first.quit()
        isUp.change { $0 = true }

        let second = Bench(terminal: try await first.sortie.open("ws", size: (120, 30)), sortie: first.sortie)
        try await second.see("r in Runs resumes it")
        second.choose("both")
        second.press(.enter)
        try await second.see("r resumes at flaky")
        second.terminal.type("r")
        try await second.see("Run both finished")
        #expect(server.requests.map(\.target) == ["/login", "/flaky", "/flaky"])
        try await second.quit()
    }
}
