import Foundation
import SortieNetworking
import Support
import Testing

/// Tests that an error keeps the response that was rejected, and the error from which it was made.
@Suite(.fewAtOnce)
struct RejectedResponseTests {
    private struct Order: Codable, Equatable { var id: Int }

    private struct GetOrder: TypedEndpoint {
        typealias Output = Order
        let path: String

        func parameters() -> [ParameterValue.Member] { [] }
    }

    private let client: Client
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        client = Client(.init(spoolFolder: folder.path))
    }

    private struct NoError: Error {}

    /// The error that the call throws.
    private func error(_ body: () async throws -> Void) async throws -> NetworkError {
        do { try await body() } catch let error as NetworkError { return error }
        throw NoError()
    }

    @Test func `the error of a rejected status has the response`() async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(status: 422, headers: [("X-Why", "taken")], body: Array("{}".utf8)))
        let error = try await error { let _: Order = try await client.get(server.url) }
        #expect(error.code == .status)
        #expect(error.response?.status == 422 && error.response?.headers["X-Why"] == "taken" && error.response?.text == "{}")
        #expect(error.response?.url?.description == "\(server.url)/")
    }

    @Test func `the error of a stream whose status is rejected has the head`() async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(status: 404, reason: "Not Found"))
        var request = try Request(server.url)
        request.options.answer.statuses = [200...299]
        let error = try await error { _ = try await client.stream(request) }
        #expect(error.response?.status == 404)
    }

    @Test func `the error of a body of another shape has the response and the decoding error`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"id": "seven"}"#))
        let error = try await error { let _: Order = try await client.get(server.url) }
        #expect(error.code == .badBody)
        #expect(error.cause is DecodingError)
        #expect(error.response?.text == #"{"id": "seven"}"#)
    }

    @Test func `the error of a serializer has the response and the error of the program`() async throws {
        struct Refusal: Error, Equatable { var reason: String }
        let server = try ScriptedServer(answering: .ok("text"))
        let request = try Request(server.url)
        let error = try await error {
            _ = try await client.send(request, as: ResponseSerializer<Int> { _ in throw Refusal(reason: "no number") })
        }
        #expect(error.cause as? Refusal == Refusal(reason: "no number"))
        #expect(error.response?.text == "text")
    }

    @Test func `the error of a plugin is its own one`() async throws {
        struct Broken: Error, Equatable {}
        struct Failing: Plugin {
            func prepare(_ request: inout Request, in context: PluginContext) throws { throw Broken() }
        }
        let request = try Request("http://127.0.0.1:1/")
        let error = try await error { _ = try await client.send(request, plugins: [Failing()]) }
        #expect(error.code == .pluginFailed && error.cause as? Broken == Broken() && error.response == nil)
    }

    @Test func `the exchange of a typed endpoint has the response beside the output or the error`() async throws {
        let server = try ScriptedServer { $0.target == "/7" ? .json(#"{"id": 7}"#, headers: [("ETag", "e7")]) : .status(404) }
        let found = try await client.exchange(GetOrder(path: "\(server.url)/7"))
        #expect(try found.output.get() == Order(id: 7))
        #expect(found.exchange.response?.headers["ETag"] == "e7" && found.exchange.attempts.count == 1)
        let missing = try await client.exchange(GetOrder(path: "\(server.url)/8"))
        #expect(throws: NetworkError.self) { try missing.output.get() }
        #expect(missing.exchange.response?.status == 404)
    }

    @Test func `the URL of a response is that of the last request`() async throws {
        let server = try ScriptedServer { $0.target == "/old" ? .redirect(302, to: "/new?a=1") : .ok("here") }
        #expect(try await client.get("\(server.url)/old").url?.description == "\(server.url)/new?a=1")
        let streamed = try await client.stream(try Request("\(server.url)/old"))
        #expect(streamed.head.url?.description == "\(server.url)/new?a=1")
        #expect(try await streamed.body.collect(upTo: 100) == Array("here".utf8))
    }

    @Test func `a URL of Foundation is requested, and any JSON keeps its order and its digits`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"b": 1.50, "a": [true, null]}"#))
        let url = try #require(URL(string: "\(server.url)/a%20b?x=1"))
        let value: JSONValue = try await client.get(url)
        #expect(value.text == #"{"b": 1.50, "a": [true, null]}"#)
        #expect(try await client.get(url).status == 200)
        #expect(server.requests.map(\.target) == ["/a%20b?x=1", "/a%20b?x=1"])
    }

    @Test func `a member of any JSON is decoded`() async throws {
        struct Page: Decodable { var items: [JSONValue] }
        let server = try ScriptedServer(answering: .json(#"{"items": [{"a": 1}, "b", -2.5, 18446744073709551615, true, null]}"#))
        let page: Page = try await client.get(server.url)
        #expect(
            page.items == [
                .object([.init("a", .number("1"))]), .string("b"), .number("-2.5"), .number("18446744073709551615"), .bool(true), .null,
            ])
    }

    @Test func `the description for users of Foundation is the message`() {
        let error: any Error = NetworkError(.timedOut, "no answer", hint: "wait")
        #expect(error.localizedDescription == "no answer")
        #expect((error as? any LocalizedError)?.recoverySuggestion == "wait")
    }

    @Test func `a program can renew the token of its own credential store`() async throws {
        let store = CredentialStore(token: Credential.Token("t0")) { _ in Credential.Token("t1") }
        let rejected = try await store.credential()
        #expect(try await store.refresh(after: rejected.version).token == "t1")
    }
}
