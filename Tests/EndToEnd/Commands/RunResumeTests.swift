import Foundation
import Support
import Synchronization
import Testing

/// Tests `sortie run --resume`.
@Suite(.serialized)
struct RunResumeTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    private final class Switch: Sendable {
        let isOn = Mutex(false)
    }

    private let works = Switch()

    init() throws {
        sortie = try Sortie()
        let works = works
        server = try ScriptedServer { request in
            request.target == "/b" && !works.isOn.withLock { $0 } ? .status(500, "no") : .json("{\"token\": \"t1\"}")
        }
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}, test: {}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"], test: [\"\(server.url)\"]}\n")
        try sortie.write("api/a.yaml", "path: /a\ncapture: {token: $.token}\n")
        try sortie.write("api/b.yaml", "path: /b\nheaders: {X-Token: \"{{a.token}}\"}\n")
        try sortie.write("runs/flow.yaml", "chain:\n  - send: api/a\n  - send: api/b\n")
        try sortie.write("runs/other.yaml", "chain:\n  - send: api/a\n")
    }

    @Test(arguments: [["flow"], []]) func `it continues at the failed step with the captured values`(name: [String]) async throws {
        #expect(try await sortie.run("run", "flow").status == .exited(1))
        #expect(try await sortie.run("run", "other").status == .exited(0))
        works.isOn.withLock { $0 = true }
        let run = try await sortie.run(["run"] + name + ["--resume"])
        #expect(run.status == .exited(0) && run.output.contains("done before"), "\(run)")
        #expect(server.requests.map(\.target) == ["/a", "/b", "/a", "/b"])
        #expect(server.requests.last?["X-Token"] == "t1")
        let again = try await sortie.run(["run"] + name + ["--resume"])
        #expect(again.status == .exited(2) && again.errorOutput.contains("no unfinished run"), "\(again)")
    }

    @Test func `--failed sends only the failed steps and those not reached, with the captured values of their row`() async throws {
        let failing = Switch()
        failing.isOn.withLock { $0 = true }
        let rows = try ScriptedServer { request in
            request.target == "/b/2" && failing.isOn.withLock { $0 } ? .status(500) : .json("{\"token\": \"t\(request.target.suffix(1))\"}")
        }
        for name in ["a", "b", "c"] { try sortie.write("rows/\(name).yaml", "path: \(rows.url)/\(name)/{{n}}\ncapture: {token: $.token}\n") }
        try sortie.write("rows/service.yaml", "name: Rows\n")
        try sortie.write("rows/c.yaml", "path: \(rows.url)/c/{{n}}\nheaders: {X-Token: \"{{a.token}}\"}\n")
        try sortie.write("runs/rows.csv", "n\n1\n2\n3\n")
        try sortie.write("runs/rows.yaml", "chain: [{send: rows/a}, {send: rows/b}, {send: rows/c}]\ndata: rows.csv\nstopOnFailure: false\n")
        #expect(try await sortie.run("run", "rows").status == .exited(1))
        #expect(rows.requests.map(\.target) == ["/a/1", "/b/1", "/c/1", "/a/2", "/b/2", "/a/3", "/b/3", "/c/3"])
        failing.isOn.withLock { $0 = false }
        let run = try await sortie.run("run", "rows", "--failed")
        #expect(run.status == .exited(0), "\(run)")
        #expect(rows.requests.dropFirst(8).map(\.target) == ["/b/2", "/c/2"])
        #expect(rows.requests.last?["X-Token"] == "t2")
        let again = try await sortie.run("run", "rows", "--failed")
        #expect(again.failed(2, "notStarted"), "\(again)")
        #expect(try await sortie.run("run", "rows", "--failed", "--resume").status == .exited(2))
    }

    @Test func `without a name, it continues the last unfinished run of the specified environment`() async throws {
        #expect(try await sortie.run("run", "flow", "-e", "test").status == .exited(1))
        try sortie.write("runs/late.yaml", "chain:\n  - send: api/a\n  - send: api/b\n")
        #expect(try await sortie.run("run", "late", "-e", "dev").status == .exited(1))
        works.isOn.withLock { $0 = true }
        let run = try await sortie.run("run", "--resume", "-e", "test")
        #expect(run.status == .exited(0) && server.requests.map(\.target) == ["/a", "/b", "/a", "/b", "/b"], "\(run)")
        let again = try await sortie.run("run", "--resume", "-e", "test")
        #expect(again.failed(2, "notStarted") && again.errorOutput.contains("no unfinished run in test"), "\(again)")
        #expect(try await sortie.run("run", "--resume", "-e", "test", "-e", "dev").status == .exited(2))
        #expect(try await sortie.run("run", "--resume").status == .exited(0))
    }

    @Test func `another environment and --from beside it are usage errors`() async throws {
        #expect(try await sortie.run("run", "flow").status == .exited(1))
        let other = try await sortie.run("run", "flow", "--resume", "-e", "test")
        #expect(other.status == .exited(2) && other.errorOutput.contains("with this environment"), "\(other)")
        #expect(try await sortie.run("run", "flow", "--resume", "--from", "a").status == .exited(2))
        let nameless = try await sortie.run("run")
        #expect(nameless.status == .exited(2) && nameless.errorOutput.contains("name a run"), "\(nameless)")
    }
}
