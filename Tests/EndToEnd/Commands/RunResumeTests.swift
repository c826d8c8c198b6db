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

    @Test func `another environment and --from beside it are usage errors`() async throws {
        #expect(try await sortie.run("run", "flow").status == .exited(1))
        let other = try await sortie.run("run", "flow", "--resume", "-e", "test")
        #expect(other.status == .exited(2) && other.errorOutput.contains("with this environment"), "\(other)")
        #expect(try await sortie.run("run", "flow", "--resume", "--from", "a").status == .exited(2))
        let nameless = try await sortie.run("run")
        #expect(nameless.status == .exited(2) && nameless.errorOutput.contains("name a run"), "\(nameless)")
    }
}
