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
    /// The targets whose response does not end.
    private let hanging = Targets()
    private let server: ScriptedServer

    init() throws {
        let (failing, hanging) = (failing, hanging)
        server = try ScriptedServer { request in
            if hanging.names.withLock({ $0.contains(request.target) }) { return .claiming(length: 100, "x") }
            return failing.names.withLock { $0.contains(request.target) } ? .status(503) : .json("{\"from\": \"\(request.target)\"}")
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

    @Test(arguments: Bench.sizes) func `a run is started in two environments, shown side by side, and continued in the one that failed`(
        size: Bench.Size
    )
        async throws
    {
        failing.names.withLock { $0 = ["/stage/list"] }
        let bench = try await Bench.open(files, size)
        bench.terminal.type("1/r\r\r")
        try await bench.see("not started")
        bench.terminal.type("4e")
        try await bench.see("Run r in environments", "[x]  develop", "[ ]  staging")
        bench.terminal.type("a")
        try await bench.see("[x]  staging")
        bench.terminal.type("\r")
        try await bench.see("staging failed", "r resumes at list", "≠ 2 steps differ", "✓ develop", "✗ staging", "≠ list", "≠ last")
        #expect(server.requests.map(\.target) == ["/dev/login", "/dev/list", "/dev/last", "/stage/login", "/stage/list"])
        // The failed step in staging is selected; its response, and that of the same step in the other environment.
        bench.press(.enter)
        try await bench.see("503")
        bench.terminal.type("4h\r")
        try await bench.see("\"/dev/list\"")
        failing.names.withLock { $0 = [] }
        bench.terminal.type("4lr")
        try await bench.see("✓ r", "no step differs", "✓ staging")
        #expect(server.requests.dropFirst(5).map(\.target) == ["/stage/list", "/stage/last"])
        try await bench.quit()
    }

    @Test func `a cancelled run is not started in the environments after it`() async throws {
        hanging.names.withLock { $0 = ["/dev/list"] }
        let bench = try await Bench.open(files)
        bench.terminal.type("1/r\r\r")
        try await bench.see("not started")
        bench.terminal.type("4ea\r")
        try await bench.see("running in develop", "✓ 200", "sending")
        bench.terminal.type("x")
        try await bench.see("Run r cancelled in develop", "– staging")
        bench.terminal.type("l")
        try await bench.see("staging cancelled before its start")
        #expect(!server.requests.contains { $0.target.hasPrefix("/stage") })
        // It can be started there on its own.
        bench.terminal.type("r")
        try await bench.see("✓ staging")
        #expect(server.requests.map(\.target).filter { $0.hasPrefix("/stage") } == ["/stage/login", "/stage/list", "/stage/last"])
        try await bench.quit()
    }

    @Test func `after a restart, the run that ended last is shown`() async throws {
        failing.names.withLock { $0 = ["/dev/list"] }
        var files = files
        files["runs/a.yaml"] = files["runs/r.yaml"]
        let sortie = try Sortie()
        for (name, text) in files { try sortie.write("ws/\(name)", text) }
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        for run in ["r", "a"] { _ = try await sortie.run("run", run, "-w", "ws", "-e", "develop") }
        let bench = Bench(terminal: try await sortie.open("ws", size: (80, 24)), sortie: sortie)
        try await bench.see("The run a did not finish")
        bench.terminal.type("R")
        try await bench.see("✗ a", "2/3   failed   1 skipped")
        try await bench.quit()
    }
}
