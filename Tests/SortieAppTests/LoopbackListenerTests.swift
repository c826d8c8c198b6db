import Glibc
import Support
import Testing

@testable import SortieApp

/// Tests which user's program listens on a port of this machine.
struct LoopbackListenerTests {
    @Test func `every listening port is found beside many others, whose list is longer than one reading of the kernel's table`() throws {
        let servers = try (0..<60).map { _ in try ScriptedServer(answering: .ok("")) }
        for server in servers { #expect(try LoopbackListener.user(ofPort: server.port) == geteuid()) }
        withExtendedLifetime(servers) {}
    }

    @Test func `a port without a program has no user`() throws {
        let port = try DeadPort(.refusing)
        #expect(try LoopbackListener.user(ofPort: port.port) == nil)
        withExtendedLifetime(port) {}
    }
}
