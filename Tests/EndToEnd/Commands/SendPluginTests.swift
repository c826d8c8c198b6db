import Support
import Testing

/// Tests the plugins of a workspace against the demo's gateway, vault and account.
@Suite(.serialized)
struct SendPluginTests {
    private func send(_ target: String, _ more: String...) async throws -> (run: ProcessRun, record: ExchangeRecord?) {
        let demo = try await DemoProcess.shared
        let arguments = ["send", target, "-w", try Sortie.demoWorkspace, "--var", "host=\(demo.authority)", "--json"] + more
        let run = try await Sortie().run(arguments)
        return (run, run.output.isEmpty ? nil : try ExchangeRecord(run))
    }

    @Test func `S0.30 the golden request is signed by the plugin and accepted`() async throws {
        let (run, record) = try await send("gateway/golden", "--show-secrets")
        #expect(record?.response?.status == 200, "\(run)")
        let base = "appId=100001&appVersion=1.0&device=iOS&deviceId=mnsdnjenrjkjke38dajdjwejd&lang=zh-cn&region=cn&timeStamp=20200319174603"
        #expect(record?.error == nil)
        let demo = try await DemoProcess.shared
        let log = try await Sortie().run("send", "\(demo.url)/log")
        #expect(log.output.contains("\(base)&bizContent=%7B%22UserId%22%3A0%7D&clientVersion=6.4.2"), "\(log)")
        #expect(log.output.contains("version=3.0&sign=99bc3ea55d28dc5c2f7a8ed0c458e9d7"))
    }

    @Test(arguments: ["gateway/form", "gateway/json"])
    func `S0.30 a signed body is accepted`(target: String) async throws {
        let (run, record) = try await send(target)
        #expect(record?.response?.status == 200, "\(run)")
        #expect(!run.description.contains("eiifs9wesdfsjes"))
    }

    @Test(arguments: ["-q", "--form"])
    func `S0.29 parameters of the command line are sorted and signed as well`(option: String) async throws {
        let (run, record) = try await send(option == "-q" ? "gateway/golden" : "gateway/form", option, "abc=1")
        #expect(record?.response?.status == 200, "\(run)")
    }

    @Test func `S0.30 a request that is changed after signing is rejected`() async throws {
        let (run, record) = try await send("gateway/tampered")
        #expect(record?.response?.status == 401, "\(run)")
        #expect(record?.response?.body?.contains("40102") == true)
    }

    @Test func `S2.19 an endpoint without plugins is sent unchanged, and rejected`() async throws {
        let (run, record) = try await send("gateway/unsigned")
        #expect(record?.response?.body?.contains("40101") == true, "\(run)")
    }

    @Test func `S1.42 an endpoint has its own signing rule, in addition to or in place of that of its service`() async throws {
        let (own, accepted) = try await send("echo/with-sign")
        #expect(accepted?.response?.status == 200, "\(own)")
        #expect(!own.description.contains("eiifs9wesdfsjes"))
        let (other, refused) = try await send("gateway/with-hmac")
        #expect(refused?.response?.body?.contains("40102") == true, "\(other)")
    }

    @Test func `S1.42 --plugins selects the plugins of one request`() async throws {
        let (plain, unsigned) = try await send("gateway/golden", "--plugins", "none")
        #expect(unsigned?.response?.body?.contains("40101") == true, "\(plain)")
        let (few, signed) = try await send("gateway/form", "--plugins", "only sign")
        #expect(signed?.response?.status == 200, "the options of the service's entry apply: \(few)")
        let (none, empty) = try await send("gateway/form", "--plugins", "only")
        #expect(empty?.response?.body?.contains("40101") == true, "\(none)")
        let texts = [
            ("sing", "there is no plugin “sing”"), ("encrypt", "encrypt needs a key"), ("sign sign", "in the list twice"), ("", "write none"),
        ]
        for (text, message) in texts {
            let run = try await Sortie().run("send", "gateway/form", "-w", try Sortie.demoWorkspace, "--plugins", text)
            #expect(run.status == .exited(2) && run.errorOutput.contains(message), "\(run)")
        }
        let url = try await Sortie().run("send", "http://127.0.0.1:1/", "--plugins", "none")
        #expect(url.status == .exited(2) && url.errorOutput.contains("a URL has no plugins"), "\(url)")
    }

    @Test func `S4.10 a reformer of an endpoint gives names to values of the result`() async throws {
        let (run, record) = try await send("shop/orders/summary")
        #expect(record?.response?.status == 200, "\(run)")
        #expect(run.output.replacing(" ", with: "").contains(#""value":{"number":7,"bought":""#), "\(run)")
    }

    @Test func `S4.9 a body is encrypted and signed with HMAC, its response is decrypted, and both are displayed as plain text`() async throws {
        let (run, record) = try await send("vault/echo")
        #expect(record?.response?.status == 200, "\(run)")
        #expect(record?.response?.body?.contains("秘密") == true)
        #expect(!run.description.contains("0001020304"))
    }

    @Test func `S4.9 a query is encrypted into one parameter and signed, and its response is decrypted`() async throws {
        let (run, record) = try await send("vault/search")
        #expect(record?.response?.status == 200, "\(run)")
        #expect(record?.response?.body?.contains("card=4111%201111&name=%E7%8E%8B") == true, "\(run)")
        let demo = try await DemoProcess.shared
        let log = try await Sortie().run("send", "\(demo.url)/log")
        #expect(log.output.contains(#""path":"/vault/search","query":"data="#) && !log.output.contains("4111%201111"), "\(log)")
    }

    @Test func `S4.9 the body of an error response is decrypted as well`() async throws {
        let (run, record) = try await send("vault/refusal")
        #expect(record?.response?.status == 422, "\(run)")
        #expect(record?.response?.body?.contains("does not store") == true)
    }

    @Test func `S0.26 a rejected token is renewed by the token endpoint, and the request is sent again`() async throws {
        let (run, record) = try await send("account/me")
        #expect(record?.response?.status == 200, "\(run)")
        #expect(record?.attempts.map(\.status) == [401, 200])
    }

    @Test func `S0.26 an anonymous endpoint gets no token`() async throws {
        let (run, record) = try await send("account/without-token")
        #expect(record?.response?.status == 401, "\(run)")
        #expect(record?.attempts.count == 1)
        #expect(record?.request.headers.contains { $0.first == "Authorization" } == false)
    }

    @Test func `a token endpoint without a token in its response gives one clear error`() async throws {
        let (run, record) = try await send("account/me", "--var", "password=wrong")
        #expect(record?.error?.message == "the token could not be refreshed", "\(run)")
        #expect(record?.response?.status == 401)
        #expect(run.status == .exited(1))
    }

    @Test func `a secret without a value is reported with its location`() async throws {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {key: {env: THE_KEY}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nplugins:\n  - sign: {secret: \"{{key}}\"}\n")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: http://127.0.0.1:9/\n")
        let run = try await sortie.run("send", "api/get", "-w", "ws")
        #expect(run.errorOutput.contains("api/service.yaml:3:5") && run.errorOutput.contains("THE_KEY"), "\(run)")
    }
}
