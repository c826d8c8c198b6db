import Testing

@testable import SortieNetworking

struct ResponseCacheRevalidationTests {
    let clock = TestClock()
    let cache: ResponseCache
    let request: Request
    let key: CacheKey

    init() throws {
        cache = ResponseCache(now: clock.now)
        request = Request(url: try HTTPURL(parsing: "http://h/a"))
        key = CacheKey(request)
    }

    @Test func `S2_11 a stale entry is revalidated by its validators`() throws {
        store(["ETag": "\"1\"", "Last-Modified": "Sat, 21 Nov 2026 05:00:00 GMT"])
        clock.advance(.seconds(61))
        guard case .stale(_, let age, let validators) = look() else { return #expect(Bool(false), "\(look())") }
        #expect(age == .seconds(61))
        #expect(validators["If-None-Match"] == "\"1\"")
        #expect(validators["If-Modified-Since"] == "Sat, 21 Nov 2026 05:00:00 GMT")
        #expect(look().explanation == "the cached response is 61 s old; revalidating it with If-None-Match and If-Modified-Since")
    }

    @Test(arguments: ["If-None-Match", "If-Modified-Since"])
    func `S2_11 a validator of the request is left to the request`(name: String) throws {
        store(["ETag": "\"1\""])
        clock.advance(.seconds(61))
        var own = request
        own.headers.append(name, "\"mine\"")
        #expect(cache.lookup(own, key: CacheKey(own), rules: CacheRules()).reason == "the request has its own \(name)")
    }

    @Test func `no-cache in the response or the request requires a request each time`() throws {
        store(["ETag": "\"1\"", "Cache-Control": "no-cache"])
        #expect(look().validators?["If-None-Match"] == "\"1\"")
        store(["ETag": "\"2\""])
        #expect(look().isFresh)
        for field in [HeaderField("Cache-Control", "no-cache"), HeaderField("Pragma", "no-cache"), HeaderField("Cache-Control", "max-age=0")] {
            var asked = request
            asked.headers = Headers([field])
            #expect(cache.lookup(asked, key: CacheKey(asked), rules: CacheRules()).validators?["If-None-Match"] == "\"2\"", "\(field)")
        }
    }

    @Test func `a request for a younger response keeps the entry for others`() throws {
        store([:])
        clock.advance(.seconds(10))
        var asked = request
        asked.headers.append("Cache-Control", "max-age=5")
        #expect(cache.lookup(asked, key: CacheKey(asked), rules: CacheRules()).reason == "expired 5 s ago")
        #expect(look().isFresh)
    }

    @Test func `a 304 refreshes the entry with its fields (RFC 9111 §4_3_4)`() throws {
        store(["ETag": "\"1\"", "X-Quota": "9", "Content-Type": "text/plain", "Content-Length": "4"])
        clock.advance(.seconds(100))
        let entry = try #require(look().staleEntry)
        let answer = Response(
            status: 304,
            headers: Headers([
                HeaderField("ETag", "W/\"1\""), HeaderField("x-quota", "8"), HeaderField("Content-Length", "0"),
                HeaderField("Content-Type", "text/html"), HeaderField("Connection", "close, X-Hop"), HeaderField("X-Hop", "1"),
            ]))
        guard case .confirmed(let response, let reason) = cache.revalidated(entry, by: answer, rules: CacheRules()) else {
            return #expect(Bool(false), "not confirmed")
        }
        #expect(reason == "the server confirmed the cached response (304)")
        #expect(response.status == 200 && response.isFromCache && response.body.prefix(9) == Array("body".utf8))
        #expect(response.headers.values(of: "X-Quota") == ["8"])
        #expect(response.headers["Content-Length"] == "4" && response.headers["Content-Type"] == "text/plain")
        #expect(!response.headers.contains("Connection") && !response.headers.contains("X-Hop"))
        clock.advance(.seconds(59))
        guard case .fresh(let renewed, let age) = look() else { return #expect(Bool(false), "\(look())") }
        #expect(age == .seconds(59) && renewed.response.headers["X-Quota"] == "8")
        #expect(cache.cost == renewed.cost)
    }

    @Test func `a 304 for another version validates nothing and removes the entry`() throws {
        store(["ETag": "\"1\""])
        clock.advance(.seconds(100))
        let entry = try #require(look().staleEntry)
        let answer = Response(status: 304, headers: Headers([HeaderField("ETag", "\"2\"")]))
        guard case .unusable(let reason) = cache.revalidated(entry, by: answer, rules: CacheRules()) else {
            return #expect(Bool(false), "confirmed")
        }
        #expect(reason == "the server confirmed a different version of the response")
        #expect(cache.count == 0)
    }

    @Test func `a late 304 does not replace a newer response, or restore one after removeAll`() throws {
        store(["ETag": "\"1\""])
        clock.advance(.seconds(100))
        let entry = try #require(look().staleEntry)
        store(["ETag": "\"2\""])
        guard case .confirmed = cache.revalidated(entry, by: Response(status: 304), rules: CacheRules()) else {
            return #expect(Bool(false), "not confirmed")
        }
        guard case .fresh(let present, _) = look() else { return #expect(Bool(false), "\(look())") }
        #expect(present.response.headers["ETag"] == "\"2\"")
        cache.removeAll()
        _ = cache.revalidated(present, by: Response(status: 304), rules: CacheRules())
        #expect(cache.count == 0)
    }

    @Test func `a 304 with no-store is delivered and not cached`() throws {
        store(["ETag": "\"1\""])
        clock.advance(.seconds(100))
        let entry = try #require(look().staleEntry)
        let answer = Response(status: 304, headers: Headers([HeaderField("Cache-Control", "no-store")]))
        guard case .confirmed = cache.revalidated(entry, by: answer, rules: CacheRules()) else { return #expect(Bool(false), "not confirmed") }
        #expect(cache.count == 0)
    }

    private func look() -> CacheLookup { cache.lookup(request, key: key, rules: CacheRules()) }

    private func store(_ headers: [String: String]) {
        let fields = Headers(headers.map { HeaderField($0.key, $0.value) })
        _ = cache.store(
            Response(status: 200, headers: fields, body: BodyBytes(Array("body".utf8))), for: request, key: key, rules: CacheRules())
    }
}

extension CacheLookup {
    var staleEntry: CachedResponse? {
        if case .stale(let entry, _, _) = self { return entry }
        return nil
    }

    var validators: Headers? {
        if case .stale(_, _, let validators) = self { return validators }
        return nil
    }
}
