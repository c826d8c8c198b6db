import Foundation
import Support
import Testing

/// Tests network failures: exit code 4, the error's name and a message on stderr, nothing on stdout.
@Suite(.serialized)
struct SendFailureTests {
    @Test func `a closed port refuses the connection`() async throws {
        let port = try DeadPort(.refusing)
        let run = try await Sortie().run("send", port.url)
        #expect(run.failed(4, "connectionRefused"), "\(run)")
        #expect(run.errorOutput.contains("127.0.0.1:\(port.port)"))
    }

    @Test func `an unknown host is not found`() async throws {
        let run = try await Sortie().run("send", "http://no-such-host.invalid/")
        #expect(run.failed(4, "hostNotFound"), "\(run)")
        #expect(run.errorOutput.contains("no-such-host.invalid"))
        #expect(!run.hint.isEmpty)
    }

    @Test func `a server that does not respond is limited by --timeout`() async throws {
        let server = try ScriptedServer([.readRequest, .holdOpen])
        let run = try await Sortie().run("send", server.url, "--timeout", "0.2")
        #expect(run.failed(4, "timedOut"), "\(run)")
        #expect(run.hint.contains("--timeout"))
    }

    @Test func `a timeout is recorded with its duration`() async throws {
        struct Row: Decodable { let duration: Double }
        try await growing(from: .milliseconds(400)) { limit -> Void? in
            let received = Watched<ContinuousClock.Instant?>(nil)
            let server = try ScriptedServer([.readRequest, .noteTime(in: received), .holdOpen])
            let sortie = try Sortie()
            let began = ContinuousClock.now
            let record = try ExchangeRecord(try await sortie.run("send", server.url, "--timeout", limit.secondsText, "--json"))
            let seconds = limit / .seconds(1)
            #expect(record.duration >= seconds)
            let history = try await sortie.run("history", "list", "--json")
            #expect(try JSONDecoder().decode([Row].self, from: Data(history.outputBytes)).map(\.duration) == [record.duration])
            // The attempt begins after the program, on a busy machine much later, and before the server has its request.
            guard let moment = received.current, began.duration(to: moment) < limit * 2 / 3 else { return nil }
            let delay = began.duration(to: moment) / .seconds(1)
            #expect(record.timing.total >= seconds - delay - 0.001)
            #expect(record.attempts.map(\.total) == [record.timing.total])
            return ()
        }
    }

    @Test func `a silent port is limited by --connect-timeout`() async throws {
        let port = try DeadPort(.silent)
        let run = try await Sortie().run("send", port.url, "--connect-timeout", "0.2")
        #expect(run.failed(4, "timedOut"), "\(run)")
    }

    @Test func `a server that closes without a response gives emptyResponse`() async throws {
        let server = try ScriptedServer([.readRequest, .closeGracefully])
        let run = try await Sortie().run("send", server.url)
        #expect(run.failed(4, "emptyResponse"), "\(run)")
    }

    @Test func `a response that is not HTTP is a bad response`() async throws {
        let server = try ScriptedServer([.readRequest, .send("220 mail.example ESMTP\r\n\r\n"), .closeGracefully])
        let run = try await Sortie().run("send", server.url)
        #expect(run.failed(4, "badResponse"), "\(run)")
    }

    @Test func `stdout has the received part of a truncated body, and the exit code reports the failure`() async throws {
        let server = try ScriptedServer([.readRequest, .send(.claiming(length: 10, "half")), .closeGracefully])
        let run = try await Sortie().run("send", server.url)
        #expect(run.status == .exited(4))
        #expect(run.output == "half")
        #expect(run.errorLines.first?.hasPrefix("sortie: truncatedBody: ") == true)
    }

    @Test func `a body above --max-body is rejected`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/binary?bytes=2000", "--max-body", "1kB")
        #expect(run.failed(4, "bodyTooLarge"), "\(run)")
        #expect(run.hint.contains("--max-body"))
    }

    @Test func `a body of exactly --max-body is accepted`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/binary?bytes=1000", "--max-body", "1kB")
        #expect(run.status == .exited(0))
        #expect(run.outputBytes.count == 1000)
    }

    @Test func `a status of 500 is a response`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/status/500?body=broken")
        #expect(run.status == .exited(0))
        #expect(run.output == "broken")
        #expect(run.errorOutput.isEmpty)
    }

    @Test func `with --fail a status of 500 is a failed response, and its body is still printed`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/status/500?body=broken", "--fail")
        #expect(run.status == .exited(1))
        #expect(run.output == "broken")
        #expect(run.errorLines.first?.hasPrefix("sortie: status: ") == true)
        #expect(run.errorOutput.contains("500"))
    }

    @Test(arguments: [200, 204, 304, 399]) func `with --fail a status below 400 succeeds`(status: Int) async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/status/\(status)", "--fail")
        #expect(run.status == .exited(0))
        #expect(run.errorOutput.isEmpty)
    }

    @Test func `with --fail a status of exactly 400 fails`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/status/400", "--fail")
        #expect(run.status == .exited(1))
    }

    @Test func `Ctrl-C ends a request in progress with 130`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .wait(for: gate)])
        let sortie = try Sortie()
        let terminal = try await sortie.open("send", server.url)
        try await gate.waitUntilReached(within: Sortie.patience)
        terminal.press(.control("c"))
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(130))
        #expect(terminal.screen.contains("sortie: cancelled: "))
    }

    @Test func `SIGTERM ends a request with 130 too, and closes the connection`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([.readRequest, .wait(for: gate)])
        let sortie = try Sortie()
        let terminal = try await sortie.open("send", server.url)
        try await gate.waitUntilReached(within: Sortie.patience)
        terminal.signal(15)
        #expect(try await terminal.exitStatus(within: Sortie.patience) == .exited(130))
        gate.open()
        try await server.waitForConnections(open: 0, within: Sortie.patience)
    }
}
