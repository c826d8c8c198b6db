import Foundation
import Support
import Testing

/// Tests that an idle workbench uses no processor time.
@Suite(.serialized)
struct IdleTests {
    /// The activity of a process so far.
    private struct Activity {
        /// The number of times the main thread and the engine's thread went to sleep; unchanged means that nothing woke them.
        ///
        /// The threads of libdispatch are excluded, because its timer counts existing ones once a second.
        var sleeps: [String: Int] = [:]
        /// Processor time of all threads, in hundredths of a second.
        let ticks: Int

        init(of pid: Int32) throws {
            for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
                // A thread may end during the enumeration.
                guard let name = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/comm", encoding: .utf8),
                    let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8),
                    thread == "\(pid)" || name == "sortie-engine\n"
                else { continue }
                let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
                sleeps[thread] = line.flatMap { Int($0.split(separator: "\t").last ?? "") }
            }
            // After the name in parentheses: field 3 is the state, 14 and 15 are utime and stime (proc(5)).
            let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
            ticks = (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
        }
    }

    /// Waits for a second without activity, which a program that keeps waking never has; meanwhile another program waits for a server that takes this time.
    ///
    /// The program may still write the history of a request, or remove old requests some time after its start.
    private func expectSleep(of bench: Bench, threads: Int) async throws {
        let url = try await DemoProcess.shared.url
        let pid = bench.terminal.pid
        try await withDeadline(Sortie.patience, "a second in which the program does not wake up") {
            while true {
                let before = try Activity(of: pid)
                try #require(try await Sortie().run("send", "\(url)/delay/1").succeeded)
                let after = try Activity(of: pid)
                if before.sleeps.count == threads, after.sleeps == before.sleeps, after.ticks - before.ticks <= 1 { return }
            }
        }
    }

    @Test func `without requests the program does not wake up`() async throws {
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: http://127.0.0.1:9/\n"])
        try await expectSleep(of: bench, threads: 1)
    }

    @Test func `keys are handled by the main thread, which is not one of Swift's shared thread pool`() async throws {
        let bench = try await Bench.open(["api/get.yaml": "name: Get\npath: http://127.0.0.1:9/\n"])
        let before = try #require(try Activity(of: bench.terminal.pid).sleeps["\(bench.terminal.pid)"])
        bench.terminal.type("?")
        try await bench.see("Help")
        let pid = bench.terminal.pid
        try await withDeadline(Sortie.patience, "the main thread to sleep again") {
            while try Activity(of: pid).sleeps["\(pid)"] == before { await Task.yield() }
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
