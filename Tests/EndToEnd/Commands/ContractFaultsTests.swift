import Foundation
import Support
import Testing

/// Tests what `sortie contract test` finds on a server with known faults.
struct ContractFaultsTests {
    private struct Report: Decodable { var findings: [[String: String]] }

    @Test(.enabled(if: FaultyServer.isAvailable)) func `all faults are found, and operations without a fault have no findings`() async throws {
        let server = try FaultyServer()
        let sortie = try Sortie()
        let document = try await sortie.run("send", "\(server.url)/openapi.json")
        #expect(document.status == .exited(0), "\(document)")
        try sortie.write("api.json", document.output.replacing(/^\{/, with: "{\"servers\": [{\"url\": \"\(server.url)\"}], ", maxReplacements: 1))
        let imported = try await sortie.run("import", "api.json", "-o", "ws")
        #expect(imported.status == .exited(0), "\(imported)")
        let run = try await sortie.run(
            "contract", "test", "faults", "-w", "ws", "--trust", "--unsafe", "--bearer", "let-me-in", "--max", "50", "--no-history", "--json")
        #expect(run.status == .exited(1), "\(run.errorOutput)")
        let found = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)).findings
        func isFound(_ fault: FaultyServer.Fault) -> Bool {
            found.contains { fault.isOf($0["operation"] ?? "") && $0["category"] == fault.category }
        }
        let faults = try await FaultyServer.faults()
        #expect(faults.count > 40 && faults.filter { !isFound($0) }.map(\.text) == [])
        #expect(found.filter { $0["operation"]?.contains(" /fine") ?? true }.map { "\($0)" } == [])
    }
}
