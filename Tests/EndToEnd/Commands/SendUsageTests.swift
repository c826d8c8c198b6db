import Support
import Testing

/// Tests that mistakes on the command line give exit code 2 and missing files 3, and that nothing is sent.
@Suite(.serialized)
struct SendUsageTests {
    @Test(arguments: [
        ["--nonsense"], ["--timeout", "soon"], ["--timeout", "0"], ["--timeout=-1"], ["--connect-timeout", "nan"], ["--timeout", "0x10"],
        ["--max-redirects", "-1"], ["--max-body", "much"], ["--http1.1", "--http2"], ["-q", "novalue"], ["--form", "novalue"],
        ["-F", "novalue"], ["-F", "f=@x;colour=red"], ["-d", "a", "--json-body", "{}"], ["--form", "a=b", "-F", "a=b"],
        ["--digest"], ["-u", "a:b", "--bearer", "t"], ["--var", "novalue"], ["--resolve", "localhost"],
        ["--resolve", "localhost:nowhere"], ["--resolve", "localhost:"], ["--resolve", "localhost:0:127.0.0.1"], ["--pin-scope", "half"], ["surplus"],
    ])
    func `an invalid option is a usage error`(options: [String]) async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let run = try await Sortie().run(["send", server.url] + options)
        #expect(run.failed(2, "usage"), "\(run)")
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: [
        ["check", ""], ["trust", ""], ["init", ""], ["open", ""], ["mock", ""], ["bundle", "pack", ""], ["list", "-w", ""], ["trust", "-w", ""],
        ["guide", ""], ["guide", " "],
    ])
    func `an empty name of a folder, or of what is searched, is a usage error`(arguments: [String]) async throws {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\n")
        let run = try await sortie.run(arguments)
        #expect(run.failed(2, "usage") && run.errorOutput.contains("empty") && run.output.isEmpty, "\(run)")
    }

    @Test(arguments: [
        ["--netrc-file", ""], ["--cacert", ""], ["--cert", ""], ["--pin-file", ""], ["-o", ""], ["--cookies", ""], ["--capture", ""],
        ["--var", "x@"],
    ])
    func `an empty name of a file is a usage error before anything is sent`(options: [String]) async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await Sortie().run(["send", server.url] + options)
        #expect(run.failed(2, "usage") && run.errorOutput.contains("the name of a file is empty"), "\(run)")
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: [
        ["import", ""], ["bundle", "unpack", ""], ["history", "export", "--har", ""], ["history", "show", ""], ["history", "replay", ""],
    ])
    func `an empty name of a file or of an exchange is not shown as nothing`(arguments: [String]) async throws {
        let run = try await Sortie().run(arguments)
        #expect(run.status == .exited(2) && run.errorOutput.contains(" is empty"), "\(run)")
    }

    @Test(arguments: ["GE T", "", "GET\r\nX: y", "Gé"]) func `an invalid method is reported`(method: String) async throws {
        let run = try await Sortie().run("send", "http://127.0.0.1:9/", "-X", method)
        #expect(run.failed(2, "invalidMethod"), "\(run)")
    }

    @Test(arguments: ["no colon", "a b: x", ": x", "X-A: a\r\nX-B: b", "X-A: a\nb"])
    func `an invalid header field is reported`(header: String) async throws {
        let run = try await Sortie().run("send", "http://127.0.0.1:9/", "-H", header)
        #expect(run.failed(2, "invalidHeader"), "\(run)")
    }

    @Test(arguments: [
        "http://", "http://a b/", "http://host:port/", "http://host:99999/", "https:///x", "http://[::1/", "ftp://localhost/",
        "http:/127.0.0.1:1/x", "http:\\\\127.0.0.1:1/x",
    ])
    func `an invalid URL is a usage error that quotes it`(url: String) async throws {
        let run = try await Sortie().run("send", url)
        #expect(run.status == .exited(2), "\(run)")
        #expect(run.outputBytes.isEmpty)
        #expect(run.errorLines.first?.contains(url) == true, "\(run)")
    }

    @Test(arguments: ["127.0.0.1", "localhost"]) func `a target that begins with a host is a URL, with and without a workspace`(host: String)
        async throws
    {
        let server = try ScriptedServer(answering: .ok("sent"))
        let sortie = try Sortie()
        #expect(try await sortie.run("send", "\(host):\(server.port)/a?b=1").output == "sent")
        try sortie.write("workspace.yaml", "name: Hosts\n")
        try sortie.write("api/service.yaml", "name: Api\n")
        #expect(try await sortie.run("send", "\(host):\(server.port)/c").output == "sent")
        #expect(server.requests.map(\.target) == ["/a?b=1", "/c"])
    }

    @Test(arguments: ["/go?to=http://a.example/", "/proxy/http://a.example/"])
    func `a URL in the path or the query of a target without a scheme belongs to it`(path: String) async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        #expect(try await Sortie().run("send", "127.0.0.1:\(server.port)\(path)").output == "sent")
        #expect(server.requests.map(\.target) == [path])
    }

    @Test(arguments: [["history", "show"], ["guide"], ["check"], ["send", "http://127.0.0.1:9/", "--resolve"]])
    func `an argument that would fill the terminal is shortened in the message`(command: [String]) async throws {
        let run = try await Sortie().run(command + [String(repeating: "a", count: 100_000) + "end"])
        #expect(run.status != .exited(0) && run.errorOutput.utf8.count < 2000 && run.errorOutput.contains("…"), "\(run)")
    }

    @Test func `a header field without a colon is quoted without what follows its name`() async throws {
        let run = try await Sortie().run("send", "http://127.0.0.1:9/", "-H", "Authorization Bearer s3cret")
        #expect(run.failed(2, "invalidHeader") && run.errorOutput.contains("“Authorization …”"), "\(run)")
        #expect(!run.errorOutput.contains("s3cret"))
    }

    @Test func `a curl command that is one argument is sent with its files, and with the options after it`() async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let sortie = try Sortie()
        try sortie.write("body.txt", "text")
        let run = try await sortie.run("send", "curl -X PUT '\(server.url)/a?b=1' \\\n  -H 'X-A: 1' --data-binary @body.txt", "-H", "X-B: 2")
        #expect(run.output == "sent", "\(run)")
        let sent = try #require(server.requests.first)
        #expect(sent.method == "PUT" && sent.target == "/a?b=1" && sent["X-A"] == "1" && sent["X-B"] == "2" && sent.bodyText == "text")
        let several = try await sortie.run("send", "curl \(server.url)/1 \(server.url)/2")
        #expect(several.failed(2, "curl") && server.requests.count == 1, "\(several)")
        let words = try await sortie.run("send", "curl", "-X", "POST", server.url)
        #expect(words.status == .exited(2) && words.errorOutput.contains("as one argument"), "\(words)")
    }

    @Test(arguments: [
        "Invoke-WebRequest -Uri \"URL/a\" -Method \"POST\" -Headers @{\"X-A\"=\"1\"} -ContentType \"application/json\" -Body \"[1]\"",
        "fetch(\"URL/a\", {\n  \"headers\": {\"x-a\": \"1\", \"content-type\": \"application/json\"},\n  \"body\": \"[1]\", \"method\": \"POST\"\n});",
    ])
    func `a command that browsers copy for PowerShell or scripts is sent, too`(command: String) async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let run = try await Sortie().run("send", command.replacing("URL", with: server.url))
        #expect(run.output == "sent", "\(run)")
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST" && sent.target == "/a" && sent["X-A"] == "1" && sent.bodyText == "[1]")
    }

    @Test func `the names of a pasted call of fetch are asked for, also as the whole URL`() async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let sortie = try Sortie()
        let call = "fetch(`\(server.url)/users/${user.id}`, {headers: {\"x-a\": token}})"
        let run = try await sortie.run("send", call, "--var", "userId=5", "--var", "token=t")
        #expect(run.output == "sent" && run.errorOutput.contains("“user.id” is not known"), "\(run)")
        let sent = try #require(server.requests.first)
        #expect(sent.target == "/users/5" && sent["X-A"] == "t")
        let whole = try await sortie.run("send", "fetch(`${url}`)", "--var", "url=\(server.url)/a/b")
        #expect(whole.output == "sent" && server.requests.last?.target == "/a/b", "\(whole)")
    }

    @Test func `a setting of a service in a curl command is left out and named`() async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let run = try await Sortie().run("send", "curl -k \(server.url)/a")
        let reason = "left out: no verification of certificates, because it is a setting of a service, not of a request"
        #expect(run.output == "sent" && run.errorOutput.contains(reason), "\(run)")
    }

    @Test func `an endpoint whose service has a name like a host is an endpoint`() async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: Hosts\n")
        try sortie.write("v1.api/service.yaml", "name: Api\n")
        try sortie.write("v1.api/get.yaml", "path: \(server.url)/endpoint\n")
        try sortie.write("v1.api/wrong.yaml", "path: [\n")
        #expect(try await sortie.run("send", "v1.api/get").output == "sent")
        #expect(server.requests.map(\.target) == ["/endpoint"])
        #expect(try await sortie.run("send", "v1.api/wrong").errorOutput.contains("v1.api/wrong.yaml:2"))
    }

    @Test(arguments: [["-d", "@missing"], ["--json-body", "@missing"], ["-F", "f=@missing"]])
    func `a missing body file is a file error with its name`(options: [String]) async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let run = try await Sortie().run(["send", server.url] + options)
        #expect(run.failed(3, "fileUnreadable"), "\(run)")
        #expect(run.errorOutput.contains("missing"))
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a missing certificate file is a file error with its name`() async throws {
        let run = try await Sortie().run("send", "https://localhost:9/", "--cacert", "missing.pem")
        #expect(run.failed(3, "fileUnreadable"), "\(run)")
        #expect(run.errorOutput.contains("missing.pem"))
    }

    @Test func `an invalid pin is a usage error`() async throws {
        let run = try await Sortie().run("send", "https://localhost:9/", "--pin", "sha1//abc")
        #expect(run.failed(2, "invalidOption"), "\(run)")
    }

    @Test func `a missing target is a usage error`() async throws {
        #expect(try await Sortie().run("send").failed(2, "usage"))
    }

    @Test func `an unknown target gets the most similar one as a suggestion`() async throws {
        let run = try await Sortie().run("send", "shop/orders/lits", "-w", Sortie.demoWorkspace)
        #expect(run.failed(2, "unknownTarget"), "\(run)")
        #expect(run.errorOutput.contains("shop/orders/lits"))
        #expect(run.hint.contains("did you mean shop/orders/list?"))
    }

    @Test func `an unknown environment gets the most similar one as a suggestion`() async throws {
        let run = try await Sortie().run("send", "shop/orders/list", "-w", Sortie.demoWorkspace, "-e", "devlop")
        #expect(run.failed(2, "usage"), "\(run)")
        #expect(run.hint.contains("did you mean develop?"))
    }

    @Test func `an undefined variable prevents the request`() async throws {
        let server = try ScriptedServer(answering: .ok("sent"))
        let run = try await Sortie().run("send", "\(server.url)/{{nope}}")
        #expect(run.failed(2, "usage"), "\(run)")
        #expect(run.errorOutput.contains("{{nope}}"))
        #expect(server.acceptedConnections == 0)
    }
}
