import Support
import Testing

@testable import SortieNetworking

/// Tests NTLM credentials with pyspnego, an independent implementation, as the server.
@Suite(.fewAtOnce, .enabled(if: NTLMServer.isAvailable, "no pyspnego on this machine"))
struct NTLMTests {
    private let caller: Caller
    private let server: NTLMServer

    init() throws {
        caller = try Caller()
        server = try NTLMServer.start()
    }

    private func request(
        _ user: String? = "SHOP\\anna", password: String = "sesame", method: HTTPMethod = .get, body: RequestBody = .none, path: String = "/"
    ) throws -> Request {
        var request = try Request.to("\(server.url)\(path)", method, body: body)
        if let user { request.options.credential = .ntlm(NTLMCredential(user: user, password: password)) }
        return request
    }

    private func answer(_ request: Request) async throws -> NTLMServer.Answer {
        let exchange = try await caller.exchange(request)
        #expect(exchange.response?.status == 200, "\(String(describing: exchange.error)) \(exchange.text ?? "")")
        return try NTLMServer.Answer(exchange.text ?? "")
    }

    @Test func `a request is authenticated on one connection, and only the final response is the result`() async throws {
        let exchange = try await caller.exchange(request())
        #expect(exchange.response?.status == 200 && exchange.error == nil, "\(exchange.text ?? "")")
        let answer = try NTLMServer.Answer(exchange.text ?? "")
        #expect(answer.user == "SHOP\\anna" && answer.connection == 1 && answer.request == 2)
        #expect(exchange.response?.headers["WWW-Authenticate"] == nil)
        #expect(exchange.attempts.count == 1)
    }

    @Test(arguments: [HTTPMethod.post, .put])
    func `a body is received completely`(_ method: HTTPMethod) async throws {
        let text = String(repeating: "the whole body ", count: 6000)
        let answer = try await answer(request(method: method, body: .text(text, contentType: "text/plain")))
        #expect(answer.body == text && answer.user == "SHOP\\anna")
        #expect(try await self.answer(request(method: .post)).body.isEmpty)
    }

    @Test func `a wrong password gives the 401 as a response`() async throws {
        let exchange = try await caller.exchange(request(password: "wrong"))
        #expect(exchange.response?.status == 401 && exchange.error == nil && exchange.text == "who?")
    }

    @Test func `a connection is reused for the same credentials, and for no others`() async throws {
        let first = try await answer(request())
        #expect(try await answer(request()).connection == first.connection)
        let other = try await answer(request("SHOP\\otto", password: "other"))
        #expect(other.user == "SHOP\\otto" && other.connection != first.connection)
        let wrong = try await caller.exchange(request("SHOP\\anna", password: "other"))
        #expect(wrong.response?.status == 401)
        #expect(try await caller.exchange(request(nil)).response?.status == 401)
        #expect(try await answer(request()).user == "SHOP\\anna")
    }

    @Test func `another origin receives no credentials by a redirect`() async throws {
        let other = try ScriptedServer(answering: .ok("there"))
        let exchange = try await caller.exchange(request(path: "/redirect?\(other.url)/"))
        #expect(exchange.text == "there")
        #expect(other.requests.map { $0["Authorization"] } == [nil])
        let second = try NTLMServer.start()
        #expect(try await caller.exchange(request(path: "/redirect?\(second.url)/")).response?.status == 401)
    }

    @Test func `a redirect within the origin is authenticated`() async throws {
        #expect(try await answer(request(path: "/redirect?/there")).user == "SHOP\\anna")
    }

    @Test func `a server that requires another scheme is named, and receives no credentials`() async throws {
        let basic = try ScriptedServer(answering: HTTPAnswer(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")]))
        let exchange = try await caller.get(basic.url) { $0.credential = .ntlm(NTLMCredential(user: "anna", password: "sesame")) }
        #expect(exchange.error?.message == "the server responded with 401 and requires Basic, not NTLM; the credentials were not sent")
        #expect(exchange.response?.status == 401)
    }

    @Test func `HTTP 2 is an error before anything is sent`() async throws {
        var request = try request()
        request.options.version = .http2
        let error = try #require(try await caller.exchange(request).error)
        #expect(error.code == .invalidOption && error.message == "NTLM authenticates a connection and is not sent over HTTP/2")
    }

    @Test(arguments: [
        (NTLMCredential(user: "", password: "x"), "user is missing"), (NTLMCredential(user: "müller", password: "x"), "user contains a character"),
        (NTLMCredential(user: "anna", password: "größe"), "password contains a character"),
    ])
    func `texts that libcurl cannot send are a problem of the credentials`(_ credential: NTLMCredential, _ words: String) {
        #expect(Auth.ntlm(credential).problem?.hasPrefix(words) == true)
        #expect(Auth.ntlm(NTLMCredential(user: "SHOP\\anna", password: "p")).problem == nil)
    }
}
