import Testing

@testable import SortieNetworking

struct CacheKeyTests {
    @Test func `S1_25 the order of query names is not significant, the order of one name's values is`() throws {
        #expect(try key("/a?b=2&a=1") == key("/a?a=1&b=2"))
        #expect(try key("/a?a=2&a=1") != key("/a?a=1&a=2"))
        #expect(try key("/a?a-b=1&a=2") == key("/a?a=2&a-b=1"))
    }

    @Test func `S1_25 method, host, path, body and the vary header fields change the key`() throws {
        let base = Request(url: try HTTPURL(parsing: "http://h/a"))
        var others: [Request] = []
        func add(_ change: (inout Request) throws -> Void) rethrows {
            var other = base
            try change(&other)
            others.append(other)
        }
        add { $0.method = .head }
        try add { $0.url = try HTTPURL(parsing: "https://h/a") }
        try add { $0.url = try HTTPURL(parsing: "http://h:81/a") }
        try add { $0.url = try HTTPURL(parsing: "http://h/b") }
        add { $0.body = .text("x", contentType: nil) }
        add { $0.headers = [HeaderField("Accept", "text/html")] }
        add { $0.headers = [HeaderField("Accept-Language", "zh")] }
        add { $0.headers = [HeaderField("Authorization", "Bearer s3cret")] }
        add { $0.headers = [HeaderField("Cookie", "a=1")] }
        add { $0.options.unixSocket = "/run/x" }
        add { $0.options.trust.isInsecure = true }
        #expect(Set(others.map { CacheKey($0) } + [CacheKey(base)]).count == others.count + 1)
        var traced = base
        traced.headers = [HeaderField("X-Trace", "1")]
        #expect(CacheKey(traced) == CacheKey(base))
    }

    @Test func `different credentials are the reason for a miss, and the key contains no credentials`() throws {
        let cache = ResponseCache()
        var request = Request(url: try HTTPURL(parsing: "http://h/a"), headers: [HeaderField("Authorization", "Bearer s3cret")])
        _ = cache.store(Response(status: 200), for: request, key: CacheKey(request), rules: CacheRules())
        var text = ""
        dump(CacheKey(request), to: &text)
        #expect(!text.contains("s3cret"))
        request.headers = [HeaderField("Authorization", "Bearer other")]
        #expect(cache.lookup(request, key: CacheKey(request), rules: CacheRules()).reason == "the entry belongs to other credentials")
        #expect(CacheKey(request) != CacheKey(request, identity: ["sid=1"]))
    }

    private func key(_ target: String) throws -> CacheKey {
        CacheKey(Request(url: try HTTPURL(parsing: "http://h\(target)")))
    }
}
