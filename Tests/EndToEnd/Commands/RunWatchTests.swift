import Foundation
import Support
import Testing

/// Tests `sortie run --watch`.
@Suite(.serialized)
struct RunWatchTests {
    private func workspace(_ server: ScriptedServer) throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/get.yaml", "path: \(server.url)/first\n")
        try sortie.write("ws/runs/r.yaml", "chain:\n  - send: api/get\n")
        return sortie
    }

    @Test func `a changed file starts the run again, and Ctrl-C ends the command with 0`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try workspace(server)
        let terminal = try await sortie.open("run", "r", "-w", "ws", "--watch", "--junit", "ws/report.xml")
        try await terminal.waitForText("waiting for changes", within: Sortie.patience)
        try sortie.write("ws/api/get.yaml", "path: \(server.url)/second\n")
        _ = try await server.waitForRequests(2)
        try sortie.write("ws/api/get.yaml", "path: [\n")
        try await terminal.waitForText("sortie: workspace:", within: Sortie.patience)
        try sortie.write("ws/api/get.yaml", "path: \(server.url)/third\n")
        _ = try await server.waitForRequests(3)
        #expect(server.requests.map(\.target) == ["/first", "/second", "/third"])
        try await terminal.waitUntil("the end of the last run", within: Sortie.patience) { screen in
            let text = screen.text.trimmingCharacters(in: .whitespacesAndNewlines)
            return text.components(separatedBy: "r: finished").count == 4 && text.hasSuffix("Ctrl-C ends")
        }
        terminal.signal(SIGINT)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
    }

    @Test(arguments: [["--resume"], ["--failed"], ["--from", "get"], ["--data", "-"]])
    func `options of a single run are not permitted beside it`(_ arguments: [String]) async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await workspace(server).run(["run", "r", "-w", "ws", "--watch"] + arguments)
        #expect(run.failed(2, "usage"), "\(run)")
        #expect(server.requests.isEmpty)
    }
}
