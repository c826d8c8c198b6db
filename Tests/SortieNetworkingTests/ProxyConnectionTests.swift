import Support
import Testing

@testable import SortieNetworking

/// Tests requests through proxies of every kind.
@Suite(.fewAtOnce, .enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
struct ProxyConnectionTests {
    private let caller: Caller
    private let nginx: Nginx
    private let authority: String

    init() throws {
        caller = try Caller()
        nginx = try Nginx.start()
        authority = try Certificates.shared().certificateAuthority
    }

    private func ask(_ url: String, through proxy: Proxy) async throws -> Exchange {
        try await caller.get(url) {
            $0.proxy = proxy
            $0.trust.certificateAuthorityFile = authority
        }
    }

    @Test(arguments: ["http", "socks5h"])
    func `https uses a tunnel, and the certificate is verified for the server's name`(scheme: String) async throws {
        let tunnel = try TunnelServer(to: nginx.httpsPort)
        let exchange = try await ask("https://example.test/echo", through: try Proxy("\(scheme)://127.0.0.1:\(tunnel.port)"))
        #expect(exchange.text?.hasSuffix("example.test") == true, "\(String(describing: exchange.error))")
        // The proxy resolves the name, which is not resolved here.
        #expect(tunnel.targets == ["example.test:443"])
        #expect(exchange.response?.headers.contains("X-Proxy") == false)
        #expect(
            try await ask("https://wrong.invalid/", through: try Proxy("\(scheme)://127.0.0.1:\(tunnel.port)")).error?.code == .untrustedCertificate)
    }

    @Test func `socks5 receives the locally resolved address`() async throws {
        let tunnel = try TunnelServer(to: nginx.httpPort)
        let exchange = try await ask("http://localhost:\(nginx.httpPort)/small", through: try Proxy("socks5://127.0.0.1:\(tunnel.port)"))
        #expect(exchange.text == "small")
        #expect(tunnel.targets == ["127.0.0.1:\(nginx.httpPort)"])
    }

    @Test(arguments: ["http", "socks5h"])
    func `a proxy that requires credentials gets those of the URL, and is reported when it rejects them`(scheme: String) async throws {
        let tunnel = try TunnelServer(to: nginx.httpsPort, login: "me:p@ss word")
        let right = try await ask("https://example.test/small", through: try Proxy("\(scheme)://me:p%40ss%20word@127.0.0.1:\(tunnel.port)"))
        #expect(right.text == "small", "\(String(describing: right.error))")
        let wrong = try await ask("https://example.test/small", through: try Proxy("\(scheme)://me:guess@127.0.0.1:\(tunnel.port)"))
        #expect(wrong.error?.code == .proxyFailed)
        #expect(wrong.error.map { !"\($0.message)\($0.underlying ?? "")".contains("guess") } == true)
        if scheme == "http" { #expect(wrong.error?.message.hasSuffix("it responded with 407") == true, "\(String(describing: wrong.error))") }
        #expect(tunnel.targets == ["example.test:443"])
    }

    @Test func `a proxy is used over TLS, and its certificate is verified`() async throws {
        var options = Nginx.Options()
        options.offersHTTP2 = false
        options.directives = "location = /through { default_type text/plain; return 200 \"$scheme $http_host\"; }"
        let secure = try Nginx.start(options)
        var proxy = try Proxy("https://localhost:\(secure.httpsPort)")
        #expect(try await ask("http://shop.invalid/through", through: proxy).error?.code == .untrustedCertificate)
        proxy.certificateAuthorityFile = authority
        #expect(try await ask("http://shop.invalid/through", through: proxy).text == "https shop.invalid")
    }

    @Test func `a server without verification does not disable that of its https proxy`() async throws {
        let secure = try Nginx.start()
        let proxy = try Proxy("https://localhost:\(secure.httpsPort)")
        let exchange = try await caller.get("https://shop.invalid/small") {
            $0.proxy = proxy
            $0.trust.isInsecure = true
        }
        #expect(exchange.error?.code == .untrustedCertificate)
        #expect(secure.accessLog.isEmpty)
    }

    @Test func `an exception is reached without the proxy, also after a redirect`() async throws {
        let tunnel = try TunnelServer(to: nginx.httpPort)
        let proxy = try Proxy("socks5h://127.0.0.1:\(tunnel.port)", except: ProxyException.list(".internal, localhost 127.0.0.0/8"))
        #expect(try await ask("http://127.0.0.1:\(nginx.httpPort)/small", through: proxy).text == "small")
        #expect(try await ask("http://localhost:\(nginx.httpPort)/small", through: proxy).text == "small")
        #expect(tunnel.targets.isEmpty)
        let server = try ScriptedServer(answering: .redirect(302, to: "http://127.0.0.1:\(nginx.httpPort)/small"))
        let far = try TunnelServer(to: server.port)
        let other = try Proxy("socks5h://127.0.0.1:\(far.port)", except: ProxyException.list("127.0.0.1"))
        #expect(try await ask("http://far.invalid/", through: other).text == "small")
        #expect(far.targets == ["far.invalid:80"])
    }

    @Test func `the name of a proxy is resolved by the client, and never by libcurl`() async throws {
        let proxy = try ScriptedServer(answering: .ok("through"))
        let exchange = try await ask("http://shop.invalid/x", through: try Proxy("http://localhost:\(proxy.port)"))
        #expect(exchange.text == "through")
        // A name that only the resolver of the client knows.
        let system = FakeSystem()
        let caller = try Caller(resolver: system.resolver)
        let named = try Proxy("http://proxy.test:\(proxy.port)")
        let call = caller.begin(try .to("http://shop.invalid/x") { $0.proxy = named })
        try await system.waitForQuestions(1)
        #expect(system.questions.current.map(\.host) == ["proxy.test"])
        system.answer(0, "127.0.0.1")
        #expect(try await call.end().end?.text == "through")
        let missing = try await ask("http://shop.invalid/x", through: try Proxy("http://no-such-proxy.invalid:1"))
        #expect(missing.error?.code == .proxyFailed)
    }

    @Test func `connections through different proxies, or with other credentials, are never shared`() async throws {
        let (first, second) = (try TunnelServer(to: nginx.httpPort), try TunnelServer(to: nginx.httpPort))
        for port in [first.port, second.port, first.port] {
            #expect(try await ask("http://shared.invalid/small", through: try Proxy("socks5h://127.0.0.1:\(port)")).text == "small")
        }
        #expect(first.targets == ["shared.invalid:80"] && second.targets == ["shared.invalid:80"])
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9\r\n", "garbage", "220 mail\r\n\r\n"], ["http", "https"])
    func `a proxy that does not support HTTP is reported by name`(_ greeting: String, _ scheme: String) async throws {
        let proxy = try ScriptedServer([.readHead, .send(greeting)])
        let way = try Proxy(proxy.url)
        let exchange = try await caller.get("\(scheme)://127.0.0.1:1/") { $0.proxy = way }
        #expect(exchange.error?.code == .proxyFailed, "\(String(describing: exchange.error))")
        #expect(exchange.error?.message.contains("the proxy \(proxy.url)") == true)
        #expect(exchange.error?.message.contains("HTTP") == true)
    }

    @Test func `a proxy that does not respond to CONNECT is named at each time limit, with what it was asked for`() async throws {
        let server = try ScriptedServer(Script(.readHead, .holdOpen))
        let proxy = try Proxy("http://127.0.0.1:\(server.port)")
        let reason = "the proxy \(proxy) accepted the connection, but did not respond to CONNECT example.test:443"
        let limits: [(Timeouts, String)] = [
            (Timeouts(connect: .milliseconds(300)), "no connection to example.test within 300 ms: \(reason)"),
            (Timeouts(idle: .milliseconds(300)), "no data arrived from example.test for 300 ms: \(reason)"),
            (Timeouts(total: .milliseconds(300)), "no complete response within 300 ms: \(reason)"),
        ]
        for (timeouts, message) in limits {
            let exchange = try await caller.get("https://example.test/") {
                $0.proxy = proxy
                $0.timeouts = timeouts
            }
            #expect(exchange.error?.code == .timedOut && exchange.error?.message == message, "\(String(describing: exchange.error))")
        }
    }
}
