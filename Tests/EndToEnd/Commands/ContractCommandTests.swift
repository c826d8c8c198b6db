import Foundation
import Support
import Testing

/// Tests the contract of a service with the program.
struct ContractCommandTests {
    private static let document = """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets/{id}:
            get:
              parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
              responses: {"200": {description: a pet, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
          /pets:
            post:
              requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
              responses: {"201": {description: made}}
        components: {schemas: {Pet: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}}}
        """

    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer { request in
            request.target == "/v1/pets/1"
                ? .ok(#"{"id": 1}"#, headers: [("Content-Type", "application/json")])
                : .ok(#"{"id": "two"}"#, headers: [("Content-Type", "application/json")])
        }
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("pets/api.yaml", Self.document)
        try sortie.write("pets/one.yaml", "path: /pets/1\n")
        try sortie.write("pets/two.yaml", "path: /pets/2\n")
        try sortie.write("pets/free.yaml", "path: /pets/2\ncontract: ignore\n")
        try service(mode: "warn")
    }

    private func service(mode: String) throws {
        try sortie.write("pets/service.yaml", "servers: {dev: [\"\(server.url)/v1\"]}\ncontract: {openapi: api.yaml, mode: \(mode)}\n")
    }

    private let violation = #"body $.id: expected type: integer (api.yaml:12), got "two""#

    @Test func `a violation is a warning, with --contract or mode fail a failure, and nothing where it is off or ignored`() async throws {
        #expect(try await sortie.run("check").status == .exited(0))
        let fine = try await sortie.run("send", "pets/one", "--contract")
        #expect(fine.status == .exited(0) && fine.errorOutput.isEmpty, "\(fine)")
        let warned = try await sortie.run("send", "pets/two")
        #expect(warned.status == .exited(0) && warned.errorOutput.contains("warning: contract: \(violation)"), "\(warned)")
        #expect(try await sortie.run("send", "pets/two", "--json").output.contains(#""warnings": ["contract: body $.id"#))
        let failed = try await sortie.run("send", "pets/two", "--contract")
        #expect(failed.status == .exited(1) && failed.errorOutput.contains(violation), "\(failed)")
        #expect(failed.output == #"{"id": "two"}"#)
        let free = try await sortie.run("send", "pets/free")
        #expect(free.status == .exited(0) && free.errorOutput.isEmpty, "\(free)")
        let refused = try await sortie.run("send", "pets/free", "--contract")
        #expect(refused.status == .exited(2) && refused.errorOutput.contains("no service of pets/free has a contract"), "\(refused)")
        try service(mode: "fail")
        let strict = try await sortie.run("send", "pets/two", "--json")
        #expect(strict.status == .exited(1) && strict.output.contains(#""subject": "body $.id""#), "\(strict)")
        try service(mode: "off")
        #expect(try await sortie.run("send", "pets/two").errorOutput.isEmpty)
    }

    @Test func `a run fails by the contract, with the violation in its lines and in the JUnit report`() async throws {
        try sortie.write("runs/both.yaml", "batch: [{send: pets/one}, {send: pets/two}]\nstopOnFailure: false\n")
        let warned = try await sortie.run("run", "both")
        #expect(warned.status == .exited(0) && warned.errorOutput.contains("warning: two: contract: \(violation)"), "\(warned)")
        let failed = try await sortie.run("run", "both", "--contract", "--junit", "report.xml")
        #expect(failed.status == .exited(1) && failed.output.contains("step two: \(violation)"), "\(failed)")
        let report = String(decoding: try sortie.read("report.xml"), as: UTF8.self)
        #expect(report.contains(#"tests="2" failures="1""#) && report.contains("body $.id: expected type: integer"), "\(report)")
    }

    @Test func `a document that cannot be read is a failure of the workspace`() async throws {
        try sortie.write("pets/api.yaml", "openapi: [\n")
        let run = try await sortie.run("send", "pets/one", "--contract")
        #expect(run.status == .exited(3) && run.errorOutput.contains("api.yaml:"), "\(run)")
        let check = try await sortie.run("check")
        #expect(check.status == .exited(3) && check.output.hasPrefix("pets/service.yaml:2:"), "\(check)")
    }

    @Test func `what was recorded is compared with the description, and with another version`() async throws {
        for target in ["pets/one", "pets/two", "pets/free"] { _ = try await sortie.run("send", target) }
        let check = try await sortie.run("contract", "check", "--history")
        #expect(check.status == .exited(1) && check.output.contains("    \(violation)"), "\(check)")
        #expect(check.errorOutput.contains("2 exchanges compared, 1 not as described"), "\(check)")
        try sortie.write("next.yaml", Self.document.replacing("id: {type: integer}, name", with: "id: {type: string}, name"))
        let other = try await sortie.run("contract", "check", "--history", "--against", "next.yaml", "--since", "1h", "--json")
        #expect(other.status == .exited(1) && other.output.contains(#""compared": 2, "failed": 1"#), "\(other)")
        let coverage = try await sortie.run("contract", "coverage", "--goal", "90")
        #expect(coverage.status == .exited(1) && coverage.output.hasPrefix("✓ GET /pets/{id}  2\n– POST /pets"), "\(coverage)")
        #expect(try await sortie.run("contract", "coverage", "--from", "run").output.contains("Pets: 0 of 2 operations"))
    }

    @Test func `diff classifies changes, and exits with 1 where a client can fail`() async throws {
        try sortie.write("old.yaml", Self.document)
        try sortie.write("new.yaml", Self.document.replacing("required: [id]", with: "required: [id, name]"))
        let run = try await sortie.run("contract", "diff", "old.yaml", "new.yaml")
        #expect(
            run.output == """
                  GET /pets/{id}: response 200 $.name: it became required (new.yaml:12)
                ! POST /pets: request body $.name: it became required (new.yaml:12)

                """)
        #expect(run.status == .exited(1) && run.errorOutput.contains("2 changes, 1 breaking"), "\(run)")
        #expect(try await sortie.run("contract", "diff", "old.yaml", "old.yaml").status == .exited(0))
    }

