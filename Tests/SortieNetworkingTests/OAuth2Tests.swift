import SortieBase
import Support
import Testing

@testable import SortieHTTP
@testable import SortieNetworking

/// Tests access tokens that the client fetches (RFC 6749).
@Suite(.fewAtOnce)
struct OAuth2Tests {
    private let caller: Caller

    init() throws { caller = try Caller() }

    private typealias Answer = @Sendable (Int, ReceivedRequest) -> HTTPAnswer
    private typealias Acceptance = @Sendable (String?) -> Bool

    private static let isOwnToken: Acceptance = { $0?.hasPrefix("Bearer t") == true }

    /// A server that issues the tokens `t1`, `t2` and so on.
    private func server(accepts: @escaping Acceptance = Self.isOwnToken) throws -> ScriptedServer {
        try server(accepts: accepts) { number, _ in .json(#"{"access_token": "t\#(number)", "token_type": "Bearer"}"#) }
    }

    /// A server that accepts its tokens.
    private func server(_ answer: @escaping Answer) throws -> ScriptedServer { try server(accepts: Self.isOwnToken, answer) }

    /// A server with a token endpoint at `/token`, whose other routes require an accepted `Authorization` field.
    ///
    /// - Parameter answer: The response to the nth token request, from 1.
    private func server(accepts: @escaping Acceptance, _ answer: @escaping Answer) throws -> ScriptedServer {
        let count = Watched(0)
        return try ScriptedServer { request in
            guard request.target.hasPrefix("/token") else { return accepts(request["Authorization"]) ? .ok("in") : .status(401) }
            var number = 0
            count.change {
                $0 += 1
                number = $0
            }
            return answer(number, request)
        }
    }

    private func request(
        _ server: ScriptedServer, path: String = "/", _ change: (inout OAuth2) -> Void = { _ in }
    ) throws -> Request {
        var settings = OAuth2(tokenURL: server.url + "/token", clientID: "app", clientSecret: "hush")
        change(&settings)
        var request = try Request.to(server.url + path)
        request.options.credential = .oauth2(settings)
        return request
    }

    private func tokenRequests(_ server: ScriptedServer) -> [ReceivedRequest] { server.requests.filter { $0.target == "/token" } }

    @Test func `one token is fetched for requests at the same time and used again`() async throws {
        let server = try server()
        let request = try request(server)
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<12 { group.addTask { try await caller.exchange(request).response?.status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 12))
        #expect(try await caller.exchange(request).response?.status == 200)
        #expect(tokenRequests(server).count == 1)
        #expect(server.requests.filter { $0["Authorization"] == "Bearer t1" }.count == 13)
    }

    @Test func `the decisions say whether the token was fetched or known`() async throws {
        let server = try server()
        let request = try request(server)
        #expect(try await caller.events(request).decisions(.auth) == ["with the OAuth 2 token that was fetched for this request"])
        #expect(try await caller.events(request).decisions(.auth) == ["with the OAuth 2 token of an earlier request"])
        #expect(tokenRequests(server).count == 1)
    }

    @Test func `a client authenticates by a token that it signs, and sends further parameters`() async throws {
        let server = try server { _, _ in .json(#"{"data": {"id_token": "t1"}}"#) }
        let request = try request(server) {
            ($0.clientSecret, $0.clientAuthentication, $0.clientAlgorithm, $0.clientKey) = ("", .privateKeyJwt, .hs256, "shared")
            ($0.clientKeyID, $0.parameters, $0.tokenField) = ("k1", #"{"resource": "https://a b", "n": 1}"#, "data.id_token")
        }
        #expect(try await caller.exchange(request).response?.status == 200)
        let sent = try #require(tokenRequests(server).first)
        let parameters = QueryParameters(sent.bodyText)
        #expect(sent["Authorization"] == nil && parameters.values("client_id") == ["app"] && parameters.values("resource") == ["https://a b"])
        #expect(parameters.values("n") == ["1"] && parameters.values("client_secret") == [])
        #expect(parameters.values("client_assertion_type") == ["urn:ietf:params:oauth:client-assertion-type:jwt-bearer"])
        let parts = try #require(parameters.values("client_assertion").first).split(separator: ".")
        let claims = String(decoding: try #require(Base64.bytes(String(parts[1]))), as: UTF8.self)
        #expect(claims.contains(#""iss":"app","sub":"app","aud":"\#(server.url)/token","jti":""#) && claims.contains(#""exp":"#), "\(claims)")
        #expect(String(decoding: try #require(Base64.bytes(String(parts[0]))), as: UTF8.self).contains(#""kid":"k1""#))
    }

    @Test func `a token is exchanged for another one`() async throws {
        let server = try server()
        let request = try request(server) { ($0.grant, $0.subjectToken, $0.clientAuthentication) = (.tokenExchange, "theirs", .certificate) }
        #expect(try await caller.exchange(request).response?.status == 200)
        let parameters = QueryParameters(try #require(tokenRequests(server).first).bodyText)
        #expect(parameters.values("grant_type") == ["urn:ietf:params:oauth:grant-type:token-exchange"])
        #expect(parameters.values("subject_token") == ["theirs"])
        #expect(parameters.values("subject_token_type") == ["urn:ietf:params:oauth:token-type:access_token"])
        #expect(parameters.values("client_id") == ["app"] && parameters.values("client_secret") == [])
    }

    @Test func `a client certificate is kept for a token endpoint of another origin where the client authenticates with it`() throws {
        var request = try Request.to("https://api.example/")
        request.options.trust.clientCertificateFile = "/c.pem"
        var settings = OAuth2(tokenURL: "https://id.example/token", clientID: "app")
        #expect(try OAuth2TokenRequest.grant(settings, for: request).options.trust.clientCertificateFile == nil)
        settings.clientAuthentication = .certificate
        #expect(try OAuth2TokenRequest.grant(settings, for: request).options.trust.clientCertificateFile == "/c.pem")
    }

    @Test func `the client sends its identifier and secret by Basic, encoded, with scope and audience`() async throws {
        let server = try server()
        let request = try request(server) {
            ($0.clientID, $0.clientSecret, $0.scope, $0.audience) = ("a:b", "s +ü", "read write", "https://api.example")
        }
        #expect(try await caller.exchange(request).response?.status == 200)
        let sent = try #require(tokenRequests(server).first)
        #expect(sent["Authorization"] == BasicCredentials.field(user: "a%3Ab", password: "s+%2B%C3%BC"))
        #expect(sent["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(sent.bodyText == "grant_type=client_credentials&scope=read+write&audience=https%3A%2F%2Fapi.example", "\(sent.bodyText)")
    }

    @Test func `the password grant sends user and password, and the client in the body where the settings say so`() async throws {
        let server = try server()
        let request = try request(server) {
            ($0.grant, $0.user, $0.password, $0.clientAuthentication) = (.password, "anna", "p&w", .post)
        }
        #expect(try await caller.exchange(request).response?.status == 200)
        let sent = try #require(tokenRequests(server).first)
        #expect(sent["Authorization"] == nil)
        #expect(sent.bodyText == "grant_type=password&username=anna&password=p%26w&client_id=app&client_secret=hush")
    }

    @Test func `a client without a secret sends only its identifier`() async throws {
        let server = try server()
        #expect(try await caller.exchange(try request(server) { $0.clientSecret = "" }).response?.status == 200)
        #expect(tokenRequests(server).first?.bodyText == "grant_type=client_credentials&client_id=app")
    }

    @Test func `a rejected token is renewed once and the request repeated`() async throws {
        let server = try server(accepts: { $0 == "Bearer t2" })
        let exchange = try await caller.exchange(try request(server))
        #expect(exchange.response?.status == 200 && exchange.attempts.map(\.response?.status) == [401, 200])
        #expect(tokenRequests(server).count == 2)
    }

    @Test func `a second 401 is the response`() async throws {
        let server = try server(accepts: { _ in false })
        let exchange = try await caller.exchange(try request(server))
        #expect(exchange.response?.status == 401 && exchange.attempts.count == 2 && exchange.error == nil)
        #expect(tokenRequests(server).count == 2)
    }

    @Test func `a renewal uses the newest refresh token, and the grant where the server rejects it`() async throws {
        let server = try server(accepts: { $0 == "Bearer t4" }) { number, request in
            if number == 3 { return .status(400, #"{"error": "invalid_grant"}"#) }
            return .json(#"{"access_token": "t\#(number)", "refresh_token": "r\#(number)"}"#)
        }
        let request = try request(server)
        #expect(try await caller.exchange(request).response?.status == 401)
        #expect(try await caller.exchange(request).response?.status == 200)
        #expect(
            tokenRequests(server).map(\.bodyText) == [
                "grant_type=client_credentials", "grant_type=refresh_token&refresh_token=r1", "grant_type=refresh_token&refresh_token=r2",
                "grant_type=client_credentials",
            ])
    }

    @Test func `a field that the user wrote is sent instead of a token`() async throws {
        let server = try server()
        var request = try request(server)
        request.headers.append("Authorization", "Bearer typed")
        #expect(try await caller.exchange(request).response?.status == 200)
        #expect(tokenRequests(server).isEmpty && server.requests.first?["Authorization"] == "Bearer typed")
    }

    @Test func `a redirect to another origin gets no token`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let server = try ScriptedServer { $0.target == "/token" ? .json(#"{"access_token": "t1"}"#) : .redirect(to: other.url + "/there") }
        let exchange = try await caller.exchange(try request(server))
        #expect(exchange.response?.status == 200)
        #expect(other.requests.first?["Authorization"] == nil)
        #expect(exchange.notices.contains { $0.contains("the OAuth 2 token") }, "\(exchange.notices)")
    }

    @Test func `the token request is not redirected, because it carries credentials`() async throws {
        let other = try ScriptedServer(answering: .json(#"{"access_token": "t1"}"#))
        let server = try server { _, _ in .redirect(307, to: other.url + "/token") }
        let error = try await caller.exchange(try request(server)).error
        #expect(error?.message == "the token endpoint \(server.url) responded with 307 and no token")
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: [
        (#"{"error": "invalid_client"}"#, "refused to issue a token: invalid_client", "check clientID, clientSecret and clientAuthentication"),
        (
            #"{"error": "invalid_grant", "error_description": "no hush"}"#, "invalid_grant (no ••••)",
            "check the user and the password, or sign in again"
        ),
        (#"{"error": "a\u001bb"}"#, "refused to issue a token: a b", nil),
        ("<html>", "responded with 400 and no token", "check that tokenURL is the URL of this endpoint"),
        (#"{"error": 7}"#, "responded with 400 and no token", "check that tokenURL is the URL of this endpoint"),
    ])
    func `a refusal names its code and the remedy`(body: String, message: String, hint: String?) async throws {
        let server = try server { _, _ in .status(400, body) }
        let exchange = try await caller.exchange(try request(server))
        #expect(exchange.error?.message.hasSuffix(message) == true, "\(String(describing: exchange.error))")
        #expect(exchange.error?.hint == hint && exchange.error?.code == .status)
        #expect(server.requests.count == 1, "nothing else is sent")
    }

    @Test(arguments: [
        ("", "a body that is not JSON"), ("token", "a body that is not JSON"), ("[]", "JSON that is not an object"), ("{}", "no access_token"),
        (#"{"access_token": ""}"#, "no access_token"), (#"{"access_token": 1}"#, "access_token that is not a text"),
        (#"{"access_token": "a\r\nX: y"}"#, "an access_token with characters that a header field cannot contain"),
        (#"{"access_token": "a", "token_type": "mac"}"#, "the token_type “mac”; only Bearer is supported"),
        (#"{"access_token": "a", "token_type": []}"#, "token_type that is not a text"),
        (#"{"access_token": "a", "expires_in": -1}"#, "expires_in that is not a positive number of seconds"),
        (#"{"access_token": "a", "expires_in": "soon"}"#, "expires_in that is not a positive number of seconds"),
        (#"{"access_token": "a", "expires_in": {}}"#, "expires_in that is not a number"),
        (#"{"access_token": "a", "refresh_token": 5}"#, "refresh_token that is not a text"),
    ])
    func `an invalid token response is an error`(body: String, problem: String) async throws {
        let server = try server { _, _ in .json(body) }
        let exchange = try await caller.exchange(try request(server))
        #expect(exchange.error?.message == "the token endpoint \(server.url) responded with 200 and \(problem)")
        #expect(exchange.error?.code == .badBody && server.requests.count == 1)
    }

    @Test func `a huge token response is an error`() async throws {
        let server = try server { _, _ in .json(#"{"access_token": ""# + String(repeating: "a", count: 2 << 20) + #""}"#) }
        let error = try await caller.exchange(try request(server)).error
        #expect(error?.message.hasPrefix("no OAuth 2 token from the token endpoint \(server.url):") == true, "\(String(describing: error))")
    }

    @Test(arguments: ["3600", "\"3600\"", "1e300", "0.5e4"]) func `a lifetime of any size is accepted`(lifetime: String) async throws {
        let server = try server { _, _ in .json(#"{"access_token": "t1", "expires_in": \#(lifetime)}"#) }
        #expect(try await caller.exchange(try request(server)).response?.status == 200)
    }

    @Test func `a later call tries again after a refusal`() async throws {
        let server = try server { number, _ in
            number == 1 ? .status(401, #"{"error": "invalid_client"}"#) : .json(#"{"access_token": "t\#(number)"}"#)
        }
        let request = try request(server)
        #expect(try await caller.exchange(request).error?.code == .status)
        #expect(try await caller.exchange(request).response?.status == 200)
    }

    @Test func `a token endpoint that cannot be reached is named`() async throws {
        let server = try server()
        let dead = try DeadPort(.refusing)
        let error = try await caller.exchange(try request(server) { $0.tokenURL = dead.url + "/token" }).error
        #expect(error?.code == .connectionRefused && error?.message.hasPrefix("no OAuth 2 token from the token endpoint") == true)
    }

    @Test(arguments: [("", "app", "tokenURL is missing"), ("http://127.0.0.1/", "", "clientID is missing"), ("ftp://x/", "app", "tokenURL: ")])
    func `incomplete settings are an error before anything is sent`(url: String, client: String, message: String) async throws {
        let server = try server()
        let error = try await caller.exchange(try request(server) { ($0.tokenURL, $0.clientID) = (url, client) }).error
        #expect(error?.message.contains(message) == true && server.requests.isEmpty, "\(String(describing: error))")
    }

    @Test func `a dry run fetches no token and says so`() async throws {
        let server = try server()
        let request = try request(server)
        let dry = await caller.client.dryRun(request)
        #expect(dry.decisions.contains { $0.text == "an OAuth 2 token would be fetched first and inserted into Authorization" })
        #expect(server.requests.isEmpty)
        #expect(try await caller.exchange(request).response?.status == 200)
        #expect(await caller.client.dryRun(request).request.headers["Authorization"] == "Bearer t1")
    }

    @Test func `a token request is not recorded, and the token is a secret of the request`() async throws {
        let server = try server()
        let recorded = Watched<[Exchange]>([])
        caller.client.observeAttempts { exchange in recorded.change { $0.append(exchange) } }
        #expect(try await caller.exchange(try request(server)).response?.status == 200)
        #expect(recorded.current.map(\.request.url.path) == ["/"])
    }

    @Test func `a token request goes through the proxy of the request`() async throws {
        let server = try server()
        let proxy = try ScriptedServer { request in
            request.target.hasSuffix("/token") ? .json(#"{"access_token": "t1"}"#) : .ok("by proxy")
        }
        var request = try request(server)
        request.options.proxy = try Proxy(proxy.url)
        #expect(try await caller.exchange(request).response?.status == 200)
        #expect(proxy.requests.count == 2 && server.requests.isEmpty)
    }

    @Test func `a cancelled call leaves the token request to the others`() async throws {
        let gate = Gate()
        let server = try ScriptedServer([
            Script(.readRequest, .wait(for: gate), .send(.json(#"{"access_token": "t1"}"#))), .answering(.ok("in")),
        ])
        let request = try request(server)
        let first = caller.begin(request)
        _ = try await server.waitForRequests(1)
        async let second = caller.exchange(request)
        caller.client.cancel(first.id)
        guard case .finished(let cancelled)? = try await first.end().last else { throw CancellationError() }
        #expect(cancelled.error?.code == .cancelled)
        gate.open()
        #expect(try await second.response?.status == 200)
    }
}
