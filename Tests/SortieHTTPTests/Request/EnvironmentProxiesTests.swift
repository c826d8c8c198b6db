import SortieHTTP
import Testing

/// Tests the proxies of the process environment against the rules of curl.
@Suite struct EnvironmentProxiesTests {
    private func choice(
        _ environment: [String: String], _ url: String, _ change: (inout RequestOptions) throws -> Void = { _ in }
    ) throws -> ProxyChoice {
        var options = RequestOptions()
        options.environmentProxies = EnvironmentProxies(environment)
        try change(&options)
        return try ProxyChoice(options, for: HTTPURL(parsing: url))
    }

    @Test(
        arguments: [
            (["http_proxy": "p1:1"], "http://a.test/", "through the proxy http://p1:1 (http_proxy)"),
            (["HTTP_PROXY": "p1:1", "ALL_PROXY": "p2:1"], "http://a.test/", "through the proxy http://p1:1 (HTTP_PROXY)"),
            (["HTTP_PROXY": "p1:1", "http_proxy": "p2:1"], "http://a.test/", "through the proxy http://p2:1 (http_proxy)"),
            (
                ["HTTP_PROXY": "p1:1", "REQUEST_METHOD": "GET"], "http://a.test/",
                "without a proxy: HTTP_PROXY is not used by a program that a web server runs (REQUEST_METHOD)"
            ),
            (["HTTP_PROXY": "p1:1", "ALL_PROXY": "p2:1", "REQUEST_METHOD": ""], "http://a.test/", "through the proxy http://p2:1 (ALL_PROXY)"),
            (["HTTPS_PROXY": "p1:1"], "https://a.test/", "through the proxy http://p1:1 (HTTPS_PROXY)"),
            (["HTTPS_PROXY": "p1:1", "https_proxy": "p2:1"], "https://a.test/", "through the proxy http://p2:1 (https_proxy)"),
            (["https_proxy": "", "HTTPS_PROXY": "p1:1"], "https://a.test/", "through the proxy http://p1:1 (HTTPS_PROXY)"),
            (["http_proxy": "p1:1", "all_proxy": "socks5://p2"], "https://a.test/", "through the proxy socks5://p2:1080 (all_proxy)"),
            (
                ["http_proxy": "p1:1", "NO_PROXY": "10.*, .test"], "http://a.test/",
                "without the proxy (http_proxy): a.test is one of its exceptions (NO_PROXY)"
            ),
            (["http_proxy": "p1:1", "no_proxy": "b.test", "NO_PROXY": "*"], "http://a.test/", "through the proxy http://p1:1 (http_proxy)"),
            (["http_proxy": "p1:1"], "https://a.test/", nil), (["NO_PROXY": "*"], "https://a.test/", nil),
        ] as [([String: String], String, String?)])
    func `a variable is for a scheme, lower case takes precedence, and HTTP_PROXY is not used by CGI`(
        environment: [String: String], url: String, decision: String?
    ) throws {
        let choice = try choice(environment, url)
        #expect(choice.decision?.replacing(", which resolves a.test", with: "") == decision)
        #expect((choice.proxy != nil) == (decision?.hasPrefix("through") == true))
    }

    @Test func `a proxy of the options, also none, takes precedence`() throws {
        let environment = ["http_proxy": "p1:1"]
        #expect(try choice(environment, "http://a.test/") { $0.proxy = try Proxy("p2:2") }.proxy?.description == "http://p2:2")
        let none = try choice(environment, "http://a.test/") { $0.proxy = nil }
        #expect(none.proxy == nil && none.decision == "without a proxy: the settings exclude that of http_proxy")
    }

    @Test func `an invalid variable is an error of the requests that need it, without its password`() throws {
        let environment = ["https_proxy": "ftp://me:s3cret@p"]
        #expect(try choice(environment, "http://a.test/").proxy == nil)
        let problem = #expect(throws: ProxyProblem.self) { try choice(environment, "https://a.test/") }
        #expect(problem?.message.hasPrefix("https_proxy: ") == true && problem?.message.contains("s3cret") == false)
        let direct = try choice(environment.merging(["no_proxy": "a.test"]) { $1 }, "https://a.test/")
        #expect(direct.proxy == nil && direct.decision == "without the proxy (https_proxy): a.test is one of its exceptions (no_proxy)")
        var options = RequestOptions()
        options.environmentProxies = EnvironmentProxies(environment)
        options.environmentProxies?.setExceptions([.all], of: "--no-proxy")
        #expect(try ProxyChoice(options, for: HTTPURL(parsing: "https://a.test/")).decision?.hasSuffix("(--no-proxy)") == true)
    }
}
