import FoundationEssentials
import Support
import Testing

@testable import SortieHTTP
@testable import SortieNetworking

/// Tests access tokens for which a user signs in: with a browser (RFC 6749 §4.1, RFC 7636, RFC 8252) and with a code (RFC 8628).
@Suite(.fewAtOnce)
struct OAuth2SignInTests {
    private let user: Caller

    init() throws { user = try Caller() }

    private func caller(_ presenter: (any OAuth2SignInPresenter)?, _ archive: (any OAuth2TokenArchive)? = nil) throws -> Caller {
        try Caller(signIn: presenter, tokens: archive)
    }

    private func request(
        _ url: String, grant: OAuth2.Grant, path: String = "/me", _ change: (inout OAuth2) -> Void = { _ in }
    ) throws -> Request {
        var settings = OAuth2(grant: grant, tokenURL: url + "/token", clientID: "public")
        (settings.authorizationURL, settings.deviceURL, settings.scope) = (url + "/authorize", url + "/device", "read")
        change(&settings)
        var request = try Request.to(url + path)
        request.options.credential = .oauth2(settings)
        return request
    }

    /// The key under which the token of a request is stored.
    private func key(of request: Request) throws -> OAuth2TokenKey {
        guard case .oauth2(let settings) = request.options.credential else { throw CancellationError() }
        return OAuth2TokenKey(settings, environment: nil)
    }

