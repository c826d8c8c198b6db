import Support
import Synchronization
import Testing

/// Tests runs in the workbench on a terminal.
@Suite(.serialized)
struct RunsRobotTests {
    /// Targets with another response.
    private final class Targets: Sendable {
        let names = Mutex<Set<String>>([])
    }

    /// The targets whose response is an error.
    private let failing = Targets()
    private let server: ScriptedServer

    init() throws {
        let failing = failing
        server = try ScriptedServer { request in
            failing.names.withLock { $0.contains(request.target) } ? .status(503) : .json("{\"from\": \"\(request.target)\"}")
        }
    }

    private var files: [String: String] {
        var files = [
            "workspace.yaml": "name: W\nenvironments:\n  develop: {variables: {base: dev}}\n  staging: {variables: {base: stage}}\n",
            "runs/r.yaml": "chain:\n  - send: api/login\n  - {send: api/list, expect: {status: 200}}\n  - send: api/last\n",
        ]
        for name in ["login", "list", "last"] { files["api/\(name).yaml"] = "path: \(server.url)/{{base}}/\(name)\n" }
        return files
    }

    @Test func `after a restart, the run that ended last is shown`() async throws {
        failing.names.withLock { $0 = ["/dev/list"] }
        var files = files
        files["runs/a.yaml"] = files["runs/r.yaml"]
        let sortie = try Sortie()
        for (name, text) in files { try sortie.write("ws/\(name)", text) }
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        for run in ["r", "a"] { _ = try await sortie.run("run", run, "-w", "ws", "-e", "develop") }
        let bench = Bench(terminal: try sortie.open("ws", size: (80, 24)), sortie: sortie)
        try await bench.see("The run a did not finish")
        bench.terminal.type("R")
        try await bench.see("✗ a", "failed")
        try await bench.quit()
    }
}
