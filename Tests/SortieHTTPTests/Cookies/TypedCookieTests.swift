import FoundationEssentials
import SortieHTTP
import Testing

/// Tests cookies that the user types.
@Suite struct TypedCookieTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    @Test(
        arguments: [
            ("", nil), ("session", nil), ("30m", 1_001_800), ("12h", 1_043_200), ("7d", 1_604_800), ("2030-01-31", 1_896_048_000),
            ("2030-01-31T12:00:00Z", 1_896_091_200), ("2030-01-31T12:00", 1_896_091_200), ("Thu, 31 Jan 2030 12:00:00 GMT", 1_896_091_200),
            ("9999999d", 253_402_300_799),
        ] as [(String, Double?)])
    func `an expiry is a duration, a day, a time, or that of the session`(text: String, seconds: Double?) throws {
        let end = try #require(Cookie.TypedEnd(text, at: now))
        #expect(end == (seconds.map { .moment(Date(timeIntervalSince1970: $0)) } ?? .session))
    }

    @Test(arguments: ["soon", "12", "2030-13-01", "2030-02-30", "-3h", "h"]) func `anything else is rejected`(text: String) {
        #expect(Cookie.TypedEnd(text, at: now) == nil)
    }

    @Test func `the rules for servers apply to users as well`() {
        let good = Cookie(name: "__Host-a", value: "1", domain: "shop.example", isSecure: true)
        #expect(good.problem == nil)
        func problem(_ change: (inout Cookie) -> Void) -> String? {
            var cookie = good
            change(&cookie)
            return cookie.problem
        }
        #expect(problem { $0.isSecure = false } == "a name with this prefix requires Secure")
        #expect(problem { $0.isHostOnly = false } == "a name that begins with __Host- requires Path=/ and no Domain")
        #expect(problem { $0.name = "" } == "a cookie needs a name")
        #expect(problem { $0.name = "a=b" } != nil)
        #expect(problem { $0.value = "a;b" } != nil)
        #expect(problem { $0.value = "a\r\nX: y" } != nil)
        #expect(problem { $0.domain = "http://shop.example" } != nil)
        #expect(problem { $0.path = "x" } != nil)
        #expect(problem { ($0.domain, $0.isHostOnly, $0.name) = ("com", false, "a") } == "com has no subdomains")
    }
}