    /// A server with a device endpoint, whose token endpoint gives the nth response, from 1; `/me` accepts its tokens.
    private func deviceServer(
        device: HTTPAnswer = .json(
            #"{"device_code": "d1", "user_code": "ABCD-EFGH", "verification_uri": "http://h.example/enter", "interval": 0.01}"#),
        _ answer: @escaping @Sendable (Int) -> HTTPAnswer
    ) throws -> ScriptedServer {
        let count = Watched(0)
        return try ScriptedServer { request in
            switch request.target {
            case "/device": return device
            case "/token":
                var number = 0
                count.change {
                    $0 += 1
                    number = $0
                }
                return answer(number)
            default: return request["Authorization"]?.hasPrefix("Bearer t") == true ? .ok("in") : .status(401)
            }
        }
    }

    private static func refusal(_ code: String) -> HTTPAnswer { .status(400, #"{"error": "\#(code)"}"#) }

    private static let token = HTTPAnswer.json(#"{"access_token": "t1", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r1"}"#)

    // MARK: Browser

    @Test(.enabled(if: AuthlibServer.isAvailable), arguments: ["public", "app"])
    func `Authlib issues a token for a sign-in with a browser and PKCE`(client: String) async throws {
        let server = try AuthlibServer.start()
        let browser = SignInRecorder.browser(user)
        let caller = try caller(browser)
        let request = try request(server.url, grant: .authorizationCode) {
            ($0.clientID, $0.clientSecret) = (client, client == "app" ? "hush" : "")
        }
        let exchange = try await caller.exchange(request)
        #expect(exchange.response?.status == 200, "\(String(describing: exchange.error))")
        let body = String(decoding: exchange.response?.utf8Body.bytes(in: 0..<(exchange.response?.utf8Body.count ?? 0)) ?? [], as: UTF8.self)
        #expect(body.contains(#""scope":"read""#), "\(body)")
        #expect(browser.ended.current == browser.begun.current.map(\.id))
        #expect(try await caller.exchange(request).response?.status == 200)
        #expect(browser.begun.current.count == 1)
    }

    @Test(.enabled(if: AuthlibServer.isAvailable)) func `a refusal of the user is the error of the request`() async throws {
        let server = try AuthlibServer.start()
        let caller = try caller(SignInRecorder.browser(user))
        let exchange = try await caller.exchange(try request(server.url, grant: .authorizationCode) { $0.scope = "read deny" })
        #expect(exchange.error?.message.contains("refused to issue a token: access_denied") == true, "\(String(describing: exchange.error))")
        #expect(exchange.response == nil)
    }

    @Test func `the page has the challenge, the state, the scope and the redirect of the sign-in`() async throws {
        let recorder = SignInRecorder { $0.cancel() }
        let caller = try caller(recorder)
        let exchange = try await caller.exchange(
            try request("http://127.0.0.1:1", grant: .authorizationCode) { $0.authorizationURL = "http://a.example/auth?tenant=x" })
        #expect(exchange.error?.code == .cancelled, "\(String(describing: exchange.error))")
        let page = try await recorder.first().page
        #expect(page.origin == "http://a.example" && page.path == "/auth")
        let query = QueryParameters(page.query ?? "")
        #expect(query.values("tenant") == ["x"] && query.values("response_type") == ["code"] && query.values("client_id") == ["public"])
        #expect(query.values("scope") == ["read"] && query.values("code_challenge_method") == ["S256"])
        #expect(query.values("code_challenge").first?.count == 43 && query.values("state").first?.count == 43)
        let redirect = try HTTPURL(parsing: query.values("redirect_uri").first ?? "")
        #expect(redirect.host == "127.0.0.1" && redirect.port > 1024 && redirect.path == "/")
    }

    @Test func `the parameters of the page are pushed in advance, and the page has their reference`() async throws {
        let server = try ScriptedServer { request in
            request.target == "/par" ? .status(201, #"{"request_uri": "urn:x:1", "expires_in": 60}"#) : .status(404)
        }
        let recorder = SignInRecorder { $0.cancel() }
        _ = try await caller(recorder).exchange(
            try request(server.url, grant: .authorizationCode) { ($0.parURL, $0.clientSecret) = (server.url + "/par", "hush") })
        let page = try await recorder.first().page
        #expect(page.path == "/authorize" && page.query == "client_id=public&request_uri=urn%3Ax%3A1")
        let pushed = try #require(server.requests.first)
        let parameters = QueryParameters(pushed.bodyText)
        #expect(pushed["Authorization"]?.hasPrefix("Basic ") == true && parameters.values("code_challenge_method") == ["S256"])
        #expect(parameters.values("redirect_uri").first?.hasPrefix("http://127.0.0.1:") == true && parameters.values("scope") == ["read"])
        #expect(parameters.values("client_id") == ["public"])
    }

    @Test func `the challenge is the one that RFC 7636 gives for its example`() {
        #expect(ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk").challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(ProofKey().verifier != ProofKey().verifier)
    }

    @Test func `requests of other pages do not end the sign-in`() async throws {
        let server = try deviceServer { _ in Self.token }
        let user = user
        let seen = Watched<[Int?]>([])
        let browser = SignInRecorder { signIn in
            let query = QueryParameters(signIn.page.query ?? "")
            let (redirect, state) = (query.values("redirect_uri").first ?? "", query.values("state").first ?? "")
            for target in ["favicon.ico", "?code=evil&state=other", "?code=evil", "?code=good&state=\(state)"] {
                let exchange = try await user.exchange(.to(redirect + target))
                seen.change { $0.append(exchange.response?.status) }
            }
        }
        let exchange = try await caller(browser).exchange(try request(server.url, grant: .authorizationCode))
        #expect(exchange.response?.status == 200, "\(String(describing: exchange.error))")
        let statuses = try await seen.wait("four responses", within: .seconds(300)) { $0.count == 4 ? $0 : nil }
        #expect(statuses == [404, 400, 400, 200])
        #expect(server.requests.first { $0.target == "/token" }?.bodyText.contains("code=good") == true)
    }

    /// The error of a sign-in with these parameters in its redirect, and whether the code was sent.
    ///
    /// `ORIGIN` is the origin of the authorization endpoint.
    private func signIn(issuer: String, query iss: String) async throws -> (error: NetworkError?, sendsCode: Bool) {
        let server = try deviceServer { _ in Self.token }
        let user = user
        let browser = SignInRecorder { signIn in
            let query = QueryParameters(signIn.page.query ?? "")
            let (redirect, state) = (query.values("redirect_uri").first ?? "", query.values("state").first ?? "")
            let iss = iss.replacing("ORIGIN", with: server.url)
            _ = try await user.exchange(.to("\(redirect)?code=good&state=\(state)\(iss)"))
        }
        let exchange = try await caller(browser).exchange(
            try request(server.url, grant: .authorizationCode) { $0.issuer = issuer.replacing("ORIGIN", with: server.url) })
        return (exchange.error, server.requests.contains { $0.target == "/token" })
    }

    @Test(arguments: [
        ("", ""), ("", "&iss=ORIGIN"), ("", "&iss=ORIGIN/tenant"), ("ORIGIN/tenant", "&iss=ORIGIN/tenant"),
        ("https://issuer.example", "&iss=https%3A%2F%2Fissuer.example"),
    ])
    func `a redirect of the known issuer is accepted`(issuer: String, query: String) async throws {
        let result = try await signIn(issuer: issuer, query: query)
        #expect(result.error == nil && result.sendsCode, "\(String(describing: result.error))")
    }

    @Test(arguments: [
        ("", "&iss=https://evil.example", "as the issuer “https://evil.example”, which is another server"), ("", "&iss=x", "as the issuer “x”"),
        ("", "&iss=ORIGIN&iss=ORIGIN", "with several issuers"), ("ORIGIN", "", "without its issuer “"),
        ("ORIGIN", "&iss=ORIGIN/", "instead of “"),
        ("ORIGIN", "&iss=https://evil.example&error=access_denied", "as the issuer “https://evil.example”"),
    ])
    func `a redirect of another issuer is refused, and its code is not sent`(issuer: String, query: String, message: String) async throws {
        let result = try await signIn(issuer: issuer, query: query)
        #expect(result.error?.code == .badBody && result.error?.message.contains(message) == true, "\(String(describing: result.error))")
        #expect(!result.sendsCode)
    }

    @Test(arguments: ["https://127.0.0.1/", "http://a.example/", "http://10.0.0.1:80/", "http://localhost.evil.example/", "http://127.0.0.1/?a=b"])
    func `a redirect to another machine is refused`(url: String) async throws {
        let exchange = try await caller(SignInRecorder()).exchange(
            try request("http://127.0.0.1:1", grant: .authorizationCode) { $0.redirectURL = url })
        #expect(exchange.error?.code == .invalidOption, "\(String(describing: exchange.error))")
        #expect(exchange.error?.message.contains("redirectURL") == true, "\(String(describing: exchange.error))")
    }

    @Test(arguments: ["http://localhost/callback", "http://[::1]/callback", "http://127.0.0.1"])
    func `a registered page without a port gets a free one`(url: String) throws {
        let redirect = try LoopbackRedirect(url)
        let (parsed, given) = (try HTTPURL(parsing: redirect.url), try HTTPURL(parsing: url))
        #expect(parsed.port > 1024 && parsed.host == given.host && parsed.path == given.path)
        #expect(redirect.url.hasSuffix("/") == url.hasSuffix("/"))
    }

    @Test func `a port that is in use is an error`() throws {
        let first = try LoopbackRedirect("")
        let error = #expect(throws: NetworkError.self) { try LoopbackRedirect(first.url) }
        #expect(error?.message.contains("cannot be used") == true, "\(String(describing: error))")
    }

    // MARK: Code

    @Test(.enabled(if: AuthlibServer.isAvailable)) func `Authlib issues a token after the code was entered`() async throws {
        let server = try AuthlibServer.start()
        let caller = try caller(SignInRecorder.browser(user))
        let exchange = try await caller.exchange(try request(server.url, grant: .deviceCode))
        #expect(exchange.response?.status == 200, "\(String(describing: exchange.error))")
    }

    @Test(.enabled(if: AuthlibServer.isAvailable)) func `a code that the user refuses ends the request`() async throws {
        let server = try AuthlibServer.start()
        let caller = try caller(SignInRecorder.browser(user, adding: "&deny=1"))
        let exchange = try await caller.exchange(try request(server.url, grant: .deviceCode))
        #expect(exchange.error?.message.contains("access_denied") == true, "\(String(describing: exchange.error))")
    }

    @Test func `a pending sign-in is polled until it is approved`() async throws {
        let server = try deviceServer { $0 < 4 ? Self.refusal("authorization_pending") : Self.token }
        let recorder = SignInRecorder()
        let exchange = try await caller(recorder).exchange(try request(server.url, grant: .deviceCode))
        #expect(exchange.response?.status == 200, "\(String(describing: exchange.error))")
        let signIn = try await recorder.first()
        #expect(signIn.step == .code("ABCD-EFGH", page: try HTTPURL(parsing: "http://h.example/enter"), pageWithCode: nil))
        let polled = server.requests.filter { $0.target == "/token" }
        #expect(polled.count == 4)
        #expect(polled[0].bodyText == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d1&client_id=public")
        #expect(server.requests.first?.bodyText == "scope=read&client_id=public")
    }

    @Test func `a lost connection does not end the sign-in`() async throws {
        let device = try deviceServer { _ in Self.token }
        // One connection for each script: the first two close without a response.
        let lost: Script = [.readRequest, .closeGracefully]
        let issuer = try ScriptedServer([lost, lost, .answering(Self.token)])
        let exchange = try await caller(SignInRecorder()).exchange(
            try request(device.url, grant: .deviceCode) { $0.tokenURL = issuer.url + "/token" })
        #expect(exchange.response?.status == 200, "\(String(describing: exchange.error))")
        #expect(issuer.requests.count >= 3)
    }

    @Test func `a server that names almost no interval is not polled without a pause`() async throws {
        let code = #"{"device_code": "d1", "user_code": "ABCD-EFGH", "verification_uri": "http://h.example/enter", "interval": 1e-9}"#
        let server = try deviceServer(device: .json(code)) { $0 < 4 ? Self.refusal("authorization_pending") : Self.token }
        let clock = SignInClock()
        let exchange = try await caller(clock).exchange(try request(server.url, grant: .deviceCode))
        #expect(exchange.response?.status == 200, "\(String(describing: exchange.error))")
        #expect(clock.time >= .milliseconds(400))
    }

    @Test func `the time of the user does not count against the time limit of the request`() async throws {
        try await growing(from: .milliseconds(500)) { limit -> Void? in
            // The eight intervals are longer than the limit.
            let interval = limit / .seconds(5)
            let code = #"{"device_code": "d1", "user_code": "ABCD-EFGH", "verification_uri": "http://h.example/enter", "interval": \#(interval)}"#
            let server = try deviceServer(device: .json(code)) { $0 < 8 ? Self.refusal("authorization_pending") : Self.token }
            var request = try request(server.url, grant: .deviceCode)
            request.options.timeouts.total = limit
            let clock = SignInClock()
            let exchange = try await caller(clock).exchange(request)
            // Without the sign-in, the call may last as long as its limit.
            guard exchange.duration - clock.time / .seconds(1) < limit / .seconds(1) else { return nil }
            #expect(exchange.response?.status == 200, "\(String(describing: exchange.error))")
            return ()
        }
    }

    /// Measures the time of a sign-in.
    private final class SignInClock: OAuth2SignInPresenter {
        private let began = Watched<ContinuousClock.Instant?>(nil)
        private let ended = Watched<ContinuousClock.Instant?>(nil)

        /// The time between its beginning and its end, or now; zero before its beginning.
        var time: Duration { began.current.map { $0.duration(to: ended.current ?? .now) } ?? .zero }

        func begin(_ signIn: OAuth2SignIn) { began.change { $0 = ContinuousClock.now } }

        func end(_ signIn: OAuth2SignIn) { ended.change { $0 = ContinuousClock.now } }
    }

    @Test(arguments: [
        ("expired_token", "before the user signed in"), ("access_denied", "access_denied"), ("invalid_client", "invalid_client"),
    ]) func `a final refusal ends the sign-in`(code: String, message: String) async throws {
        let server = try deviceServer { _ in Self.refusal(code) }
        let recorder = SignInRecorder()
        let exchange = try await caller(recorder).exchange(try request(server.url, grant: .deviceCode))
        #expect(exchange.error?.message.contains(message) == true, "\(String(describing: exchange.error))")
        #expect(recorder.ended.current.count == 1)
    }

    @Test(arguments: [
        ("<html>", "a body that is not JSON"), ("[]", "JSON that is not an object"), ("{}", "no device_code"),
        (#"{"device_code": 7}"#, "device_code that is not a text"), (#"{"device_code": "d"}"#, "no user_code"),
        (#"{"device_code": "d", "user_code": "u"}"#, "no verification_uri"),
        (#"{"device_code": "d", "user_code": "u", "verification_uri": "javascript:x"}"#, "not an http or https URL"),
        (#"{"device_code": "d", "user_code": "u", "verification_uri": "http://h/", "interval": -1}"#, "not a positive number"),
        (#"{"error": "invalid_scope", "error_description": "no \u001b[31mread"}"#, "invalid_scope (no  [31mread)"),
    ]) func `an invalid response with the codes is described`(body: String, message: String) async throws {
        let server = try deviceServer(device: .json(body)) { _ in Self.token }
        let exchange = try await caller(SignInRecorder()).exchange(try request(server.url, grant: .deviceCode))
        #expect(exchange.error?.message.contains(message) == true, "\(String(describing: exchange.error))")
        #expect(server.requests.count == 1)
    }

    // MARK: Waiting

    @Test func `requests at the same time share a sign-in`() async throws {
        let server = try deviceServer { $0 < 5 ? Self.refusal("authorization_pending") : Self.token }
        let recorder = SignInRecorder()
        let (caller, request) = (try caller(recorder), try request(server.url, grant: .deviceCode))
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<6 { group.addTask { try await caller.exchange(request).response?.status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 6))
        #expect(recorder.begun.current.count == 1)
    }

    @Test func `cancelling the sign-in fails the request, and the next one starts another`() async throws {
        let server = try deviceServer { _ in Self.refusal("authorization_pending") }
        let recorder = SignInRecorder { $0.cancel() }
        let (caller, request) = (try caller(recorder), try request(server.url, grant: .deviceCode))
        for _ in 0..<2 {
            let exchange = try await caller.exchange(request)
            #expect(exchange.error?.code == .cancelled)
        }
        #expect(recorder.begun.current.count == 2)
        _ = try await recorder.ended.wait("both to end", within: .seconds(300)) { $0.count == 2 ? true : nil }
    }

    @Test func `the sign-in ends with the last request that waits for it`() async throws {
        let server = try deviceServer { _ in Self.refusal("authorization_pending") }
        let recorder = SignInRecorder()
        let caller = try caller(recorder)
        let call = caller.begin(try request(server.url, grant: .deviceCode))
        _ = try await recorder.first()
        await call.cancel()
        _ = try await recorder.ended.wait("the end of the sign-in", within: .seconds(300)) { $0.isEmpty ? nil : true }
    }

    @Test(arguments: [OAuth2.Grant.authorizationCode, .deviceCode])
    func `without anybody to ask, nothing is sent`(grant: OAuth2.Grant) async throws {
        let server = try deviceServer { _ in Self.token }
        let exchange = try await caller(nil).exchange(request(server.url, grant: grant))
        #expect(exchange.error?.message.contains("a user must sign in") == true, "\(String(describing: exchange.error))")
        #expect(server.requests.isEmpty)
    }

    // MARK: Archive

    @Test func `a stored token is used by another client without a sign-in`() async throws {
        let server = try deviceServer { _ in Self.token }
        let memory = TokenMemory()
        let request = try request(server.url, grant: .deviceCode)
        #expect(try await caller(SignInRecorder(), memory).exchange(request).response?.status == 200)
        let stored = try #require(memory.tokens.current.values.first)
        #expect(stored.accessToken == "t1" && stored.refreshToken == "r1" && stored.expiresAt?.timeIntervalSince(stored.issuedAt) == 3600)
        #expect(try await caller(nil, memory).exchange(request).response?.status == 200)
        #expect(server.requests.count == 4)
    }

    @Test func `an expired stored token is renewed, and the new one is stored`() async throws {
        let server = try deviceServer { _ in .json(#"{"access_token": "t2"}"#) }
        let (memory, request) = (TokenMemory(), try request(server.url, grant: .deviceCode))
        let key = try key(of: request)
        memory.tokens.change { $0[key] = OAuth2Token("t0", refreshToken: "r0", issuedAt: Date(timeIntervalSince1970: 0), expiresAt: Date()) }
        #expect(try await caller(nil, memory).exchange(request).response?.status == 200)
        #expect(server.requests.first?.bodyText == "grant_type=refresh_token&refresh_token=r0&client_id=public")
        #expect(memory.tokens.current[key]?.accessToken == "t2" && memory.tokens.current[key]?.refreshToken == "r0")
    }

    @Test func `a stored token that cannot be renewed is removed, and the user signs in again`() async throws {
        let server = try deviceServer { $0 == 1 ? Self.refusal("invalid_grant") : .json(#"{"access_token": "t3"}"#) }
        let (memory, request) = (TokenMemory(), try request(server.url, grant: .deviceCode))
        let key = try key(of: request)
        memory.tokens.change { $0[key] = OAuth2Token("bad", refreshToken: "r0", issuedAt: Date(), expiresAt: nil) }
        let recorder = SignInRecorder()
        #expect(try await caller(recorder, memory).exchange(request).response?.status == 200)
        #expect(recorder.begun.current.count == 1)
        #expect(memory.tokens.current[key]?.accessToken == "t3" && memory.tokens.current[key]?.refreshToken == nil)
    }

    private func expired(_ refreshToken: String) -> OAuth2Token {
        OAuth2Token("t0", refreshToken: refreshToken, issuedAt: Date(timeIntervalSince1970: 0), expiresAt: Date(timeIntervalSince1970: 1))
    }

    @Test(arguments: [
        HTTPAnswer.status(503, "<html>busy</html>"), .status(500, #"{"error": "server_error"}"#), .status(429), .status(404, "<html>"), .ok("<html>"),
        .status(400, #"{"error": "temporarily_unavailable"}"#), .status(401, #"{"error": "invalid_client"}"#), .redirect(to: "/login"),
    ]) func `only the word of the server ends a stored refresh token`(answer: HTTPAnswer) async throws {
        let server = try deviceServer { $0 == 1 ? answer : .json(#"{"access_token": "t2"}"#) }
        let (memory, request) = (TokenMemory(), try request(server.url, grant: .deviceCode))
        let key = try key(of: request)
        memory.tokens.change { $0[key] = expired("r0") }
        let (caller, recorder) = (try caller(SignInRecorder(), memory), SignInRecorder())
        #expect(try await caller.exchange(request).error != nil)
        #expect(memory.tokens.current[key]?.refreshToken == "r0")
        #expect(try await self.caller(recorder, memory).exchange(request).response?.status == 200)
        #expect(recorder.begun.current.isEmpty, "no sign-in begins")
        #expect(memory.tokens.current[key]?.accessToken == "t2" && memory.tokens.current[key]?.refreshToken == "r0")
    }

    @Test func `a token that another program has renewed is used and not removed`() async throws {
        let memory = TokenMemory()
        let keys = Watched<OAuth2TokenKey?>(nil)
        let server = try deviceServer { _ in
            // The other program was faster, so the refresh token has been used.
            if let key = keys.current { memory.tokens.change { $0[key] = OAuth2Token("t1", refreshToken: "r1", issuedAt: Date(), expiresAt: nil) } }
            return Self.refusal("invalid_grant")
        }
        let request = try request(server.url, grant: .deviceCode)
        let key = try key(of: request)
        keys.change { $0 = key }
        memory.tokens.change { $0[key] = expired("r0") }
        #expect(try await caller(nil, memory).exchange(request).response?.status == 200)
        #expect(server.requests.filter { $0.target == "/token" }.count == 1)
        #expect(memory.tokens.current[key]?.refreshToken == "r1")
    }

    @Test func `two programs renew a stored token once, also for different services`() async throws {
        let server = try deviceServer { $0 == 1 ? .json(#"{"access_token": "t1", "refresh_token": "r1"}"#) : Self.refusal("invalid_grant") }
        let memory = TokenMemory()
        var requests = [try request(server.url, grant: .deviceCode), try request(server.url, grant: .deviceCode)]
        requests[1].service = "other"
        let key = try key(of: requests[0])
        memory.tokens.change { $0[key] = expired("r0") }
        let callers = [try caller(nil, memory), try caller(nil, memory)]
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for caller in callers {
                for request in requests { group.addTask { await caller.client.exchange(request).response?.status } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200, 200])
        #expect(server.requests.filter { $0.target == "/token" }.count == 1)
        #expect(memory.tokens.current[key]?.refreshToken == "r1")
    }

    @Test func `an error of a gateway does not end a pending sign-in`() async throws {
        let server = try deviceServer { $0 == 1 ? .status(503, "<html>") : $0 == 2 ? .status(429) : Self.token }
        let exchange = try await caller(SignInRecorder()).exchange(try request(server.url, grant: .deviceCode))
        #expect(exchange.response?.status == 200, "\(String(describing: exchange.error))")
        #expect(server.requests.filter { $0.target == "/token" }.count == 3)
    }

    @Test func `a token that cannot be stored is used, and the reason is reported`() async throws {
        let server = try deviceServer { _ in Self.token }
        let memory = TokenMemory(problem: NetworkError(.storage, "the disk is full"))
        let events = try await caller(SignInRecorder(), memory).events(try request(server.url, grant: .deviceCode))
        let decisions = events.decisions(.auth)
        #expect(decisions.contains { $0.contains("the token is not stored") && $0.contains("the disk is full") }, "\(decisions)")
    }

    @Test func `the token of a request is returned without sending it, and replaced on request`() async throws {
        let server = try deviceServer { .json(#"{"access_token": "t\#($0)", "refresh_token": "r"}"#) }
        let caller = try caller(SignInRecorder())
        let request = try request(server.url, grant: .deviceCode)
        #expect(try await caller.client.accessToken(for: request).accessToken == "t1")
        #expect(try await caller.client.accessToken(for: request).accessToken == "t1")
        #expect(try await caller.client.accessToken(for: request, renews: true).accessToken == "t2")
        #expect(!server.requests.contains { $0.target == "/me" })
        await #expect(throws: NetworkError.self) { try await caller.client.accessToken(for: .to(server.url)) }
    }

    @Test func `a key and a printed token have no secrets`() {
        var settings = OAuth2(grant: .deviceCode, tokenURL: "u", clientID: "c", clientSecret: "s3cret")
        (settings.user, settings.password) = ("anna", "sesame")
        let key = OAuth2TokenKey(settings, environment: "dev")
        #expect(!"\(key)".contains("s3cret") && !"\(key)".contains("sesame") && key.user.isEmpty)
        let token = OAuth2Token("hidden", refreshToken: "too", issuedAt: Date())
        #expect("\(token)".contains("••••") && !"\(token)".contains("hidden") && !String(reflecting: token).contains("hidden"))
    }
}
