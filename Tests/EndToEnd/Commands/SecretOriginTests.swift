import Support
import Testing

/// Tests that secrets are sent only to the origins that they are configured for, in every command (`Security.md` 7).
@Suite(.serialized)
struct SecretOriginTests {
    /// A workspace with the secret `pw`, which endpoints send to `server`: get in a header field, post in a body.
    private func workspace(_ server: ScriptedServer, secret: String = "{command: \"echo sesame-1\"}") throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {dev: {}}\nsecrets: {pw: \(secret)}\nredact: [X-Team]\n")
        try sortie.write("ws/api/service.yaml", "name: Api\nservers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("ws/api/get.yaml", "name: Get\npath: /get\nheaders: {X-Mine: \"a{{pw}}\", X-Team: blue, X-Plain: kept}\n")
        try sortie.write("ws/api/post.yaml", "name: Post\nmethod: POST\npath: /post\nbody: {json: '{\"a\": \"{{pw}}\"}'}\n")
        return sortie
    }

    private func redirecting(_ status: Int, to other: ScriptedServer) throws -> ScriptedServer {
        try ScriptedServer { $0.target == "/login" ? .json(#"{"ticket": "ticket-0123456789"}"#) : .redirect(status, to: other.url + "/there") }
    }

    @Test(arguments: ["send", "download"])
    func `secret header fields are not sent to another origin, with one line on stderr and in the record`(_ command: String) async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try redirecting(302, to: other)
        let sortie = try workspace(server)
        let target = command == "download" ? ["-o", "file"] : []
        let run = try await sortie.run([command, "api/get", "-w", "ws", "--json"] + target)
        #expect(run.status == .exited(0), "\(run)")
        let notice = "the redirect (302) to \(other.url) was followed without X-Mine, X-Team, which only \(server.url) may receive"
        #expect(run.errorLines == ["sortie: warning: \(notice)"])
        #expect(run.output.contains("\"notices\": [\"\(notice)\"]"), "\(run)")
        #expect(server.requests.first?["X-Mine"] == "asesame-1")
        #expect(!other.requests.contains { $0.headText.contains("sesame") || $0.headText.contains("blue") })
        #expect(other.requests.first?["X-Plain"] == "kept")
    }

    @Test func `a body with a secret is not sent again, and the redirect is the response`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try redirecting(307, to: other)
        let run = try await workspace(server).run("send", "api/post", "-w", "ws", "-i")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.hasPrefix("HTTP/1.1 307"))
        #expect(run.errorOutput.contains("sortie: warning: the redirect (307) to \(other.url) is not followed: the body contains a secret"))
        #expect(other.acceptedConnections == 0)
        #expect(server.requests.first?.bodyText.contains("sesame-1") == true)
    }

    @Test func `an upload of a form with a typed password is not sent to another origin, but that of a file is`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try redirecting(308, to: other)
        let sortie = try Sortie()
        try sortie.write("file", "content")
        let form = try await sortie.run("upload", server.url, "-F", "password=typed", "-F", "f=@file")
        #expect(form.errorOutput.contains("is not followed: the body contains a secret"), "\(form)")
        #expect(other.acceptedConnections == 0)
        let file = try await sortie.run("upload", server.url, "file")
        #expect(file.status == .exited(0) && file.errorOutput.isEmpty, "\(file)")
        #expect(other.requests.first?.bodyText == "content")
    }

    @Test func `a captured value is sent only to its origin, and the run names the step`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try redirecting(302, to: other)
        let sortie = try workspace(server)
        try sortie.write("ws/api/login.yaml", "name: Login\npath: /login\ncapture: {ticket: $.ticket}\n")
        try sortie.write("ws/api/use.yaml", "name: Use\npath: /use\nheaders: {X-Seen: \"{{login.ticket}}\"}\n")
        try sortie.write("ws/runs/all.yaml", "chain: [{send: api/login}, {send: api/use}]\n")
        let run = try await sortie.run("run", "all", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.last?["X-Seen"] == "ticket-0123456789")
        #expect(other.requests.first?["X-Seen"] == nil && other.requests.count == 1)
        #expect(run.errorOutput.contains("sortie: warning: use: the redirect (302) to \(other.url) was followed without X-Seen"), "\(run)")
    }

    @Test func `a typed variable with the name of a credential is sent only to its origin`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try redirecting(302, to: other)
        let run = try await Sortie().run("send", server.url, "-H", "X-Mine: {{api_key}}", "--var", "api_key=typed-key")
        #expect(run.output == "there", "\(run)")
        #expect(server.requests.first?["X-Mine"] == "typed-key")
        #expect(other.requests.first?["X-Mine"] == nil)
    }

    @Test func `a replay of the history applies the same restrictions`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try redirecting(302, to: other)
        let sortie = try workspace(server)
        _ = try await sortie.run("send", "api/get", "-w", "ws")
        let run = try await sortie.run("history", "replay", "1", "-w", "ws")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.count == 2 && server.requests.last?["X-Mine"] == "asesame-1")
        #expect(other.requests.count == 2 && !other.requests.contains { $0.headText.contains("sesame") || $0.headText.contains("blue") })
        #expect(run.errorOutput.contains("was followed without X-Mine, X-Team"))
    }

    @Test(arguments: ["send", "download", "run"])
    func `the hosts of a secret are enforced before anything is sent`(_ command: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try workspace(server, secret: "{command: \"echo sesame-1\", hosts: [api.example]}")
        try sortie.write("ws/runs/all.yaml", "chain: [{send: api/get}]\n")
        let run = try await sortie.run([command, command == "run" ? "all" : "api/get", "-w", "ws"])
        #expect(run.errorOutput.contains("the secret pw may not be sent to 127.0.0.1: its hosts are api.example"), "\(run)")
        #expect(run.status == .exited(3), "\(run)")
        if command != "run" { #expect(run.errorOutput.contains("add 127.0.0.1 to hosts under secrets: pw in workspace.yaml")) }
        #expect(server.acceptedConnections == 0)
    }

    @Test func `hosts apply to a public parameter and a token added by plugins`() async throws {
        for setting in ["publicParameters: {app: \"{{pw}}\"}", "plugins: [{token: {value: \"{{pw}}\"}}]"] {
            let server = try ScriptedServer(answering: .ok())
            let sortie = try Sortie()
            try sortie.write(
                "ws/workspace.yaml", "name: W\nenvironments: {dev: {}}\nsecrets: {pw: {command: \"echo sesame-1\", hosts: a.example}}\n\(setting)\n")
            try sortie.write("ws/api/service.yaml", "name: Api\nservers: {dev: [\"\(server.url)\"]}\n")
            try sortie.write("ws/api/get.yaml", "name: Get\npath: /\n")
            let run = try await sortie.run("send", "api/get", "-w", "ws")
            #expect(run.failed(3, "secretNotPermitted"), "\(run)")
            #expect(server.acceptedConnections == 0)
        }
    }

    @Test func `values of environment variables, files and prompts are masked like secrets`() async throws {
        let server = try ScriptedServer { .ok($0["X-Mine"] ?? "") }
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/key", "first-line-of-key\nsecond-line-of-key\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/env.yaml", "name: E\npath: \(server.url)/\nheaders: {X-Mine: \"{{$env.MINE}}\"}\n")
        try sortie.write("ws/api/file.yaml", "name: F\nmethod: POST\npath: \(server.url)/\nbody: {text: \"{{$file key}}\"}\n")
        let environment = try await sortie.run(["send", "api/env", "-w", "ws", "--json", "-v"], environment: ["MINE": "from-outside"])
        #expect(environment.status == .exited(0) && !environment.description.contains("from-outside"), "\(environment)")
        let file = try await sortie.run("send", "api/file", "-w", "ws", "--json", "-v")
        #expect(file.status == .exited(0) && !file.description.contains("line-of-key"), "\(file)")
        #expect(server.requests.first?["X-Mine"] == "from-outside" && server.requests.last?.bodyText.contains("second-line-of-key") == true)
        #expect(try sortie.files(telling: "from-outside").isEmpty && sortie.files(telling: "line-of-key").isEmpty)
    }
}

