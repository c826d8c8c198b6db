import Support
import Testing

/// Tests the program as a function: calls in one process do not share what belongs to an invocation.
@Suite struct ProgramCallTests {
    @Test func `calls at the same time have their own environments and working directories`() async throws {
        let (one, two) = (try Sortie(), try Sortie())
        try two.write("workspace.yaml", "name: Two\n")
        async let first = one.run("config", "--path")
        async let second = two.run("config", "--path")
        async let third = one.run("check")
        async let fourth = two.run("check", "--json")
        #expect(try await first.output == one.home.path("config/sortie/config.yaml") + "\n")
        #expect(try await second.output == two.home.path("config/sortie/config.yaml") + "\n")
        #expect(try await third.failed(3, "workspace"))
        #expect(try await fourth.output.contains("Two"))
    }

    @Test func `an interruption ends the call that it is for, also where it comes early`() async throws {
        let (one, two) = (try Sortie(), try Sortie())
        let ended = Task { try await one.run("serve", "--port", "0") }
        let running = Task { try await two.run("serve", "--port", "0") }
        ended.cancel()
        #expect(try await ended.value.status == .exited(130))
        running.cancel()
        #expect(try await running.value.status == .exited(130))
    }
}
