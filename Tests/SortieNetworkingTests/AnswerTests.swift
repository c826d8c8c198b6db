import SortieNetworking
import Support
import Synchronization
import Testing

/// Tests the processing of a response: filter, rules, reformer, validator and the caller's decoding, in their order (X3).
@Suite(.fewAtOnce)
struct AnswerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private struct Refusal: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private func exchange(
        _ answer: HTTPAnswer, _ service: ServiceConfiguration = .init(), plugins: [any Plugin] = [], times: Int = 1,
        _ rules: ResponseRules = .init(), cache: Duration? = nil
    ) async throws -> (last: Exchange, asked: Int) {
        let server = try ScriptedServer(answering: answer)
        let client = Client(.init(spoolFolder: folder.path, plugins: plugins, services: ["shop": service]))
        var request = Request(url: try HTTPURL(parsing: server.url), service: "shop")
        request.options.answer = rules
        request.options.cacheLifetime = cache
        var last: Exchange?
        for _ in 0..<times { last = try await withDeadline(.seconds(300), "the call to end") { [request] in await client.exchange(request) } }
        return (try #require(last), server.requests.count)
    }

    @Test func `S0.14 only the statuses that a request names are accepted`() async throws {
        #expect(try await exchange(.status(304), .init(), ResponseRules(statuses: [200...299])).last.error?.code == .status)
        #expect(try await exchange(.status(304), .init(), ResponseRules(statuses: [200...299, 304...304])).last.error == nil)
    }

    @Test func `S2.29 the accepted statuses of a request take precedence over the service's setting`() async throws {
        let service = ServiceConfiguration(validatesStatus: true)
        #expect(try await exchange(.status(500), service).last.error?.code == .status)
        #expect(try await exchange(.status(500), service, ResponseRules(statuses: [500...500])).last.error == nil)
    }

    @Test func `S2.60 another media type is rejected with both types in the message`() async throws {
        let error = try await exchange(.ok("plain"), .init(), ResponseRules(contentTypes: ResponseRules.jsonTypes)).last.error
        #expect(error?.code == .badBody)
        #expect(error?.message.contains("application/json") == true)
    }

    @Test(arguments: [204, 205]) func `a response without content needs no format and no shape`(status: Int) async throws {
        let rules = try ResponseRules(format: .json, schema: JSONSchema(shape: JSONValue(parsing: #"{"id": "integer"}"#)))
        #expect(try await exchange(.status(status), .init(), rules).last.error == nil)
        #expect(try await exchange(.ok(""), .init(), rules).last.error?.code == .badBody)
    }

    @Test func `a response to HEAD needs no format`() async throws {
        let server = try ScriptedServer(answering: .json("{}"))
        var request = Request(method: .head, url: try HTTPURL(parsing: server.url))
        request.options.answer = ResponseRules(format: .json)
        let exchange = await Client(.init(spoolFolder: folder.path)).exchange(request)
        #expect(exchange.error == nil && exchange.response?.status == 200)
    }

    @Test func `an HTML page is no result of a service with an envelope, unless its type is accepted`() async throws {
        let service = ServiceConfiguration(envelope: try Envelope(codePath: JSONPath("$.code"), success: [.string("200")]))
        let page = HTTPAnswer.ok("<p>sign in</p>", headers: [("Content-Type", "text/html; charset=utf-8")])
        let error = try await exchange(page, service).last.error
        #expect(error?.code == .badBody && error?.message.contains("an HTML page") == true)
        #expect(try await exchange(page, service, ResponseRules(contentTypes: ["text/html"])).last.error == nil)
        #expect(try await exchange(page).last.error == nil)
    }

    @Test func `a different shape is reported with the path`() async throws {
        let schema = try JSONSchema(shape: JSONValue(parsing: #"{"items": [{"id": "integer"}]}"#))
        let error = try await exchange(.json(#"{"items": [{"id": 1}, {"id": "2"}]}"#), .init(), ResponseRules(schema: schema)).last.error
        #expect(error?.code == .badBody)
        #expect(error?.message.contains(#"$.items[1].id: type: expected integer, got "2""#) == true)
    }

    @Test func `S0.16 a request's messages for codes take precedence over the server's`() async throws {
        let envelope = try Envelope(codePath: JSONPath("$.code"), success: [.string("200")], messagePath: JSONPath("$.message"))
        let answer = HTTPAnswer.json(#"{"code": 301, "message": "sold out"}"#)
        let error = try await exchange(answer, .init(envelope: envelope), ResponseRules(messages: ["301": "Nothing is left"])).last.error
        #expect(error?.message == "Nothing is left")
        #expect(error?.businessCode == "301")
    }

    @Test func `a missing envelope code is one clear error`() async throws {
        let envelope = try Envelope(codePath: JSONPath("$.meta.code"), success: [.string("200")])
        let error = try await exchange(.json("{}"), .init(envelope: envelope)).last.error
        #expect(error?.errorClass == .business)
        #expect(error?.hint?.contains("$.meta.code") == true)
    }

    @Test func `S2.28 a filter replaces the response before it is processed`() async throws {
        var service = ServiceConfiguration(envelope: try Envelope(codePath: JSONPath("$.code"), success: [.string("200")]))
        service.filter = { response in
            var response = response
            response.body = BodyBytes(Array(#"{"code": 200}"#.utf8))
            return response
        }
        let exchange = try await exchange(.json(#"{"status": "fine"}"#), service).last
        #expect(exchange.error == nil)
        #expect(exchange.response.map { String(decoding: $0.body.bytes(in: 0..<$0.body.count), as: UTF8.self) } == #"{"code": 200}"#)
    }

    @Test func `S2.28 an error of a filter is the call's error, and the response is kept`() async throws {
        var service = ServiceConfiguration()
        service.filter = { _ in throw Refusal(description: "out of season") }
        let exchange = try await exchange(.ok("body"), service).last
        #expect(exchange.error?.errorClass == .business)
        #expect(exchange.error?.message.contains("out of season") == true)
        #expect(exchange.response?.status == 200)
    }

    @Test func `S4.10 a reformer creates the value, and S0.15 a validator checks it`() async throws {
        var service = ServiceConfiguration()
        service.reformer = { response, _ in ["bytes": .integer(response.body.count)] }
        #expect(try await exchange(.ok("body"), service).last.value == ["bytes": .number("4")])
        service.validator = { _, value in if value?["bytes"] == .number("4") { throw NetworkError(.noData, "too little") } }
        #expect(try await exchange(.ok("body"), service).last.error == NetworkError(.noData, "too little"))
    }

    @Test func `S4.10 a declared reformer makes the value of a successful response from paths, in the result of an envelope`() async throws {
        let reform = try Reform(paths: [("id", "$.id"), ("names", "$.items[*].name"), ("last", "$.items[-1].name")])
        let body = #"{"code": 1, "result": {"id": 7, "items": [{"name": "a"}, {"name": "b"}], "more": true}}"#
        let envelope = Envelope(codePath: try JSONPath("$.code"), success: [.number("1")], resultPath: try JSONPath("$.result"))
        let service = ServiceConfiguration(envelope: envelope)
        let reformed = try await exchange(.json(body), service, ResponseRules(reform: reform)).last
        #expect(reformed.value?.text == #"{"id": 7, "names": ["a", "b"], "last": "b"}"#)
        #expect(reformed.response?.text == body, "the response is unchanged")
        let plain = try Reform(paths: [("number", "$.code")])
        #expect(try await exchange(.json(body), .init(), ResponseRules(reform: plain)).last.value == ["number": .number("1")])
        let missing = try await exchange(.json("{}"), .init(), ResponseRules(reform: plain)).last
        #expect(missing.error?.code == .badBody && missing.error?.message.contains("no value at $.code, which is the path of “number”") == true)
        #expect(try await exchange(.status(404), .init(), ResponseRules(reform: plain)).last.error == nil, "a failure has another structure")
        #expect(try await exchange(.ok("text"), .init(), ResponseRules(reform: plain)).last.error?.code == .badBody)
        #expect(throws: JSONPathError.self) { try Reform(paths: [("a", "$[")]) }
    }

    @Test func `S1.26 a response that a validator or a plugin rejects is not cached`() async throws {
        var service = ServiceConfiguration()
        service.validator = { _, _ in throw Refusal(description: "no") }
        #expect(try await exchange(.json("{}"), service, times: 2, cache: .seconds(60)).asked == 2)
        let answer = HTTPAnswer.json(#"{"result_code": "internal_error"}"#)
        #expect(try await exchange(answer, plugins: [ErrorFilterPlugin()], times: 2, cache: .seconds(60)).asked == 2)
        #expect(try await exchange(.json(#"{"result_code": "success"}"#), plugins: [ErrorFilterPlugin()], times: 2, cache: .seconds(60)).asked == 1)
    }

    // MARK: Typed endpoints

    private struct Count: TypedEndpoint {
        typealias Output = [Int]
        let path: String
        func parameters() -> [ParameterValue.Member] { [] }
        var options: RequestOptions {
            var options = RequestOptions()
            options.cacheLifetime = .seconds(60)
            return options
        }
        func filter(_ response: Response) throws -> Response {
            guard response.body.count > 2 else { throw NetworkError.emptyPage(1) }
            return response
        }
        func validate(_ output: [Int]) throws {
            if output.contains(13) { throw Refusal(description: "unlucky") }
        }
    }

    @Test func `S1.31 S1.32 a typed endpoint filters and validates, and a rejected response is not cached`() async throws {
        let client = Client(.init(spoolFolder: folder.path))
        let good = try ScriptedServer(answering: .json("[1, 2]"))
        for _ in 0..<2 { #expect(try await client.send(Count(path: good.url)) == [1, 2]) }
        #expect(good.requests.count == 1)
        let empty = try ScriptedServer(answering: .json("[]"))
        await #expect(throws: NetworkError.emptyPage(1)) { try await client.send(Count(path: empty.url)) }
        let bad = try ScriptedServer(answering: .json("[13]"))
        for _ in 0..<2 {
            let error = await #expect(throws: NetworkError.self) { try await client.send(Count(path: bad.url)) }
            #expect(error?.message.contains("unlucky") == true)
            #expect(error?.errorClass == .business && error?.cause as? Refusal == Refusal(description: "unlucky"))
        }
        #expect(bad.requests.count == 2)
    }
}
