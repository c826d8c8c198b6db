import Foundation
import Support
import Testing

/// Tests that an idle workbench uses no processor time.
@Suite(.serialized)
struct IdleTests {
    /// Waits for a second without activity, which a program that keeps waking never has; meanwhile another program waits for a server that takes this time.
    ///
    /// The program may still write the history of a request, or remove old requests some time after its start.
    private func expectSleep(of bench: Bench, threads: Int) async throws {
        let url = try await DemoProcess.shared.url
        let pid = bench.terminal.pid
        try await withDeadline(Sortie.patience, "a second in which the program does not wake up") {
            while true {
                let before = try ProcessActivity(of: pid)
                try #require(try await Sortie().run("send", "\(url)/delay/1").succeeded)
                if before.sleeps.count == threads, try ProcessActivity(of: pid).isIdle(since: before) { return }
            }
        }
    }

    @Test func `without requests the program does not wake up`() async throws {
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: http://127.0.0.1:9/\n"])
        try await expectSleep(of: bench, threads: 1)
    }

    @Test func `keys are handled by the main thread, which is not one of Swift's shared thread pool`() async throws {
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: http://127.0.0.1:9/\n"])
        let before = try #require(try ProcessActivity(of: bench.terminal.pid).sleeps["\(bench.terminal.pid)"])
        bench.terminal.type("?")
        try await bench.see("Help")
        let pid = bench.terminal.pid
        try await withDeadline(Sortie.patience, "the main thread to sleep again") {
            while try ProcessActivity(of: pid).sleeps["\(pid)"] == before { await Task.yield() }
        }
    }

    @Test func `after a request the program does not wake up, with its connection still open`() async throws {
        let server = try ScriptedServer(answering: .ok("done"))
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: \(server.url)/\n"])
        bench.press(.control("r"))
        try await bench.see("200 OK", "done")
        try await expectSleep(of: bench, threads: 2)
        #expect(server.openConnections == 1)
    }
}
