import Foundation
import Support
import Testing

/// Tests that values become secrets of this machine with few keys, and that no other file has them afterwards.
@Suite(.serialized)
struct SecretRobotTests {
    private static let store = ["state/sortie/secrets"]

    private func open(_ endpoint: String, _ server: ScriptedServer) async throws -> Bench {
        let bench = try await Bench.open([
            "workspace.yaml": "name: Trial\nenvironments: {dev: {variables: {page: \"1\"}}}   # mine\n",
            "api/service.yaml": "name: Api\nservers: {dev: [\"\(server.url)\"]}\n", "api/list.yaml": "name: List orders\npath: /orders\n" + endpoint,
        ])
        bench.choose("List orders")
        try await bench.see("/orders")
        return bench
    }

    private func read(_ file: String, _ bench: Bench) throws -> String { String(decoding: try bench.sortie.read("ws/\(file)"), as: UTF8.self) }

    @Test func `a selected value is a secret after two keys, and is sent without a question`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        let bench = try await open("headers: {X-Api-Key: sesame-101}   # of the shop\n", server)
        bench.terminal.type("2]")
        try await bench.see("X-Api-Key", "X-Api-Key in clear text")
        bench.press(.character("s"))
        try await bench.see("Make it a secret")
        bench.press(.enter)
        try await bench.see("Stored {{apiKey}} on this machine")
        #expect(try read("workspace.yaml", bench).contains("secrets: {apiKey: {secret: trial-apiKey}}"))
        bench.press(.control("s"))
        try await bench.see("Saved to")
        #expect(try read("api/list.yaml", bench) == "name: List orders\npath: /orders\nheaders: {X-Api-Key: \"{{apiKey}}\"}   # of the shop\n")
        bench.press(.control("r"))
        try await bench.see("200 OK", "fine")
        #expect(server.requests.last?["X-Api-Key"] == "sesame-101")
        try await bench.quit()
        #expect(try bench.sortie.files(telling: "sesame-101") == Self.store)
        let check = try await bench.sortie.run("check", "ws")
        #expect(check.status == .exited(0) && check.errorOutput.isEmpty, "\(check)")
    }

    @Test func `saving a typed credential asks, and Enter keeps it out of the file`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        let bench = try await open("auth: {bearer: \"{{page}}\"}\n", server)
        bench.terminal.type("2]]]")
        try await bench.see("Bearer")
        bench.press(.down, .character("e"))
        bench.press(.control("u"))
        bench.terminal.type("sesame-102")
        bench.press(.control("s"))
        try await bench.see("Save a credential?")
        bench.press(.enter)
        try await bench.see("Saved to")
        #expect(try read("api/list.yaml", bench).contains("auth: {bearer: \"{{token}}\"}"))
        bench.press(.control("r"))
        try await bench.see("200 OK")
        #expect(server.requests.last?["Authorization"] == "Bearer sesame-102")
        try await bench.quit()
        #expect(try bench.sortie.files(telling: "sesame-102") == Self.store)
    }

    @Test func `a pasted command keeps its credential on this machine, also while it is a draft`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        let bench = try await open("", server)
        bench.terminal.paste("curl -H 'Authorization: Bearer sesame-103' \(server.url)/items")
        try await bench.see("{{token}} stored on this machine")
        bench.press(.control("r"))
        try await bench.see("200 OK", "fine")
        #expect(server.requests.last?["Authorization"] == "Bearer sesame-103")
        #expect(try bench.sortie.files(telling: "sesame-103") == Self.store)
        bench.press(.control("s"))
        try await bench.see("Saved to")
        try await bench.quit()
        #expect(try bench.sortie.files(telling: "sesame-103") == Self.store)
        #expect(try read("workspace.yaml", bench).contains("secrets: {token: {secret: trial-token}}"))
    }

    @Test func `a new variable that is a stored secret reaches no file of the workspace`() async throws {
        let server = try ScriptedServer { _ in .ok("fine") }
        let bench = try await open("", server)
        bench.terminal.type("Ea")
        try await bench.see("New variable")
        bench.terminal.type("token\tsesame-104\t")
        bench.press(.space, .space, .space, .space)
        try await bench.see("secret: stored on this machine")
        bench.press(.enter)
        try await bench.see("stored secret trial-token")
        #expect(try read("workspace.yaml", bench).contains("secrets: {token: {secret: trial-token}}"))
        // A key that follows at once would be read with Alt.
        bench.press(.escape)
        try await bench.seeNoMore("Variables  2")
        try await bench.quit()
        #expect(try bench.sortie.files(telling: "sesame-104") == Self.store)
    }

    @Test func `check names credentials in clear text, and does not fail because of them`() async throws {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: Trial\nvariables: {password: sesame-105}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/a.yaml", "path: http://127.0.0.1:1/\nheaders: {X-Api-Key: sesame-106}\n")
        let run = try await sortie.run("check", "ws")
        #expect(run.status == .exited(0) && run.outputBytes.isEmpty, "\(run)")
        let lines = run.errorLines
        #expect(lines.count == 2 && lines[0].hasPrefix("sortie: warning: api/a.yaml:2:22: X-Api-Key is a credential in clear text"), "\(run)")
        #expect(lines.last?.hasPrefix("sortie: warning: workspace.yaml:2:") == true && !run.errorOutput.contains("sesame"), "\(run)")
    }
}
