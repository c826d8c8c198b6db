import Support
import Testing

/// Tests `auth: {awsSigV4: …}` of a workspace with the demo and scripted servers.
@Suite(.serialized)
struct AWSCommandTests {
    private func workspace(
        _ api: String, _ auth: String, secret: String = "{command: \"echo hush-key\"}", permitsOwn: Bool = true
    ) throws -> Sortie {
        let sortie = try Sortie(permitsOwn: permitsOwn)
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {dev: {}}\nsecrets: {key: \(secret)}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nservers: {dev: [\"\(api)\"]}\n")
        try sortie.write("ws/api/me.yaml", "name: Me\npath: /me\nauth: {awsSigV4: \(auth)}\n")
        return sortie
    }

    @Test func `the demo verifies the signature, which is not displayed`() async throws {
        let demo = try await DemoProcess.shared
        let arguments = ["send", "account/signed-for-aws", "-w", try Sortie.demoWorkspace, "--var", "host=\(demo.authority)", "--json", "-v"]
        let run = try await Sortie().run(arguments)
        let record = try ExchangeRecord(run)
        #expect(run.succeeded && record.response?.status == 200, "\(run)")
        #expect(!run.description.contains("Signature="), "\(run)")
    }

    @Test func `echoed credentials are masked`() async throws {
        let server = try ScriptedServer { .ok("got \($0["Authorization"] ?? "") \($0["X-Amz-Security-Token"] ?? "")") }
        let auth = "{region: r, service: s, accessKey: a, secretKey: \"{{key}}\", sessionToken: \"t-{{key}}\"}"
        let run = try await workspace(server.url, auth).run("send", "api/me", "-w", "ws", "-v", "-o", "body")
        #expect(run.succeeded && server.requests.first?["X-Amz-Security-Token"] == "t-hush-key", "\(run)")
        #expect(!run.description.contains("hush-key"), "\(run)")
    }

    @Test func `without permission a secret key signs no request`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        let sortie = try workspace(server.url, "{region: r, service: s, accessKey: a, secretKey: \"{{key}}\"}", permitsOwn: false)
        let run = try await sortie.run("send", "api/me", "-w", "ws")
        #expect(run.status == .exited(3) && run.errorOutput.contains("send {{key}} to \(server.url)"), "\(run)")
        #expect(server.requests.isEmpty)
        let permitted = try await sortie.run("send", "api/me", "-w", "ws", "--trust")
        #expect(permitted.succeeded && server.requests.count == 1, "\(permitted)")
    }

    @Test func `a secret key with hosts signs no request to another host`() async throws {
        let server = try ScriptedServer(answering: .ok("in"))
        let auth = "{region: r, service: s, accessKey: a, secretKey: \"{{key}}\"}"
        let sortie = try workspace(server.url, auth, secret: "{command: \"echo hush-key\", hosts: [aws.example]}")
        let run = try await sortie.run("send", "api/me", "-w", "ws")
        #expect(!run.succeeded && run.errorOutput.contains("key"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `an incomplete credential is reported by check with its place`() async throws {
        let run = try await workspace("http://127.0.0.1:1", "{region: r, servise: s, accessKey: a}").run("check", "ws")
        #expect(run.status == .exited(3), "\(run)")
        #expect(run.description.contains("awsSigV4 has no secretKey") && run.description.contains("servise"), "\(run)")
    }

    @Test func `curl gets the option of the signature`() async throws {
        let auth = "{region: r, service: s, accessKey: a, secretKey: \"{{key}}\"}"
        let run = try await workspace("http://h.example", auth).run("export", "api/me", "-w", "ws", "--as", "curl")
        #expect(run.succeeded && run.output.contains("--aws-sigv4 aws:amz:r:s"), "\(run)")
        #expect(!run.output.contains("hush-key"), "\(run)")
    }
}
