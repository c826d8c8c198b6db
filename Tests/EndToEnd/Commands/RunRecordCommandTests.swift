import Foundation
import Support
import Testing

/// Tests runs that `sortie run --record` makes of exchanges of the history.
@Suite struct RunRecordCommandTests {
    /// A workspace whose second request has the identity that the first response gives.
    private func workspace() throws -> (Sortie, ScriptedServer) {
        let server = try ScriptedServer { request in request.method == "POST" ? .json(#"{"id": "item-4711"}"#) : .ok(request.target) }
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironment: dev\nenvironments: {dev: {variables: {}}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("api/create.yaml", "# creates an item\npath: /items\nmethod: POST\n")
        try sortie.write("api/show.yaml", "path: /items/item-4711   # the item\n")
        return (sortie, server)
    }

    private func text(_ file: String, _ sortie: Sortie) throws -> String { String(decoding: try sortie.read(file), as: UTF8.self) }

    @Test func `the values of a response that a later request has become captures, and the run sends them`() async throws {
        let (sortie, server) = try workspace()
        for target in ["api/create", "api/show"] { #expect(try await sortie.run("send", target).status == .exited(0)) }
        let made = try await sortie.run("run", "--record", "buy", "1", "2")
        #expect(made.status == .exited(0), "\(made)")
        #expect(
            made.output == """
                created runs/buy.yaml: create, show
                changed api/create
                changed api/show
                {{create.id}} ($.id) is used by show: path

                """)
        #expect(try text("runs/buy.yaml", sortie) == "chain:\n  - send: api/create\n  - send: api/show\n")
        #expect(try text("api/create.yaml", sortie) == "# creates an item\npath: /items\ncapture: {id: $.id}\nmethod: POST\n")
        #expect(try text("api/show.yaml", sortie).contains("/items/{{create.id}}"))
        #expect(server.requests.count == 2)
        let run = try await sortie.run("run", "buy")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map(\.target).suffix(2) == ["/items", "/items/item-4711"])
    }

    @Test func `a run that exists, no exchanges and an unknown one are errors that change nothing`() async throws {
        let (sortie, server) = try workspace()
        defer { withExtendedLifetime(server) {} }
        #expect(try await sortie.run("send", "api/create").status == .exited(0))
        let none = try await sortie.run("run", "--record", "buy")
        #expect(none.status == .exited(2) && none.errorOutput.contains("name the exchanges of the run"), "\(none)")
        let unknown = try await sortie.run("run", "--record", "buy", "99")
        #expect(unknown.status == .exited(2) && unknown.errorOutput.contains("the history has no exchange 99"), "\(unknown)")
        #expect(try await sortie.run("run", "--record", "buy", "1").status == .exited(0))
        let before = try text("runs/buy.yaml", sortie)
        let again = try await sortie.run("run", "--record", "buy", "1")
        #expect(again.status == .exited(3) && again.errorOutput.contains("already exists"), "\(again)")
        #expect(try text("runs/buy.yaml", sortie) == before)
        let many = try await sortie.run("run", "buy", "other")
        #expect(many.status == .exited(2) && many.errorOutput.contains("one argument too many"), "\(many)")
    }
}
