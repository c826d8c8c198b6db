import Foundation
import Support
import Synchronization
import Testing

/// Tests `sortie bench`: counts, limits, rates and failures, as the server and the output show them.
@Suite(.serialized)
struct BenchCommandTests {
    /// A workspace whose only endpoint is `api/a`.
    private func workspace(_ url: String, service: String = "", _ endpoint: String) throws -> Sortie {
        let sortie = try Sortie()
        try sortie.write("workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("api/service.yaml", "servers: {dev: [\"\(url)\"]}\n\(service)")
        try sortie.write("api/a.yaml", endpoint)
        return sortie
    }

    // MARK: Calls

    @Test func `exactly the calls of -n are made and counted`() async throws {
        let server = try ScriptedServer(answering: .ok("12345"))
        let run = try await Sortie().run("bench", server.url + "/x", "-n", "25", "-c", "4", "-d", "abc", "--json")
        #expect(run.status == .exited(0) && run.errorOutput.isEmpty, "\(run)")
        let record = try BenchRecord(run)
        #expect(server.requests.count == 25 && server.requests.allSatisfy { $0.bodyText == "abc" && $0.method == "POST" })
        #expect(record.calls == 25 && record.failed == 0 && record.attempts == 25 && record.state == "finished")
        #expect(record.statuses == [.init(status: 200, count: 25)])
        #expect(record.bytes.sent == 75 && record.bytes.received == 125)
        #expect(record.connections.opened == server.acceptedConnections && record.connections.opened + record.connections.reused == 25)
        #expect(record.histogram.reduce(0) { $0 + $1.count } == 25)
        let latency = try #require(record.latency)
        let values = [latency.min, latency.p50, latency.p90, latency.p99, latency.p999, latency.max]
        #expect(values == values.sorted() && latency.min > 0 && latency.mean <= latency.max)
        #expect(record.serviceTime == nil && record.load.model == "closed")
    }

    @Test func `-c is the number of requests at the server at a time, in place of the limits of the service`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.repeat([.readRequest, .wait(for: gate), .send(.ok("x"))])))
        let sortie = try workspace(server.url, service: "limits: {requests: 1, connections: 1}\n", "path: /a\ntraffic: background\n")
        async let run = sortie.run("bench", "api/a", "-n", "12", "-c", "3", "--json")
        // All three are at the server before any of them has a response.
        try await gate.waitUntilReached(3)
        gate.open()
        let end = try await run
        #expect(end.status == .exited(0), "\(end)")
        // A request over HTTP/1.1 occupies its connection, so that a fourth one at a time would have needed another one.
        #expect(server.acceptedConnections == 3 && server.requests.count == 12)
    }

    @Test func `--for ends the start of calls, and those under way are finished`() async throws {
        try await growing(from: .seconds(1)) { limit -> Void? in
            let server = try ScriptedServer(Script(.repeat([.readRequest, .pause(limit * 5 / 4), .send(.ok("x"))])))
            let record = try BenchRecord(try await Sortie().run("bench", server.url, "--for", limit.secondsText + "s", "-c", "2", "--json"))
            // Both calls must start within the time.
            if record.calls + record.cancelled < 2 { return nil }
            #expect(record.calls == 2 && record.cancelled == 0 && server.requests.count == 2 && record.duration > limit / .seconds(1))
            return ()
        }
    }

    @Test func `values such as a UUID differ for each call, and commands of secrets run once`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let sortie = try workspace(server.url, "path: /a\nheaders: {X-Call: \"{{$uuid}}\", X-Key: \"{{key}}\"}\nexpect: {status: 200}\n")
        try sortie.write(
            "workspace.yaml", "name: W\nenvironments: {dev: {}}\nsecrets: {key: {command: \"echo run >> \(sortie.work)/runs.txt; echo k-value\"}}\n")
        let run = try await sortie.run("bench", "api/a", "-n", "20", "-c", "5", "--trust")
        #expect(run.status == .exited(0), "\(run)")
        #expect(Set(server.requests.compactMap { $0["X-Call"] }).count == 20)
        #expect(server.requests.allSatisfy { $0["X-Key"] == "k-value" })
        #expect(try String(decoding: sortie.read("runs.txt"), as: UTF8.self) == "run\n")
    }

    @Test func `options, variables and credentials are those of send, also where each call is built again`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let sortie = try workspace(server.url, "path: /a/{{id}}\nheaders: {X-Call: \"{{$uuid}}\"}\n")
        try sortie.write("login.netrc", "machine 127.0.0.1 login me password secret\n")
        let run = try await sortie.run(
            "bench", "api/a", "-n", "6", "-c", "2", "--var", "id=7", "-q", "page=2", "-H", "X-More: 1", "--netrc-file", "login.netrc", "-e", "dev")
        #expect(run.status == .exited(0), "\(run)")
        #expect(server.requests.count == 6)
        for request in server.requests {
            #expect(request.target == "/a/7?page=2" && request["X-More"] == "1")
            #expect(request["Authorization"] == "Basic \(Data("me:secret".utf8).base64EncodedString())")
        }
        #expect(!run.output.contains("secret"))
    }

    @Test func `repeated requests have the Digest login of a netrc file, and no field for Basic`() async throws {
        let server = try ScriptedServer { request in
            guard request["Authorization"] == nil else { return .ok("x") }
            return .status(401, headers: [("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")])
        }
        let sortie = try Sortie()
        try sortie.write("login.netrc", "machine 127.0.0.1 login me password secret\n")
        let url = server.url.replacing("http://", with: "http://me@")
        let run = try await sortie.run(
            "bench", url, "-q", "id={{$uuid}}", "-n", "4", "-c", "1", "--digest", "--netrc-file", "login.netrc")
        #expect(run.status == .exited(0), "\(run)")
        let fields = server.requests.compactMap { $0["Authorization"] }
        #expect(!fields.isEmpty && fields.allSatisfy { $0.hasPrefix("Digest ") }, "\(fields)")
    }

    @Test func `cached responses are not used, and the history stays empty`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let sortie = try workspace(server.url, "path: /a\ncache: 60s\n")
        #expect(try await sortie.run("bench", "api/a", "-n", "5", "-c", "1").status == .exited(0))
        #expect(server.requests.count == 5)
        #expect(try await sortie.run("history", "list", "--format", "{url}").output.isEmpty)
    }

    // MARK: Rate

    @Test func `--rate spreads the calls over the time`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let record = try BenchRecord(try await Sortie().run("bench", server.url, "-n", "20", "--rate", "50", "--json"))
        // The last of the calls is intended after 19 intervals of 20 ms.
        #expect(record.calls == 20 && record.load.model == "open" && record.duration >= 0.38 && record.notStarted == 0)
        #expect(record.serviceTime != nil)
    }

    /// A server that responds to its first request after half a second, and to the others at once.
    private func stallingServer() throws -> ScriptedServer {
        let others = Step.repeat([.readRequest, .send(.ok("x"))])
        return try ScriptedServer([
            Script(.readRequest, .pause(.milliseconds(500)), .send(.ok("x")), others), Script(others),
        ])
    }

    @Test func `with --rate a stall of the server counts for all calls that it delays`() async throws {
        let server = try stallingServer()
        let record = try BenchRecord(try await Sortie().run("bench", server.url, "-n", "40", "-c", "1", "--rate", "100", "--json"))
        let (latency, service) = (try #require(record.latency), try #require(record.serviceTime))
        // Call k was intended after 10 k ms and could not start before the end of the stall: the 20th of the sorted 40 has waited for 300 ms.
        #expect(latency.p50 >= 0.295 && latency.min >= 0.1, "\(record)")
        // Without the correction only the first call shows it.
        #expect(service.max >= 0.5 && service.p50 < latency.p50)
        #expect(record.calls == 40 && record.notStarted == 0)
    }

    @Test func `without --rate one call shows the stall, and the output says that`() async throws {
        let server = try stallingServer()
        let run = try await Sortie().run("bench", server.url, "-n", "40", "-c", "1")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains("\nclosed loop: ") && run.output.contains("--rate corrects this"))
        let another = try stallingServer()
        let record = try BenchRecord(try await Sortie().run("bench", another.url, "-n", "40", "-c", "1", "--json"))
        let latency = try #require(record.latency)
        #expect(latency.max >= 0.5 && latency.p90 < latency.max)
    }

    @Test func `intended calls that do not start in time are reported`() async throws {
        try await growing(from: .seconds(1)) { limit -> Void? in
            let server = try ScriptedServer([Script(.readRequest, .pause(limit * 4 / 3), .send(.ok("x")))])
            // 300 calls within the time.
            let options = ["--for", limit.secondsText + "s", "--rate", "\(300 / (limit / .seconds(1)))", "-c", "1"]
            let record = try BenchRecord(try await Sortie().run(["bench", server.url] + options + ["--json"]))
            let text = try await Sortie().run(["bench", server.url] + options)
            // The first call of each must start within the time.
            if server.requests.count < 2 { return nil }
            #expect(record.calls == 1 && record.notStarted == 299)
            #expect(text.output.contains("\nnot started in time, and not in the latencies: 299 of the intended calls"), "\(text)")
            return ()
        }
    }

    // MARK: Failures

    @Test func `a status of 400 or above fails a call, and the exit code is 1`() async throws {
        let count = Atomic(0)
        let server = try ScriptedServer { _ in count.add(1, ordering: .relaxed).newValue % 5 == 0 ? .status(503, "busy") : .ok("x") }
        let run = try await Sortie().run("bench", server.url, "-n", "10", "-c", "2", "--json")
        #expect(run.status == .exited(1) && run.errorOutput == "sortie: failed: 2 of 10 calls failed: status × 2\n", "\(run)")
        let record = try BenchRecord(run)
        #expect(record.failed == 2 && record.statuses == [.init(status: 200, count: 8), .init(status: 503, count: 2)])
        #expect(record.failures.map(\.reason) == ["status"] && record.failures.first?.message == "the server responded with 503")
    }

    @Test func `a check that differs fails a call, and a status that the file expects does not`() async throws {
        let server = try ScriptedServer { $0.target == "/gone" ? .status(404, "{}") : .json(#"{"id": 8}"#) }
        let sortie = try workspace(server.url, "path: /a\nexpect: {json: {$.id: 7}}\n")
        try sortie.write("api/gone.yaml", "path: /gone\nexpect: {status: 404}\n")
        try sortie.write("api/accepted.yaml", "path: /gone\nanswer: {status: [404]}\n")
        let run = try await sortie.run("bench", "api/a", "-n", "4", "-c", "2")
        #expect(run.status == .exited(1) && run.errorOutput == "sortie: failed: 4 of 4 calls failed: expectation × 4\n", "\(run)")
        #expect(run.output.contains("\nfailures    expectation × 4: $.id: expected 7, got 8\n"), "\(run)")
        #expect(try await sortie.run("bench", "api/gone", "-n", "3", "-c", "1").status == .exited(0))
        #expect(try await sortie.run("bench", "api/accepted", "-n", "3", "-c", "1").status == .exited(0))
    }

    @Test func `without any response the exit code is that of send`() async throws {
        let port = try DeadPort(.refusing)
        let run = try await Sortie().run("bench", port.url, "-n", "3", "-c", "1", "--json")
        #expect(run.status == .exited(4) && run.errorOutput.hasPrefix("sortie: connectionRefused: "), "\(run)")
        let record = try BenchRecord(run)
        #expect(record.calls == 3 && record.failed == 3 && record.statuses.isEmpty && record.failures.map(\.reason) == ["connectionRefused"])
    }

    @Test func `some connections that break are failures by their kind`() async throws {
        let fine = [Step.readRequest, .send(.ok("x"))]
        let server = try ScriptedServer([Script(.readRequest, .reset), Script(.repeat(fine))])
        let run = try await Sortie().run("bench", server.url, "-n", "6", "-c", "1", "--retry", "0", "-X", "POST", "--json")
        #expect(run.status == .exited(1), "\(run)")
        let record = try BenchRecord(run)
        #expect(record.calls == 6 && record.failed == 1 && record.statuses == [.init(status: 200, count: 5)])
        #expect(record.failures.count == 1 && record.failures.first?.count == 1 && record.failures.first?.reason != "status")
    }

    @Test func `more calls at a time than the system permits open files are refused before anything is sent`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let refused = try await Sortie().shell("ulimit -n 200; exec \"$SORTIE\" bench \(server.url) -n 500 -c 500")
        #expect(refused.failed(2, "usage") && refused.errorOutput.contains("which is 200") && refused.hint.contains("ulimit"), "\(refused)")
        #expect(server.requests.isEmpty)
        let raised = try await Sortie().shell("ulimit -Sn 100; exec \"$SORTIE\" bench \(server.url) -n 150 -c 150")
        #expect(raised.status == .exited(0), "\(raised)")
    }

    @Test func `too few open files for any command are an error with the remedy`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let run = try await Sortie().shell("ulimit -n 8; exec \"$SORTIE\" send \(server.url)")
        #expect(run.failed(2, "usage") && run.errorOutput.contains("the system permits 8") && run.hint.contains("ulimit -n 256"), "\(run)")
        #expect(server.requests.isEmpty)
    }

    @Test func `an endpoint that does not exist and a template without a value are those of send`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let sortie = try workspace(server.url, "path: /a/{{missing}}\n")
        for arguments in [["api/b"], ["api/a"], ["api/a", "-w", "elsewhere"], ["ftp://host/"]] {
            let (bench, send) = (try await sortie.run(["bench"] + arguments), try await sortie.run(["send"] + arguments))
            #expect(bench.status == send.status && bench.errorOutput == send.errorOutput && bench.status != .exited(0), "\(bench) \(send)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `a protected file and a workspace without permission are those of send`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let sortie = try Sortie(permitsOwn: false)
        let refused = try await sortie.run("bench", server.url, "-d", "@/proc/self/environ", "-n", "2", "-c", "1")
        #expect(refused.failed(3, "protected") && refused.hint.contains("--force"), "\(refused)")
        try sortie.write("ws/workspace.yaml", "name: W\nsecrets: {key: {command: echo k}}\n")
        try sortie.write("ws/api/service.yaml", "name: Api\n")
        try sortie.write("ws/api/a.yaml", "path: \"\(server.url)/\"\nheaders: {X-Key: \"{{key}}\"}\n")
        let untrusted = try await sortie.run("bench", "api/a", "-w", "ws", "-n", "2", "-c", "1")
        #expect(untrusted.status == .exited(3), "\(untrusted)")
        #expect(server.requests.isEmpty)
        #expect(try await sortie.run("bench", "api/a", "-w", "ws", "-n", "2", "-c", "1", "--trust").status == .exited(0))
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        ("-n 0", "-n 0"), ("-c 0", "-c 0"), ("-c 10001", "locust"), ("--for 0s", "--for 0s"), ("--for soon", "as in 500ms"), ("--rate 0", "--rate 0"),
        ("--rate -1", "--rate -1 is not"),
        ("-n 5 -c 6", "-c 5"), ("--capture x.har", "--capture"), ("-d @-", "standard input"), ("-n 9999999999", "1000000000"),
    ])
    func `an invalid value is an error that names the option and the remedy`(options: String, words: String) async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let run = try await Sortie().run(["bench", server.url] + options.split(separator: " ").map(String.init))
        #expect(run.failed(2, "usage") && run.errorOutput.contains(words) && !run.hint.isEmpty, "\(run)")
        #expect(server.requests.isEmpty)
    }

    // MARK: Output

    @Test func `the text has the request, the rate, percentiles, bars and what the latencies contain`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let sortie = try workspace(server.url, "path: /a\nauth: {bearer: very-secret}\nquery: {access_token: very-secret}\n")
        let run = try await sortie.run("bench", "api/a", "-n", "30", "-c", "3")
        #expect(run.status == .exited(0) && run.errorOutput.isEmpty, "\(run)")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0].hasPrefix("GET \(server.url)/a?") && lines[0].hasSuffix("(api/a, dev)"))
        #expect(lines[1].hasPrefix("30 calls in ") && lines[1].contains(", up to 3 at a time: ") && lines[1].hasSuffix(" calls/s, 0 failed"))
        for name in ["mean", "min", "p50", "p90", "p95", "p99", "p99.9", "max"] {
            #expect(lines.contains { $0.hasPrefix("  \(name) ") && ($0.hasSuffix(" ms") || $0.hasSuffix(" µs") || $0.hasSuffix(" s")) }, "\(name)")
        }
        #expect(run.output.contains("█") && lines.contains { $0.hasPrefix("statuses    200 × 30") })
        #expect(lines.contains { $0.hasPrefix("connections ") && $0.contains("there is no warm-up") })
        #expect(!run.output.contains("very-secret"))
        let help = try await sortie.run("bench", "--help").output
        #expect(help.contains("--as locust") && help.contains("history"))
    }

    @Test func `--dry-run sends nothing, and -v prints one call`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let dry = try await Sortie().run("bench", server.url + "/x", "--dry-run")
        #expect(dry.status == .exited(0) && dry.output.hasPrefix("GET \(server.url)/x\n") && server.acceptedConnections == 0, "\(dry)")
        let verbose = try await Sortie().run("bench", server.url + "/x", "-n", "4", "-c", "1", "-v")
        #expect(verbose.errorLines.count { $0.hasPrefix("> GET ") } == 1 && server.requests.count == 4, "\(verbose)")
    }

    @Test func `Ctrl-C prints the result so far and ends with 130`() async throws {
        let gate = Gate()
        let fine = Step.repeat([.readRequest, .send(.ok("x"))], times: 5)
        let server = try ScriptedServer(Script(fine, .readRequest, .wait(for: gate)))
        let sortie = try Sortie()
        async let run = sortie.shell("echo $$ > pid; exec \"$SORTIE\" bench \(server.url) -n 1000 -c 1 --json")
        try await gate.waitUntilReached()
        let pid = try #require(pid_t(String(decoding: sortie.read("pid"), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(pid, SIGINT) == 0)
        let end = try await run
        gate.open()
        #expect(end.status == .exited(130) && end.errorOutput == "sortie: cancelled: the bench was interrupted after 5 calls\n", "\(end)")
        let record = try BenchRecord(end)
        #expect(record.state == "cancelled" && record.calls == 5 && record.cancelled == 1 && record.failed == 0)
    }

    @Test func `Ctrl-C ends the wait for the next intended call`() async throws {
        let server = try ScriptedServer(answering: .ok("x"))
        let sortie = try Sortie()
        async let run = sortie.shell("echo $$ > pid; exec \"$SORTIE\" bench \(server.url) -n 10 --rate 0.001 --json")
        _ = try await server.waitForRequests(1)
        let pid = try #require(pid_t(String(decoding: sortie.read("pid"), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(pid, SIGINT) == 0)
        let end = try await run
        #expect(end.status == .exited(130), "\(end)")
        #expect(try BenchRecord(end).notStarted == 0 && server.requests.count == 1)
    }

    @Test func `a terminal shows the progress`() async throws {
        let gate = Gate()
        let server = try ScriptedServer(Script(.repeat([.readRequest, .wait(for: gate), .send(.ok("x"))])))
        let terminal = try await Sortie().open("bench", server.url, "-n", "8", "-c", "2", size: (100, 40))
        try await terminal.waitForText("0 calls, 0 failed", within: Sortie.patience)
        gate.open()
        try await terminal.waitForText("statuses    200 × 8", within: Sortie.patience)
    }
}
