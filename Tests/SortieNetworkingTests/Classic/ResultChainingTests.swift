import SortieClassic
import Support
import Testing

@testable import SortieNetworking

/// Tests results that are chained, parameters by subscript, and paths of JSON (S0.36), and the example of the fifth source document (S4.15).
@Suite(.fewAtOnce)
struct ResultChainingTests {
    private let folder: TemporaryFolder
    private let client: Client

    init() throws {
        folder = try TemporaryFolder()
        client = Client(.init(spoolFolder: folder.path))
    }

    private func result(_ request: Request) async throws -> Result<Response, NetworkError> {
        try await withDeadline(.seconds(300), "the call to end") { [client] in await client.start(request).result }
    }

    @Test func `S0.36 a result is chained: its value, its error, and a path of its JSON`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/text" ? .ok("plain") : .json(#"{"data": {"orders": [{"id": 7}, {"id": 8}]}}"#)
        }
        var heard: [String] = []
        let first = try await result(.to(server.url))
            .withValue { heard.append("value \($0.status)") }
            .withError { heard.append("error \($0.code)") }
            .value(at: JSONPath("$.data.orders"))
        #expect(first.map { $0[1]?["id"]?.text } == .success("8"))
        #expect(first.map { $0[2] } == .success(nil))
        let dead = try DeadPort(.refusing)
        try await result(.to(dead.url))
            .withValue { heard.append("value \($0.status)") }
            .withError { heard.append("error \($0.code)") }
        withExtendedLifetime(dead) {}
        #expect(heard == ["value 200", "error connectionRefused"])
        let missing = try await result(.to(server.url)).value(at: JSONPath("$.data.none"))
        #expect(throws: NetworkError(.noData, "the body has no value at $.data.none")) { try missing.get() }
        let text = try await result(.to(server.url + "/text")).value(at: JSONPath("$"))
        #expect(text.withValue { _ in heard.append("value") }.failure?.code == .badBody)
        #expect(heard.count == 2)
    }

    @Test func `S0.36 parameters are read and written by subscript`() throws {
        var request = try Request.to("http://a.test/x?page=1&tag=a&tag=b&q=a%20b")
        #expect(request[parameter: "q"] == "a b")
        #expect(request[parameter: "none"] == nil)
        request[parameter: "page"] = "2"
        request[parameter: "tag"] = "c&d"
        request[parameter: "new"] = "卫衣"
        #expect(request.url.query == "page=2&tag=c%26d&q=a%20b&new=%E5%8D%AB%E8%A1%A3")
        request[parameter: "tag"] = nil
        #expect(request.url.query == "page=2&q=a%20b&new=%E5%8D%AB%E8%A1%A3")
        for name in ["page", "q", "new"] { request[parameter: name] = nil }
        #expect(request.url.query == nil)
    }

    /// The request of the example: suggestions of the service for a word.
    private struct Suggestions: TypedEndpoint {
        typealias Output = Response
        var word: String

        var path: String { "sug" }
        var query: [(name: String, value: String)] { [("code", "utf-8"), ("q", word)] }
        func parameters() -> [ParameterValue.Member] { [] }
        var options: RequestOptions {
            var options = RequestOptions()
            options.timeouts.total = .seconds(300)
            return options
        }
    }

    @Test(arguments: [#"{"result": [["卫衣男", "1"]]}"#, "3", #""text""#])
    func `S4.15 the example of the source sends its parameters, and its reformer makes JSON of the data`(body: String) async throws {
        let server = try ScriptedServer(answering: .ok(body))
        #expect(try JSONValue(parsing: await suggestions(server).get()) == JSONValue(parsing: body))
        #expect(server.requests.map { "\($0.method) \($0.target)" } == ["GET /sug?code=utf-8&q=%E5%8D%AB%E8%A1%A3"])
    }

    @Test func `S4.15 the reformer of the example rejects an empty body`() async throws {
        let server = try ScriptedServer(answering: .ok())
        #expect(try await suggestions(server).failure?.message == "数据为空!")
    }

    /// Sends the request of the example; returns the text of the value that its reformer makes.
    private func suggestions(_ server: ScriptedServer) async throws -> Result<String, NetworkError> {
        var service = ServiceConfiguration(servers: ["live": [server.url + "/"]])
        service.reformer = { response, _ in
            if response.body.isEmpty { throw NetworkError(.noData, "数据为空!") }
            return try JSONValue(parsing: response.utf8Body)
        }
        let client = Client(.init(spoolFolder: folder.path, services: ["taobao": service], environment: "live"))
        return try await withDeadline(.seconds(300), "the call to end") {
            do throws(NetworkError) { return .success(try await client.send(Suggestions(word: "卫衣"), through: "taobao").text ?? "") } catch {
                return .failure(error)
            }
        }
    }
}

extension Result where Failure == NetworkError {
    /// The error of a failure.
    fileprivate var failure: NetworkError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
