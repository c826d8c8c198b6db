import Support
import Testing

/// Tests the sources of a workspace's secrets.
@Suite(.serialized)
struct SecretSourceTests {
    private func send(_ source: String, environment: [String: String] = [:]) async throws -> (run: ProcessRun, sent: String?) {
        let server = try ScriptedServer(answering: .ok("body"))
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {key: \(source)}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: \(server.url)/\nheaders: {X-Mine: \"{{key}}\"}\n")
        let run = try await sortie.run("send", "api/get", "-w", "ws", environment: environment)
        return (run, server.requests.first?["X-Mine"])
    }

    @Test func `a secret is read from an environment variable`() async throws {
        let (run, sent) = try await send("{env: THE_KEY}", environment: ["THE_KEY": "from outside"])
        #expect(run.status == .exited(0), "\(run)")
        #expect(sent == "from outside")
    }

    @Test func `a secret is the output of a command without its line feed, and the command may contain pipes`() async throws {
        let (run, sent) = try await send(#"{command: "yes secret | head -n 1"}"#)
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.errorOutput.isEmpty)
        #expect(sent == "secret")
    }

    @Test func `an unset environment variable is reported by name`() async throws {
        let (run, sent) = try await send("{env: THE_KEY}")
        #expect(run.failed(3, "workspace"), "\(run)")
        #expect(run.errorOutput.contains("THE_KEY"))
        #expect(sent == nil)
    }

    @Test func `a failed command is reported by its secret, without its output`() async throws {
        let (run, sent) = try await send(#"{command: "echo half-a-secret; exit 5"}"#)
        #expect(run.failed(3, "workspace"), "\(run)")
        #expect(run.errorOutput.contains("key") && run.errorOutput.contains("5"))
        #expect(!run.description.contains("half-a-secret"))
        #expect(sent == nil)
    }
}
