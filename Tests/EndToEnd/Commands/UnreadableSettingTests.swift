import Foundation
import Support
import Testing

/// Tests that a request is not sent where a part of its files cannot be read, because it would be another request, or its check another one.
@Suite struct UnreadableSettingTests {
    /// A part of a file that cannot be read.
    struct Part: Sendable, CustomTestStringConvertible {
        let text: String
        let problem: String
        var testDescription: String { text }
    }

    private static let parts = [
        Part(text: "expect: {size: \"< abc\"}\n", problem: "api/a.yaml:2:"),
        Part(text: "auth: {jwt: {algorithm: HS257, key: a}}\n", problem: "algorithm must be"),
        Part(text: "auth: {apikey: {name: a, value: b}}\n", problem: "auth has no scheme"),
        Part(text: "method: POST\nbody: {jsn: {a: 1}}\n", problem: "api/a.yaml:3:"),
        Part(text: "hooks: [{stage: willsend, run: [./sign.py]}]\n", problem: "api/a.yaml:2:"),
    ]

    private func workspace(_ server: ScriptedServer, service: String = "", _ endpoint: String) throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(server.url)\"]}\n" + service)
        try sortie.write("api/a.yaml", "path: /a\n" + endpoint)
        try sortie.write("runs/r.yaml", "chain: [{send: api/a}]\n")
        return sortie
    }

    @Test(arguments: parts) func `an endpoint with an error in its file is not sent, and the place is named`(_ part: Part) async throws {
        let server = try ScriptedServer(answering: .ok("{}"))
        let sortie = try workspace(server, part.text)
        for command in [["send", "api/a"], ["bench", "api/a", "-n", "1"], ["run", "r"], ["run", "api"]] {
            let run = try await sortie.run(command)
            #expect(run.status == .exited(3) && run.errorOutput.contains(part.problem), "\(run)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `a service with an error in its file is not used`() async throws {
        let server = try ScriptedServer(answering: .ok("{}"))
        let sortie = try workspace(server, service: "tunnel: {command: \"sleep 5\"}\n", "")
        for command in [["send", "api/a"], ["run", "r"]] {
            let run = try await sortie.run(command)
            #expect(run.status == .exited(3) && run.errorOutput.contains("api/service.yaml:2:"), "\(run)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `an unknown key is a warning`() async throws {
        let server = try ScriptedServer(answering: .ok("{}"))
        let run = try await workspace(server, "expect: {stattus: 200}\n").run("send", "api/a")
        #expect(run.succeeded && run.errorOutput.contains("sortie: warning: api/a.yaml:2:10: unknown key “stattus”"), "\(run)")
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [["send", "api/a"], ["run", "r"], ["run", "runs/r.yaml"]])
    func `an unknown key in a file whose settings the endpoint has is a warning, once`(_ command: [String]) async throws {
        let server = try ScriptedServer(answering: .ok("{}"))
        let sortie = try workspace(server, service: "headres: {A: b}\n", "extends: api/base\n")
        try sortie.write("api/base.yaml", "path: /b\nexpcet: {status: 500}\n")
        try sortie.write("api/other.yaml", "path: /c\nqurey: {a: 1}\n")
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\nredcat: [x]\n")
        let run = try await sortie.run(command)
        #expect(run.succeeded, "\(run)")
        for key in [
            "api/service.yaml:2:1: unknown key “headres”", "api/base.yaml:2:1: unknown key “expcet”", "workspace.yaml:3:1: unknown key “redcat”",
        ] {
            #expect(run.errorOutput.components(separatedBy: "sortie: warning: " + key).count == 2, "\(key): \(run)")
        }
        #expect(!run.errorOutput.contains("qurey"))
    }

    @Test func `an unknown key of trust or of a secret is an error, because it would lift a restriction`() async throws {
        let server = try ScriptedServer(answering: .ok("{}"))
        let unpinned = try await workspace(server, service: "trust: {pin: [x]}\n", "").run("send", "api/a")
        #expect(
            unpinned.status == .exited(3) && unpinned.errorOutput.contains("api/service.yaml:2:9: unknown key “pin”; did you mean “pins”?"),
            "\(unpinned)")
        let sortie = try workspace(server, "headers: {A: \"{{password}}\"}\n")
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\nsecrets: {password: {env: PASSWORD, host: [other.example]}}\n")
        let sent = try await sortie.run("send", "api/a", environment: ["PASSWORD": "x"])
        #expect(sent.status == .exited(3) && sent.errorOutput.contains("unknown key “host”; did you mean “hosts”?"), "\(sent)")
        #expect(server.requests.isEmpty)
    }
}
