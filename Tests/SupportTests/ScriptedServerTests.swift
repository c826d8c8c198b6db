import Support
import Testing

@Suite(.timeLimit(.minutes(30))) struct ScriptedServerTests {
    @Test func `a request is recorded exactly as sent`() async throws {
        let server = try ScriptedServer(answering: .ok("hello", headers: [("X-One", "1")]))
        let run = try await curl("-i", "-A", "me", "-H", "x-Odd:  spaced  ", "-d", "a=1", "\(server.url)/path?q=%20#no")

        #expect(run.output == "HTTP/1.1 200 OK\r\nX-One: 1\r\nContent-Length: 5\r\n\r\nhello")
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.target == "/path?q=%20" && request.bodyText == "a=1" && request.isComplete)
        #expect(request.headers.map(\.name) == ["Host", "User-Agent", "Accept", "x-Odd", "Content-Length", "Content-Type"])
        #expect(request["X-ODD"] == "spaced")
        #expect(request.headText.hasPrefix("POST /path?q=%20 HTTP/1.1\r\nHost: \(server.authority)\r\n"))
        #expect(request.headText.hasSuffix("\r\n\r\n"))
    }

    @Test func `one connection serves several requests`() async throws {
        let server = try ScriptedServer { .ok($0.target + "\n") }
        let run = try await curl("\(server.url)/1", "\(server.url)/2")

        #expect(run.output == "/1\n/2\n")
        #expect(server.acceptedConnections == 1)
        try await server.waitForConnections(open: 0)
    }

    @Test func `the nth connection runs the nth script and the last repeats`() async throws {
        let server = try ScriptedServer([
            .answering([.ok("first\n")]), [.readRequest, .send("HTTP/1.1 200 OK\r\n\r\nlater\n")],
        ])
        let run = try await curl("\(server.url)/", "\(server.url)/", "\(server.url)/")

        #expect(run.output == "first\nlater\nlater\n")
        #expect(server.requests.map(\.connection) == [0, 1, 2])
    }

    @Test func `a reset reaches the client as a reset`() async throws {
        let server = try ScriptedServer(Script(.readRequest, .reset))
        let run = try await curl(server.url)

        #expect(run.status == .exited(56), "\(run)")
        #expect(run.errorOutput.contains("reset by peer"))
    }

    @Test func `a truncated body is received as far as it was sent`() async throws {
        let server = try ScriptedServer(Script(.readRequest, .send(HTTPAnswer.claiming(length: 9, "short"))))
        let run = try await curl(server.url)

        #expect(run.status == .exited(18), "\(run)")
        #expect(run.output == "short")
    }

    @Test func `a response before the body is read is not lost`() async throws {
        let server = try ScriptedServer(Script(.readHead, .send(HTTPAnswer.status(413, "no")), .closeGracefully))
        let folder = try TemporaryFolder()
        try folder.write("big", [UInt8](repeating: 7, count: 3_000_000))
        let run = try await curl("-H", "Expect:", "-T", folder.path("big"), "\(server.url)/")

        #expect(run.output == "no", "\(run)")
        #expect(server.requests.first?.isComplete == false)
    }

    @Test func `chunked bodies are sent and received, with trailers`() async throws {
        let server = try ScriptedServer(
            Script(.readRequest, .send(HTTPAnswer.chunked("twelve bytes", size: 5, trailers: [("X-End", "yes")]))))
        let run = try await curl("-i", "-H", "Transfer-Encoding: chunked", "-d", "@-", server.url, input: "from stdin")

        #expect(run.output.hasSuffix("\r\n\r\ntwelve bytesX-End: yes\r\n"), "\(run)")
        #expect(server.requests.first?.bodyText == "from stdin")
    }

    @Test func `100 Continue is sent only by the script`() async throws {
        let server = try ScriptedServer(Script(.readRequestSendingContinue, .send(HTTPAnswer.ok())))
        let run = try await curl("-i", "-H", "Expect: 100-continue", "-d", "body", server.url)

        #expect(run.output.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"))
        #expect(server.requests.map(\.bodyText) == ["body"])
    }

    @Test func `the server waits at a gate until the test opens it`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate), .send(HTTPAnswer.ok("through"))))
        async let run = curl(server.url)
        try await gate.waitUntilReached()
        #expect(server.openConnections == 1)
        gate.open()

        #expect(try await run.output == "through")
    }

    @Test func `a server can be stopped with connections in any state`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([
            Script(.readRequest, .wait(for: gate)), Script(.readRequest, .pause(.seconds(600))), Script(.readRequest, .holdOpen),
            Script(.readRequest, .sendSlowly("endless", chunk: 1, every: .seconds(600))), Script(.expectClose),
        ])
        let clients = (0..<5).map { _ in Task { try await curl(server.url) } }
        _ = try await server.waitForRequests(4)
        try await server.waitForConnections(accepted: 5)
        server.stop()

        #expect(server.openConnections == 0)
        for client in clients { #expect(try await client.value.succeeded == false) }
    }

    @Test(arguments: ["127.0.0.7", "::1"])
    func `a server listens on other loopback addresses`(address: String) async throws {
        let server = try ScriptedServer(address: address, [.answering(.ok("here"))])

        #expect(try await curl("-g", server.url).output == "here")
    }

    @Test func `an expired wait reports the actual state`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let error = await #expect(throws: DeadlineExceeded.self) {
            _ = try await server.waitForRequests(1, within: .milliseconds(20))
        }
        #expect(error?.description.contains("for 1 requests, in vain; there was instead:\n0 connections accepted") == true)
    }
}
