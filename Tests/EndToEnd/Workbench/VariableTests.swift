import Foundation
import Support
import Testing

/// Tests the variables of all environments, prompts, and secrets that are revealed, on a terminal.
@Suite(.serialized)
struct VariableTests {
    private static let settings = """
        name: Trial
        environments:
          develop:
            variables: {host: a.example}   # mine
          release: {variables: {host: b.example}}
        secrets: {token: {env: TRIAL_TOKEN}}

        """

    private func open(
        _ size: Bench.Size = .small, adding more: [String: String] = [:], environment: [String: String] = [:]
    ) async throws -> Bench {
        let files = [
            "workspace.yaml": Self.settings, "api/service.yaml": "name: Api\nservers: {develop: [\"http://{{host}}\"]}\n",
            "api/list.yaml": "name: List orders\npath: /orders\nheaders: {X-Token: \"{{token}}\"}\n",
        ]
        let bench = try await Bench.open(files.merging(more) { $1 }, size, environment: environment)
        try await bench.see("List orders")
        return bench
    }

    private func settings(_ bench: Bench) throws -> String { String(decoding: try bench.sortie.read("ws/workspace.yaml"), as: UTF8.self) }

    private func check(_ bench: Bench) async throws {
        let run = try await bench.sortie.run("check", "ws")
        #expect(run.status == .exited(0), "\(run)")
    }

    @Test func `a variable is added, used, renamed with its uses, and deleted`() async throws {
        let bench = try await open()
        bench.terminal.type("Ea")
        try await bench.see("New variable")
        bench.terminal.type("page\t7\r")
        try await bench.see("Added page in develop")
        #expect(try settings(bench).contains("variables: {host: a.example, page: 7}   # mine\n"))
        bench.terminal.type("/host\rr")
        try await bench.see("Rename host", "change 1 template in 1 file")
        bench.press(.control("u"))
        bench.terminal.type("server\r")
        try await bench.see("Renamed host to server")
        let service = String(decoding: try bench.sortie.read("ws/api/service.yaml"), as: UTF8.self)
        #expect(service == "name: Api\nservers: {develop: [\"http://{{server}}\"]}\n")
        try await check(bench)
        bench.press(.escape)
        try await bench.see("page")
        bench.terminal.type("/page\rd")
        try await bench.see("Deleted page in develop")
        #expect(try settings(bench) == Self.settings.replacing("host:", with: "server:"))
    }

    @Test func `x reveals a secret until the next key, and it does not reach a file`() async throws {
        let bench = try await open(environment: ["TRIAL_TOKEN": "sesame-77"])
        bench.choose("List orders")
        bench.terminal.type("2]x")
        try await bench.see("sesame-77")
        bench.press(.down)
        try await bench.seeNoMore("sesame-77")
        bench.terminal.type("E/token\r")
        try await bench.see("•••• env TRIAL_TOKEN")
        bench.terminal.type("x")
        try await bench.see("sesame-77")
        bench.press(.down)
        try await bench.seeNoMore("sesame-77")
        try await bench.quit()
        #expect(try bench.sortie.files(telling: "sesame-77").isEmpty)
    }

    @Test func `a prompt is answered in a form before the request is sent, and a secret one is masked everywhere`() async throws {
        let server = try ScriptedServer { .ok("got \($0["X-Values"]?.prefix { $0 != " " } ?? "")") }
        let bench = try await open(adding: [
            "api/ask.yaml": "name: Ask me\npath: \(server.url)/\nheaders: {X-Values: \"{{$prompt Customer = anna}} {{$promptSecret PIN}}\"}\n"
        ])
        bench.send("Ask me")
        try await bench.see("Send Ask me with", "Customer", "anna", "PIN")
        bench.press(.control("u"))
        bench.terminal.type("bert\tsesame-88")
        try await bench.seeNoMore("sesame-88")
        bench.press(.enter)
        try await bench.see("200", "got bert")
        #expect(server.requests.first?["X-Values"] == "bert sesame-88")
        bench.press(.control("r"))
        try await bench.see("Send Ask me with", "bert")
        bench.press(.escape)
        try await bench.seeNoMore("Send Ask me with")
        try await bench.quit()
        #expect(try bench.sortie.files(telling: "sesame-88").isEmpty)
    }
}
