import Support
import Testing

@testable import SortieHTTP
@testable import SortieNetworking

/// Tests the one credential of a request: what is sent of it, and what takes precedence.
@Suite(.fewAtOnce) struct AuthorizationTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    private struct Get: TypedEndpoint {
        typealias Output = Response
        var options = RequestOptions()
        var path: String { "/" }
        func parameters() -> [ParameterValue.Member] { [] }
    }

    /// Sets the credential of each attempt.
    private struct Choice: Plugin {
        let credential: Auth
        func prepare(_ request: inout Request, in context: PluginContext) { request.options.credential = credential }
    }

    private static func options(_ credential: Auth) -> RequestOptions {
        var options = RequestOptions()
        options.credential = credential
        return options
    }

    @Test(arguments: [
        (Auth.basic(user: "me", password: "pw"), "Authorization", "Basic bWU6cHc="), (.bearer(token: "t"), "Authorization", "Bearer t"),
        (.apiKey(APIKey(name: "X-Key", value: "k")), "X-Key", "k"),
    ])
    func `credentials that are constant texts are sent`(_ credential: Auth, field: String, value: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        let exchange = try await caller.get(server.url) { $0.credential = credential }
        #expect(exchange.error == nil && server.requests.first?[field] == value)
        #expect(exchange.request.options.credential == .inherit, "they are in the message")
    }

    @Test func `a key of the query is sent once`() async throws {
        let server = try ScriptedServer(answering: .ok())
        _ = try await caller.get(server.url + "/?a=1") { $0.credential = .apiKey(APIKey(name: "key", value: "k", in: .query)) }
        #expect(server.requests.map(\.target) == ["/?a=1&key=k"])
    }

    @Test func `the credentials of the URL of a service are sent where there are no others`() async throws {
        let (folder, server) = (try TemporaryFolder(), try ScriptedServer(answering: .ok()))
        let shop = ServiceConfiguration(servers: ["live": [server.url.replacing("://", with: "://me:pw@")]])
        let client = Client(.init(spoolFolder: folder.path, services: ["shop": shop], environment: "live"))
        _ = try await client.send(Get(), through: "shop")
        _ = try await client.send(Get(options: Self.options(.bearer(token: "t"))), through: "shop")
        #expect(server.requests.map { $0["Authorization"] } == ["Basic bWU6cHc=", "Bearer t"])
    }

    @Test func `a field of the caller takes precedence over every credential`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let credentials: [Auth] = [
            .basic(user: "me", password: "pw"), .bearer(token: "t"), .digest(user: "me", password: "pw"), .jwt(JWTCredential(key: "k", claims: "{}")),
            .oauth2(OAuth2(tokenURL: "http://127.0.0.1:1/", clientID: "c")), .ntlm(NTLMCredential(user: "me", password: "pw")), .negotiate,
            .awsSigV4(AWSCredential(region: "r", service: "s", accessKey: "a", secretKey: "k")),
        ]
        for credential in credentials {
            var request = try Request.to(server.url, .get, [HeaderField("Authorization", "own")])
            request.options.credential = credential
            #expect(try await caller.exchange(request).error == nil, "\(credential)")
        }
        #expect(server.requests.map { $0.values(of: "Authorization") } == Array(repeating: ["own"], count: credentials.count))
    }

    @Test func `the credential of a call replaces that of the service`() async throws {
        let (folder, server) = (try TemporaryFolder(), try ScriptedServer(answering: .ok()))
        let shop = ServiceConfiguration(servers: ["live": [server.url]], credential: .apiKey(APIKey(name: "X-Key", value: "k")))
        let client = Client(.init(spoolFolder: folder.path, services: ["shop": shop], environment: "live"))
        _ = try await client.send(Get(), through: "shop")
        _ = try await client.send(Get(options: Self.options(.bearer(token: "t"))), through: "shop")
        _ = try await client.send(Get(options: Self.options(.none)), through: "shop")
        #expect(server.requests.map { $0["X-Key"] } == ["k", nil, nil])
        #expect(server.requests.map { $0["Authorization"] } == [nil, "Bearer t", nil])
    }

    @Test func `a request that is sent again as it was sent has no credential of its service beside its own`() async throws {
        let (folder, server) = (try TemporaryFolder(), try ScriptedServer(answering: .ok()))
        let shop = ServiceConfiguration(servers: ["live": [server.url]], credential: .apiKey(APIKey(name: "X-Key", value: "k")))
        let client = Client(.init(spoolFolder: folder.path, services: ["shop": shop], environment: "live"))
        let first = try await client.exchange(Get(options: Self.options(.basic(user: "me", password: "pw"))), through: "shop").exchange
        let again = await client.exchange(first.request)
        #expect(first.request.service == "shop" && again.error == nil)
        #expect(server.requests.map { $0["X-Key"] } == [nil, nil])
        #expect(server.requests.map { $0["Authorization"] } == ["Basic bWU6cHc=", "Basic bWU6cHc="])
    }

    @Test func `a token plugin leaves requests with a credential, and with none, as they are`() async throws {
        let (folder, server) = (try TemporaryFolder(), try ScriptedServer(answering: .ok()))
        let client = Client(.init(spoolFolder: folder.path, plugins: [TokenPlugin { _ in .fixed("plugin") }]))
        for credential in [Auth.inherit, .none, .bearer(token: "own"), .jwt(JWTCredential(key: "k", claims: "{}", lifetime: ""))] {
            _ = try await client.send(Request.to(server.url) { $0.credential = credential })
        }
        let sent = server.requests.map { $0["Authorization"] }
        #expect(sent.count == 4 && Array(sent.prefix(3)) == ["Bearer plugin", nil, "Bearer own"])
        #expect(sent.last??.split(separator: ".").count == 3, "a JSON Web Token")
    }

    @Test func `a credential that a plugin sets is sent`() async throws {
        let (folder, server) = (try TemporaryFolder(), try ScriptedServer(answering: .ok()))
        for credential in [Auth.bearer(token: "t"), .basic(user: "me", password: "pw")] {
            let client = Client(.init(spoolFolder: folder.path, plugins: [Choice(credential: credential)]))
            _ = try await client.send(Request.to(server.url))
        }
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer t", "Basic bWU6cHc="])
    }

    @Test func `a dry run has the credentials that are sent`() async throws {
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path))
        let dryRun = await client.dryRun(try .to("http://127.0.0.1:1/") { $0.credential = .bearer(token: "t") })
        #expect(dryRun.headers["Authorization"] == "Bearer t")
    }
}
