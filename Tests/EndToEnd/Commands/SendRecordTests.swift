import Foundation
import Support
import Testing

/// Tests that `send --json` prints the record of the contract for every kind of response.
@Suite(.serialized)
struct SendRecordTests {
    @Test func `the record has the contract's keys and no others`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/orders", "--json")
        let record = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        func keys(_ value: Any?) -> Set<String> { Set((value as? [String: Any])?.keys.map { $0 } ?? []) }
        #expect(
            keys(record) == ["id", "endpoint", "environment", "request", "response", "timing", "duration", "attempts", "value", "error"])
        #expect(keys(record["request"]) == ["method", "url", "headers", "bodyBytes", "body"])
        #expect(
            keys(record["response"]) == [
                "status", "reason", "httpVersion", "headers", "bodyBytes", "body", "bodyEncoding", "charset", "remoteAddress", "fromCache",
            ])
        #expect(keys(record["timing"]) == ["nameLookup", "connect", "tls", "firstByte", "total", "queued"])
        #expect(
            keys((record["attempts"] as? [Any])?.first) == [
                "address", "server", "startedAt", "connectionReused", "status", "error", "delay", "queued", "total", "certificates", "addressChoice",
            ])
    }

    /// 64 MiB of zeros in 53 bytes of brotli.
    private static let bomb: [UInt8] = [
        0xcf, 0xff, 0xff, 0x7f, 0xf8, 0x27, 0x00, 0xe2, 0xb1, 0x40, 0x20, 0xf7, 0xfe, 0x9f, 0xff, 0xff, 0xff, 0xf0,
        0x4f, 0x00, 0xc4, 0x61, 0x01, 0x80, 0xee, 0xfd, 0x3f, 0xff, 0xff, 0xff, 0xe1, 0x9f, 0x00, 0x88, 0xc3, 0x22,
        0x00, 0xdd, 0xfb, 0xff, 0xfc, 0xff, 0xff, 0xc7, 0x3f, 0x01, 0x10, 0x87, 0x05, 0x00, 0xba, 0xf7, 0xff,
    ]

    @Test func `a body that is too large for a record is in a private file that the record names, and takes little memory`() async throws {
        let server = try ScriptedServer(answering: .ok(bytes: Self.bomb, headers: [("Content-Encoding", "br")]))
        let sortie = try Sortie()
        // A program that builds the text of the body in memory would need several times this limit.
        let run = try await sortie.shell(
            "ulimit -d 400000; \"$SORTIE\" send \(server.url) --json", environment: ["TMPDIR": sortie.work])
        #expect(run.status == .exited(0), "\(run)")
        let response = try #require(try ExchangeRecord(run).response)
        let file = try #require(response.bodyFile)
        #expect(response.body == nil && response.bodyBytes == 64 << 20)
        #expect(file.hasPrefix(sortie.work + "/sortie-body-"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.size] as? Int == 64 << 20)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let shown = try await sortie.run("history", "show", "last", "--json", environment: ["TMPDIR": sortie.work])
        let kept = try #require(try ExchangeRecord(shown).response)
        #expect(kept.body == nil || kept.bodyBytes <= 16 << 20, "\(shown.errorOutput)")
    }

    @Test func `with -o the record names that file, and a small body is only in the record`() async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let sortie = try Sortie()
        let written = try ExchangeRecord(try await sortie.run("send", server.url, "--json", "-o", "out.txt"))
        #expect(written.response?.bodyFile == "out.txt" && written.response?.body == nil)
        let small = try ExchangeRecord(try await sortie.run("send", server.url, "--json"))
        #expect(small.response?.bodyFile == nil && small.response?.body == "body")
    }

    @Test func `the record of a step with a large body names a file`() async throws {
        let large = Script(.readRequest, .send(HTTPAnswer.ok(String(repeating: "x", count: 17 << 20)).with("Connection", "close")))
        let small = Script(.readRequest, .send(HTTPAnswer.ok("small").with("Connection", "close")))
        let server = try ScriptedServer([small, large])
        let sortie = try Sortie()
        try FileManager.default.createDirectory(atPath: sortie.work + "/w/api", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: sortie.work + "/w/runs", withIntermediateDirectories: true)
        try sortie.write("w/workspace.yaml", "name: W\nenvironment: develop\nenvironments:\n  develop: {variables: {}}\n")
        try sortie.write("w/api/service.yaml", "name: Api\nservers:\n  develop: [\"\(server.url)\"]\n")
        try sortie.write("w/api/get.yaml", "name: Get\nmethod: GET\npath: /\n")
        try sortie.write("w/runs/two.yaml", "chain:\n" + ["a", "b"].map { "  - {send: api/get, as: \($0)}\n" }.joined())
        let run = try await sortie.run("run", "two", "-w", "w", "--json", "--no-history", environment: ["TMPDIR": sortie.work])
        #expect(run.status == .exited(0), "\(run.errorOutput)")
        let record = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        let responses = try #require(record["steps"] as? [[String: Any]]).compactMap { $0["response"] as? [String: Any] }
        #expect(responses.map { $0["bodyFile"] == nil } == [true, false])
        let file = try #require(responses.last?["bodyFile"] as? String)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int == 17 << 20)
    }

    @Test func `a body that cannot be decoded is delivered unchanged, and reported on stderr and in the record`() async throws {
        let server = try ScriptedServer(answering: .ok("data", headers: [("Content-Encoding", "aws-chunked")]))
        let sortie = try Sortie()
        let notice = "the body is delivered undecoded, because its Content-Encoding aws-chunked is unknown"
        let plain = try await sortie.run("send", server.url)
        #expect(plain.status == .exited(0) && plain.output == "data")
        #expect(plain.errorOutput == "sortie: warning: \(notice)\n")
        #expect(try ExchangeRecord(try await sortie.run("send", server.url, "--json")).response?.notice == notice)
    }

    @Test(.enabled(if: Nginx.isAvailable)) func `the record of a GET over HTTP/1.1 is complete`() async throws {
        let nginx = try await SharedNginx.value
        let run = try await Sortie().runProcess("send", "\(nginx.httpURL)/small", "--json")
        #expect(run.status == .exited(0))
        #expect(run.errorOutput.isEmpty)
        let record = try ExchangeRecord(run)
        #expect(!record.id.isEmpty)
        #expect(record.endpoint == nil)
        #expect(record.environment == nil)
        #expect(record.request.method == "GET")
        #expect(record.request.url == "\(nginx.httpURL)/small")
        #expect(record.request.values(of: "Host") == ["127.0.0.1:\(nginx.httpPort)"])
        #expect(record.request.bodyBytes == 0)
        #expect(record.request.body == nil)
        let response = try #require(record.response)
        #expect(response.status == 200)
        #expect(response.reason == "OK")
        #expect(response.httpVersion == "1.1")
        #expect(response.values(of: "Content-Type") == ["text/plain"])
        #expect(response.bodyBytes == 5)
        #expect(response.body == "small")
        #expect(response.bodyEncoding == "utf8")
        #expect(response.remoteAddress == "127.0.0.1:\(nginx.httpPort)")
        #expect(response.fromCache == false)
        #expect(record.attempts.count == 1)
        #expect(record.attempts.first?.address == "127.0.0.1")
        #expect(record.attempts.first?.server == nginx.httpURL)
        #expect(record.attempts.first?.connectionReused == false)
        #expect(record.attempts.first?.status == 200)
        #expect(record.attempts.first?.error == nil)
        #expect(record.error == nil)
    }

    @Test(.enabled(if: Nginx.isAvailable)) func `the record of HTTP/2 over TLS contains its version and the time of TLS`() async throws {
        let nginx = try await SharedNginx.value
        let run = try await Sortie().runProcess("send", "\(nginx.httpsURL)/echo", "--json", "--cacert", nginx.certificateAuthority)
        let record = try ExchangeRecord(run)
        #expect(run.status == .exited(0))
        #expect(record.response?.httpVersion == "2")
        #expect(record.response?.body == "HTTP/2.0 GET /echo localhost")
        #expect(record.timing.tls > 0)
    }

    @Test func `the times are seconds since the start in ascending order`() async throws {
        // In a process of its own, because calls in one process share connections, and an open one takes no time to connect.
        let run = try await Sortie().runProcess("send", "\(DemoProcess.shared.url)/delay/0.2", "--json")
        let timing = try ExchangeRecord(run).timing
        #expect(timing.nameLookup <= timing.connect && timing.connect > 0 && timing.connect <= timing.firstByte)
        #expect(timing.tls == 0)
        #expect(timing.firstByte >= 0.2, "the server waits so long, so these are seconds")
        #expect(timing.total >= timing.firstByte)
    }

    @Test func `an endpoint of the demo is sent with its name and environment`() async throws {
        let demo = try await DemoProcess.shared
        let run = try await Sortie().run(
            "send", "shop/orders/list", "-w", Sortie.demoWorkspace, "--var", "host=\(demo.authority)", "--json")
        let record = try ExchangeRecord(run)
        #expect(run.status == .exited(0))
        #expect(record.endpoint == "shop/orders/list")
        #expect(record.environment == "develop")
        #expect(record.request.url == "\(demo.url)/orders?page=1&size=20")
        #expect(record.request.values(of: "Accept") == ["application/json"], "the service's header")
        #expect(record.request.values(of: "X-Trace").first?.count == 36, "the endpoint's header, a UUID")
        #expect(record.response?.body?.contains("青花瓷茶杯") == true)
    }

    @Test func `-e selects another environment`() async throws {
        let demo = try await DemoProcess.shared
        let run = try await Sortie().run(
            "send", "shop/orders/list", "-w", Sortie.demoWorkspace, "-e", "local", "--var", "host=\(demo.authority)", "--json")
        #expect(try ExchangeRecord(run).environment == "local")
    }

    @Test func `a body that is not UTF-8 is in the record as base64`() async throws {
        let server = try ScriptedServer(answering: .ok(bytes: [0xff, 0x00, 0xfe, 0x41]))
        let response = try #require(try ExchangeRecord(await Sortie().run("send", server.url, "--json")).response)
        #expect(response.bodyEncoding == "base64")
        #expect(response.body == "/wD+QQ==")
        #expect(response.bodyBytes == 4)
    }

    @Test func `control characters of a body are escaped in the record and decoded unchanged`() async throws {
        let body = "\u{1b}[31mred\u{7}\u{0}\t\"\\ \u{2028}é😀"
        let server = try ScriptedServer(answering: .ok(body))
        let run = try await Sortie().run("send", server.url, "--json")
        #expect(!run.outputBytes.contains(0x1b))
        #expect(try ExchangeRecord(run).response?.body == body)
    }

    @Test func `header fields keep their order, spelling and duplicates`() async throws {
        let server = try ScriptedServer(
            answering: .ok("x", headers: [("X-b", "1"), ("x-A", "2"), ("X-B", "3"), ("Warning", "w")]))
        let response = try #require(try ExchangeRecord(await Sortie().run("send", server.url, "--json")).response)
        #expect(Array(response.headers.prefix(4)) == [["X-b", "1"], ["x-A", "2"], ["X-B", "3"], ["Warning", "w"]])
    }

    @Test func `a sent body is in the record with its size in bytes`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/echo", "-d", "Grüße", "--json")
        let request = try ExchangeRecord(run).request
        #expect(request.method == "POST")
        #expect(request.body == "Grüße")
        #expect(request.bodyBytes == 7)
    }

    @Test func `a failed request is a record with the error, and exit code 4`() async throws {
        let run = try await Sortie().run("send", "http://no-such-host.invalid/", "--json")
        #expect(run.status == .exited(4))
        let record = try ExchangeRecord(run)
        #expect(record.response == nil)
        #expect(record.error?.class == "transport")
        #expect(record.error?.code == "hostNotFound")
        #expect(record.error?.legacyCode == 102)
        #expect(record.error?.message.contains("no-such-host.invalid") == true)
        #expect(run.errorLines.first?.hasPrefix("sortie: hostNotFound: ") == true)
    }

    @Test func `each redirect is a separate attempt`() async throws {
        let demo = try await DemoProcess.shared
        let record = try ExchangeRecord(await Sortie().run("send", "\(demo.url)/redirect/2", "--json"))
        #expect(record.attempts.map(\.status) == [302, 302, 200])
        #expect(record.attempts.dropFirst().allSatisfy { $0.connectionReused })
        #expect(record.response?.status == 200)
    }
}
