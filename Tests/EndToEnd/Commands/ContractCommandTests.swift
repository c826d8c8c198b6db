import Foundation
import Support
import Synchronization
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

    @Test func `what the description does not have is listed with -v`() async throws {
        let quiet = try await sortie.run("send", "pets/one", "-q", "page=1")
        #expect(quiet.status == .exited(0) && !quiet.errorOutput.contains("not in the description"), "\(quiet)")
        let sent = try await sortie.run("send", "pets/one", "-q", "page=1", "-v")
        #expect(sent.errorOutput.contains("\n* contract: query page: not in the description\n"), "\(sent)")
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

    @Test func `a description with a URL is fetched by update with permission, revalidated, and used further after a failure`() async throws {
        let answers = Mutex([
            HTTPAnswer.ok(Self.document, headers: [("ETag", "\"1\"")]), HTTPAnswer(status: 304), HTTPAnswer(status: 500), .ok("<html>"),
        ])
        let host = try ScriptedServer { _ in answers.withLock { $0.removeFirst() } }
        let url = "\(host.url)/v1/api.yaml?x=1"
        let sortie = try Sortie(permitsOwn: false)
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("pets/service.yaml", "servers: {dev: [\"\(server.url)/v1\"]}\ncontract: {openapi: \"\(url)\"}\n")
        try sortie.write("pets/two.yaml", "path: /pets/2\n")
        #expect(try await sortie.run("check").status == .exited(0))
        let unknown = try await sortie.run("send", "pets/two")
        #expect(unknown.status == .exited(0) && unknown.errorOutput.contains("sortie contract update fetches it"), "\(unknown)")
        let refused = try await sortie.run("contract", "update")
        #expect(refused.status == .exited(3) && refused.errorOutput.contains("- fetch the description of an API from \(url)"), "\(refused)")
        #expect(host.requests.isEmpty)
        #expect(try await sortie.run("contract", "update", "--trust", "-H", "X-Key: k").output == "fetched  \(url)\n")
        let failed = try await sortie.run("send", "pets/two", "--contract")
        #expect(failed.status == .exited(1) && failed.errorOutput.contains(violation), "\(failed)")
        #expect(try await sortie.run("contract", "update", "pets", "--trust").output == "unchanged  \(url)\n")
        let error = try await sortie.run("contract", "update", "--trust")
        #expect(error.status == .exited(1) && error.errorOutput.contains("the status is 500; the description of "), "\(error)")
        let page = try await sortie.run("contract", "update", "--trust", "--json")
        #expect(page.status == .exited(1) && page.output.contains(#""result": "failed""#), "\(page)")
        #expect(page.errorOutput.contains("the response is no description"), "\(page)")
        #expect(try await sortie.run("send", "pets/two", "--contract").status == .exited(1))
        func fields(_ name: String) -> [String?] { host.requests.map { $0.headers.first { $0.name == name }?.value } }
        #expect(fields("If-None-Match") == [nil, "\"1\"", "\"1\"", "\"1\""])
        #expect(fields("X-Key") == ["k", nil, nil, nil])
        try sortie.write("pets/service.yaml", "contract: {openapi: \"https://me:pw@a.example/x\"}\n")
        let login = try await sortie.run("check")
        #expect(login.status == .exited(3) && login.output.contains("the URL of openapi has a login"), "\(login)")
    }

    @Test func `references lead into other documents of the origin and other files of the workspace, and check warns about broken ones`() async throws
    {
        let host = try ScriptedServer { request in
            switch request.target {
            case "/v1/api.yaml": .ok(Self.document.replacing("#/components/schemas/Pet", with: "../common/pet.yaml#/Pet"))
            case "/common/pet.yaml": .ok("Pet: {properties: {id: {$ref: /ids.yaml}, other: {$ref: \"https://other.example/x.yaml\"}}}")
            case "/ids.yaml": .ok("type: integer")
            default: .status(404)
            }
        }
        try sortie.write("pets/service.yaml", "servers: {dev: [\"\(server.url)/v1\"]}\ncontract: {openapi: \"\(host.url)/v1/api.yaml\"}\n")
        let update = try await sortie.run("contract", "update", "--trust")
        #expect(update.output == ["v1/api.yaml", "common/pet.yaml", "ids.yaml"].map { "fetched  \(host.url)/\($0)\n" }.joined(), "\(update)")
        #expect(update.errorOutput.contains("refers to https://other.example/x.yaml, which is not fetched from another origin"))
        let failed = try await sortie.run("send", "pets/two", "--contract")
        #expect(failed.status == .exited(1) && failed.errorOutput.contains("body $.id: expected type: integer (../ids.yaml:1)"), "\(failed)")
        let warning = try await sortie.run("check").errorOutput
        #expect(warning.contains("sortie: warning: ../common/pet.yaml:1:") && warning.contains(": documents of other origins are not fetched"))

        try sortie.write("pets/api.yaml", Self.document.replacing("#/components/schemas/Pet", with: "../common/pet.yaml#/Pet"))
        try sortie.write("common/pet.yaml", "Pet: {properties: {id: {type: integer}, other: {$ref: ../../outside.yaml}}}")
        try service(mode: "fail")
        let file = try await sortie.run("send", "pets/two")
        #expect(file.status == .exited(1) && file.errorOutput.contains("body $.id: expected type: integer (../common/pet.yaml:1)"), "\(file)")
        let check = try await sortie.run("check")
        let message = "the reference ../../outside.yaml cannot be followed: there is no such file"
        #expect(check.status == .exited(0) && check.errorOutput.contains(message), "\(check)")
    }

    @Test func `a reference out of the workspace needs permission for its file, which covers the files of its folder`() async throws {
        let sortie = try Sortie(permitsOwn: false)
        try sortie.write("w/workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("w/pets/service.yaml", "servers: {dev: [\"\(server.url)/v1\"]}\ncontract: {openapi: api.yaml}\n")
        try sortie.write("w/pets/api.yaml", Self.document.replacing("#/components/schemas/Pet", with: "../../shared/pet.yaml#/Pet"))
        try sortie.write("w/pets/two.yaml", "path: /pets/2\n")
        try sortie.write("shared/pet.yaml", "Pet: {required: [id], properties: {id: {$ref: id.yaml}, tag: {$ref: ../other.yaml}}}\n")
        try sortie.write("shared/id.yaml", "type: integer\n")
        try sortie.write("other.yaml", "type: integer\n")
        func problem(_ reference: String) -> String {
            "the reference \(reference) cannot be followed: the file is outside of the workspace; permit the workspace to read it"
        }

        let refused = try await sortie.run("send", "pets/two", "-w", "w")
        #expect(refused.status == .exited(3) && refused.errorOutput.contains("- read the file \(sortie.work)/shared/pet.yaml\n"), "\(refused)")
        #expect(server.requests.isEmpty)
        let check = try await sortie.run("check", "w")
        #expect(check.status == .exited(0) && check.errorOutput.contains(problem("../../shared/pet.yaml#/Pet")), "\(check)")
        #expect(try await sortie.run("trust", "--allow", "w").status == .exited(0))
        let failed = try await sortie.run("send", "pets/two", "-w", "w", "--contract")
        #expect(failed.status == .exited(1) && failed.errorOutput.contains("expected type: integer (../../shared/id.yaml:1)"), "\(failed)")
        for command in [["check", "w"], ["contract", "diff", "w/pets/api.yaml", "w/pets/api.yaml"]] {
            let warnings = try await sortie.run(command).errorOutput
            #expect(!warnings.contains("shared/pet.yaml#/Pet cannot be followed"), "\(command): \(warnings)")
            #expect(warnings.contains("../other.yaml cannot be followed: the file is not in the folder of the file outside of the workspace"))
        }

        // A reference that is not in the list of what the workspace wants is not followed.
        try sortie.write("w/pets/api.yaml", Self.document.replacing("#/components/schemas/Pet", with: #"..\u002f..\u002fother.yaml"#))
        let hidden = try await sortie.run("send", "pets/two", "-w", "w", "--contract")
        #expect(hidden.status == .exited(0), "\(hidden)")
        #expect(try await sortie.run("check", "w").errorOutput.contains(problem("../../other.yaml")))
    }

    @Test func `an exchange of the history becomes an example of its endpoint, with credentials masked`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"id": 7, "token": "abc123"}"#))
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\n")
        try sortie.write("pets/service.yaml", "name: Pets\n")
        try sortie.write("pets/one.yaml", "path: \(server.url)/pets/{{id}}   # one\n")
        let sent = try await sortie.run("send", "pets/one", "--var", "id=7")
        #expect(sent.status == .exited(0), "\(sent)")
        #expect(try await sortie.run("history", "save-example", "last", "--name", "seven").output == "pets/one has the example seven\n")
        let text = String(decoding: try sortie.read("pets/one.yaml"), as: UTF8.self)
        #expect(text.hasPrefix("path: \(server.url)/pets/{{id}}   # one\nexamples:\n  seven:\n"), "\(text)")
        #expect(text.contains("\"id\": 7") && text.contains("status: 200") && !text.contains("abc123"), "\(text)")
        let taken = try await sortie.run("history", "save-example", "last", "--name", "seven")
        #expect(taken.status == .exited(2) && taken.errorOutput.contains("--name NAME"), "\(taken)")
        #expect(try await sortie.run("history", "save-example", "last").output == "pets/one has the example 200\n")
        try sortie.write("pets/one.yaml", "path: \(server.url)/others\n")
        let other = try await sortie.run("history", "save-example", "last")
        #expect(other.status == .exited(2) && other.errorOutput.contains("another method or path"), "\(other)")
    }

    @Test func `what was recorded is compared with the description, and with another version`() async throws {
        for target in ["pets/one", "pets/two", "pets/free"] { _ = try await sortie.run("send", target) }
        let check = try await sortie.run("contract", "check", "--history")
        #expect(check.status == .exited(1) && check.output.contains("    \(violation)"), "\(check)")
        #expect(check.errorOutput.contains("2 exchanges compared, 1 not as described"), "\(check)")
        try sortie.write("next.yaml", Self.document.replacing("id: {type: integer}, name", with: "id: {type: string}, name"))
        let other = try await sortie.run("contract", "check", "--history", "--against", "next.yaml", "--since", "1h", "--json")
        #expect(other.status == .exited(1) && other.output.contains(#""compared": 2, "failed": 1"#), "\(other)")
        let piped = try await sortie.shell("$SORTIE contract check --history --against - < next.yaml")
        #expect(piped.status == .exited(1) && piped.output.contains("(standard input:"), "\(piped)")
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
        try sortie.write("next/old.yaml", Self.document.replacing("/pets/{id}", with: "/pets/mine"))
        let moved = try await sortie.run("contract", "diff", "old.yaml", "next/old.yaml").output
        #expect(moved.contains("was added (next/old.yaml:") && moved.contains("was removed (old.yaml:"), "\(moved)")
        let stream = try await sortie.shell("$SORTIE contract diff - next/old.yaml < old.yaml")
        #expect(stream.status == .exited(1) && stream.output.contains("was removed (standard input:"), "\(stream)")
        for second in ["-", "/dev/stdin"] {
            let twice = try await sortie.shell("$SORTIE contract diff - \(second) < old.yaml")
            #expect(twice.failed(2, "usage") && twice.errorOutput.contains("OLD and NEW both read standard input"), "\(twice)")
        }
        let missing = try await sortie.run("contract", "diff", "old.yaml", "none.yaml")
        #expect(missing.status == .exited(3) && missing.errorOutput.contains("none.yaml"), "\(missing)")
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
        let dry = try await sortie.run("contract", "test", "items", "--dry-run")
        #expect(dry.failed(2, "usage") && dry.errorOutput.contains("has no --dry-run") && faulty.requests.isEmpty, "\(dry)")
        let run = try await sortie.run("contract", "test", "items", "--seed", "7")
        #expect(run.status == .exited(1), "\(run)")
        for part in [
            "the status is 500", "the invalid request is accepted with the status 200",
            "the request with no credentials is accepted with the status 200",
            "body $: expected type: array", "    curl ", "✗ TRACE /items  method: a method that the path does not have: the method, which the path",
            "other methods of /items  1 request\n",
        ] {
            #expect(run.output.contains(part), "\(part): \(run)")
        }
        #expect(run.errorOutput.contains("DELETE /items: not sent without --unsafe"), "\(run)")
        #expect(Set(faulty.requests.map(\.method)) == ["GET", "TRACE"])
        #expect(!faulty.requests.contains { request in request.method == "TRACE" && request.headers.contains { $0.name == "X-Key" } })
        #expect(try await sortie.run("contract", "test", "items", "--seed", "7").output == run.output)
        let recorded = try await sortie.run("contract", "check", "--history")
        #expect(recorded.status == .exited(0) && recorded.errorOutput.contains("0 exchanges compared"), "\(recorded)")
    }

    @Test func `a saved failure is sent again by run, once for each request, until the server is correct`() async throws {
        let isFaulty = Mutex(true)
        let faulty = try ScriptedServer { request in
            if request.method == "TRACE" { return HTTPAnswer(status: 405) }
            return request.target.contains("limit=10") && isFaulty.withLock { $0 } ? HTTPAnswer(status: 500) : .json("[]")
        }
        try sortie.write(
            "items/api.yaml",
            """
            openapi: 3.1.0
            info: {title: Items, version: "1"}
            paths:
              /items:
                get:
                  parameters: [{name: limit, in: query, schema: {type: integer, maximum: 10}}]
                  responses:
                    "200": {description: items, content: {application/json: {schema: {type: array}}}}
                    "400": {description: invalid}
            """)
        try sortie.write("items/service.yaml", "servers: {dev: [\"\(faulty.url)\"]}\ncontract: {openapi: api.yaml}\n")
        try sortie.write("items/list.yaml", "path: /items\n")
        let run = try await sortie.run("contract", "test", "items", "--seed", "7", "--save")
        #expect(run.status == .exited(1) && run.output.contains("items/findings/list-server-error"), "\(run)")
        let saved = String(decoding: try sortie.read("items/findings/list-server-error.yaml"), as: UTF8.self)
        #expect(saved.contains("limit: 10") && saved.contains("status: 200-499"), "\(saved)")
        _ = try await sortie.run("contract", "test", "items", "--seed", "7", "--save")
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(sortie.work)/items/findings")
        #expect(Set(names).count == names.count && !names.contains("list-server-error-2.yaml"), "\(names)")
        #expect(try await sortie.run("run", "items/findings/list-server-error").status == .exited(1))
        isFaulty.withLock { $0 = false }
        let corrected = try await sortie.run("run", "items/findings/list-server-error")
        #expect(corrected.status == .exited(0), "\(corrected)")
    }

    @Test func `with --unsafe, what is created is read and deleted, by links and by paths, and the shortest sequence is printed`() async throws {
        let number = Mutex(0)
        let json = [("Content-Type", "application/json")]
        let faulty = try ScriptedServer { request in
            switch (request.method, request.target) {
            case ("POST", "/orders"): .status(201, "{\"order\": {\"id\": \(number.withLock { $0 += 1; return $0 })}}", headers: json)
            case ("POST", "/notes"): .status(201, #"{"key": "k1"}"#, headers: json)
            // It ignores the deletion.
            case ("GET", let target) where target.hasPrefix("/orders/"): .json("{}")
            case ("DELETE", _), ("PUT", _): HTTPAnswer(status: 204)
            default: .status(404)
            }
        }
        try sortie.write(
            "pets/api.yaml",
            """
            openapi: 3.1.0
            info: {title: Orders, version: "1"}
            paths:
              /orders:
                post:
                  requestBody: {content: {application/json: {schema: {type: object, properties: {note: {type: string}}}}}}
                  responses: {"201": {description: made}}
              /orders/{orderId}:
                parameters: [{name: orderId, in: path, required: true, schema: {type: integer}}]
                get: {responses: {"200": {description: an order}, "404": {description: none}}}
                put: {responses: {"204": {description: changed}}}
                delete: {responses: {"204": {description: gone}, "404": {description: none}}}
              /notes:
                post:
                  responses:
                    "201":
                      description: made
                      links: {note: {operationId: note, parameters: {path.key: $response.body#/key}}}
              /notes/by/{key}:
                get:
                  operationId: note
                  parameters: [{name: key, in: path, required: true, schema: {type: string}}]
                  responses: {"200": {description: a note}, "404": {description: none}}
            """)
        try sortie.write("pets/service.yaml", "servers: {dev: [\"\(faulty.url)\"]}\ncontract: {openapi: api.yaml}\n")
        try sortie.write("pets/make.yaml", "method: POST\npath: /orders\n")
        try sortie.write("pets/note.yaml", "method: POST\npath: /notes\n")
        let run = try await sortie.run("contract", "test", "pets", "--unsafe", "--max", "3", "--json")
        #expect(run.status == .exited(1), "\(run)")
        struct Report: Decodable { var findings: [[String: String]] }
        let found = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)).findings
        let deleted = found.first { $0["category"] == "notDeleted" } ?? [:]
        // The read and the change before are not needed.
        let steps = (deleted["case"] ?? "").components(separatedBy: ", ").map { String($0.prefix { !$0.isNumber }) }
        #expect(steps == ["POST /orders", "DELETE /orders/", "GET /orders/"], "\(run)")
        #expect((deleted["curl"] ?? "").split(separator: "\n").count { $0.hasPrefix("curl ") } == 3, "\(run)")
        let lost = found.first { $0["category"] == "notCreated" } ?? [:]
        #expect(lost["case"] == "POST /notes, GET /notes/by/k1", "\(run)")
        #expect(lost["message"] == "what was created is not found: the status is 404")
        #expect(Set(faulty.requests.map { "\($0.method) \($0.target)" }).isSuperset(of: ["DELETE /orders", "PATCH /notes", "TRACE /orders"]))
        #expect(
            Set(found.filter { $0["category"] == "acceptedMethod" }.map { $0["operation"] }) == [
                "PUT /orders", "DELETE /orders", "PUT /notes", "DELETE /notes",
            ])
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
        let exported = try await sortie.run("export", "pets", "-w", "ws", "--as", "openapi", "-o", "export.json")
        #expect(exported.status == .exited(0) && !exported.errorOutput.contains("not exported"), "\(exported)")
        let diff = try await sortie.run("contract", "diff", "source/pets.yaml", "export.json")
        #expect(diff.status == .exited(0) && diff.errorOutput.contains("0 changes"), "\(diff)")
        let again = try await sortie.run("import", "source/pets.yaml", "-o", "ws")
        #expect(again.status == .exited(0) && !FileManager.default.fileExists(atPath: "\(sortie.work)/ws/pets-2.yaml"), "\(again)")
        let listed = try await sortie.run("list", "-w", "ws")
        let target = try #require(
            listed.output.split(separator: "\n").compactMap { $0.split(separator: " ").first { $0.hasPrefix("pets/get") } }.first)
        let sent = try await sortie.run("send", String(target), "-w", "ws", "--trust", "--var", "id=2", "--contract")
        #expect(sent.status == .exited(1) && sent.errorOutput.contains("body $.id: expected type: integer (pets.yaml:13)"), "\(sent)")
    }
}
