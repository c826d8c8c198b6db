import Foundation
import Support
import Synchronization
import Testing

/// Tests `sortie run`: chains, batches, expectations, data, restart.
@Suite(.serialized)
struct RunCommandTests {
    private struct Record: Decodable {
        struct Step: Decodable {
            struct Answer: Decodable { let status: Int }
            let step: String
            let state: String
            let endpoint: String?
            let response: Answer?
        }

        let run: String
        let kind: String
        let state: String
        let failedStep: String?
        let steps: [Step]
        let duration: Double
    }

    private func demo(_ sortie: Sortie, _ arguments: String...) async throws -> ProcessRun {
        let host = try await DemoProcess.shared.authority
        return try await sortie.run(["run"] + arguments + ["-w", Sortie.demoWorkspace, "--var", "host=\(host)"])
    }

    /// Whether an expectation failed, reported as specified in the contract.
    private func isRefused(_ run: ProcessRun) -> Bool {
        run.status == .exited(1) && run.errorOutput.contains("sortie: expectation: ")
    }

    private func record(_ run: ProcessRun) throws -> Record {
        try JSONDecoder().decode(Record.self, from: Data(run.outputBytes))
    }

    @Test func `a chain passes on the token of a login and prints a line for each step`() async throws {
        let run = try await demo(Sortie(), "checkout")
        #expect(run.status == .exited(0), "\(run)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.map { $0.prefix(8) } == ["✓ login ", "✓ list  ", "✓ detail", "✓ again ", "checkout"])
        #expect(lines.last?.contains("finished, 4 of 4 steps done") == true)
        #expect(run.errorOutput.isEmpty)
    }

    @Test(arguments: ["", "--json", "--format '{step} '"]) func `a run whose reader has closed goes on, and ends with its own exit code`(
        option: String
    ) async throws {
        let server = try ScriptedServer { $0.target == "/last" ? .status(404, "no") : .ok("{}") }
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/get.yaml", "path: \(server.url)/{{id}}\nexpect: {status: 200}\n")
        let steps = ["a", "b", "last"].map { "  - {send: api/get, as: \($0), with: {id: \($0)}}\n" }
        try sortie.write("runs/r.yaml", "chain:\n" + steps.joined())
        let run = try await sortie.shell("{ \"$SORTIE\" run r \(option) 2>/dev/null; echo \"status $?\" >&2; } | head -c1")
        #expect(run.errorOutput == "status 1\n", "\(run)")
        #expect(server.requests.map(\.target) == ["/a", "/b", "/last"])
    }

