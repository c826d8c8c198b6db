import Support
import Testing

@Suite(.timeLimit(.minutes(30))) struct DeadPortTests {
    @Test func `a refusing port refuses connections`() async throws {
        let port = try DeadPort(.refusing)
        let run = try await curl(port.url)
        #expect(run.status == .exited(7), "\(run)")
    }

    @Test func `a silent port makes the client wait until its timeout`() async throws {
        let port = try DeadPort(.silent)
        let run = try await curl("--connect-timeout", "0.2", "-w", "%{time_connect}", port.url)
        #expect(run.status == .exited(28), "\(run)")
        #expect(run.output == "0.000000", "no connection came about")
    }
}
