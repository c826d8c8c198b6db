import Support
import Testing

/// Tests that secrets are `••••` in everything that sortie reports about requests and responses, except with `--show-secrets`.
@Suite(.serialized)
struct SecretMaskingTests {
    private static let headers = ["-H", "Cookie: id=s3cret", "-H", "X-Api-Key: s3cret", "--bearer", "s3cret"]

    private func server() throws -> ScriptedServer {
        try ScriptedServer(answering: .ok("body", headers: [("Set-Cookie", "id=s3cret; Path=/"), ("X-Plain", "plain")]))
    }

    @Test func `--json masks credentials of request and response`() async throws {
        let server = try server()
        let run = try await Sortie().run(["send", server.url, "--json"] + Self.headers)
        let record = try ExchangeRecord(run)
        #expect(!run.description.contains("s3cret"))
        for name in ["Authorization", "Cookie", "X-Api-Key"] { #expect(record.request.values(of: name) == ["••••"]) }
        #expect(record.response?.values(of: "Set-Cookie") == ["••••"])
        #expect(record.response?.values(of: "X-Plain") == ["plain"])
        #expect(server.requests.first?["Authorization"] == "Bearer s3cret", "masked, but sent")
    }

    @Test(arguments: [
        ["check", "URL"], ["list", "-w", "URL"], ["mock", "URL"], ["trust", "URL"], ["init", "URL"], ["history", "show", "URL"],
        ["contract", "diff", "URL", "URL"], ["bundle", "unpack", "URL"], ["run", "URL"], ["export", "URL", "--as", "curl"], ["env", "import", "URL"],
    ])
    func `the password of a URL in place of a folder, a file or a name is masked`(arguments: [String]) async throws {
        let run = try await Sortie().run(arguments.map { $0 == "URL" ? "ftp://user:s3cret@host.example/x" : $0 })
        #expect(run.status != .exited(0) && !run.errorLines.isEmpty, "\(run)")
        #expect(!run.description.contains("s3cret"), "\(run)")
    }

    @Test func `-v masks credentials of request and response`() async throws {
        let server = try server()
        let run = try await Sortie().run(["send", server.url, "-v"] + Self.headers)
        #expect(!run.description.contains("s3cret"))
        #expect(run.errorLines.contains("> Authorization: ••••"))
        #expect(run.errorLines.contains("< Set-Cookie: ••••"))
        #expect(run.output == "body", "the rest went to stderr")
    }

    @Test func `-v masks the value of a cookie or of a body that another field of the response repeats`() async throws {
        let fields = [("Set-Cookie", "sid=cookie-value-1; Path=/"), ("X-Echo", "cookie-value-1 body-value-22")]
        let server = try ScriptedServer(answering: .ok("body", headers: fields))
        let run = try await Sortie().run("send", server.url, "-v", "--json-body", #"{"password": "body-value-22"}"#)
        #expect(run.errorLines.contains("< X-Echo: •••• ••••"), "\(run)")
    }

    @Test func `a dry run masks credentials, as text and as a record`() async throws {
        for option in [[], ["--json"]] {
            let run = try await Sortie().run(["send", "http://127.0.0.1:9/", "--dry-run"] + option + Self.headers)
            #expect(run.status == .exited(0), "\(run)")
            #expect(!run.description.contains("s3cret"))
            #expect(run.output.contains("••••"))
        }
    }

    @Test(arguments: [["--json"], ["-v"]]) func `--show-secrets prints secrets`(options: [String]) async throws {
        let server = try server()
        let run = try await Sortie().run(["send", server.url, "--show-secrets"] + options + Self.headers)
        let text = run.output + run.errorOutput
        #expect(text.contains("Bearer s3cret"))
        #expect(text.contains("id=s3cret; Path=/"))
        #expect(!text.contains("••••"))
    }

    @Test(arguments: [["-v"], ["--json"], ["-v", "--json"], ["--dry-run"], ["--dry-run", "--json"], ["-v", "--fail"]])
    func `no part of any message reveals a secret`(options: [String]) async throws {
        let server = try ScriptedServer(
            answering: HTTPAnswer(
                status: 401, reason: "No",
                headers: [
                    ("Content-Type", "application/json"), ("Set-Cookie", "id=s3cret"), ("X-Device-Id", "s3cret"),
                    ("Link", "<http://h/?access_token=s3cret>"),
                ], body: Array(#"{"token": "s3cret", "data": [{"password": "s3cret", "deviceId": "s3cret"}]}"#.utf8)))
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\nredact: [deviceId, X-Device-Id]\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write(
            "ws/api/all.yaml",
            """
            name: All
            method: POST
            path: \(server.url.replacing("http://", with: "http://me:s3cret@"))/x
            query: {token: s3cret, "user[password]": s3cret, sign: s3cret, deviceId: s3cret}
            headers: {Cookie: id=s3cret, X-Api-Key: s3cret, X-Device-Id: s3cret, Proxy-Authorization: s3cret, Referer: "http://h/?token=s3cret"}
            body: {json: {client_secret: s3cret, list: [{passwd: s3cret, device_id: s3cret}]}}

            """)
        let run = try await sortie.run(["send", "api/all", "-w", "ws", "-o", "body"] + options)
        let printed = run.output + run.errorOutput
        #expect(!printed.contains("s3cret"), "\(printed)")
        #expect(printed.contains("••••"))
        guard !options.contains("--dry-run") else { return }
        #expect(server.requests.first?.target == "/x?token=s3cret&user%5Bpassword%5D=s3cret&sign=s3cret&deviceId=s3cret", "masked, but sent")
    }

    @Test func `redact: of the workspace above masks plain URLs and the displayed history, and nothing else of it is used`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"mine": "s3cret", "b": 1}"#))
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nredact: [X-Mine, mine]\nenvironments: {dev: {}}\nparameters: {public: one}\n")
        let run = try await sortie.run("send", "\(server.url)/x?mine=s3cret", "-H", "X-Mine: s3cret", "--json")
        #expect(run.status == .exited(0) && !run.description.contains("s3cret"), "\(run)")
        #expect(server.requests.first?.target == "/x?mine=s3cret" && server.requests.first?["X-Mine"] == "s3cret")
        #expect(try sortie.files(telling: "s3cret").isEmpty)

        // An exchange that was stored before a name was added is masked when it is displayed.
        _ = try await sortie.run("send", "\(server.url)/x?later=s4cret", "-H", "X-Later: s4cret")
        try sortie.write("workspace.yaml", "name: W\nredact: [X-Later, later]\n")
        for command in [["list"], ["list", "--json"], ["show", "last"], ["show", "last", "--json"], ["export", "--har", "-"]] {
            let shown = try await sortie.run(["history"] + command)
            #expect(shown.status == .exited(0) && !shown.description.contains("s4cret"), "\(shown)")
        }
    }

    @Test func `an unreadable workspace above is a warning, and the URL is sent`() async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: [\n")
        let run = try await sortie.run("send", server.url, "-H", "X-Api-Key: s3cret", "--json")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.errorOutput.contains("warning: redact: of the workspace is not used") && run.errorOutput.contains("workspace.yaml"), "\(run)")
        #expect(!run.description.contains("s3cret"))
    }

    @Test func `captured values are masked in all output, and an order number is not`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/login"
                ? .json(#"{"id": "ABC-12345", "n": 12345678}"#) : .ok("echo \(request.target)", headers: [("Content-Type", "text/plain")])
        }
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/login.yaml", "path: \(server.url)/login\ncapture: {id: $.id, n: $.n}\n")
        try sortie.write("ws/api/use.yaml", "path: \"\(server.url)/{{login.n}}?x={{login.id}}\"\nexpect: {status: 201}\n")
        try sortie.write("ws/runs/c.yaml", "chain:\n  - send: api/login\n  - send: api/use\n")
        for option in ["-v", "--json"] {
            let run = try await sortie.run("run", "c", "-w", "ws", option, "--junit", "j.xml", "--capture", "c.har")
            #expect(run.status == .exited(1), "\(run)")
            #expect(!run.description.contains("ABC-12345") && run.description.contains("/12345678?x=••••"), "\(run)")
        }
        for file in ["j.xml", "c.har"] { #expect(!String(decoding: try sortie.read(file), as: UTF8.self).contains("ABC-12345"), "\(file)") }
        #expect(try sortie.files(telling: "ABC-12345").allSatisfy { $0.hasPrefix("state/sortie/runs/") })
    }

    @Test(arguments: [["--json"], ["-v"], ["--dry-run"], ["--dry-run", "--json"]])
    func `a secret of the workspace is masked everywhere`(options: [String]) async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {key: {env: THE_KEY}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write(
            "ws/api/get.yaml",
            """
            name: Get
            method: POST
            path: \(server.url)/x
            query: {key: "{{key}}"}
            headers: {X-Mine: "v={{key}}"}
            body: {form: {key: "{{key}}"}}

            """)
        let run = try await sortie.run(["send", "api/get", "-w", "ws"] + options, environment: ["THE_KEY": "s3cret"])
        #expect(run.status == .exited(0), "\(run)")
        #expect(!run.description.contains("s3cret"), "\(run)")
        if !options.contains("--dry-run") {
            #expect(server.requests.first?.target == "/x?key=s3cret")
            #expect(server.requests.first?["X-Mine"] == "v=s3cret")
        }
    }
}
