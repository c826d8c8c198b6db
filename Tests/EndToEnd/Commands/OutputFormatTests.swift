import Foundation
import Support
import Testing

/// Tests `--format` of send, run and history list, and the order of the lines of a batch.
@Suite(.serialized)
struct OutputFormatTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer { $0.target == "/missing" ? .status(404, "no") : .json("{\"path\": \"\($0.target)\"}") }
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("api/a.yaml", "path: /a\n")
        try sortie.write("api/b.yaml", "path: /b\n")
        try sortie.write("api/missing.yaml", "path: /missing\nexpect: {status: [201, 4xx]}\n")
        try sortie.write("runs/all.yaml", "batch:\n  - send: api/a\n  - send: api/missing\n  - send: api/b\n")
    }

    @Test func `send prints the fields instead of the body`() async throws {
        let run = try await sortie.run("send", "api/missing", "--format", "{status} {method} {endpoint}\\t{type} {{x}} {size}")
        #expect(run.status == .exited(0) && run.output.hasPrefix("404 GET api/missing\t"), "\(run)")
        #expect(run.output.hasSuffix(" {x} 2\n"))
        let failed = try await sortie.run("send", "http://127.0.0.1:1/", "--format", "{status} {error}")
        #expect(failed.status == .exited(4), "\(failed)")
    }

    @Test func `an unknown field and an open brace are usage errors before anything is sent`() async throws {
        for (format, reason) in [("{statsu}", "did you mean {status}? the fields are: status, reason"), ("{status", "is not closed")] {
            let run = try await sortie.run("send", "api/a", "--format", format)
            #expect(run.status == .exited(2) && run.errorOutput.contains(reason), "\(run)")
        }
        let both = try await sortie.run("send", "api/a", "--json", "--format", "{status}")
        #expect(both.status == .exited(2))
        #expect(try await sortie.run("run", "all", "--format", "{x}").status == .exited(2))
        #expect(try await sortie.run("history", "list", "--format", "{x}").status == .exited(2))
        #expect(server.requests.isEmpty)
    }

    @Test func `the lines of a batch have the order of its steps`() async throws {
        let run = try await sortie.run("run", "all", "--format", "{step} {status} {state}")
        #expect(run.output == "a 200 done\nmissing 404 done\nb 200 done\n", "\(run)")
        let text = try await sortie.run("run", "all")
        #expect(text.output.split(separator: "\n").map { $0.split(separator: " ")[1] } == ["a", "missing", "b", "finished,"], "\(text)")
    }

    @Test func `history list prints a line for each exchange`() async throws {
        _ = try await sortie.run("send", "api/a")
        _ = try await sortie.run("send", "api/missing")
        let run = try await sortie.run("history", "list", "--format", "{status} {endpoint} {tags}")
        #expect(run.output == "404 api/missing -\n200 api/a -\n", "\(run)")
    }

    @Test func `rows of data come from standard input`() async throws {
        try sortie.write("runs/rows.yaml", "chain:\n  - send: api/a\n    with: {x: \"{{name}}\"}\n")
        let run = try await sortie.shell("printf 'name\\none\\ntwo\\n' | $SORTIE run rows --data - --format '{step} {row} {status}'")
        #expect(run.output.split(separator: "\n").count == 2 && run.output.contains(" 2 200"), "\(run)")
        let invalid = try await sortie.shell("printf '[1' | $SORTIE run rows --data -")
        #expect(invalid.status == .exited(3) && invalid.errorOutput.contains("standard input"), "\(invalid)")
    }

    @Test func `a status that is not expected names all that are`() async throws {
        try sortie.write("api/a.yaml", "path: /a\nexpect: {status: [201, 3xx, 400-404]}\n")
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(1) && run.errorOutput.contains("201, 3xx, 400-404"), "\(run)")
        try sortie.write("api/a.yaml", "path: /a\nexpect: {status: 2xx}\n")
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
    }
}