    @Test func `a run is repeated for the JSON objects of standard input or of a pipe, and one for no rows warns`() async throws {
        let (server, sortie) = (try ScriptedServer(answering: .ok("{}")), try Sortie())
        try sortie.write("workspace.yaml", "name: Rows\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/get.yaml", "path: \(server.url)/{{id}}\n")
        try sortie.write("runs/r.yaml", "chain:\n  - send: api/get\n")
        try sortie.write("rows.ndjson", "{\"id\": 1}\n\n{\"id\": 2}\n")
        let run = try await sortie.shell("\"$SORTIE\" run r --data - < rows.ndjson")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map(\.target) == ["/1", "/2"])
        let piped = try await sortie.shell("mkfifo p && (cat rows.ndjson > p &) && \"$SORTIE\" run r --data p")
        #expect(piped.status == .exited(0) && server.requests.count == 4, "\(piped)")
        try sortie.write("none.csv", "id\n")
        let none = try await sortie.run("run", "r", "--data", "none.csv")
        #expect(none.status == .exited(0), "\(none)")
        #expect(none.errorOutput == "sortie: warning: the run r sends nothing, because its data has no rows\n", "\(none)")
    }

    @Test func `an unknown key of a step is a warning`() async throws {
        let (server, sortie) = (try ScriptedServer(answering: .ok("{}")), try Sortie())
        try sortie.write("workspace.yaml", "name: Keys\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/get.yaml", "path: \(server.url)/get\n")
        try sortie.write("runs/r.yaml", "chain:\n  - send: api/get\n    iff: {x: 1}\n")
        let run = try await sortie.run(["run", "r"])
        #expect(run.status == .exited(0))
        #expect(run.errorOutput == "sortie: warning: runs/r.yaml:3:5: unknown key “iff”; did you mean “if”?\n")
    }

    @Test func `--json prints the contract's record`() async throws {
        let record = try record(try await demo(Sortie(), "tour", "--json"))
        #expect(record.run == "tour")
        #expect(record.kind == "batch")
        #expect(record.state == "finished")
        #expect(record.failedStep == nil)
        #expect(
            record.steps.map(\.endpoint) == [
                "echo/get", "echo/json", "behaviour/text", "behaviour/gzip", "behaviour/redirects", "behaviour/status-list", "gateway/golden",
            ])
        #expect(record.steps.allSatisfy { $0.response?.status == ($0.endpoint == "behaviour/status-list" ? 202 : 200) && $0.state == "done" })
    }

    @Test func `the failing service of the demo switches to its second server`() async throws {
        let sortie = try Sortie()
        let failing = (1...3).map { "  - send: ring/failing\n    as: failing\($0)\n" }.joined()
        let which = "  - send: ring/which\n    as: after\n    expect: {json: {\"$.headers[2][1]\": {matches: ^localhost}}}\n"
        let before = "  - send: ring/which\n    as: before\n    expect: {json: {\"$.headers[2][1]\": {matches: ^127}}}\n"
        try sortie.write("ring.yaml", "batch:\n" + before + failing + which + "concurrency: 1\nstopOnFailure: false\n")
        let port = try await DemoProcess.shared.authority.split(separator: ":").last ?? ""
        let run = try await sortie.run("run", "ring.yaml", "-w", Sortie.demoWorkspace, "--var", "port=\(port)", "--json")
        #expect(try record(run).steps.map(\.state) == ["done", "failed", "failed", "failed", "done"], "\(run)")
    }

    @Test func `expectations and captures use the declared charset`() async throws {
        // {"名": "表示"} in Shift_JIS.
        let bytes: [UInt8] = [0x7B, 0x22, 0x96, 0xBC, 0x22, 0x3A, 0x20, 0x22, 0x95, 0x5C, 0x8E, 0xA6, 0x22, 0x7D]
        let server = try ScriptedServer(answering: .ok(bytes: bytes, headers: [("Content-Type", "application/json; charset=Shift_JIS")]))
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/get.yaml", "path: \(server.url)/{{part}}\nvariables: {part: first}\n")
        try sortie.write(
            "ws/runs/chain.yaml",
            "chain:\n  - send: api/get\n    expect: {json: {$.名: 表示}}\n    capture: {name: $.名}\n"
                + "  - send: api/get\n    as: next\n    with: {part: \"{{get.name}}\"}\n")
        let run = try await sortie.run("run", "chain", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map(\.target) == ["/first", "/%E8%A1%A8%E7%A4%BA"])
    }

    /// A workspace with a chain of two POSTs, and a run that is killed during the second one.
    private func killed(_ server: ScriptedServer) async throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        for name in ["one", "two"] { try sortie.write("ws/api/\(name).yaml", "method: POST\npath: \(server.url)/\(name)\n") }
        try sortie.write("ws/runs/pay.yaml", "chain:\n  - send: api/one\n  - send: api/two\n")
        let terminal = try await sortie.open("run", "pay", "-w", "ws")
        _ = try await server.waitForRequests(2)
        terminal.signal(SIGKILL)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .signalled(SIGKILL))
        return sortie
    }

    @Test func `a step completed just before kill -9 is not sent again, and one in progress is reported`() async throws {
        let requests = Mutex(0)
        let server = try ScriptedServer { request in
            let number = requests.withLock { requests in
                requests += 1
                return requests
            }
            return number == 2 ? .claiming(length: 100, "held") : .ok()
        }
        let sortie = try await killed(server)
        let run = try await sortie.run("run", "pay", "--from", "two", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map(\.target) == ["/one", "/two", "/two"])
        #expect(run.errorOutput.contains("the step two was being sent when the program ended"))
    }

    @Test func `a failed expectation ends with 1 and names step, expectation, expected and actual value`() async throws {
        let sortie = try Sortie()
        let run = try await demo(sortie, "expectations", "--junit", "report.xml")
        #expect(isRefused(run), "\(run)")
        #expect(run.errorOutput.contains("step few: $.result.total: expected < 10, got 57"))
        #expect(run.output.contains("    step few: $.result.total: expected < 10, got 57"))
        let report = String(decoding: try sortie.read("report.xml"), as: UTF8.self)
        #expect(report.contains("<testsuite name=\"expectations\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""))
        #expect(report.contains("message=\"$.result.total: expected &lt; 10, got 57\""))
    }

    @Test func `a JUnit report on stdout is the only text there, and the lines are on stderr`() async throws {
        let sortie = try Sortie()
        let run = try await demo(sortie, "expectations", "--junit", "-")
        #expect(isRefused(run), "\(run)")
        #expect(run.output.hasPrefix("<?xml ") && run.output.hasSuffix("</testsuites>\n"), "\(run)")
        #expect(run.errorOutput.contains("    step few: $.result.total: expected < 10, got 57"))
        #expect(run.errorOutput.contains("expectations: failed, "))
    }

    @Test(arguments: [["--json"], ["--format", "{step}"]])
    func `a JUnit report on stdout excludes other documents there`(options: [String]) async throws {
        let run = try await Sortie().run(["run", "expectations", "--junit", "-", "-w", Sortie.demoWorkspace] + options)
        #expect(run.status == .exited(2) && run.output.isEmpty, "\(run)")
        #expect(run.errorOutput.contains("--junit - and \(options[0]) both write to stdout"), "\(run)")
    }

    @Test func `S2.45 another process continues a chain at its failed step without sending the first step again`() async throws {
        let sortie = try Sortie()
        let failed = try await demo(sortie, "restart", "--json")
        #expect(isRefused(failed), "\(failed)")
        #expect(try record(failed).steps.map(\.state) == ["done", "failed", "skipped"])
        #expect(try record(failed).failedStep == "flaky")
        let kept = try FileManager.default.subpathsOfDirectory(atPath: sortie.home.path("state")).first { $0.hasSuffix("restart@develop.journal") }
        let path = sortie.home.path("state/\(try #require(kept))")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)

        let again = try await demo(sortie, "restart", "--from", "flaky", "--json")
        #expect(again.status == .exited(0), "\(again)")
        let steps = try record(again).steps
        #expect(steps.map(\.state) == ["done", "done", "done"])
        #expect(steps.map { $0.response?.status } == [nil, 200, 200])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `--from without an earlier run is an error`() async throws {
        let run = try await demo(Sortie(), "checkout", "--from", "detail")
        #expect(run.failed(2, "notStarted"), "\(run)")
        let unknown = try await demo(Sortie(), "checkout", "--from", "detial")
        #expect(unknown.failed(2, "usage"), "\(unknown)")
        #expect(unknown.errorOutput.contains("did you mean detail?"))
    }

    /// A workspace with endpoints in two folders; `fail` gets 500.
    private func folders(_ server: ScriptedServer) throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/live.yaml", "kind: events\npath: \(server.url)/live\n")
        try sortie.write("ws/api/big.yaml", "kind: download\npath: \(server.url)/big\n")
        for name in ["orders/a", "orders/fail", "orders/z", "user"] { try sortie.write("ws/api/\(name).yaml", "path: \(server.url)/\(name)\n") }
        return sortie
    }

    @Test func `a folder is run without a file, in order and beyond a failure`() async throws {
        let server = try ScriptedServer { $0.target.hasSuffix("fail") ? .status(500) : .ok() }
        let sortie = try folders(server)
        let run = try await sortie.run("run", "api/orders", "-w", "ws", "--json")
        #expect(run.status == .exited(1), "\(run)")
        let record = try record(run)
        #expect(record.run == "api/orders")
        #expect(record.steps.map(\.step) == ["a", "fail", "z"])
        #expect(record.steps.map(\.state) == ["done", "failed", "done"])
        #expect(server.requests.map(\.target) == ["/orders/a", "/orders/fail", "/orders/z"])
    }

    @Test func `a run of a service leaves out downloads and streams, and says so`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await folders(server).run("run", "api", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(Set(server.requests.map(\.target)) == ["/orders/a", "/orders/fail", "/orders/z", "/user"])
        #expect(run.errorOutput.contains("api/live is left out"))
        #expect(run.errorOutput.contains("api/big is left out"))
    }

    @Test func `a run file takes precedence over a service of its name`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try folders(server)
        try sortie.write("ws/runs/api.yaml", "chain:\n  - send: api/user\n")
        let run = try await sortie.run("run", "api", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.map(\.target) == ["/user"])
    }

    @Test func `a target that nothing has is an error with a suggestion`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await folders(server).run("run", "apu", "-w", "ws")
        #expect(run.failed(2, "unknownRun"), "\(run)")
        #expect(run.errorOutput.contains("did you mean api?"))
    }

    @Test func `a run is repeated for each row of its data, or of --data`() async throws {
        let sortie = try Sortie()
        let own = try record(try await demo(sortie, "orders", "--json"))
        #expect(own.steps.map(\.step) == ["detail[1]", "detail[2]", "detail[3]"])
        try sortie.write("rows.json", "[{\"number\": 3}, {\"number\": 999}, {\"number\": 4}]")
        let run = try await demo(sortie, "orders", "--data", "rows.json", "--json")
        #expect(isRefused(run), "\(run)")
        #expect(run.errorOutput.contains("step detail[2]: status: expected 200, got 404"))
        #expect(try record(run).steps.map(\.state) == ["done", "failed", "done"])
    }

    @Test func `a run of a file ends with 4 when its network fails`() async throws {
        let sortie = try Sortie()
        let port = try DeadPort(.refusing)
        try sortie.write("workspace.yaml", "name: W\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/get.yaml", "path: \(port.url)/\n")
        try sortie.write("mine.yaml", "chain: [{send: api/get}]\n")
        let run = try await sortie.run("run", "mine.yaml")
        #expect(run.status == .exited(4) && run.errorOutput.contains("sortie: connectionRefused: "), "\(run)")
        try sortie.write("bad.yaml", "chain: [{send: api/gt}]\n")
        let bad = try await sortie.run("run", "bad.yaml")
        #expect(bad.failed(3, "workspace"), "\(bad)")
        #expect(bad.errorOutput.contains("bad.yaml:1:16: there is no endpoint “api/gt”; did you mean “api/get”?"))
    }

    @Test(arguments: [".", "d/", "d//"]) func `a folder without requests, outside of a workspace, is an error`(name: String) async throws {
        let sortie = try Sortie()
        try sortie.write("d/notes.txt", "x")
        let run = try await sortie.run("run", name)
        #expect(run.failed(3, "workspace") && run.errorOutput.contains("there is no workspace.yaml here or above"), "\(run)")
    }

    @Test func `a run of an endpoint whose file cannot be read sends nothing and names the file`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer(answering: .ok("x"))
        try sortie.write("workspace.yaml", "name: W\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/first.yaml", "path: \(server.url)/\n")
        try sortie.write("api/second.yaml", "path: [\n")
        try sortie.write("runs/both.yaml", "chain: [{send: api/first}, {send: api/second}]\n")
        for command in [["run", "both"], ["run", "api/second"], ["export", "api/second", "--as", "curl"]] {
            let run = try await sortie.run(command)
            #expect(run.failed(3, "workspace") && run.errorOutput.contains("api/second.yaml:2:1: this is not YAML"), "\(run)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `an unknown run gets the most similar name as a suggestion`() async throws {
        let run = try await demo(Sortie(), "chekout")
        #expect(run.failed(2, "unknownRun"), "\(run)")
        #expect(run.errorOutput.contains("did you mean checkout?"))
    }

    @Test func `Ctrl-C ends a run with 130, and the run can be continued`() async throws {
        let sortie = try Sortie()
        let server = try ScriptedServer([.answering([.ok()]), Script(.readRequest, .holdOpen), .answering([.ok()])])
        try sortie.write("workspace.yaml", "name: W\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/get.yaml", "path: \(server.url)/\n")
        try sortie.write("runs/two.yaml", "chain: [{send: api/get, as: one}, {send: api/get, as: two}]\n")
        let terminal = try await sortie.open("run", "two")
        _ = try await server.waitForRequests(2, within: Sortie.patience)
        terminal.type("\u{3}")
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(130))
        let again = try await sortie.run("run", "two", "--from", "two")
        #expect(again.status == .exited(0), "\(again)")
        #expect(server.requests.count == 3)
    }
}
