import Foundation
import Support
import Testing

/// Tests `expect:` and `answer:` of an endpoint in `send`, and the reports of runs.
@Suite(.serialized)
struct SendExpectationTests {
    private func workspace(_ server: ScriptedServer, _ endpoint: String, permitsOwn: Bool = true) throws -> Sortie {
        let sortie = try Sortie(permitsOwn: permitsOwn)
        try sortie.write("workspace.yaml", "name: W\nenvironment: dev\nenvironments: {dev: {variables: {id: 7}}, live: {variables: {id: 7}}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"], live: [\"\(server.url)/live\"]}\n")
        try sortie.write("api/a.yaml", endpoint)
        return sortie
    }

    @Test func `a response that fails an expectation is delivered and ends with 1`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"id": 8}"#))
        let sortie = try workspace(server, "path: /a\nexpect: {status: 200, json: {$.id: \"{{id}}\", $.name: exists}}\n")
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(1) && run.output == #"{"id": 8}"#, "\(run)")
        #expect(run.errorOutput == "sortie: expectation: $.id: expected 7, got 8; $.name: expected a value, got nothing\n")
        #expect(try await sortie.run("send", "api/a", "--var", "id=8", "-v").status == .exited(1), "the name is still missing")
    }

    @Test(arguments: ["send api/a", "run one"])
    func `SIGINT ends a comparison with a regular expression, and the status is 130`(command: String) async throws {
        let deadline = ContinuousClock.now + Sortie.patience
        var end: ProcessRun
        // On a busy machine the comparison may end before the signal is sent.
        repeat { end = try await interruptedComparison(command) } while end.status == .exited(1) && ContinuousClock.now < deadline
        #expect(end.status == .exited(130), "\(end)")
    }

    /// Runs a command that compares the response with an expensive regular expression, and sends SIGINT during the comparison.
    private func interruptedComparison(_ command: String) async throws -> ProcessRun {
        let text = String(repeating: "a,", count: 20_000)
        let fields = [("Content-Type", "application/json"), ("Connection", "close")]
        let server = try ScriptedServer(answering: .ok(#"{"a": "\#(text)"}"#, headers: fields))
        let sortie = try workspace(server, "path: /a\nexpect: {json: {$.a: \"matches (.*,){500}x\"}}\n")
        try sortie.write("runs/one.yaml", "chain:\n  - {send: api/a}\n")
        async let run = sortie.shell("echo $$ > pid; exec \"$SORTIE\" \(command)")
        // The response is complete when the connection is closed; the comparison then uses its whole budget, which lasts a few seconds. The thread
        // does not wait for the tasks of other tests.
        let pid = try await onNewThread { () -> pid_t? in
            let deadline = ContinuousClock.now + Sortie.patience
            while server.requests.isEmpty || server.openConnections > 0, ContinuousClock.now < deadline { usleep(1000) }
            let pid = pid_t(String(decoding: try sortie.read("pid"), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
            if let pid { kill(pid, SIGINT) }
            return pid
        }
        #expect(pid != nil)
        return try await run
    }

    @Test func `the size of the decoded body is expected`() async throws {
        let server = try ScriptedServer(answering: .ok("12345"))
        let sortie = try workspace(server, "path: /a\nexpect: {size: \"< 5 B\"}\n")
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(1) && run.errorOutput == "sortie: expectation: size: expected < 5 B, got 5 B\n", "\(run)")
        try sortie.write("api/a.yaml", "path: /a\nexpect: {size: 5}\n")
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
    }

    @Test func `the body is validated by a JSON Schema, in send, run and JUnit`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"id": "7"}"#))
        let sortie = try workspace(server, "path: /a\nexpect: {schema: schemas/a.json}\n")
        try sortie.write("runs/one.yaml", "chain:\n  - {send: api/a}\n")
        try sortie.write("api/schemas/a.json", #"{"properties": {"id": {"type": "integer"}}, "required": ["id", "name"]}"#)
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(1) && run.output == #"{"id": "7"}"#, "\(run)")
        #expect(
            run.errorOutput
                == "sortie: expectation: schema $.id: expected type: integer, got \"7\"; schema $.name: expected required: a value, got nothing\n")
        let report = try await sortie.run("run", "one", "--junit", "-")
        #expect(report.status == .exited(1) && report.output.contains("schema $.id: expected type: integer"), "\(report)")
        try sortie.write("api/schemas/a.json", #"{"properties": {"id": {"type": "string"}}}"#)
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
        #expect(try await sortie.run("run", "one").status == .exited(0))
        try sortie.write("api/schemas/a.json", #"{"properties": {"id": {"type": 1}}}"#)
        let invalid = try await sortie.run("run", "one")
        #expect(invalid.status != .exited(0), "\(invalid)")
        #expect((invalid.output + invalid.errorOutput).contains("schemas/a.json is not a JSON Schema: #/properties/id/type"), "\(invalid)")
    }

    @Test func `a schema outside of the workspace needs permission`() async throws {
        let server = try ScriptedServer(answering: .json("{}"))
        let sortie = try workspace(server, "path: /a\nexpect: {schema: /usr/share/a.schema.json}\n", permitsOwn: false)
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(3) && run.errorOutput.contains("read the file /usr/share/a.schema.json"), "\(run)")
        #expect(server.requests.isEmpty)
        try sortie.write("api/a.yaml", "path: /a\n")
        try sortie.write("runs/one.yaml", "chain:\n  - {send: api/a, expect: {schema: /usr/share/b.schema.json}}\n")
        let chain = try await sortie.run("run", "one")
        #expect(chain.status == .exited(3) && chain.errorOutput.contains("read the file /usr/share/b.schema.json"), "\(chain)")
        #expect(server.requests.isEmpty)
    }

    @Test func `the schema of a step is relative to the folder of the run`() async throws {
        let server = try ScriptedServer(answering: .json("[]"))
        let sortie = try workspace(server, "path: /a\n")
        try sortie.write("runs/one.yaml", "chain:\n  - {send: api/a, expect: {schema: a.json}}\n")
        try sortie.write("runs/a.json", #"{"type": "object"}"#)
        let run = try await sortie.run("run", "one")
        #expect(run.status == .exited(1), "\(run)")
        #expect((run.output + run.errorOutput).contains("schema $: expected type: object, got an array of 0 items"), "\(run)")
    }

    @Test func `check reports a schema of the workspace that is missing or invalid`() async throws {
        let sortie = try workspace(try ScriptedServer(answering: .json("[]")), "path: /a\nexpect: {schema: a.json}\n")
        let missing = try await sortie.run("check")
        #expect(missing.status == .exited(3) && missing.output.contains("a.json: it cannot be read"), "\(missing)")
        try sortie.write("api/a.json", #"{"items": {"minimum": "1"}}"#)
        let invalid = try await sortie.run("check")
        #expect(invalid.output.contains("a.json is not a JSON Schema: #/items/minimum: minimum must be a number"), "\(invalid)")
        try sortie.write("api/a.json", "{}")
        #expect(try await sortie.run("check").status == .exited(0))
    }

    @Test func `S1.32 an empty first page is noData, an empty later page noMoreData`() async throws {
        let server = try ScriptedServer { request in .json(request.target.contains("page=1") ? #"{"items": []}"# : #"{"items": [], "total": 3}"#) }
        let sortie = try workspace(server, "path: /a\nquery: {page: 1}\npage: {number: page, items: $.items}\n")
        let empty = try await sortie.run("send", "api/a")
        #expect(empty.status == .exited(1) && empty.errorOutput.hasPrefix("sortie: noData: ") && empty.output == #"{"items": []}"#, "\(empty)")
        #expect(empty.hint.contains("$.items"))
        let later = try await sortie.run("send", "api/a", "-q", "page=2")
        #expect(later.status == .exited(1) && later.errorOutput.hasPrefix("sortie: noMoreData: there are no further items"), "\(later)")
        try sortie.write("api/service.yaml", "texts: zh-Hans\nservers: {dev: [\"\(server.url)\"], live: [\"\(server.url)/live\"]}\n")
        let worded = try await sortie.run("send", "api/a", "-q", "page=2")
        #expect(worded.errorOutput.hasPrefix("sortie: noMoreData: 没有更多了~"), "\(worded)")
        try sortie.write("api/a.yaml", "path: /a\nquery: {page: 1}\n")
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
    }

    @Test func `S2.29 a service validates the status, and answer: and --fail use the same statuses`() async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(status: 404, reason: "Not Found", body: Array("{}".utf8)))
        let sortie = try workspace(server, "path: /a\n")
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
        let failing = try await sortie.run("send", "api/a", "--fail")
        #expect(failing.status == .exited(1) && failing.errorOutput.hasPrefix("sortie: status: "), "\(failing)")
        try sortie.write("api/service.yaml", "validateStatus: true\nservers: {dev: [\"\(server.url)\"], live: [\"\(server.url)/live\"]}\n")
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(1) && run.errorOutput.hasPrefix("sortie: status: ") && run.output == "{}", "\(run)")
        try sortie.write("api/a.yaml", "path: /a\nanswer: {status: [404]}\n")
        #expect(try await sortie.run("send", "api/a").status == .exited(0))
        #expect(try await sortie.run("send", "api/a", "--fail").status == .exited(0))
    }

    @Test func `a response that meets all expectations ends with 0`() async throws {
        struct Record: Decodable {
            struct Failure: Decodable { let subject: String }
            let failures: [Failure]
        }
        let server = try ScriptedServer(answering: HTTPAnswer(status: 404, reason: "Not Found", body: Array("{}".utf8)))
        let sortie = try workspace(server, "path: /a\nexpect: {status: 404}\n")
        let fine = try await sortie.run("send", "api/a", "--json")
        #expect(fine.status == .exited(0), "\(fine)")
        #expect(try JSONDecoder().decode(Record.self, from: Data(fine.outputBytes)).failures.isEmpty)
        try sortie.write("api/a.yaml", "path: /a\nexpect: {status: 200, headers: {X-A: exists}}\n")
        let failed = try await sortie.run("send", "api/a", "--json")
        #expect(failed.status == .exited(1), "\(failed)")
        #expect(try JSONDecoder().decode(Record.self, from: Data(failed.outputBytes)).failures.map(\.subject) == ["status", "header X-A"])
    }

    @Test func `a condition that cannot be resolved ends with 3, and an unreachable server with 4`() async throws {
        let server = try ScriptedServer(answering: .json("{}"))
        let sortie = try workspace(server, "path: /a\nexpect: {json: {$.id: \"{{nowhere}}\"}}\n")
        let run = try await sortie.run("send", "api/a")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.errorOutput.hasPrefix("sortie: workspace: $.id: nothing defines {{nowhere}}"))
        let dead = try DeadPort(.refusing)
        try sortie.write("api/a.yaml", "path: \(dead.url)/\nexpect: {status: 200}\n")
        #expect(try await sortie.run("send", "api/a").status == .exited(4))
        withExtendedLifetime(dead) {}
    }

    @Test func `the expectations of an endpoint apply to an upload`() async throws {
        let server = try ScriptedServer(answering: .status(500))
        let sortie = try workspace(server, "method: PUT\npath: /a\nexpect: {status: 201}\n")
        try sortie.write("file.txt", "x")
        let run = try await sortie.run("upload", "api/a", "file.txt")
        #expect(run.status == .exited(1) && run.errorOutput.contains("sortie: expectation: status: expected 201, got 500"), "\(run)")
    }

    @Test(arguments: ["expect: {status: 404}", "expect: {accept: [404]}", "answer: {status: [404]}"])
    func `a status of 400 or above that the endpoint expects or accepts is no failure of an upload`(rule: String) async throws {
        let server = try ScriptedServer(answering: .status(404))
        let sortie = try workspace(server, "method: PUT\npath: /a\n\(rule)\n")
        try sortie.write("file.txt", "x")
        let run = try await sortie.run("upload", "api/a", "file.txt")
        #expect(run.status == .exited(0), "\(run)")
    }

    @Test(arguments: ["types: [application/json]", "shape: {id: integer}", "status: [201]"])
    func `a response that violates the rules of answer: ends with 1`(rule: String) async throws {
        let server = try ScriptedServer(answering: .ok("text", headers: [("Content-Type", "text/plain")]))
        let run = try await workspace(server, "path: /a\nanswer: {\(rule)}\n").run("send", "api/a")
        #expect(run.status == .exited(1), "\(run)")
    }

    // MARK: Runs

    @Test func `run -v prints decisions and requests on stderr, with the name of the step`() async throws {
        let server = try ScriptedServer { $0.target == "/a" ? .redirect(to: "/b") : .ok("hi") }
        let sortie = try workspace(server, "path: /a\nauth: {bearer: s3cret}\n")
        try sortie.write("runs/r.yaml", "chain: [{send: api/a, as: one}, {send: api/a, as: two}]\n")
        let quiet = try await sortie.run("run", "r")
        #expect(quiet.status == .exited(0) && quiet.errorOutput.isEmpty, "\(quiet)")
        let run = try await sortie.run("run", "r", "-v")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.hasPrefix("✓ one"), "\(run)")
        for name in ["one", "two"] {
            #expect(run.errorLines.contains { $0.hasPrefix("\(name) * redirect: 302 redirects to \(server.url)/b") }, "\(run)")
            #expect(run.errorLines.contains("\(name) > GET \(server.url)/b") && run.errorLines.contains("\(name) < HTTP/1.1 200 OK"), "\(run)")
        }
        #expect(!run.errorOutput.contains("s3cret"))
    }

    @Test func `the hint of a failed run repeats its options, and its command continues in the same environment`() async throws {
        let server = try ScriptedServer(answering: .status(503))
        let sortie = try workspace(server, "path: \"/{{hour}} {{place}}\"\n")
        try sortie.write("runs/my run.yaml", "chain: [{send: api/a, as: \"the step\"}]\n")
        try sortie.write("my data.csv", "hour\n9\n")
        let run = try await sortie.run("run", "my run", "-w", ".", "-e", "live", "--data", "my data.csv", "--var", "place=o'night", "--no-history")
        #expect(run.status == .exited(1), "\(run)")
        let hint = #"sortie run 'my run' --from 'the step[1]' -w . -e live --data 'my data.csv' --var 'place=o'\''night' --no-history"#
        #expect(run.hint == "to resume there: \(hint)")
        let again = try await sortie.shell(hint.replacing("sortie run", with: "\"$SORTIE\" run"))
        #expect(again.status == .exited(1), "\(again)")
        #expect(server.requests.map(\.target) == Array(repeating: "/live/9%20o%27night", count: 2))
    }

    @Test func `the hint masks the variables with secret names`() async throws {
        let server = try ScriptedServer(answering: .status(503))
        let sortie = try workspace(server, "path: /a\n")
        try sortie.write("runs/r.yaml", "chain: [{send: api/a}]\n")
        let run = try await sortie.run("run", "r", "--var", "password=hunter2")
        #expect(run.status == .exited(1) && !run.errorOutput.contains("hunter2"), "\(run)")
        #expect(run.hint == "to resume there: sortie run r --from a --var 'password=••••'")
    }
}
