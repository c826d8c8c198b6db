import Glibc
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import SortieNetworking
import Testing
import Tracing
import Tutorial

/// Tests the tutorial and what the package traits add, as a user's program would use them.
@Suite(.timeLimit(.minutes(5)))
struct ConsumerTests {
    private static let orders = #"[{"id": 1, "item": "cup"}]"#

    private func shop() throws -> SmallServer {
        try SmallServer { request in
            if request.hasPrefix("POST") { return SmallServer.Answer(body: #"{"id": 7, "item": "tea"}"#) }
            if request.hasPrefix("DELETE") { return SmallServer.Answer(status: "204 No Content", fields: []) }
            if request.hasPrefix("GET /missing") { return SmallServer.Answer(status: "404 Not Found", body: "{}") }
            return SmallServer.Answer(body: Self.orders)
        }
    }

    @Test func `the steps of the tutorial run`() async throws {
        let server = try shop()
        defer { server.stop() }
        let path = "/tmp/sortie-consumer-\(getpid())"
        let results = try await runTutorial(server.url, downloadingTo: path)
        #expect(results == ["200", #"["cup", "tea"]"#, "refused: the server responded with 404 Not Found", #"["cup"]"#, "26", "26"])
        #expect(
            server.requests.map { $0.prefix { $0 != "\r" && $0 != "\r\n" } }.prefix(4) == [
                "GET /orders HTTP/1.1", "GET /orders?page=1 HTTP/1.1", "POST /orders HTTP/1.1", "DELETE /orders/7 HTTP/1.1",
            ])
        #expect(server.requests.contains { $0.hasPrefix("GET /orders?page=2") && $0.contains("X-Language: en") })
        #expect(server.requests.allSatisfy { $0.contains("User-Agent: SortieNetworking/") })
        #expect(unlink(path) == 0)
    }

    @Test func `a logger receives calls and attempts, without secrets`() async throws {
        let server = try shop()
        defer { server.stop() }
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        var configuration = ClientConfiguration()
        configuration.logger = Logger(label: "shop") { [handler] _ in handler }
        let client = Client(configuration)
        _ = try await client.send(Request("\(server.url)/orders?access_token=s3cret"))
        #expect(handler.entries.map(\.message) == ["attempt starts", "response received", "call finished"])
        #expect(handler.entries.map(\.level) == [.trace, .trace, .debug])
        #expect(handler.entries.last?.metadata["status"] == "200" && handler.entries.last?.metadata["attempts"] == "1")
        #expect(!"\(handler.entries.map(\.metadata))".contains("s3cret"))
        handler.clear()
        await #expect(throws: NetworkError.self) { try await client.send(Request("http://127.0.0.1:1/")) }
        #expect(handler.entries.last?.message == "call failed" && handler.entries.last?.metadata["error"] == "connectionRefused")
        configuration.logger = nil
        #expect(configuration.logger == nil && configuration.plugins.isEmpty)
    }

    @Test func `a factory of metrics receives the durations of calls and attempts`() async throws {
        let server = try shop()
        defer { server.stop() }
        let metrics = TestMetrics()
        var configuration = ClientConfiguration()
        configuration.metrics = metrics
        let client = Client(configuration)
        _ = try await client.send(Request("\(server.url)/missing"))
        await #expect(throws: NetworkError.self) { try await client.send(Request("http://127.0.0.1:1/")) }
        let timers = metrics.timers(label: "http.client.request.duration") + metrics.timers(label: "http.client.call.duration")
        #expect(timers.count == 4 && timers.allSatisfy { $0.values.count == 1 })
        #expect(timers.filter { $0.dimensions.contains { $0 == ("http.response.status_code", "404") } }.count == 2)
        #expect(timers.filter { $0.dimensions.contains { $0 == ("error.type", "connectionRefused") } }.count == 2)
    }

    @Test func `a tracer has a span for the call and for each attempt, whose context is sent`() async throws {
        let server = try shop()
        defer { server.stop() }
        let tracer = InMemoryTracer()
        var configuration = ClientConfiguration()
        configuration.tracer = tracer
        configuration.options.retry = RetryPolicy(limit: 1)
        let client = Client(configuration)
        _ = try await client.send(Request("\(server.url)/orders"))
        let spans = tracer.popFinishedSpans()
        #expect(spans.map(\.operationName) == ["GET", "HTTP call"])
        let (attempt, call) = (try #require(spans.first), try #require(spans.last))
        #expect(attempt.parentSpanID == call.spanID && attempt.kind == .client && call.parentSpanID == nil)
        #expect(
            attempt.attributes.get("http.response.status_code") == .int(200) || attempt.attributes.get("http.response.status_code") == .int64(200))
        #expect(server.requests.first?.contains("\(InMemoryTracer.spanIDKey): \(attempt.spanID)") == true)
        await #expect(throws: NetworkError.self) { try await client.send(Request("http://127.0.0.1:1/")) }
        let failed = tracer.popFinishedSpans()
        #expect(failed.map(\.operationName) == ["GET", "GET", "HTTP call"])
        #expect(failed.allSatisfy { $0.status?.code == .error && $0.errors.count == 1 })
        #expect(failed[0].endInstant.nanosecondsSinceEpoch <= failed[1].startInstant.nanosecondsSinceEpoch, "the wait belongs to no attempt")
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test func `a server that opens no WebSocket connection is an error with its status`() async throws {
        let server = try shop()
        defer { server.stop() }
        let error = await #expect(throws: NetworkError.self) { try await Client().webSocket(Request("\(server.url)/missing")) }
        #expect(error?.code == .status)
        #expect(server.requests.first?.contains("Upgrade: websocket") == true)
    }

    @Test func `requests and responses of swift-http-types are converted`() async throws {
        let server = try shop()
        defer { server.stop() }
        var request = HTTPRequest(method: .get, scheme: "http", authority: String(server.url.dropFirst(7)), path: "/missing?a=1")
        request.headerFields[.accept] = "a/b"
        let (response, body) = try await Client().send(request)
        #expect(response.status == .notFound && response.headerFields[.contentType] == "application/json" && body.count == 2)
        #expect(server.requests.first?.hasPrefix("GET /missing?a=1 HTTP/1.1") == true && server.requests.first?.contains("Accept: a/b") == true)
        #expect(HTTPRequest(try Request(request)) == request)
        let invalid = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)
        #expect(throws: NetworkError.self) { try Request(invalid) }
    }
}