    @Test func `generated requests find faults, print the curl command, and are the same for one seed`() async throws {
        let faulty = try ScriptedServer { request in
            if request.target.contains("limit=10") { return HTTPAnswer(status: 500) }
            return .json(request.target.contains("sort=") ? "{}" : "[]")
        }
        try sortie.write(
            "items/api.yaml",
            """
            openapi: 3.1.0
            info: {title: Items, version: "1"}
            paths:
              /items:
                get:
                  security: [{key: []}]
                  parameters:
                    - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 10}}
                    - {name: sort, in: query, schema: {type: string, enum: [up, down]}}
                  responses: {"200": {description: items, content: {application/json: {schema: {type: array}}}}}
                delete: {responses: {"204": {description: none}}}
            components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
            """)
        try sortie.write("items/service.yaml", "servers: {dev: [\"\(faulty.url)\"]}\nheaders: {X-Key: k}\ncontract: {openapi: api.yaml}\n")
        try sortie.write("items/list.yaml", "path: /items\n")
        try sortie.write("items/clear.yaml", "method: DELETE\npath: /items\n")
        let run = try await sortie.run("contract", "test", "items", "--seed", "7")
        #expect(run.status == .exited(1), "\(run)")
        for part in [
            "the status is 500", "the invalid request is accepted with the status 200",
            "the request without credentials is accepted with the status 200",
            "body $: expected type: array", "    curl ",
        ] {
            #expect(run.output.contains(part), "\(part): \(run)")
        }
        #expect(run.errorOutput.contains("DELETE /items: not sent without --unsafe"), "\(run)")
        #expect(!faulty.requests.contains { $0.method == "DELETE" })
        #expect(try await sortie.run("contract", "test", "items", "--seed", "7").output == run.output)
    }

    @Test func `a strict mock refuses what the description does not permit`() async throws {
        try sortie.write("api.yaml", Self.document)
        let terminal = try await sortie.open(["mock", "api.yaml", "--strict", "--port", "0"])
        try await terminal.waitUntil("the line with the address", within: Sortie.patience) {
            $0.row(0).hasPrefix("listening on http://127.0.0.1:") && $0.cursor.row > 0
        }
        let url = String(terminal.row(0).dropFirst("listening on ".count))
        #expect(try await Sortie().run("send", url + "/pets/7", "--format", "{status}").output.hasPrefix("200"))
        let refused = try await Sortie().run("send", url + "/pets/x", "-i")
        #expect(refused.output.hasPrefix("HTTP/1.1 400 ") && refused.output.contains("path id: expected type: integer (api.yaml:6)"), "\(refused)")
        let body = try await Sortie().run("send", url + "/pets", "-d", #"{"name": 1}"#, "-H", "Content-Type: application/json")
        #expect(body.output.contains("request body $.id: expected required"), "\(body)")
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(0))
    }

    @Test func `an imported description becomes the contract of its service, and importing again keeps it`() async throws {
        try sortie.write("source/pets.yaml", Self.document.replacing("paths:", with: "servers: [{url: \"\(server.url)/v1\"}]\npaths:"))
        let run = try await sortie.run("import", "source/pets.yaml", "-o", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(String(decoding: try sortie.read("ws/pets/service.yaml"), as: UTF8.self).contains("openapi: ../pets.yaml"))
        #expect(try sortie.read("ws/pets.yaml") == sortie.read("source/pets.yaml"))
        #expect(try await sortie.run("check", "ws").status == .exited(0))
        let again = try await sortie.run("import", "source/pets.yaml", "-o", "ws")
        #expect(again.status == .exited(0) && !FileManager.default.fileExists(atPath: "\(sortie.work)/ws/pets-2.yaml"), "\(again)")
        let listed = try await sortie.run("list", "-w", "ws")
        let target = try #require(
            listed.output.split(separator: "\n").compactMap { $0.split(separator: " ").first { $0.hasPrefix("pets/get") } }.first)
        let sent = try await sortie.run("send", String(target), "-w", "ws", "--trust", "--var", "id=2", "--contract")
        #expect(sent.status == .exited(1) && sent.errorOutput.contains("body $.id: expected type: integer (pets.yaml:13)"), "\(sent)")
    }
}
