import Support
import Testing

@Suite struct OnOnePortTests {
    @Test func `a port that is in use at the second address is replaced by another one`() throws {
        let other = try ScriptedServer(address: "127.0.0.2", .answering(.ok()))
        var rounds = 0
        func first() throws -> DeadPort {
            rounds += 1
            return try DeadPort(.refusing, address: "127.0.0.3", port: rounds == 1 ? other.port : 0)
        }
        let (dead, server) = try onOnePort(try first()) { try ScriptedServer(address: "127.0.0.2", port: $0, .answering(.ok())) }
        #expect(rounds > 1)
        #expect(dead.port == server.port && dead.port != other.port)
    }

    @Test func `another error ends it`() {
        struct Broken: Error {}
        var rounds = 0
        func first() throws -> DeadPort {
            rounds += 1
            return try DeadPort(.refusing)
        }
        #expect(throws: Broken.self) {
            try onOnePort(try first()) { (_: UInt16) -> Int in throw Broken() }
        }
        #expect(rounds == 1)
    }
}
