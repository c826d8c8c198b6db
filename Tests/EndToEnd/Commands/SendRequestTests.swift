import Support
import Testing

/// Tests the options of `send` by the requests that the server receives.
@Suite(.serialized)
struct SendRequestTests {
    private func echo(_ options: String..., path: String = "/echo", sortie: Sortie? = nil) async throws -> EchoRecord {
        let run = try await (sortie ?? Sortie()).run(["send", "\(DemoProcess.shared.url)\(path)"] + options)
        #expect(run.status == .exited(0))
        #expect(run.errorOutput.isEmpty)
        return try EchoRecord(run)
    }

    private func received(_ options: String...) async throws -> ReceivedRequest {
        let server = try ScriptedServer(answering: .ok())
        let run = try await Sortie().run(["send", server.url] + options)
        #expect(run.status == .exited(0), "\(run)")
        return try #require(server.requests.first)
    }

    @Test func `of a field of -H only spaces and tabs around its value are removed, and lines of a file end with line breaks`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let sortie = try Sortie()
        try sortie.write("h", "X-B: c\u{2028}d\r\nX-C:\u{2003}e\n")
        let run = try await sortie.run("send", server.url, "-H", "X-A: \t\u{a0}v\u{a0} ", "-H", "@h")
        #expect(run.succeeded, "\(run)")
        let request = try #require(server.requests.first)
        #expect(request["X-A"] == "\u{a0}v\u{a0}" && request["X-B"] == "c\u{2028}d" && request["X-C"] == "\u{2003}e")
    }

    @Test func `without options the request is a GET without a body`() async throws {
        let request = try await received()
        #expect(request.method == "GET")
        #expect(request.target == "/")
        #expect(request.version == "HTTP/1.1")
        #expect(request.body.isEmpty)
        #expect(request["Content-Length"] == nil)
        #expect(request["User-Agent"]?.hasPrefix("sortie/") == true)
    }

    @Test(arguments: ["PUT", "DELETE", "OPTIONS", "PROPFIND", "patch"]) func `-X sets the method with its spelling preserved`(
        method: String
    ) async throws {
        #expect(try await received("-X", method).method == method)
    }

    @Test func `HEAD prints no body, whatever the Content-Length`() async throws {
        let server = try ScriptedServer(answering: .ok("five!"))
        let run = try await Sortie().run("send", server.url, "-X", "HEAD")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.outputBytes.isEmpty)
    }

    @Test func `-H adds header fields, also several with one name`() async throws {
        let request = try await received("-H", "X-Trace: a", "-H", "x-trace:b ", "-H", "Accept: text/plain")
        #expect(request.values(of: "X-Trace") == ["a", "b"])
        #expect(request.values(of: "Accept") == ["text/plain"], "in place of the usual one")
    }

    @Test func `-q adds encoded parameters in their order`() async throws {
        let request = try await received("-q", "name=Jürgen & Söhne", "-q", "a=1", "-q", "a=2", "-q", "sum=1+1=2")
        #expect(request.target == "/?name=J%C3%BCrgen%20%26%20S%C3%B6hne&a=1&a=2&sum=1%2B1%3D2")
    }

    @Test func `-q replaces an endpoint's parameter of the same name`() async throws {
        let demo = try await DemoProcess.shared
        let run = try await Sortie().run(
            "send", "shop/orders/list", "-w", Sortie.demoWorkspace, "--var", "host=\(demo.authority)", "-q", "page=3", "--json")
        #expect(try ExchangeRecord(run).request.url == "\(demo.url)/orders?size=20&page=3")
    }

    @Test func `-d sends a text as a form with POST`() async throws {
        let request = try await received("-d", "a=1&b=ü")
        #expect(request.method == "POST")
        #expect(request.bodyText == "a=1&b=ü")
        #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(request["Content-Length"] == "8")
    }

    @Test func `-d with @ sends a file byte for byte`() async throws {
        let sortie = try Sortie()
        let bytes: [UInt8] = [0, 13, 10, 26, 255, 64]
        try sortie.write("body.bin", bytes)
        let server = try ScriptedServer(answering: .ok())
        let run = try await sortie.run("send", server.url, "-d", "@body.bin", "-H", "Content-Type: application/octet-stream")
        #expect(run.status == .exited(0), "\(run)")
        let request = try #require(server.requests.first)
        #expect(request.body == bytes)
        #expect(request.values(of: "Content-Type") == ["application/octet-stream"])
    }

    @Test func `a custom method is kept with a body`() async throws {
        #expect(try await received("-X", "PUT", "-d", "x").method == "PUT")
    }

    @Test func `--json-body sends the text with its media type`() async throws {
        let request = try await received("--json-body", #"{"a": [1, "ü"]}"#)
        #expect(request.method == "POST")
        #expect(request["Content-Type"] == "application/json")
        #expect(request.bodyText == #"{"a": [1, "ü"]}"#)
    }

    @Test func `--json-body with invalid JSON is rejected with the position, and nothing is sent`() async throws {
        let run = try await Sortie().run("send", "http://127.0.0.1:9/", "--json-body", #"{"a": 1,}"#)
        #expect(run.status == .exited(2), "\(run)")
        #expect(run.errorOutput.contains("--json-body is not JSON: ") && run.errorOutput.contains("line 1, column 9"), "\(run)")
    }

    @Test func `--json-body with invalid JSON is a mistake of the option, and not of the file of the endpoint`() async throws {
        let sortie = try Sortie()
        try sortie.write("ws/workspace.yaml", "name: W\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/a.yaml", "path: http://127.0.0.1:9/\n")
        let run = try await sortie.run("send", "api/a", "-w", "ws", "--json-body", "{")
        #expect(run.failed(2, "usage") && run.errorOutput.contains("--json-body is not JSON") && !run.errorOutput.contains("a.yaml"), "\(run)")
    }

    @Test func `--json-body with @ sends a file`() async throws {
        let sortie = try Sortie()
        try sortie.write("folder/body.json", "{\"from\": \"file\"}\n")
        let echo = try await echo("--json-body", "@folder/body.json", sortie: sortie)
        #expect(echo.body.text == "{\"from\": \"file\"}\n")
        #expect(echo["Content-Type"] == "application/json")
    }

    @Test func `--form encodes fields, and the server decodes the same values`() async throws {
        let echo = try await echo("--form", "name=Jürgen & Söhne", "--form", "sum=1 + 1 = 2", "--form", "empty=")
        #expect(echo.method == "POST")
        #expect(echo["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(echo.form == [["name", "Jürgen & Söhne"], ["sum", "1 + 1 = 2"], ["empty", ""]])
    }

    @Test func `a body of five million bytes is received completely`() async throws {
        let sortie = try Sortie()
        try sortie.write("big.bin", SharedNginx.big)
        let server = try ScriptedServer(answering: .ok("done"))
        let run = try await sortie.run("send", server.url, "-d", "@big.bin")
        #expect(run.output == "done")
        #expect(server.requests.first?.body == SharedNginx.big)
    }
}
