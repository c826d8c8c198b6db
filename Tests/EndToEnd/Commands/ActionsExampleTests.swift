import Foundation
import Support
import Testing

/// Tests the commands of the example for GitHub Actions in the guide.
@Suite(.serialized)
struct ActionsExampleTests {
    @Test func `its commands are understood`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .ok("yes"))
        try sortie.write("api/workspace.yaml", "name: W\nenvironments: {test: {}}\n")
        try sortie.write("api/shop/service.yaml", "servers: {test: [\"\(server.url)\"]}\n")
        try sortie.write("api/shop/a.yaml", "path: /a\n")
        try sortie.write("api/runs/all.yaml", "batch:\n  - send: shop/a\n")
        let commands = try GuideExample.block("yaml", of: "Scripting.md").split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }.map { $0.hasPrefix("run: ") ? String($0.dropFirst(5)) : $0 }
            .filter { $0.hasPrefix("sortie ") }
        #expect(commands.count == 2)
        for command in commands {
            let run = try await sortie.shell("$SORTIE" + command.dropFirst("sortie".count))
            #expect(run.status == .exited(0), "\(command): \(run)")
        }
        #expect(try !sortie.read("report.xml").isEmpty)
    }
}
