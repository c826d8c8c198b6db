import SortieHTTP
import Testing

/// Tests the hosts that may receive a secret (`hosts:`).
@Suite struct HostPatternTests {
    @Test(arguments: [
        ("api.example", "api.example", true), ("api.example", "API.example", true), ("api.example", "api.example.", true),
        ("API.Example.", "api.example", true), ("api.example", "www.api.example", false), ("api.example", "api.example.evil", false),
        ("api.example", "evilapi.example", false), ("*.internal.example", "a.internal.example", true),
        ("*.internal.example", "a.b.internal.example", true), ("*.internal.example", "internal.example", false),
        ("*.internal.example", ".internal.example", false), ("*.internal.example", "evilinternal.example", false),
        ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("[::1]", "::1", true), ("::1", "[0:0:0:0:0:0:0:1]", true),
    ])
    func `a pattern matches one host, or every name below a domain`(_ pattern: String, _ host: String, _ matches: Bool) throws {
        #expect(try #require(HostPattern(pattern)).matches(host) == matches)
    }

    @Test(arguments: [
        "", "*", "*.", "*.*.example", "a*.example", "https://api.example", "api.example/path", "api.example:8443", "user@api.example", "a b",
        "{{host}}", "a..example", ".example", "*.127.0.0.1",
    ])
    func `an invalid host is not a pattern`(_ text: String) {
        #expect(HostPattern(text) == nil)
    }
}
