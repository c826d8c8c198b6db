import Support
import Testing

@testable import SortieNetworking

/// Tests hosts that require TLS (RFC 6797).
@Suite(.fewAtOnce) struct StrictTransportTests {
    private func answered(_ field: String, from url: String, insecurely: Bool = false) throws -> StrictTransport {
        let transport = StrictTransport()
        var request = Request(url: try HTTPURL(parsing: url))
        request.options.trust.isInsecure = insecurely
        transport.note(Response(status: 200, headers: [HeaderField("Strict-Transport-Security", field)]), from: request, now: 0)
        return transport
    }

    @Test(arguments: [
        ("max-age=10", "http://shop.test/a?b", "https://shop.test/a?b"), ("max-age=10", "http://shop.test:8080/", "https://shop.test:8080/"),
        ("max-age=10", "http://SHOP.test./", "https://shop.test./"), ("max-age=10", "http://www.shop.test/", nil),
        ("max-age=10; includeSubDomains", "http://www.shop.test/", "https://www.shop.test/"),
        ("includeSubDomains; MAX-AGE=\"10\"", "http://a.shop.test/", "https://a.shop.test/"),
        ("max-age=10; includeSubDomains", "http://badshop.test/", nil), ("max-age=0", "http://shop.test/", nil),
        ("max-age=x", "http://shop.test/", nil),
        ("max-age=10; max-age=20", "http://shop.test/", nil), ("includeSubDomains", "http://shop.test/", nil), ("", "http://shop.test/", nil),
        ("max-age=99999999999999999999999", "http://shop.test/", "https://shop.test/"),
    ])
    func `only a host that requires it is upgraded`(field: String, url: String, expected: String?) throws {
        let transport = try answered(field, from: "https://shop.test/")
        #expect(transport.upgraded(try HTTPURL(parsing: url), now: 1)?.description == expected)
    }

    @Test func `the requirement expires, and can be revoked`() throws {
        let transport = try answered("max-age=10", from: "https://shop.test/")
        let url = try HTTPURL(parsing: "http://shop.test/")
        #expect(transport.upgraded(url, now: 9_999_999_999) != nil)
        #expect(transport.upgraded(url, now: 10_000_000_000) == nil)
        let back = Response(status: 200, headers: [HeaderField("Strict-Transport-Security", "max-age=0")])
        transport.note(back, from: Request(url: try HTTPURL(parsing: "https://shop.test/")), now: 1)
        #expect(transport.upgraded(url, now: 2) == nil)
    }

    @Test(arguments: ["http://shop.test/", "https://127.0.0.1/", "https://localhost/", "https://a.localhost/", "https://[::1]/"])
    func `a field received without TLS, from an address or from this machine is ignored`(url: String) throws {
        let transport = try answered("max-age=10; includeSubDomains", from: url)
        let plain = "http" + url.drop { $0 != ":" }
        #expect(transport.upgraded(try HTTPURL(parsing: plain), now: 1) == nil)
    }

    @Test func `a field received over unverified TLS is ignored`() throws {
        let transport = try answered("max-age=10", from: "https://shop.test/", insecurely: true)
        #expect(transport.upgraded(try HTTPURL(parsing: "http://shop.test/"), now: 1) == nil)
    }

    @Test(.enabled(if: Nginx.isAvailable)) func `the next request to the host uses TLS, with a decision`() async throws {
        var options = Nginx.Options()
        options.directives = "location = /strict { add_header Strict-Transport-Security max-age=60; return 200 strict; }"
        let nginx = try Nginx.start(options)
        let caller = try Caller()
        let authority = try Certificates.shared().certificateAuthority
        func ask(_ url: String) async throws -> Exchange {
            try await caller.get(url) {
                $0.addresses = [IPAddress("127.0.0.1")].compactMap { $0 }
                $0.trust.certificateAuthorityFile = authority
            }
        }
        #expect(try await ask("https://example.test:\(nginx.httpsPort)/strict").text == "strict")
        let exchange = try await ask("http://example.test:\(nginx.httpsPort)/small")
        #expect(exchange.text == "small")
        #expect(exchange.attempts.last?.url.scheme == .https)
    }

    @Test(.enabled(if: Nginx.isAvailable)) func `the host over TLS receives the credentials of the request and of plugins`() async throws {
        var options = Nginx.Options()
        options.directives = #"""
            location = /strict { add_header Strict-Transport-Security max-age=60; return 200 strict; }
            location = /shown { default_type text/plain; return 200 "[$http_authorization][$http_x_api_key]"; }
            """#
        let nginx = try Nginx.start(options)
        let folder = try TemporaryFolder()
        let client = Client(.init(spoolFolder: folder.path, plugins: [TokenPlugin { _ in .fixed("token") }]))
        let authority = try Certificates.shared().certificateAuthority
        func ask(_ url: String) async throws -> Exchange {
            var request = try Request.to(url, .get, [HeaderField("X-Api-Key", "key")])
            request.options.addresses = [IPAddress("127.0.0.1")].compactMap { $0 }
            request.options.trust.certificateAuthorityFile = authority
            return try await withDeadline(.seconds(300), "the call to end") { [request] in await client.exchange(request) }
        }
        #expect(try await ask("https://example.test:\(nginx.httpsPort)/strict").text == "strict")
        let exchange = try await ask("http://example.test:\(nginx.httpsPort)/shown")
        #expect(exchange.text == "[Bearer token][key]")
        #expect(exchange.notices.isEmpty)
    }
}