/// Tests that every command reports connections with unverified certificates.
@Suite(.serialized, .enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
struct UnverifiedConnectionTests {
    @Test func `send, download, upload, run and check report a service without certificate verification and its file`() async throws {
        var options = Nginx.Options()
        options.identity = try Certificates.shared().selfSigned
        let nginx = try Nginx.start(options)
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("ws/shop/service.yaml", "name: Shop\nservers: {dev: [\"\(nginx.httpsURL)\"]}\ntrust: {insecure: true}\n")
        try sortie.write("ws/shop/get.yaml", "name: Get\npath: /small\n")
        try sortie.write("content", "content")
        try sortie.write("ws/runs/all.yaml", "batch: [{send: shop/get}]\n")
        let line = "sortie: warning: certificates of \(nginx.httpsURL) are not verified (shop/service.yaml)"
        for arguments in [
            ["send", "shop/get"], ["download", "shop/get", "-o", "file"], ["upload", "shop/get", "content"], ["run", "all"], ["check"],
        ] {
            let run = try await sortie.run(arguments + ["-w", "ws"])
            #expect(run.status == .exited(0) && run.errorLines.filter { $0 == line }.count == 1, "\(run)")
        }
        let json = try await sortie.run("send", "shop/get", "-w", "ws", "--json")
        #expect(json.output.contains("\"insecure\": true"), "\(json)")
    }

    @Test func `a verified connection and one without TLS are not reported as insecure`() async throws {
        let nginx = try await SharedNginx.value
        let verified = try await Sortie().run("send", "\(nginx.httpsURL)/small", "--cacert", nginx.certificateAuthority, "--json")
        let plain = try await Sortie().run("send", "\(nginx.httpURL)/small", "-k", "--json")
        for run in [verified, plain] { #expect(run.status == .exited(0) && run.errorLines.isEmpty && !run.output.contains("insecure"), "\(run)") }
    }
}
