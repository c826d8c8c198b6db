import Foundation
import Support
import Testing

/// `send --json` prints the record of the contract, whatever the server is.
@Suite(.serialized)
struct SendRecordTests {
    @Test func `the record has the contract's keys and no others`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/orders", "--json")
        let record = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        func keys(_ value: Any?) -> Set<String> { Set((value as? [String: Any])?.keys.map { $0 } ?? []) }
        #expect(
            keys(record) == ["id", "endpoint", "environment", "request", "response", "timing", "attempts", "value", "error"])
        #expect(keys(record["request"]) == ["method", "url", "headers", "bodyBytes", "body"])
        #expect(
            keys(record["response"]) == [
                "status", "reason", "httpVersion", "headers", "bodyBytes", "body", "bodyEncoding", "charset", "remoteAddress", "fromCache",
            ])
        #expect(keys(record["timing"]) == ["nameLookup", "connect", "tls", "firstByte", "total"])
        #expect(
            keys((record["attempts"] as? [Any])?.first) == [
                "address", "server", "connectionReused", "status", "error", "delay", "certificates", "addressChoice",
            ])
    }

    @Test(.enabled(if: Nginx.isAvailable)) func `a GET over HTTP/1.1 is told in full`() async throws {
        let nginx = try await SharedNginx.value
        let run = try await Sortie().run("send", "\(nginx.httpURL)/small", "--json")
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

    @Test(.enabled(if: Nginx.isAvailable)) func `HTTP/2 over TLS is told with its version and the time TLS took`() async throws {
        let nginx = try await SharedNginx.value
        let run = try await Sortie().run("send", "\(nginx.httpsURL)/echo", "--json", "--cacert", nginx.certificateAuthority)
        let record = try ExchangeRecord(run)
        #expect(run.status == .exited(0))
        #expect(record.response?.httpVersion == "2")
        #expect(record.response?.body == "HTTP/2.0 GET /echo localhost")
        #expect(record.timing.tls > 0)
    }

    @Test func `the moments are seconds since the start, each not before the one before it`() async throws {
        let run = try await Sortie().run("send", "\(DemoProcess.shared.url)/delay/0.2", "--json")
        let timing = try ExchangeRecord(run).timing
        #expect(timing.nameLookup >= 0)
        #expect(timing.connect >= 0)
        #expect(timing.tls == 0)
        #expect(timing.firstByte >= 0.2, "the server waits so long, so these are seconds")
        #expect(timing.total >= timing.firstByte)
    }

    @Test func `an endpoint of the demo is sent under its name and environment`() async throws {
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

    @Test func `-e chooses another environment`() async throws {
        let demo = try await DemoProcess.shared
        let run = try await Sortie().run(
            "send", "shop/orders/list", "-w", Sortie.demoWorkspace, "-e", "local", "--var", "host=\(demo.authority)", "--json")
        #expect(try ExchangeRecord(run).environment == "local")
    }

    @Test func `a body that is not UTF-8 stands in the record as base64`() async throws {
        let server = try ScriptedServer(answering: .ok(bytes: [0xff, 0x00, 0xfe, 0x41]))
        let response = try #require(try ExchangeRecord(await Sortie().run("send", server.url, "--json")).response)
        #expect(response.bodyEncoding == "base64")
        #expect(response.body == "/wD+QQ==")
        #expect(response.bodyBytes == 4)
    }

    @Test func `control characters of a body are escaped in the record and come back unchanged`() async throws {
        let body = "\u{1b}[31mred\u{7}\u{0}\t\"\\ \u{2028}é😀"
        let server = try ScriptedServer(answering: .ok(body))
        let run = try await Sortie().run("send", server.url, "--json")
        #expect(!run.outputBytes.contains(0x1b))
        #expect(try ExchangeRecord(run).response?.body == body)
    }

    @Test func `headers keep their order, their spelling and those of the same name`() async throws {
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

    @Test func `each hop of a redirect is an attempt`() async throws {
        let demo = try await DemoProcess.shared
        let record = try ExchangeRecord(await Sortie().run("send", "\(demo.url)/redirect/2", "--json"))
        #expect(record.attempts.map(\.status) == [302, 302, 200])
        #expect(record.attempts.dropFirst().allSatisfy { $0.connectionReused })
        #expect(record.response?.status == 200)
    }
}
