import Synchronization
import Testing

@testable import SortieNetworking

struct ResponseCacheTests {
    let clock = TestClock()
    let cache: ResponseCache

    init() {
        cache = ResponseCache(now: clock.now)
    }

    @Test func `S1_23 a response is fresh for 60 s without a specified time`() throws {
        let request = try request()
        _ = store("hello", for: request)
        clock.advance(.seconds(59))
        guard case .fresh(let entry, let age) = look(request) else { return #expect(Bool(false), "\(look(request))") }
        #expect(entry.response.body.string(in: 0..<5) == "hello")
        #expect(entry.response.isFromCache)
        #expect(age == .seconds(59))
        #expect(look(request).explanation == "served from the cache: 59 s old, fresh for 1 s more")
        clock.advance(.seconds(1))
        #expect(look(request).reason == "expired 0 s ago")
    }

    @Test func `S1_23 a request specifies its own time, and 0 disables caching`() throws {
        let request = try request()
        let rules = CacheRules(lifetime: .seconds(5))
        _ = store("x", for: request, rules)
        clock.advance(.seconds(5))
        #expect(!look(request, rules).isFresh)
        let off = CacheRules(lifetime: .zero)
        #expect(store("x", for: request, off).reason == "caching is off: the lifetime is 0")
        #expect(look(request, off).reason == "caching is off: the lifetime is 0")
    }

    @Test func `a shorter time than that of the entry applies immediately`() throws {
        let request = try request()
        _ = store("x", for: request)
        clock.advance(.seconds(10))
        #expect(look(request, CacheRules(lifetime: .seconds(5))).reason == "expired 5 s ago")
    }

    @Test func `S1_26 an expired entry is removed by the lookup`() throws {
        let request = try request()
        _ = store("x", for: request)
        clock.advance(.seconds(63))
        #expect(look(request).reason == "expired 3 s ago")
        #expect(cache.count == 0)
        #expect(look(request).reason == "no entry")
    }

    @Test func `S1_24 the limit of 20 MiB includes bodies and header fields`() throws {
        let body = String(repeating: "a", count: 1 << 20)
        for page in 0..<25 { _ = store(body, for: try request("/\(page)")) }
        #expect(cache.cost <= 20 << 20)
        #expect(cache.count == 19)
        let before = cache.cost
        cache.removeAll()
        #expect(before > 19 << 20 && cache.cost == 0)
        let long = Headers([HeaderField("X", String(repeating: "b", count: 1000))])
        _ = store("abc", for: try request(), headers: long)
        #expect(cache.cost == 3 + 1001 + CachedResponse.overhead)
    }

    @Test func `S1_24 the least recently used entry is removed first`() throws {
        let small = ResponseCache(limit: 3 * (CachedResponse.overhead + 10), now: clock.now)
        let requests = try (0..<4).map { try request("/\($0)") }
        let rules = CacheRules()
        func put(_ index: Int) -> CacheStoreOutcome {
            small.store(Response(status: 200, body: BodyBytes([1])), for: requests[index], key: CacheKey(requests[index]), rules: rules)
        }
        func has(_ index: Int) -> Bool { small.lookup(requests[index], key: CacheKey(requests[index]), rules: rules).isFresh }
        for index in 0..<3 { _ = put(index) }
        #expect(has(0))
        #expect(put(3).reason.hasSuffix("the least recently used entry was removed"))
        #expect(!has(1))
        #expect(has(0) && has(2) && has(3))
    }

    @Test func `a response larger than the complete cache is not cached and removes nothing else`() throws {
        let small = ResponseCache(limit: 1000, now: clock.now)
        let (first, second) = (try request("/1"), try request("/2"))
        _ = small.store(Response(status: 200), for: first, key: CacheKey(first), rules: CacheRules())
        let large = Response(status: 200, body: BodyBytes([UInt8](repeating: 0, count: 900)))
        let outcome = small.store(large, for: second, key: CacheKey(second), rules: CacheRules())
        #expect(outcome == .refused(reason: "the response is larger than the whole cache"))
        #expect(small.count == 1)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
    func `only GET and HEAD are cached`(method: HTTPMethod) throws {
        var request = try request()
        request.method = method
        #expect(look(request).reason == "caching is off for \(method)")
        #expect(store("x", for: request) == .refused(reason: "caching is off for \(method)"))
        #expect(cache.count == 0)
    }

    @Test func `a POST is cached by its body when its rules permits it`() throws {
        var request = try request()
        request.method = .post
        request.body = .text("a", contentType: nil)
        let rules = CacheRules(methods: [.post])
        _ = store("x", for: request, rules)
        #expect(look(request, rules).isFresh)
        request.body = .text("b", contentType: nil)
        #expect(look(request, rules).reason == "no entry")
    }

    @Test func `bodies over 1 MiB, streamed requests, multipart and truncated bodies are not cached`() throws {
        let large = Response(status: 200, body: BodyBytes([UInt8](repeating: 0, count: 1 << 20 + 1)))
        #expect(store(large, for: try request()).reason == "the body is larger than 1 MiB")
        var file = try request()
        file.body = .file(path: "/tmp/x", contentType: nil)
        #expect(store("x", for: file).reason == "caching is off for a request whose body is streamed from a file")
        #expect(store(Response(status: 200, truncation: "the connection broke"), for: try request()).reason.hasPrefix("the body is incomplete"))
        #expect(store(Response(status: 206), for: try request()).reason == "a response with status 206 is not stored")
        #expect(store("x", for: try request(headers: ["Range": "bytes=0-1"])).reason.contains("Range"))
        #expect(cache.count == 0)
    }

    @Test func `no-store in the response or the request is respected, and removes an older entry`() throws {
        let request = try request()
        _ = store("old", for: request)
        let headers = Headers([HeaderField("Cache-Control", "max-age=9, No-Store")])
        #expect(store("x", for: request, headers: headers).reason == "the response says no-store")
        #expect(look(request).reason == "no entry")
        #expect(store("x", for: try self.request(headers: ["Cache-Control": "no-store"])).reason == "the request says no-store")
    }

    @Test func `a quoted argument is not a directive`() throws {
        let request = try request()
        _ = store("x", for: request, headers: Headers([HeaderField("Cache-Control", "ext=\"a, no-store\"")]))
        #expect(look(request).isFresh)
    }

    @Test func `a changed sensitive tag invalidates`() throws {
        let request = try request()
        _ = store("x", for: request, CacheRules(tag: "user 1"))
        #expect(look(request, CacheRules(tag: "user 1")).isFresh)
        #expect(look(request, CacheRules(tag: "user 2")).reason == "the entry belongs to another sensitive tag")
        #expect(cache.count == 0)
    }

    @Test func `Vary separates different requests`() throws {
        _ = store("x", for: try request(headers: ["X-Lang": "zh"]), headers: Headers([HeaderField("Vary", "x-lang")]))
        #expect(look(try request(headers: ["X-Lang": "zh"])).isFresh)
        #expect(look(try request(headers: ["X-Lang": "en"])).reason == "the entry is for other values of x-lang")
        #expect(store("x", for: try request(), headers: Headers([HeaderField("Vary", "*")])).reason == "the response says Vary: *")
    }

    @Test func `a write invalidates every response of its URL and no other`() throws {
        let (one, two) = (try request("/a?x=1&y=2"), try request("/b"))
        _ = store("x", for: one)
        _ = store("x", for: two)
        cache.removeAll(of: try HTTPURL(parsing: "http://h/a?y=2&x=1"))
        #expect(look(one).reason == "no entry")
        #expect(look(two).isFresh)
    }

    @Test func `concurrent use keeps the sums correct`() async throws {
        let small = ResponseCache(limit: 50 * 1024, now: clock.now)
        let requests = try (0..<200).map { try request("/\($0)") }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for round in 0..<500 {
                        let request = requests[(round * 7 + worker * 31) % requests.count]
                        let key = CacheKey(request)
                        let body = Array("\(request.url.path)".utf8)
                        if case .fresh(let entry, _) = small.lookup(request, key: key, rules: CacheRules()) {
                            #expect(entry.response.body.prefix(99) == body)
                        } else {
                            _ = small.store(Response(status: 200, body: BodyBytes(body)), for: request, key: key, rules: CacheRules())
                        }
                        if round % 100 == 99 { small.removeAll(of: request.url) }
                    }
                }
            }
        }
        #expect(small.cost <= 50 * 1024)
        let present = small.state.withLock { state in requests.compactMap { state.entries.peek(CacheKey($0)) } }
        #expect(present.count == small.count && present.count > 50)
        #expect(present.reduce(0) { $0 + $1.cost } == small.cost)
        #expect(small.state.withLock { $0.keys.values.reduce(0) { $0 + $1.count } } == small.count)
    }

    private func request(_ target: String = "/a", headers: [String: String] = [:]) throws -> Request {
        Request(url: try HTTPURL(parsing: "http://h\(target)"), headers: Headers(headers.map { HeaderField($0.key, $0.value) }))
    }

    private func look(_ request: Request, _ rules: CacheRules = CacheRules()) -> CacheLookup {
        cache.lookup(request, key: CacheKey(request), rules: rules)
    }

    private func store(_ body: String, for request: Request, _ rules: CacheRules = CacheRules(), headers: Headers = []) -> CacheStoreOutcome {
        store(Response(status: 200, headers: headers, body: BodyBytes(Array(body.utf8))), for: request, rules)
    }

    private func store(_ response: Response, for request: Request, _ rules: CacheRules = CacheRules()) -> CacheStoreOutcome {
        cache.store(response, for: request, key: CacheKey(request), rules: rules)
    }
}

extension CacheLookup {
    var isFresh: Bool {
        if case .fresh = self { return true }
        return false
    }

    var reason: String? {
        if case .miss(let reason) = self { return reason }
        return nil
    }
}
