import FoundationEssentials
import Testing

@testable import SortieHTTP

/// Tests the rules of a cookie jar (S2.15, S3.11; RFC 6265 §5.2–§5.4).
struct CookiesTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func url(_ text: String) throws -> HTTPURL { try HTTPURL(parsing: text) }

    /// The `Cookie` field of a request to `asked` after `from` set `fields`; nil for none.
    private func sent(_ fields: [String], from: String, to asked: String, at later: Date = now) throws -> String? {
        var jar = Cookies()
        for field in fields { _ = jar.take(field, from: try url(from), at: Self.now) }
        let cookies = jar.cookies(for: try url(asked), at: later)
        return cookies.isEmpty ? nil : cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private func decision(_ field: String, from: String = "https://shop.example/a/b") throws -> CookieDecision {
        var jar = Cookies()
        return jar.take(field, from: try url(from), at: Self.now)
    }

    private func reason(_ field: String, from: String = "https://shop.example/a/b") throws -> String {
        guard case .refused(let reason) = try decision(field, from: from).outcome else { return "" }
        return reason
    }

    @Test func `a jar of 100,000 cookies of one domain returns the cookies of the request's path`() throws {
        // Quadratic work would take minutes.
        var jar = Cookies((0..<100_000).map { Cookie(name: "c\($0)", value: "v", domain: "shop.example", path: "/\($0)") })
        #expect(jar.count == 100_000)
        #expect(jar.cookies(for: try url("https://shop.example/77777/x"), at: Self.now).map(\.name) == ["c77777"])
        jar.removeAll { $0.name != "c5" }
        #expect(jar.all.map(\.name) == ["c5"])
        #expect(jar.count == 1)
    }

    @Test func `many hosts store at most 3000 cookies together`() throws {
        var jar = Cookies()
        for index in 0..<(Cookies.most + 50) { _ = jar.take("c=1", from: try url("https://h\(index).example/"), at: Self.now) }
        #expect(jar.count == Cookies.most)
        #expect(jar.cookies(for: try url("https://h0.example/"), at: Self.now).isEmpty, "the one not used for longest goes first")
    }

    @Test func `cookies of 100,000 domains do not affect those of another host`() throws {
        var jar = Cookies((0..<100_000).map { Cookie(name: "c", value: "\($0)", domain: "d\($0).example", path: "/") })
        #expect(jar.cookies(for: try url("https://d99999.example/"), at: Self.now).map(\.value) == ["99999"])
        #expect(jar.cookies(for: try url("https://other.example/"), at: Self.now).isEmpty)
    }

    @Test func `a cookie without attributes is limited to its host and the folder of its URL`() throws {
        let cookie = try #require(try decision("a=b").cookie)
        #expect(cookie == Cookie(name: "a", value: "b", domain: "shop.example", path: "/a"))
    }

    @Test func `every attribute is parsed, with any case and surrounding blanks`() throws {
        let field = "a = b c ;DOMAIN= .Example ; domain=.Shop.Example;path=/x; max-age=60 ;secure; HttpOnly;samesite=LAX; unknown=1"
        let cookie = try #require(try decision(field).cookie)
        #expect(
            cookie
                == Cookie(
                    name: "a", value: "b c", domain: "shop.example", isHostOnly: false, path: "/x", expiresAt: Self.now.addingTimeInterval(60),
                    isSecure: true, isHTTPOnly: true, sameSite: .lax))
    }

    @Test(arguments: [
        ("shop.example", "https://shop.example/", true), ("shop.example", "https://a.shop.example/", true),
        ("shop.example", "https://myshop.example/", false), ("shop.example", "https://example/", false),
        (nil, "https://a.shop.example/", false), (nil, "https://shop.example/", true), (nil, "https://SHOP.example:8443/", true),
    ])
    func `a domain includes its subdomains, and without one only the host matches`(_ domain: String?, _ asked: String, _ goes: Bool) throws {
        let field = "a=1; path=/" + (domain.map { "; domain=\($0)" } ?? "")
        #expect(try sent([field], from: "https://shop.example/", to: asked) == (goes ? "a=1" : nil))
    }

    @Test(arguments: [
        ("/docs", "/docs", true), ("/docs", "/docs/a", true), ("/docs", "/docs/", true), ("/docs", "/docsa", false),
        ("/docs/", "/docs", false), ("/docs/", "/docs/a", true), ("/", "/anything", true), ("/docs", "/", false), ("/Docs", "/docs", false),
    ])
    func `a path includes itself and the paths below it`(_ path: String, _ asked: String, _ goes: Bool) throws {
        #expect(try sent(["a=1; path=\(path)"], from: "https://h.example/", to: "https://h.example\(asked)") == (goes ? "a=1" : nil))
    }

    @Test func `longer paths come first, then older cookies, and a replaced cookie keeps its creation time`() throws {
        let fields = ["z=1; path=/", "y=2; path=/", "x=3; path=/a", "z=4; path=/"]
        #expect(try sent(fields, from: "https://h.example/a/b", to: "https://h.example/a/b") == "x=3; z=4; y=2")
    }

    @Test func `Max-Age takes precedence over Expires, and expired cookies are not sent`() throws {
        let later = Self.now.addingTimeInterval(61)
        let field = "a=1; expires=Fri, 01 Jan 2038 00:00:00 GMT; max-age=60; path=/"
        #expect(try sent([field], from: "https://h.example/", to: "https://h.example/") == "a=1")
        #expect(try sent([field], from: "https://h.example/", to: "https://h.example/", at: later) == nil)
        #expect(try decision("a=1; max-age=99999999999999999999").cookie?.expiresAt == Cookie.lastExpiry)
    }

    @Test(arguments: ["a=; max-age=0", "a=; max-age=-5", "a=; expires=Thu, 01 Jan 1970 00:00:00 GMT"])
    func `an expiry in the past deletes the cookie`(_ field: String) throws {
        var jar = Cookies()
        let place = try url("https://h.example/")
        #expect(jar.take(field, from: place, at: Self.now).outcome == .expired)
        #expect(jar.take("a=1", from: place, at: Self.now).outcome == .stored)
        #expect(jar.take("a=2", from: place, at: Self.now).outcome == .replaced)
        #expect(jar.take(field, from: place, at: Self.now).outcome == .deleted)
        #expect(jar.isEmpty)
    }

    @Test func `a Secure cookie is sent over TLS and to this machine only`() throws {
        let field = "a=1; Secure; path=/; domain=h.example"
        #expect(try sent([field], from: "https://h.example/", to: "https://h.example/") == "a=1")
        #expect(try sent([field], from: "https://h.example/", to: "http://h.example/") == nil)
        for place in ["http://localhost:80/", "http://127.0.0.1:8080/", "http://[::1]:8080/", "http://a.localhost/"] {
            #expect(try sent(["a=1; Secure"], from: place, to: place) == "a=1")
        }
        #expect(try reason("a=1; Secure", from: "http://h.example/").contains("plain HTTP"))
    }

    @Test func `plain HTTP cannot overwrite a Secure cookie`() throws {
        var jar = Cookies()
        _ = jar.take("sid=real; Secure; path=/", from: try url("https://h.example/"), at: Self.now)
        let decision = jar.take("sid=planted; path=/x", from: try url("http://h.example/x"), at: Self.now)
        #expect(!decision.changesJar)
        #expect(jar.all.map(\.value) == ["real"])
    }

    @Test(arguments: [
        ("a=1; domain=other.example", "not one of"), ("a=1; domain=a.shop.example", "not one of"), ("a=1; domain=example", "public suffix"),
        ("a=1; domain=shop.example.", "not one of"), ("novalue", "no “=”"), ("=x", "no name"), ("", "no “=”"),
        ("__Secure-a=1", "requires Secure"), ("__Host-a=1; Path=/", "requires Secure"), ("__Host-a=1; Secure", "Path=/"),
        ("__Host-a=1; Secure; Path=/; Domain=shop.example", "no Domain"), ("a=\u{1b}[31m", "control character"),
    ])
    func `an invalid cookie is rejected with the reason`(_ field: String, _ words: String) throws {
        #expect(try reason(field).contains(words))
    }

    @Test(arguments: ["/a\u{1b}[31m", "/a\tTRUE\t0\t__Host-sid\tplanted", "/a\u{7f}"])
    func `a path with control characters is replaced by the default path`(_ path: String) throws {
        let cookie = try decision("a=1; Path=\(path)", from: "https://shop.example/x/y").cookie
        #expect(cookie?.path == "/x")
    }

    @Test func `the cookie name prefixes are enforced`() throws {
        #expect(try decision("__Secure-a=1; Secure").outcome == .stored)
        #expect(try decision("__Host-a=1; Secure; Path=/").outcome == .stored)
    }

    @Test func `an address has no parent domain or subdomains`() throws {
        #expect(try decision("a=1; domain=127.0.0.1", from: "http://127.0.0.1/").cookie?.isHostOnly == true)
        #expect(try decision("a=1; domain=localhost", from: "http://localhost/").cookie?.isHostOnly == true)
        #expect(try reason("a=1; domain=0.0.1", from: "http://127.0.0.1/").contains("not one of"))
    }

    @Test func `name and value have at most 4096 bytes, and an overlong attribute is ignored`() throws {
        #expect(try decision("a=" + String(repeating: "x", count: 4095)).outcome == .stored)
        #expect(try reason("a=" + String(repeating: "x", count: 4096)).contains("4096"))
        #expect(try decision("a=1; path=/" + String(repeating: "x", count: 1024)).cookie?.path == "/a")
    }

    @Test func `a full jar removes the least recently used cookies`() throws {
        var jar = Cookies()
        let place = try url("https://h.example/")
        for index in 0..<Cookies.mostOfDomain { _ = jar.take("c\(index)=1; path=/\(index)", from: place, at: Self.now) }
        _ = jar.cookies(for: try url("https://h.example/0"), at: Self.now)
        _ = jar.take("more=1; path=/", from: place, at: Self.now)
        #expect(jar.count == Cookies.mostOfDomain)
        #expect(jar.all.contains { $0.name == "c0" })
        #expect(!jar.all.contains { $0.name == "c1" })
    }

    @Test func `a decision contains the name of the cookie and never its value`() throws {
        for field in ["sid=s3cret; path=/", "sid=s3cret; domain=x.example", "sid=s3cret; max-age=0"] {
            #expect(try decision(field).text.contains("sid"))
            #expect(try !decision(field).text.contains("s3cret"))
        }
    }
}
