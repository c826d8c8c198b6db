import Foundation
import Support
import Synchronization
import Testing

/// Tests recording a snapshot on the Checks tab of the program.
@Suite(.serialized)
struct SnapshotRobotTests {
    @Test(arguments: Bench.sizes) func `the body is recorded, compared, and replaced after a question`(size: Bench.Size) async throws {
        let number = Mutex(0)
        let server = try ScriptedServer { _ in .json("{\"token\":\"hidden-one\",\"b\":\(number.withLock { $0 += 1; return $0 })}") }
        let endpoint = "name: Orders\npath: \(server.url)/orders\nexpect: {snapshot: true}\n"
        let bench = try await Bench.open(["api/orders.yaml": endpoint], size)
        bench.press(.control("r"), .character("3"))
        try await bench.see("200 OK")
        bench.terminal.type("]]]]]]")
        try await bench.see("✗ snapshot", "r Record")
        bench.terminal.type("r")
        try await bench.see("✓ snapshot", "1 passed, 0 failed")
        let file = "ws/api/orders.snapshot"
        #expect(String(decoding: try bench.sortie.read(file), as: UTF8.self) == "{\n  \"token\": \"••••\",\n  \"b\": 1\n}\n")
        bench.press(.control("r"))
        try await bench.see("✗ snapshot $.b", "expected 1, got 2")
        bench.terminal.type("r")
        try await bench.see("Replace the snapshot?", "api/orders.snapshot")
        bench.press(.enter)
        try await bench.seeNoMore("Replace the snapshot?")
        #expect(String(decoding: try bench.sortie.read(file), as: UTF8.self).contains("\"b\": 1"))
        bench.terminal.type("r")
        try await bench.see("Replace the snapshot?")
        bench.press(.down, .enter)
        try await bench.see("✓ snapshot", "1 passed, 0 failed")
        #expect(String(decoding: try bench.sortie.read(file), as: UTF8.self).contains("\"b\": 2"))
        try await bench.quit()
        withExtendedLifetime(server) {}
    }
}
