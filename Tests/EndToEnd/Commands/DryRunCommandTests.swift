import Foundation
import Support
import Testing

/// Tests that `--dry-run` prints the request and sends nothing.
@Suite(.serialized)
struct DryRunCommandTests {
    @Test func `the request stands on stdout as it would be sent`() async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let run = try await Sortie().run(
            "send", "\(server.url)/x?a=1", "--dry-run", "-q", "b=ü", "-H", "X-A: 1", "--json-body", #"{"c": 1}"#)
        #expect(run.status == .exited(0), "\(run)")
        #expect(
            run.output == """
                POST \(server.url)/x?a=1&b=%C3%BC
                Host: \(server.authority)
                Accept: */*
                Accept-Encoding: \(value(of: "Accept-Encoding", in: run))
                User-Agent: \(value(of: "User-Agent", in: run))
                X-A: 1
                Content-Type: application/json
                Content-Length: 8

                {"c": 1}

                * address: 127.0.0.1: written in the URL
                * cache: not used: the request has no cache:

                """)
        #expect(run.errorOutput.isEmpty)
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: [["-d", "@-"], ["-F", "a=@-"]]) func `standard input is read, so that its length is known as when it is sent`(_ body: [String])
        async throws
    {
        let run = try await Sortie().runProcess(["send", "http://127.0.0.1:9/x", "--dry-run"] + body, input: "hello")
        #expect(run.status == .exited(0) && run.output.contains("hello\n") && !run.output.contains("Expect"), "\(run)")
        #expect(body[0] == "-F" || run.output.contains("Content-Length: 5\n\nhello\n"), "\(run)")
    }

    @Test func `a request without a body is its head alone`() async throws {
        let run = try await Sortie().run("send", "http://127.0.0.1:9/x", "--dry-run", "-H", "X-A: 1")
        #expect(run.output.hasPrefix("GET http://127.0.0.1:9/x\nHost: 127.0.0.1:9\n") && run.output.contains("\nX-A: 1\n\n* address: "))
    }

    @Test func `with --json it is a record`() async throws {
        let run = try await Sortie().run(
            "send", "http://shop.invalid/x", "--dry-run", "--json", "-d", "a=1", "--resolve", "shop.invalid:127.0.0.1")
        let record = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        #expect(record["method"] as? String == "POST")
        #expect(record["url"] as? String == "http://shop.invalid/x")
        #expect(record["body"] as? String == "a=1")
        #expect(record["addresses"] as? [String] == ["127.0.0.1"])
    }

    @Test func `X3 what a service's plugins do is in it, the signed text masked until secrets are asked for`() async throws {
        func run(_ more: String...) async throws -> ProcessRun {
            try await Sortie().run(["send", "gateway/golden", "-w", Sortie.demoWorkspace, "--dry-run", "--var", "host=127.0.0.1:9"] + more)
        }
        func base(deviceId: String) -> String {
            #"GET/gateway?appId=100001&appVersion=1.0&device=iOS&deviceId=\#(deviceId)&lang=zh-cn&region=cn&timeStamp=20200319174603"#
                + #"&bizContent={"UserId":0}&clientVersion=6.4.2&method=HomePageManager.GetHomePageInfo&module=appguide&version=3.0"#
        }
        let masked = try await run()
        // The workspace masks deviceId.
        #expect(masked.output.contains("\n* signed: \(base(deviceId: "••••"))••••••••\n"), "\(masked)")
        #expect(masked.output.contains("Authorization: ••••") && masked.output.contains("version=3.0&sign=••••\n"))
        let shown = try await run("--show-secrets")
        let whole = base(deviceId: "mnsdnjenrjkjke38dajdjwejd")
        #expect(shown.output.contains("\n* signed: \(whole)eiifs9wesdfsjesBearer dskjjjjdj3dsjs\n"), "\(shown)")
        #expect(shown.output.contains("version=3.0&sign=99bc3ea55d28dc5c2f7a8ed0c458e9d7\n"))
        let record = try await run("--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(record.outputBytes)) as? [String: Any])
        #expect(object["signed"] as? String == base(deviceId: "••••") + "••••••••")
    }

    @Test func `a body that is encrypted is shown as it was, with what is sent in its place`() async throws {
        let run = try await Sortie().run("send", "vault/echo", "-w", Sortie.demoWorkspace, "--dry-run", "--var", "host=127.0.0.1:9")
        #expect(run.output.contains("秘密") && run.output.contains("\n(sent encrypted: "), "\(run)")
    }

    @Test func `a download shows its request as well, and makes no file`() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer(answering: .ok("sent"))
        let run = try await Sortie().run("download", "\(server.url)/x", "--dry-run", "-o", "\(folder.path)/x")
        #expect(run.status == .exited(0) && run.output.hasPrefix("GET \(server.url)/x\n"), "\(run)")
        #expect(server.acceptedConnections == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// The value of a field that depends on the machine.
    private func value(of name: String, in run: ProcessRun) -> String {
        run.output.split(separator: "\n").first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) } ?? "none"
    }

    @Test func `S0.38 the user agent has the system, and the language is that of the environment, unless removed`() async throws {
        let arguments = ["send", "http://127.0.0.1:9/x", "--dry-run"]
        let run = try await Sortie().run(arguments, environment: ["LC_ALL": "de_CH.UTF-8"])
        #expect(value(of: "Accept-Language", in: run) == "de-CH, de;q=0.9", "\(run)")
        #expect(value(of: "User-Agent", in: run).wholeMatch(of: /sortie\/[0-9.]+ \(Linux .+\)/) != nil, "\(run)")
        let own = try await Sortie().run(arguments + ["-H", "Accept-Language:", "-H", "User-Agent: mine"], environment: ["LC_ALL": "de_CH.UTF-8"])
        #expect(value(of: "Accept-Language", in: own) == "none" && value(of: "User-Agent", in: own) == "mine", "\(own)")
    }

    @Test func `S0.29 the time stamp is the local time without separators`() async throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 14 * 3600)
        formatter.dateFormat = "yyyyMMddHHmmss"
        let before = formatter.string(from: Date())
        let run = try await Sortie().runProcess(
            ["send", "http://127.0.0.1:9/at/{{$date yyyyMMddHHmmss}}", "--dry-run"], environment: ["TZ": "Pacific/Kiritimati"])
        let after = formatter.string(from: Date())
        let text = try #require(run.output.firstMatch(of: /\/at\/(\d{14})\b/), "\(run)")
        #expect((before...after).contains(String(text.1)), "\(run)")
    }

    @Test func `S2.13 --service-type is in the result, and an unknown one is rejected`() async throws {
        let run = try await Sortie().run("send", "http://127.0.0.1:9/x", "--dry-run", "--service-type", "background")
        #expect(run.output.contains("* serviceType: background: the packets have the traffic class 0x20\n"), "\(run)")
        let unknown = try await Sortie().run("send", "http://127.0.0.1:9/x", "--dry-run", "--service-type", "fast")
        #expect(unknown.status == .exited(2) && unknown.errorOutput.contains("standard, voip, video"), "\(unknown)")
    }

    @Test func `--interface is the local address of the connection, and an invalid one is rejected`() async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        #expect(try await Sortie().run("send", server.url, "--interface", "127.0.0.1").output == "sent")
        // An address of documentation (RFC 5737), which this machine does not have.
        let other = try await Sortie().run("send", server.url, "--interface", "192.0.2.7")
        #expect(other.failed(2, "invalidOption") && server.requests.count == 1, "\(other)")
        let invalid = try await Sortie().run("send", server.url, "--interface", "a/b")
        #expect(invalid.status == .exited(2) && invalid.errorOutput.contains("neither a network interface nor an address"), "\(invalid)")
    }

    @Test func `a name that is not known here is not looked up`() async throws {
        let run = try await Sortie().run("send", "http://no-such-host.invalid/x", "--dry-run")
        #expect(run.status == .exited(0))
        #expect(run.output.contains("* address: not resolved, because a dry run sends nothing; sending resolves the host\n"), "\(run)")
        #expect(!run.output.contains("hostNotFound"))
    }

    @Test func `each value is followed by where it comes from, and secrets stay masked`() async throws {
        let sortie = try Sortie()
        try sortie.write(
            "ws/workspace.yaml",
            """
            name: W
            environments: {dev: {variables: {base: "http://127.0.0.1:9", user: "{{$env.PLACE_USER}}"}}}
            secrets: {pw: {command: "echo ge''heim"}}
            """)
        try sortie.write(
            "ws/api/service.yaml",
            """
            name: Api
            servers: {dev: ["{{base}}"]}
            headers: {X-Common: "1"}
            """)
        try sortie.write("ws/id", "from-file")
        try sortie.write(
            "ws/api/get.yaml",
            """
            name: Get
            method: POST
            path: "/{{$file id}}"
            query: {u: "{{user}}", v: "{{typed}}"}
            headers: {X-Token: "a{{pw}}b", X-Plain: "1"}
            auth: {bearer: "{{$env.PLACE_TOKEN}}"}
            body: {text: "{{base}} {{pw}}"}
            """)
        let environment = ["PLACE_USER": "anna", "PLACE_TOKEN": "t0k3n"]
        let arguments = ["send", "api/get", "-w", "ws", "--dry-run", "--var", "typed=1"]
        let run = try await sortie.run(arguments, environment: environment)
        #expect(run.status == .exited(0), "\(run)")
        for line in [
            "X-Common: 1  (api/service.yaml)", "X-Token: ••••  (secret pw: command echo ge''heim)", "X-Plain: 1",
            "Authorization: ••••  (env PLACE_TOKEN)", "* source: path from file id", "* source: server from variable base, environment dev",
            "* source: query “u” from env PLACE_USER", "* source: query “v” from variable typed, --var",
            "* source: body from variable base, environment dev; secret pw: command echo ge''heim",
        ] { #expect(run.output.components(separatedBy: "\n").contains(line), "\(line) in \(run)") }
        #expect(!run.output.contains("t0k3n") && !run.output.contains("geheim"))
        let record = try await sortie.run(arguments + ["--json"], environment: environment)
        #expect(record.output.contains(#"{"place": "header X-Token", "sources": ["secret pw: command echo ge''heim"]}"#), "\(record)")
    }

    @Test func `what would stand in the way of sending ends the command as it would end the call`() async throws {
        let run = try await Sortie().run("send", "http://127.0.0.1:9/", "--dry-run", "-X", "HEAD", "-d", "a=1")
        #expect(run.status == .exited(2), "\(run)")
        #expect(run.errorOutput.contains("a HEAD request cannot carry a body"))
    }

    @Test func `templates of an endpoint are resolved`() async throws {
        let run = try await Sortie().run(
            "send", "shop/orders/detail", "-w", Sortie.demoWorkspace, "--dry-run", "--var", "orderId=42", "--var", "host=h:1")
        #expect(run.output.hasPrefix("GET http://h:1/orders/42\n"), "\(run)")
    }
}
