import Foundation
import Support
import Testing

/// Tests `list` and `check`, and the errors of other commands for an invalid workspace.
@Suite(.serialized)
struct WorkspaceCommandTests {
    private struct Row: Decodable {
        let kind: String
        let target: String
        let name: String
        let method: String?
        let steps: [String]?
    }

    @Test func `list names services, endpoints and runs`() async throws {
        let run = try await Sortie().run("list", "-w", Sortie.demoWorkspace)
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.errorOutput.isEmpty)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("Shop"))
        #expect(lines.contains { $0.contains("GET") && $0.contains("shop/orders/list") && $0.hasSuffix("List orders") })
        #expect(lines.contains { $0.contains("POST") && $0.contains("shop/login") })
        #expect(lines.contains { $0.contains("chain") && $0.hasSuffix("checkout") })
    }

    @Test func `list --tag lists the endpoints with all tags, and names the known ones for an unknown tag`() async throws {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: Trial\n")
        try sortie.write("ws/api/service.yaml", "name: Api\ntags: [public]\n")
        try sortie.write("ws/api/a.yaml", "path: http://a.example/\ntags: [smoke, slow]\n")
        try sortie.write("ws/api/b.yaml", "path: http://a.example/\ntags: [smoke]\n")
        try sortie.write("ws/other/service.yaml", "name: Other\n")
        try sortie.write("ws/other/c.yaml", "path: http://a.example/\n")
        let smoke = try await sortie.run("list", "-w", "ws", "--tag", "smoke")
        #expect(smoke.output.contains("api/a") && smoke.output.contains("api/b") && !smoke.output.contains("Other"))
        let both = try await sortie.run("list", "-w", "ws", "--tag", "smoke", "--tag", "#slow")
        #expect(both.output.contains("api/a") && !both.output.contains("api/b"))
        let json = try await sortie.run("list", "-w", "ws", "--tag", "slow", "--json")
        #expect(json.output.contains(/"tags": ?\["smoke", ?"slow", ?"public"\]/), "\(json)")
        let unknown = try await sortie.run("list", "-w", "ws", "--tag", "smoky")
        #expect(unknown.status == .exited(2))
        #expect(unknown.errorOutput.contains("no tag smoky") && unknown.errorOutput.contains("did you mean smoke?"))
    }

    @Test func `commands accept the options that all share, and their help has those with an effect`() async throws {
        let demo = try Sortie.demoWorkspace
        let shared = ["-w", demo, "-e", "develop", "--var", "a=b", "--no-history", "--no-color", "-v"]
        for command in [["list"], ["check"], ["cache", "list"], ["history", "prune"], ["guide", "first"], ["config", "--path"]] {
            let run = try await Sortie().run(command + shared)
            #expect(run.status == .exited(0), "\(run)")
        }
        #expect(try await Sortie().run("history", "list", "-w", demo, "--no-history", "--no-color", "-v").status == .exited(0))
        // Both need a terminal, which comes after the options.
        for command in [["open"], ["demo"]] {
            let run = try await Sortie().run(command + shared)
            #expect(run.errorOutput.contains("terminal"), "\(run)")
        }
        let help = try await Sortie().run("list", "--help").output
        #expect(help.contains("--json") && !help.contains("--no-history") && !help.contains("--show-secrets"), "\(help)")
    }

    @Test func `list --json is one array with a row for each file`() async throws {
        let run = try await Sortie().run("list", "-w", Sortie.demoWorkspace, "--json")
        let rows = try JSONDecoder().decode([Row].self, from: Data(run.outputBytes))
        #expect(rows.contains { $0.kind == "service" && $0.target == "shop" && $0.name == "Shop" })
        #expect(rows.contains { $0.kind == "endpoint" && $0.target == "shop/orders/list" && $0.method == "GET" })
        let chain = rows.first { $0.kind == "chain" && $0.target == "checkout" }
        #expect(chain?.steps == ["shop/login", "shop/orders/list", "shop/orders/detail", "shop/private-orders"])
        #expect(rows.contains { $0.kind == "batch" && $0.target == "tour" })
        let files = try FileManager.default.subpathsOfDirectory(atPath: Sortie.demoWorkspace).filter {
            $0.hasSuffix(".yaml") && !$0.hasSuffix("service.yaml") && $0.contains("/") && !$0.hasPrefix("runs/") && $0 != "descriptions/api.yaml"
        }
        #expect(Set(rows.filter { $0.kind == "endpoint" }.map { $0.target + ".yaml" }) == Set(files))
    }

    @Test func `the nearest workspace upward is used`() async throws {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: Near\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        try sortie.write("api/deep/er/get.yaml", "name: Deep one\npath: http://127.0.0.1:9/\n")
        let run = try await sortie.shell("cd api/deep && \"$SORTIE\" list")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("api/deep/er/get"))
    }

    @Test func `the demo has no problems`() async throws {
        let run = try await Sortie().run("check", Sortie.demoWorkspace)
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.outputBytes.isEmpty && run.errorLines.isEmpty, "\(run)")
    }

    /// A workspace with one problem of each kind.
    private func broken(_ sortie: Sortie) throws {
        try sortie.write("bad/workspace.yaml", "name: Bad\n")
        try sortie.write("bad/api/service.yaml", "name: Api\nserver: {}\n")
        try sortie.write("bad/api/good.yaml", "name: Good\npath: http://127.0.0.1:9/\n")
        try sortie.write("bad/api/key.yaml", "name: Key\npath: http://127.0.0.1:9/\nmethdo: POST\n")
        try sortie.write("bad/api/syntax.yaml", "name: Syntax\nquery: {page: 1\n")
        try sortie.write("bad/api/type.yaml", "name: Type\npath: /x\nretry: {limit: often}\n")
        try sortie.write("bad/api/variable.yaml", "name: Variable\npath: /x/{{nowhere}}\n")
    }

    @Test func `check prints a line for each problem, with file, line and column, and exits with 3`() async throws {
        let sortie = try Sortie()
        try broken(sortie)
        let run = try await sortie.run("check", "bad")
        #expect(run.status == .exited(3))
        let lines = run.output.split(separator: "\n").map(String.init)
        let place = #/[a-z/]+\.yaml:\d+:\d+: .+/#
        #expect(lines.allSatisfy { $0.wholeMatch(of: place) != nil }, "\(run)")
        #expect(lines.contains { $0.hasPrefix("api/key.yaml:3:1: ") && $0.contains("method") }, "a suggestion; \(run)")
        #expect(lines.contains { $0.hasPrefix("api/service.yaml:2:1: ") && $0.contains("servers") }, "\(run)")
        #expect(lines.contains { $0.hasPrefix("api/syntax.yaml:") }, "\(run)")
        #expect(lines.contains { $0.hasPrefix("api/type.yaml:3:16: ") }, "\(run)")
        #expect(lines.contains { $0.hasPrefix("api/variable.yaml:2:") && $0.contains("nowhere") }, "\(run)")
        #expect(!run.output.contains("good.yaml"))
        #expect(run.errorLines.count == 1)
        #expect(run.errorLines.first == "sortie: workspace: \(lines.count) problems in \(sortie.work)/bad", "\(run)")
    }

    @Test func `check prints the same problems as JSON, and the servers without certificate verification`() async throws {
        let sortie = try Sortie()
        try broken(sortie)
        try sortie.write("bad/open/service.yaml", "name: Open\nservers: {dev: [\"https://open.example\"]}\ntrust: {insecure: true}\n")
        let lines = try await sortie.run("check", "bad").output.split(separator: "\n")
        let run = try await sortie.run("check", "bad", "--json")
        #expect(run.status == .exited(3))
        struct Record: Decodable {
            struct Diagnostic: Decodable {
                let file: String, line: Int, column: Int, severity: String, message: String
            }
            struct Server: Decodable {
                let server: String, file: String
            }
            let problems: [Diagnostic], insecure: [Server]
        }
        let record = try JSONDecoder().decode(Record.self, from: Data(run.outputBytes))
        #expect(record.problems.map { "\($0.file):\($0.line):\($0.column): \($0.message)" } == lines.map(String.init))
        #expect(Set(record.problems.map(\.severity)) == ["error", "warning"])
        #expect(record.insecure.map(\.server) == ["https://open.example"] && record.insecure.map(\.file) == ["open/service.yaml"])
    }

    @Test func `send of an invalid endpoint reports the location of the problem`() async throws {
        let sortie = try Sortie()
        try broken(sortie)
        let run = try await sortie.run("send", "api/syntax", "-w", "bad")
        #expect(run.failed(3, "workspace"), "\(run)")
        #expect(run.errorLines.first?.firstMatch(of: #/api/syntax\.yaml:\d+:\d+: /#) != nil, "\(run)")
    }

    @Test func `send of an endpoint with an unknown variable reports where it is used`() async throws {
        let sortie = try Sortie()
        try broken(sortie)
        let run = try await sortie.run("send", "api/variable", "-w", "bad")
        #expect(run.status == .exited(3) && run.errorLines.count == 2, "\(run)")
        #expect(run.errorLines.first == "sortie: warning: api/service.yaml:2:1: unknown key “server”; did you mean “servers”?", "\(run)")
        #expect(run.errorLines.last?.firstMatch(of: #/sortie: workspace: api/variable\.yaml:\d+:\d+: .*\{\{nowhere\}\}/#) != nil, "\(run)")
    }

    @Test func `an invalid workspace file does not affect the others`() async throws {
        let sortie = try Sortie()
        try broken(sortie)
        let run = try await sortie.run("send", "api/good", "-w", "bad", "--dry-run")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.hasPrefix("GET http://127.0.0.1:9/\n"), "\(run)")
    }

    @Test func `a workspace.yaml that is not YAML is reported with the position`() async throws {
        let sortie = try Sortie()
        try sortie.write("bad/workspace.yaml", "name: Bad\n  environments: [\n")
        let run = try await sortie.run("check", "bad")
        #expect(run.status == .exited(3))
        #expect(run.output.hasPrefix("workspace.yaml:2:"), "\(run)")
    }

    @Test(arguments: [["list"], ["check"], ["send", "shop/login"]]) func `without a workspace the error contains a hint`(
        arguments: [String]
    ) async throws {
        let run = try await Sortie().run(arguments)
        #expect(run.failed(3, "workspace"), "\(run)")
        #expect(run.hint.contains("-w"))
    }

    @Test(arguments: [["list", "-w", "nowhere"], ["check", "nowhere"], ["./nowhere"]]) func `a missing folder is reported`(
        arguments: [String]
    ) async throws {
        let run = try await Sortie().run(arguments)
        #expect(run.failed(3, "workspace"), "\(run)")
        #expect(run.errorOutput.contains("nowhere"))
    }

    @Test func `a folder without a workspace.yaml is reported`() async throws {
        let sortie = try Sortie()
        try sortie.write("empty/readme.txt", "nothing here")
        let run = try await sortie.run("list", "-w", "empty")
        #expect(run.failed(3, "workspace"), "\(run)")
        #expect(run.errorOutput.contains("workspace.yaml"))
    }
}
