import SortieNetworking
import Support
import Synchronization
import Testing

/// Tests the blocks of the debug log, as events and through the plugin (S0.33–S0.35).
@Suite(.fewAtOnce)
struct DebugLogTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func client(_ plugins: [any Plugin] = []) -> Client { Client(.init(spoolFolder: folder.path, plugins: plugins)) }

    private func records(_ request: Request, _ plugins: [any Plugin] = []) async throws -> [DebugLogRecord] {
        let client = client(plugins)
        return try await withDeadline(.seconds(300), "the call to end") {
            var records: [DebugLogRecord] = []
            for await event in client.events(request) { if case .reported(let report) = event, let record = report.record { records.append(record) } }
            return records
        }
    }

    @Test func `S0.33 each attempt has a block before it is sent and one after its end, with its number`() async throws {
        let server = try ScriptedServer { $0.target == "/a?x=1" ? .redirect(to: "/b") : .json(#"{"a": 1}"#) }
        let records = try await records(Request(url: try HTTPURL(parsing: "\(server.url)/a?x=1")))
        #expect(records.map(\.attempt) == [1, 1, 2, 2])
        #expect(records.map { $0.outcome?.status } == [nil, 302, nil, 200])
        #expect(records.map(\.block.apiName) == ["/a", "/a", "/b", "/b"])
        #expect(records.last?.text().contains("Response Data:\n{\"a\": 1}\n") == true)
        #expect(records.map(\.time) == records.map(\.time).sorted())
    }

    @Test func `the block before sending has the fields that are sent`() async throws {
        let server = try ScriptedServer(answering: .ok("hi"))
        var request = Request(method: .post, url: try HTTPURL(parsing: server.url), headers: [HeaderField("X-A", "1")])
        request.body = .text(#"{"password": "s3cret"}"#, contentType: "application/json")
        let records = try await records(request)
        let received = try #require(server.requests.first)
        let fields = try #require(records.first).headers
        #expect(fields.fields.map(\.name).sorted() == received.headers.map(\.name).sorted())
        for (name, value) in received.headers { #expect(fields[name] == value) }
        let text = try #require(records.first).text()
        #expect(text.contains("Body Data:\n{\"password\": \"••••\"}"))
        #expect(records[0].text(redaction: .none).contains("s3cret"))
    }

    @Test func `the block of an attempt without a response contains the reason`() async throws {
        let port = try DeadPort(.refusing)
        let records = try await records(Request(url: try HTTPURL(parsing: "\(port.url)/")))
        #expect(records.map { $0.outcome?.error?.code } == [nil, .connectionRefused])
        #expect(records.last?.text().contains("Error:\nconnectionRefused: ") == true)
    }

    @Test func `S0.34 the fields of a form are among the parameters, without those that plugins add, and masked`() async throws {
        let server = try ScriptedServer(answering: .ok())
        var request = Request(method: .post, url: try HTTPURL(parsing: "\(server.url)/?page=1"))
        request.body = .form([("title", "青花 瓷"), ("password", "s3cret")])
        let added = PublicParametersPlugin { _ in [("appId", "7")] }
        let text = try #require(try await records(request, [added]).first).text()
        let parameters = try #require(text.split(separator: "Params:\n").last?.split(separator: "FullRequest:").first)
        #expect(parameters == "{\n    page = 1;\n    password = \"••••\";\n    title = \"\\U9752\\U82b1 \\U74f7\";\n}\n", "\(parameters)")
        request.body = .text("a=1", contentType: "text/plain")
        #expect(try await records(request).first?.block.parameters.map(\.name) == ["page"], "another type is not a form")
    }

    @Test func `S0.39 the plugins of a service and of a call add lines to its blocks, which know the response`() async throws {
        let server = try ScriptedServer(answering: .ok("hi"))
        let blocks = Collected()
        let ofService = DebugLogLinesPlugin { request, _ in [("Shop", request.service ?? ""), ("password", "s3cret")] }
        let ofCall = DebugLogLinesPlugin { _, response in [("Status", response.map { "\($0.status)" } ?? "none")] }
        let shop = ServiceConfiguration(servers: ["live": [server.url]], plugins: [ofService])
        let client = Client(
            .init(spoolFolder: folder.path, plugins: [DebugLogPlugin { blocks.add($0) }], services: ["shop": shop], environment: "live"))
        let request = try client.request("/a", through: "shop")
        _ = try await client.send(request, plugins: [ofCall])
        _ = try await client.send(request)
        let lines: [String] = blocks.all.map { block in
            let own = block.split(separator: "\n").filter { $0.hasPrefix("Shop:") || $0.hasPrefix("password:") || $0.hasPrefix("Status:") }
            return own.joined(separator: "; ")
        }
        let common = "Shop:\t\tshop; password:\t\t••••"
        let expected: [String] = [common + "; Status:\t\tnone", common + "; Status:\t\t200", common, common]
        #expect(lines == expected)
    }

    @Test func `a body that is not text, and a streamed one, are described by size and type (S0.35)`() async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(headers: [("Content-Type", "image/png")], body: [0x89, 0x50, 0, 1]))
        let path = try folder.write("upload.bin", "secret text in a file")
        var request = Request(method: .post, url: try HTTPURL(parsing: server.url))
        request.body = .file(path: path, contentType: "application/pdf")
        let texts = try await records(request).map { $0.text() }
        #expect(texts[0].contains("Body Data:\na stream of application/pdf\n"))
        #expect(texts[1].contains("Response Data:\n4 bytes of image/png\n"))
        #expect(!texts.joined().contains("secret text"))
    }

    @Test func `a large text is truncated between characters, with its secrets masked`() async throws {
        let start = #"{"token": "s3cret", "text": ""#
        let server = try ScriptedServer(answering: .json(start + String(repeating: "ä", count: 100_000) + #""}"#))
        let text = try #require(try await records(Request(url: try HTTPURL(parsing: server.url))).last).text()
        #expect(text.contains("\n… (the beginning of \(start.utf8.count + 200_002) bytes)\n"))
        #expect(text.utf8.count < 2 * DebugLogRecord.textLimit && !text.contains("s3cret") && !text.contains("\u{FFFD}"))
    }

    @Test func `the plugin passes the same blocks to its sink, without an observer of the call`() async throws {
        let server = try ScriptedServer {
            $0.values(of: "X-Again").isEmpty ? .status(503) : .ok("done", headers: [("Set-Cookie", "s3cret")])
        }
        let blocks = Collected()
        let again = SendAgainOnce()
        let client = client([DebugLogPlugin { blocks.add($0) }, again])
        let request = Request(url: try HTTPURL(parsing: "\(server.url)/p?token=s3cret"))
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await client.exchange(request) }
        #expect(exchange.error == nil)
        let all = blocks.all
        #expect(all.count == 4, "two attempts, each with both blocks")
        #expect(all.map { $0.contains("SSRequest Response Start") } == [false, true, false, true])
        #expect(all.allSatisfy { $0.contains("FullRequest:\n\(server.url)/p?token=••••\n") && !$0.contains("s3cret") })
        #expect(all[2].contains("\"X-Again\" = 1;"), "what another plugin did is in it, wherever that one stands in the list")
    }
}

private final class Collected: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }

    var all: [String] { texts.withLock { $0 } }
}

/// Sends a rejected request again with a mark.
private struct SendAgainOnce: Plugin {
    func prepare(_ request: inout Request, in context: PluginContext) { if context.attempt > 1 { request.headers.append("X-Again", "1") } }

    func didReceive(_ response: Response, to request: Request, in context: PluginContext) -> Recovery {
        response.status == 503 ? .sendAgain("once more") : .none
    }
}
