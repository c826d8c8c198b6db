import SortieNetworking
import Support
import Synchronization
import Testing

/// Tests endpoints as types, and the one-line form for simple programs (S1.19, S2.60, S4.1).
@Suite(.fewAtOnce)
struct TypedEndpointTests {
    private struct Token: Decodable, Equatable { let token: String }

    private struct Login: TypedEndpoint {
        typealias Output = Token
        var username: String

        var method: HTTPMethod { .post }
        var path: String { "/login" }
        var query: [(name: String, value: String)] { [("v", "1")] }
        var headers: Headers { [HeaderField("X-Trace", "own")] }
        func body() throws -> RequestBody { try .json(encoding: ["username": username]) }
        func parameters() -> [ParameterValue.Member] { [] }
    }

    private struct Search: CacheableEndpoint {
        typealias Output = Token
        var word: String
        var ignoresCache = false

        var method: HTTPMethod { .post }
        var path: String { "/search" }
        func body() throws -> RequestBody { try .json(encoding: ["word": word]) }
        func parameters() -> [ParameterValue.Member] { [] }
    }

    private func client() throws -> (Client, TemporaryFolder) {
        let folder = try TemporaryFolder()
        return (Client(.init(spoolFolder: folder.path)), folder)
    }

    @Test func `an endpoint type creates its request, and its output is decoded`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"token": "t1"}"#))
        let (client, _) = try client()
        let base = Server("\(server.url)/api/", headers: [HeaderField("X-Trace", "server"), HeaderField("X-App", "demo")])
        #expect(try await client.send(Login(username: "demo"), to: base) == Token(token: "t1"))
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST")
        #expect(sent.target == "/api/login?v=1")
        #expect(sent["X-Trace"] == "own")
        #expect(sent["X-App"] == "demo")
        #expect(sent.bodyText == #"{"username":"demo"}"#)
    }

    /// Reverses bodies.
    private struct Reversing: BodyEncryptor {
        func encrypt(_ body: [UInt8], contentType: String?) -> (bytes: [UInt8], contentType: String?) { (body.reversed(), "x/reversed") }
        func isEncrypted(_ contentType: String?) -> Bool { contentType == "x/reversed" }
        func decrypt(_ body: [UInt8], contentType: String?) -> (bytes: [UInt8], contentType: String?) { (body.reversed(), "application/json") }
    }

    private struct Secret: TypedEndpoint {
        typealias Output = Int
        var isOwn: Bool
        var service: String? { "shop" }
        var method: HTTPMethod { .post }
        var path: String { "/secret" }
        var encryptor: (any BodyEncryptor)? { isOwn ? Reversing() : nil }
        func body() -> RequestBody { .text("21", contentType: "application/json") }
        func parameters() -> [ParameterValue.Member] { [] }
    }

    @Test func `S4.3 an endpoint names its service and has its own encryptor`() async throws {
        let server = try ScriptedServer { request in
            HTTPAnswer(headers: [("Content-Type", request["Content-Type"] ?? "")], body: Array(request.bodyText.utf8))
        }
        let folder = try TemporaryFolder()
        let client = Client(
            .init(spoolFolder: folder.path, services: ["shop": ServiceConfiguration(servers: ["live": ["\(server.url)/v1"]])], environment: "live"))
        for isOwn in [true, false] {
            let output = try await withDeadline(.seconds(300), "the call to end") { try await client.send(Secret(isOwn: isOwn)) }
            #expect(output == 21)
        }
        #expect(server.requests.map(\.target) == ["/v1/secret", "/v1/secret"])
        #expect(server.requests.map(\.bodyText) == ["12", "21"])
        let settings = CallSettings(encryptor: Reversing())
        let url = "\(server.url)/one"
        let output = try await withDeadline(.seconds(300), "the call to end") { try await client.post(url, json: 34, with: settings, as: Int.self) }
        #expect(output == 34 && server.requests.last?.bodyText == "43", "one call has one, too")
    }

    /// A module of a program: functions of its business; the client, the service and the types of endpoints are its own.
    private struct Accounts {
        private struct Profile: TypedEndpoint {
            struct Output: Decodable { let name: String }
            let id: Int
            var service: String? { "accounts" }
            var path: String { "/users/\(id)" }
            func parameters() -> [ParameterValue.Member] { [] }
        }

        private let client: Client

        init(server: String, spoolFolder: String) {
            let service = ServiceConfiguration(servers: ["live": [server]], headers: [HeaderField("X-App", "demo")], validatesStatus: true)
            client = Client(.init(spoolFolder: spoolFolder, services: ["accounts": service], environment: "live"))
        }

        func name(ofUser id: Int) async throws(NetworkError) -> String { try await client.send(Profile(id: id)).name }
    }

    @Test func `S1.22 a module offers functions of its business, and keeps its client, service and endpoints to itself`() async throws {
        let server = try ScriptedServer { request in request.target.hasSuffix("/7") ? .json(#"{"name": "Zoë"}"#) : .status(404) }
        let folder = try TemporaryFolder()
        let accounts = Accounts(server: "\(server.url)/v1", spoolFolder: folder.path)
        #expect(try await accounts.name(ofUser: 7) == "Zoë")
        let error = await #expect(throws: NetworkError.self) { try await accounts.name(ofUser: 8) }
        #expect(error?.code == .status && error?.errorClass == .http)
        #expect(server.requests.map { "\($0.method) \($0.target) \($0["X-App"] ?? "")" } == ["GET /v1/users/7 demo", "GET /v1/users/8 demo"])
    }

    private struct Tagged: TypedEndpoint {
        typealias Output = Response
        let path: String
        var tag: RequestTag? { RequestTag(7) }
        func parameters() -> [ParameterValue.Member] { [] }
    }

    /// Remembers the tags of the requests that are sent.
    private final class TagReader: Plugin {
        let tags = Mutex<[Int?]>([])

        func willSend(_ request: Request, in context: PluginContext) async { tags.withLock { $0.append(request.tag?.value(as: Int.self)) } }
    }

    @Test func `S4.3 plugins find the tag of an endpoint in its request`() async throws {
        let server = try ScriptedServer(answering: .json("{}"))
        let (client, _) = try client()
        let reader = TagReader()
        let response = try await withDeadline(.seconds(300), "the call to end") { try await client.send(Tagged(path: server.url), plugins: [reader]) }
        #expect(response.status == 200 && reader.tags.withLock { $0 } == [7])
    }

    @Test func `S2.2 responses of a cacheable endpoint are used again for equal properties, unless it ignores the cache`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"token": "t1"}"#))
        let (client, _) = try client()
        for (search, sent) in [(Search(word: "a"), 1), (Search(word: "a"), 1), (Search(word: "b"), 2), (Search(word: "a", ignoresCache: true), 3)] {
            #expect(try await client.send(search, to: Server(server.url)) == Token(token: "t1"))
            #expect(server.requests.count == sent)
        }
    }

    @Test func `S2.28 endpoints of a service with an envelope decode the result in it`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"code": 200, "result": {"token": "t1"}}"#))
        let folder = try TemporaryFolder()
        let envelope = try Envelope(codePath: JSONPath("$.code"), success: [.string("200")], resultPath: JSONPath("$.result"))
        let client = Client(
            .init(
                spoolFolder: folder.path, services: ["shop": ServiceConfiguration(servers: ["live": [server.url]], envelope: envelope)],
                environment: "live"))
        #expect(try await client.send(Login(username: "demo"), through: "shop") == Token(token: "t1"))
    }

    @Test func `S2.29 a status outside 200 to 299 is an error of class http`() async throws {
        let server = try ScriptedServer(answering: .status(500))
        let (client, _) = try client()
        let error = await #expect(throws: NetworkError.self) { try await client.send(Login(username: "x"), to: Server(server.url)) }
        #expect(error?.errorClass == .http)
        #expect(error?.code == .status)
    }

    @Test func `an unexpected body is reported with the position`() async throws {
        let server = try ScriptedServer(answering: .json(#"{"toke": 1}"#))
        let (client, _) = try client()
        let error = await #expect(throws: NetworkError.self) { try await client.get(server.url, as: Token.self) }
        #expect(error?.code == .badBody)
        #expect(error?.message.contains("“token” is missing at $") == true)
    }

    @Test func `one line requests a value`() async throws {
        let server = try ScriptedServer(answering: .json(#"[1, 2]"#))
        let (client, _) = try client()
        let numbers: [Int] = try await client.get("\(server.url)/n", query: [("q", "a b")])
        #expect(numbers == [1, 2])
        #expect(server.requests.first?.target == "/n?q=a%20b")
    }

    private struct ItemSearch: TypedEndpoint, Encodable {
        typealias Output = Response
        var q: String
        var tags: [String] = []
        var method = HTTPMethod.get
        var path: String { "/search" }
        var parameterPlacement = ParameterPlacement.byMethod
        var parameterEncoder: any ParameterEncoder = ParameterEncoding(arrays: .repeated)
        var parameterRules: [ParameterRule] { [ParameterRule("q", isRequired: true, longest: 5)] }

        private enum CodingKeys: CodingKey { case q, tags }
    }

    @Test(arguments: [
        (HTTPMethod.get, ParameterPlacement.byMethod, "/search?q=a%20b&tags=x&tags=y", ""),
        (.post, .byMethod, "/search", "q=a+b&tags=x&tags=y"), (.post, .query, "/search?q=a%20b&tags=x&tags=y", ""),
        (.put, .json, "/search", #"{"q":"a b","tags":["x","y"]}"#),
    ])
    func `S0.29 S3.5 the properties of an endpoint type are sent where its method requires`(
        method: HTTPMethod, placement: ParameterPlacement, target: String, body: String
    ) async throws {
        let server = try ScriptedServer(answering: .ok())
        let (client, _) = try client()
        _ = try await client.send(ItemSearch(q: "a b", tags: ["x", "y"], method: method, parameterPlacement: placement), to: Server(server.url))
        let sent = try #require(server.requests.first)
        #expect(sent.target == target)
        #expect(sent.bodyText == body)
        #expect(sent["Content-Type"] == (body.isEmpty ? nil : placement == .json ? "application/json" : "application/x-www-form-urlencoded"))
    }

    /// Writes names and values between semicolons.
    private struct Semicolons: ParameterEncoder {
        func text(of parameters: [ParameterValue.Member], in place: ParameterPlace) -> String {
            ParameterEncoding().pairs(of: parameters).map { "\($0.name):\($0.value ?? "")" }.joined(separator: ";") + ";\(place)"
        }
        var formType: String { "text/x-semicolons" }
    }

    @Test func `S0.31 an encoder of the program writes the query and the form`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let (client, _) = try client()
        _ = try await client.send(ItemSearch(q: "a", tags: ["x"], parameterEncoder: Semicolons()), to: Server(server.url))
        _ = try await client.send(ItemSearch(q: "a", method: .post, parameterEncoder: Semicolons()), to: Server(server.url))
        #expect(server.requests.first?.target == "/search?q:a;tags[]:x;query")
        #expect(server.requests.last?.bodyText == "q:a;form")
        #expect(server.requests.last?["Content-Type"] == "text/x-semicolons")
    }

    @Test func `S1.41 a parameter that its rule rejects is an error with its name, and nothing is sent`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let (client, _) = try client()
        let error = await #expect(throws: NetworkError.self) { try await client.send(ItemSearch(q: "too long"), to: Server(server.url)) }
        #expect(error?.code == .invalidOption)
        #expect(error?.message == "the parameter “q” must have at most 5 characters; nothing was sent")
        #expect(server.requests.isEmpty)
    }

    @Test func `S1.4 a request that requires TLS is not sent without it`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let (client, _) = try client()
        var request = Request(url: try HTTPURL(parsing: server.url))
        request.options.requiresTLS = true
        let error = await #expect(throws: NetworkError.self) { try await client.send(request) }
        #expect(error?.message == "TLS is required, and \(server.url) does not use it; nothing was sent there")
        var failover = Request(url: try HTTPURL(parsing: "https://127.0.0.1:1"))
        failover.options.requiresTLS = true
        failover.otherServers = [try HTTPURL(parsing: server.url)]
        #expect(await #expect(throws: NetworkError.self) { try await client.send(failover) }?.code == .invalidURL)
        #expect(server.requests.isEmpty)
    }

    @Test func `S1.4 where TLS is required, a URL with a port of the table is moved to TLS, and another one is refused`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let (client, _) = try client()
        var request = try Request("http://a.example:8080/x")
        request.options.requiresTLS = true
        request.options.tlsPorts = [80: 443, 8080: 8443]
        request.otherServers = [try HTTPURL(parsing: "http://b.example/x")]
        let moved = await client.dryRun(request).request
        #expect(([moved.url] + moved.otherServers).map(\.description) == ["https://a.example:8443/x", "https://b.example/x"])
        request.options.requiresTLS = false
        #expect(await client.dryRun(request).request.url.description == "http://a.example:8080/x")
        var refused = try Request(server.url)
        refused.options.requiresTLS = true
        refused.options.tlsPorts = [1: 443]
        let sent = refused
        #expect(await #expect(throws: NetworkError.self) { try await client.send(sent) }?.code == .invalidURL)
        #expect(server.requests.isEmpty)
    }

    @Test func `S2.9 an endpoint type without a path has the URL of its server`() async throws {
        struct Root: TypedEndpoint, Encodable { typealias Output = Response }
        let server = try ScriptedServer(answering: .ok())
        let (client, _) = try client()
        _ = try await client.send(Root(), to: Server("\(server.url)/api"))
        #expect(server.requests.map(\.target) == ["/api"])
    }

    private struct Orders: CacheableEndpoint, Encodable {
        typealias Output = Token
        var page = 1
        var size = 20
        var path: String { "/orders" }
        var headers: Headers { [HeaderField("X-Trace", "base")] }
        struct Empty: Error {}
        func validate(_ output: Token) throws { if output.token.isEmpty { throw Empty() } }
    }

    private struct OpenOrders: RefinedEndpoint, Encodable {
        var base = Orders(page: 2)
        var size = 5
        var status = "open"
        var headers: Headers { base.headers.overlaid(with: [HeaderField("X-Own", "1")]) }
    }

    private struct Urgent: RefinedEndpoint, Encodable {
        typealias Output = Response
        var base = OpenOrders()
        var priority = "high"
        var method: HTTPMethod { .post }
    }

    @Test func `S3.5 an endpoint type that refines another has its path, parameters, checks and cache, and its own ones`() async throws {
        let server = try ScriptedServer { .json($0.target.contains("size=5") ? #"{"token": "t1"}"# : #"{"token": ""}"#) }
        let (client, _) = try client()
        for _ in 0..<2 { #expect(try await client.send(OpenOrders(), to: Server(server.url)) == Token(token: "t1")) }
        #expect(server.requests.map(\.target) == ["/orders?page=2&size=5&status=open"], "the second response is from the cache")
        #expect(server.requests.first?["X-Trace"] == "base" && server.requests.first?["X-Own"] == "1")
        let error = await #expect(throws: NetworkError.self) { try await client.send(OpenOrders(size: 6), to: Server(server.url)) }
        #expect(error?.code == .business, "the check of the base applies")
        _ = try await client.send(Urgent(), to: Server(server.url))
        #expect(server.requests.last?.method == "POST" && server.requests.last?.bodyText == "page=2&size=5&status=open&priority=high")
    }

    @Test func `a relative path without a server is rejected`() async throws {
        let (client, _) = try client()
        let error = await #expect(throws: NetworkError.self) { try await client.send(Login(username: "x")) }
        #expect(error?.code == .invalidURL)
    }
}
