import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests calls in one line: every method, with filter, type and options (S2.60), plugins and decoder (S4.17).
@Suite(.fewAtOnce)
struct OneLineCallTests {
    private struct Order: Codable, Equatable, Sendable {
        var id: Int
        var userName: String?
    }

    private let folder: TemporaryFolder
    private let client: Client

    init() throws {
        folder = try TemporaryFolder()
        client = Client(.init(spoolFolder: folder.path))
    }

    @Test func `S2.60 every method is one line with a value as its result`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"id": 7}"#))
        let (url, order) = (server.url, Order(id: 3))
        let results: [Order] = try await withDeadline(.seconds(300), "the calls to end") { [client] in
            [
                try await client.get("\(url)/a", query: [("page", "1")]), try await client.post("\(url)/b", json: order),
                try await client.post("\(url)/c", form: [("id", "3")]), try await client.put("\(url)/d", json: order),
                try await client.patch("\(url)/e", json: order), try await client.delete("\(url)/f"),
                try await client.call(.options, "\(url)/g"),
            ]
        }
        #expect(results == Array(repeating: Order(id: 7), count: 7))
        let head = try await withDeadline(.seconds(300), "the call to end") { [client] in try await client.head("\(url)/h") }
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(
            server.requests.map { "\($0.method) \($0.target)" } == [
                "GET /a?page=1", "POST /b", "POST /c", "PUT /d", "PATCH /e", "DELETE /f", "OPTIONS /g", "HEAD /h",
            ])
        #expect(server.requests.map(\.bodyText) == ["", #"{"id":3}"#, "id=3", #"{"id":3}"#, #"{"id":3}"#, "", "", ""])
    }

    @Test func `a call whose response has no body returns the response`() async throws {
        let server = try ScriptedServer(answering: HTTPAnswer(status: 204, reason: "No Content"))
        let (url, order) = (server.url, Order(id: 3))
        let statuses = try await withDeadline(.seconds(300), "the calls to end") { [client] in
            try await client.post(url, json: order)
            return [
                try await client.delete(url).status, try await client.put(url, json: order).status, try await client.patch(url, json: order).status,
                try await client.get(url).status,
            ]
        }
        #expect(statuses == [204, 204, 204, 204])
        #expect(server.requests.map(\.method) == ["POST", "DELETE", "PUT", "PATCH", "GET"])
    }

    @Test func `an error names what the body has in place of the expected value, in words`() async throws {
        let client = client
        for (answer, text) in [
            (HTTPAnswer(status: 204, reason: "No Content"), "the response 204 has no body, and JSON was expected"),
            (.json(#"{"a": 1}"#), "the body is not what was expected: $ is not an array"),
        ] {
            let server = try ScriptedServer(answering: answer)
            let error = await #expect(throws: NetworkError.self) { let _: [Int] = try await client.get(server.url) }
            #expect(error?.message == text && error?.cause is DecodingError && error?.response?.status == answer.status)
        }
    }

    @Test func `a LocalizedError of the program gives its text to the message`() async throws {
        struct Sold: LocalizedError { var errorDescription: String? { "the shop is closed" } }
        let server = try ScriptedServer(answering: .json("[]"))
        let settings = CallSettings(filter: { _ in throw Sold() })
        let error = await #expect(throws: NetworkError.self) { try await client.get(server.url, with: settings) }
        #expect(error?.message == "the body cannot be used: the shop is closed" && error?.cause is Sold)
    }

    @Test func `the accepted statuses and the charset are parameters of a call`() async throws {
        let body = Array(#"{"id": 7, "userName": "Ren"#.utf8) + [0xE9] + Array("\"}".utf8)
        let server = try ScriptedServer(
            answering: HTTPAnswer(status: 404, reason: "Not Found", headers: [("Content-Type", "application/json")], body: body))
        let url = server.url
        let error = await #expect(throws: NetworkError.self) { try await client.get(url, as: Order.self) }
        #expect(error?.code == .status)
        let settings = CallSettings(acceptedStatuses: 200..<500, charset: "iso-8859-1")
        #expect(try await client.get(url, with: settings, as: Order.self) == Order(id: 7, userName: "René"))
        let unknown = await #expect(throws: NetworkError.self) {
            try await client.get(url, with: CallSettings(acceptedStatuses: 404..<405, charset: "klingon"), as: Order.self)
        }
        #expect(unknown?.code == .invalidOption)
        var request = try Request(url)
        request.options.answer.statuses = [404...404]
        #expect(try await client.send(request, as: .decoded(as: Order.self, charset: "latin1")).userName == "René")
        #expect(try await client.send(request, as: .text(charset: "latin1")).contains("René"))
    }

    @Test func `S2.60 only JSON is accepted unless other types are named`() async throws {
        let server = try ScriptedServer { request in
            HTTPAnswer.ok(#"{"id": 7}"#, headers: [("Content-Type", request.target == "/script" ? "text/javascript" : "text/plain")])
        }
        let url = server.url
        #expect(try await client.get("\(url)/script", as: Order.self) == Order(id: 7))
        let error = await #expect(throws: NetworkError.self) { try await client.get(url, as: Order.self) }
        #expect(error?.code == .badBody)
        #expect(error?.message.contains("text/plain") == true)
        #expect(try await client.get(url, with: CallSettings(acceptedContentTypes: ["text/plain"]), as: Order.self) == Order(id: 7))
        #expect(try await client.get(url, with: CallSettings(acceptedContentTypes: nil), as: Order.self) == Order(id: 7))
        #expect(try await client.call(.get, url).text == #"{"id": 7}"#, "without a type, the response is returned as it is")
    }

    @Test func `S2.60 a filter replaces the response before it is decoded, or throws the error of the call`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/good"
                ? .json(#"{"code": 200, "description": null, "results": [{"id": 7}]}"#) : .json(#"{"code": 301, "description": "密码错误"}"#)
        }
        let settings = CallSettings(filter: Envelope.results.filter)
        #expect(try await client.get("\(server.url)/good", with: settings, as: [Order].self) == [Order(id: 7)])
        let error = await #expect(throws: NetworkError.self) { try await client.get(server.url, with: settings, as: [Order].self) }
        #expect(error?.errorClass == .business)
        #expect(error?.message == "密码错误")
        #expect(error?.businessCode == "301")
    }

    @Test func `S2.60 options of one call replace those of the service`() async throws {
        let server = try ScriptedServer { request in request.target == "/" ? .redirect(to: "/next") : .json(#"{"id": 7}"#) }
        var options = RequestOptions()
        options.maximumRedirects = 0
        let error = await #expect(throws: NetworkError.self) {
            try await client.get(server.url, with: CallSettings(options: options), as: Order.self)
        }
        #expect(error?.code == .status)
        #expect(try await client.get(server.url, as: Order.self) == Order(id: 7))
    }

    private struct Prefix: Plugin {
        let text: String
        func prepare(_ request: inout Request, in context: PluginContext) {
            request.headers["X-Plugins"] = (request.headers["X-Plugins"] ?? "") + text
        }
    }

    @Test func `S4.17 plugins of one call come after those of the client and the service, and affect no other call`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"id": 7}"#))
        let service = ServiceConfiguration(servers: ["live": [server.url]], plugins: [Prefix(text: "service ")])
        let client = Client(
            .init(spoolFolder: folder.path, plugins: [Prefix(text: "client ")], services: ["shop": service], environment: "live"))
        let request = try client.request("/", through: "shop")
        try await withDeadline(.seconds(300), "the calls to end") {
            _ = try await client.send(request, plugins: [Prefix(text: "call")])
            _ = try await client.start(request, plugins: [Prefix(text: "task")]).value
            _ = try await client.get("/", through: "shop", with: CallSettings(plugins: [Prefix(text: "line")]), as: Order.self)
            _ = try await client.send(request)
        }
        #expect(
            server.requests.map { $0["X-Plugins"] } == [
                "client service call", "client service task", "client service line", "client service",
            ])
        #expect(await client.dryRun(request, plugins: [Prefix(text: "dry")]).headers["X-Plugins"] == "client service dry")
    }

    /// Decodes nothing, and returns the value of the test.
    private struct Fixed: JSONBodyDecoder {
        let order: Order
        func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
            guard let value = order as? Value else { throw NetworkError(.badBody, "not an order") }
            return value
        }
    }

    private struct TypedOrder: TypedEndpoint {
        typealias Output = Order
        let path: String
        let decoder: any JSONBodyDecoder
        func parameters() -> [ParameterValue.Member] { [] }
    }

    @Test func `a file is sent and received in one line`() async throws {
        let file = ServedFile(300_000)
        let server = try ScriptedServer { $0.method == "PUT" ? .status($0.bodyText == "hello" ? 201 : 400) : file.answer($0) }
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path("spool")))
        let path = try folder.write("f", "hello")
        #expect(try await client.upload(path, to: "\(server.url)/f", contentType: "text/plain").status == 201)
        #expect(server.requests.last?["Content-Type"] == "text/plain")
        #expect(try await client.download("\(server.url)/g", to: .file(folder.path("g"))).bytes == 300_000)
        #expect(try folder.read("g") == file.bytes)
        let dead = try DeadPort(.refusing)
        await #expect(throws: NetworkError.self) { try await client.upload(path, to: dead.url) }
    }

    @Test func `S4.17 the JSON decoder is a choice`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"id": 7, "user_name": "demo"}"#))
        let snakeCase = JSONDecoder()
        snakeCase.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try await client.get(server.url, as: Order.self) == Order(id: 7))
        #expect(try await client.get(server.url, with: CallSettings(decoder: snakeCase), as: Order.self) == Order(id: 7, userName: "demo"))
        #expect(try await client.send(TypedOrder(path: server.url, decoder: snakeCase)) == Order(id: 7, userName: "demo"))
        #expect(try await client.send(TypedOrder(path: server.url, decoder: Fixed(order: Order(id: 9)))) == Order(id: 9))
    }
}
