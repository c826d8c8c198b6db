import Foundation
import Support
import Testing

/// Tests `sortie history delete` with a filter.
@Suite(.serialized)
struct HistoryDeleteTests {
    private let sortie: Sortie

    init() async throws {
        sortie = try Sortie()
        let server = try ScriptedServer { $0.target == "/missing" ? .status(404, "no") : .ok("yes") }
        for path in ["/one", "/missing", "/two", "/missing"] { _ = try await sortie.run("send", server.url + path) }
    }

    private func statuses() async throws -> [String] {
        try await sortie.run("history", "list", "--format", "{number}:{status}").output.split(separator: "\n").map(String.init)
    }

    @Test func `without a terminal and --yes nothing is deleted`() async throws {
        let run = try await sortie.run("history", "delete", "status:404")
        #expect(run.status == .exited(2) && run.errorOutput.contains("2 exchanges match") && run.errorOutput.contains("--yes"), "\(run)")
        #expect(try await statuses().count == 4)
    }

    @Test func `--yes deletes what the filter matches, and nothing else`() async throws {
        #expect(try await sortie.run("history", "pin", "2").status == .exited(0))
        let kept = try await sortie.run("history", "delete", "status:404", "-is:pinned", "--yes")
        #expect(kept.output == "1 exchange deleted\n", "\(kept)")
        #expect(try await statuses() == ["3:200", "2:404", "1:200"])
        let run = try await sortie.run("history", "delete", "--yes", "status:404")
        #expect(run.output == "1 exchange deleted\n", "\(run)")
        #expect(try await statuses() == ["3:200", "1:200"])
        let nothing = try await sortie.run("history", "delete", "--yes", "status:500")
        #expect(nothing.status == .exited(0) && nothing.errorOutput.contains("no exchange matches"), "\(nothing)")
    }

    @Test func `numbers are deleted at once, and without words it is a usage error`() async throws {
        #expect(try await sortie.run("history", "delete", "1", "last").status == .exited(0))
        #expect(try await statuses() == ["3:200", "2:404"])
        #expect(try await sortie.run("history", "delete", "77").status == .exited(2))
        #expect(try await sortie.run("history", "delete").status == .exited(2))
        let invalid = try await sortie.run("history", "delete", "status:4x", "--yes")
        #expect(invalid.status == .exited(2), "\(invalid)")
    }
}
