import SortieHTTP
import Testing

/// Tests proxies and the hosts that are reached without them.
@Suite struct ProxyTests {
    @Test(arguments: [
        ("http://proxy.test", "http://proxy.test:80"), ("proxy.test:3128", "http://proxy.test:3128"),
        ("https://proxy.test", "https://proxy.test:443"),
        ("socks5://10.0.0.1", "socks5://10.0.0.1:1080"), ("SOCKS5H://me:secret@[::1]", "socks5h://[::1]:1080"),
        ("socks5://[::1]:9050/", "socks5://[::1]:9050"), ("socks://a:1/", "socks5h://a:1"), ("http://a:b@c:80", "http://c:80"),
    ])
    func `a proxy is parsed, and described without its password`(text: String, shown: String) throws {
        #expect(try Proxy(text).description == shown)
    }

    @Test func `the credentials of a proxy are decoded`() throws {
        let credentials = try Proxy("http://me:p%40ss@proxy.test:1").credentials
        #expect(credentials == .init(user: "me", password: "p@ss"))
    }

    @Test(arguments: ["ftp://proxy.test", "http://", "http://proxy.test/path", "http://proxy.test:99999", "http://pro xy:secret"])
    func `an invalid proxy is rejected with a message`(text: String) {
        #expect(throws: ProxyProblem.self) { try Proxy(text) }
    }

    @Test(arguments: [
        ("*", "anything.test", true), ("example.com", "example.com", true), ("example.com", "www.example.com", true),
        (".example.com", "EXAMPLE.com.", true), ("*.example.com", "a.b.example.com", true), ("example.com", "badexample.com", false),
        ("10.0.0.0/8", "10.200.3.4", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.168.1.1", "192.168.1.1", true),
        ("192.168.1.1", "192.168.1.10", false), ("192.168.0.0/23", "192.168.1.255", true), ("192.168.0.0/23", "192.168.2.0", false),
        ("[::1]", "::1", true), ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false), ("10.0.0.0/8", "ten.test", false),
        ("0.0.0.0/0", "1.2.3.4", true), ("a.localhost.", "a.localhost.", true), ("a.localhost.", "a.localhost", true),
    ])
    func `an exception is a domain, an address or a network`(text: String, host: String, isException: Bool) throws {
        #expect(try #require(ProxyException(text)).matches(host, port: 80) == isException)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1"), ("example.com:8080", "www.example.com"), ("[::1]:8080", "::1"), ("10.0.0.0/8:8080", "10.1.2.3"),
        ("*:8080", "anything.test"),
    ])
    func `an exception with a port is for that port only`(text: String, host: String) throws {
        let exception = try #require(ProxyException(text))
        #expect(exception.matches(host, port: 8080) && !exception.matches(host, port: 80) && !exception.matches("192.0.2.1", port: 80))
    }

    @Test(arguments: ["example.com:", "example.com:99999", ":8080", "[::1]:x", "http://example.com"])
    func `an exception with an invalid port is none`(text: String) {
        #expect(ProxyException(text) == nil)
    }

    @Test func `a list is separated by commas or blanks, and an invalid part is reported`() throws {
        #expect(try ProxyException.list("localhost, .internal 10.0.0.0/8").count == 3)
        #expect(try ProxyException.list("").isEmpty)
        let error = #expect(throws: ProxyProblem.self) { try ProxyException.list("localhost,10.0.0.0/33") }
        #expect(error?.message.contains("10.0.0.0/33") == true)
    }
}
