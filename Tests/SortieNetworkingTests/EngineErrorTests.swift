import Support
import Testing

@testable import SortieNetworking

/// Tests the codes, classes and numbers of the second source document (S1.27–S1.29, S3.17, X4).
@Suite(.fewAtOnce)
struct EngineErrorTests {
    @Test(arguments: [
        (NetworkError.Code.timedOut, 101), (.hostNotFound, 102), (.connectionRefused, 102), (.cannotConnect, 102),
        (.offline, 102),
        (.cancelled, 103), (.untrustedCertificate, 104), (.truncatedBody, 104), (.badResponse, 104), (.storage, 104),
        (.business, 104),
    ])
    func `S1.27 S1.29 every code has the number of the source document`(_ code: NetworkError.Code, _ number: Int) {
        #expect(NetworkError(code, "words").documentNumber == number)
    }

    @Test func `S1.27 no number is one of the business codes`() {
        for code in NetworkError.Code.allCases { #expect((101...106).contains(NetworkError(code, "").documentNumber)) }
    }

    @Test func `S3.17 a real failure has the class of its code`() async throws {
        let caller = try Caller()
        let port = try DeadPort(.refusing)
        let refused = try #require(try await caller.get(port.url).error)
        #expect(refused.errorClass == .transport)
        #expect(refused.documentNumber == 102)
        let circle = try ScriptedServer(answering: .redirect(to: "/"))
        #expect(try await caller.get(circle.url).error?.errorClass == .http)
        let wrong = try Request.to(port.url, .get, [HeaderField("a b", "c")])
        #expect(try await caller.exchange(wrong).error?.errorClass == .client)
    }

    @Test func `S1.29 a timeout, a cancellation and a missing host keep their own numbers and messages`() async throws {
        let server = try ScriptedServer([.readRequest, .holdOpen])
        let caller = try Caller()
        let late = try #require(try await caller.get(server.url) { $0.timeouts.idle = .milliseconds(100) }.error)
        #expect(late.documentNumber == 101)
        let call = caller.begin(try .to(server.url))
        await call.cancel()
        let cancelled = try #require(try await call.end().end?.error)
        #expect(cancelled.documentNumber == 103)
        let missing = try #require(try await caller.get("http://no-such-host.invalid/").error)
        #expect(missing.documentNumber == 102)
        #expect(Set([late.message, cancelled.message, missing.message]).count == 3)
    }

    @Test func `a refused connection contains the location, a hint and the underlying message`() async throws {
        let port = try DeadPort(.refusing)
        let error = try #require(try await Caller().get(port.url).error)
        #expect(error.message == "127.0.0.1:\(port.port) refused the connection")
        #expect(error.hint == "check that the server is running and that its port is \(port.port)")
        #expect(error.underlying != nil)
        let socket = try #require(try await Caller().get(port.url) { $0.unixSocket = "/dev/null" }.error)
        #expect(socket.message == "/dev/null refused the connection" && socket.hint == "check that the server is running and that this is its socket")
    }

    @Test func `a proxy that refuses the connection is reported as the cause`() async throws {
        let port = try DeadPort(.refusing)
        let proxy = try Proxy(port.url)
        let exchange = try await Caller().get("http://shop.test/") { $0.proxy = proxy }
        #expect(exchange.error?.code == .proxyFailed)
        #expect(exchange.error?.remedy == .runningProxy)
    }

    @Test func `the password of an unknown proxy is not reported`() async throws {
        let proxy = try Proxy("http://me:secret@no-such-proxy.invalid:1")
        let exchange = try await Caller().get("http://shop.test/") { $0.proxy = proxy }
        #expect(exchange.error?.code == .proxyFailed)
        let error = try #require(exchange.error)
        #expect(error.message.hasPrefix("the proxy http://no-such-proxy.invalid:1 was not found"))
        #expect(!"\(error.message)\(error.hint ?? "")\(error.underlying ?? "")".contains("secret"))
    }

    @Test func `a proxy receives the absolute URL and resolves names`() async throws {
        let server = try ScriptedServer(answering: .ok("through"))
        let proxy = try Proxy(server.url)
        let exchange = try await Caller().get("http://shop.invalid/x?y") { $0.proxy = proxy }
        #expect(exchange.text == "through")
        #expect(server.requests.first?.target == "http://shop.invalid/x?y")
        #expect(server.requests.first?["Host"] == "shop.invalid")
    }

    @Test(arguments: [400, 401, 404, 429, 500, 503, 599])
    func `an error status is a response and not an error`(_ status: Int) async throws {
        let server = try ScriptedServer(answering: .status(status, "why"))
        let exchange = try await Caller().get(server.url)
        #expect(exchange.error == nil)
        #expect(exchange.response?.status == status)
        #expect(exchange.text == "why")
        #expect(exchange.response?.isSuccess == false)
    }
}
