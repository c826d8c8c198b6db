import Foundation
import SortieHTTP
import Testing

@Suite struct HTTPURLTests {
    @Test(
        arguments: [
            ("http://a", "http", "a", 80, "/", nil), ("HTTPS://A.Example:443/x?y#z", "https", "a.example", 443, "/x", "y"),
            ("  http://a:8080/b c?d e\n", "http", "a", 8080, "/b%20c", "d%20e"),
            ("http:\\\\a\\b\\c?d\\e", "http", "a", 80, "/b/c", "d\\e"),
            ("http://a/./b/../c/%2e%2E/d", "http", "a", 80, "/d", nil), ("http://[::1]:81/", "http", "[::1]", 81, "/", nil),
            ("http://a:/", "http", "a", 80, "/", nil), ("http://a?", "http", "a", 80, "/", ""),
            ("http://bücher.example/ä?ö", "http", "xn--bcher-kva.example", 80, "/%C3%A4", "%C3%B6"),
            ("http://ａ。example/", "http", "a.example", 80, "/", nil),
            ("http://a/%zz%2f%41", "http", "a", 80, "/%zz%2f%41", nil), ("http://a/..", "http", "a", 80, "/", nil),
            ("http://a//b//", "http", "a", 80, "//b//", nil),
        ] as [(String, String, String, UInt16, String, String?)])
    func `an absolute URL is parsed into its components`(
        text: String, scheme: String, host: String, port: UInt16, path: String, query: String?
    ) throws {
        let url = try HTTPURL(parsing: text)
        #expect([url.scheme.rawValue, url.host, url.path, url.query] == [scheme, host, path, query])
        #expect(url.port == port)
    }

    @Test(arguments: [
        ("", "it is empty"), ("ftp://a", "it must begin with http:// or https://"),
        ("/a", "it must begin with http:// or https://"),
        ("http:a", "“//” must follow “http:”; write http://a"),
        ("HTTPS:/a/b?c", "“//” must follow “https:”; write https://a/b?c"), ("http://", "it has no host"),
        ("http://a:0/", "“0” is not a port from 1 to 65535"),
        ("http://a:65536/", "“65536” is not a port from 1 to 65535"), ("http://a:b/", "“b” is not a port from 1 to 65535"),
        ("http://a b/", "“a b” has a character that is not allowed in a host name"),
        ("http://[::1/", "“[::1” is not an IPv6 address in brackets"),
        ("http://[fe80::1%25eth0]:80/", "the address has a zone (%25eth0); write it without, and choose the network interface eth0 for the request"),
        ("http://127.1/", "“127.1” is neither a name nor an IPv4 address of four decimal numbers"),
        ("http://0x7f000001/", "“0x7f000001” is neither a name nor an IPv4 address of four decimal numbers"),
        ("http://％４１.com/", "“％４１.com” has a character that is not allowed in a host name, in encoded form"),
        ("http://evil.test／.good.test/", "“evil.test／.good.test” has a character that is not allowed in a host name, in encoded form"),
        ("http://℀.test/", "“℀.test” has a character that is not allowed in a host name, in encoded form"),
        ("http://a＠b.test/", "“a＠b.test” has a character that is not allowed in a host name, in encoded form"),
        ("http://a：80/", "“a：80” has a character that is not allowed in a host name, in encoded form"),
        ("http://a%00b/", "“a\u{0}b” has a character that is not allowed in a host name"),
    ])
    func `a URL that cannot be sent is rejected with the reason`(text: String, reason: String) {
        #expect { try HTTPURL(parsing: text) } throws: { ($0 as? HTTPURL.ParseError)?.reason == reason }
    }

    @Test func `user and password before the host are decoded and never displayed`() throws {
        let url = try HTTPURL(parsing: "http://us%40er:p:w%2f@a/b")
        #expect(url.credentials == .init(user: "us@er", password: "p:w/"))
        #expect(url.description == "http://a/b")
        #expect(try HTTPURL(parsing: "http://a@b@c/").host == "c")
        #expect(try HTTPURL(parsing: "http://@c/").credentials == nil)
    }

    @Test func `origin and authority omit the default port of the scheme`() throws {
        #expect(try HTTPURL(parsing: "https://a:443/x").origin == "https://a")
        #expect(try HTTPURL(parsing: "https://a:80/x").authority == "a:80")
        #expect(try HTTPURL(parsing: "http://[::1]/").hostForLookup == "::1")
    }

    @Test func `appended parameters are encoded and follow the existing ones`() throws {
        let url = try HTTPURL(parsing: "http://a/?x=1")
        #expect(url.appending(query: [("a b", "ä&=+"), ("", "")]).query == "x=1&a%20b=%C3%A4%26%3D%2B&=")
        #expect(url.appending(query: []) == url)
        #expect(try HTTPURL(parsing: "http://a/?").appending(query: [("a", "1")]).query == "a=1")
        #expect(try HTTPURL(parsing: "http://a/?x&").appending(query: [("a", "1")]).query == "x&a=1")
    }

    @Test(arguments: [
        ("http://x", true), ("HTTPS://x", true), ("httpfoo", false), ("/go?u=http://x", false), ("http:/x", false), ("", false),
    ])
    func `only a scheme and a host make a text absolute (S0.5, S2.5)`(text: String, isAbsolute: Bool) {
        #expect(HTTPURL.isAbsolute(text) == isAbsolute)
    }

    @Test(arguments: ["http:/b/c", "HTTP:\\\\b/c", "http:\\/b/c"]) func `a path that is a URL with other slashes is refused with the right spelling`(
        path: String
    ) {
        #expect {
            try HTTPURL.joining(base: "http://a", path: path)
        } throws: {
            ($0 as? HTTPURL.ParseError)?.reason == "“//” must follow “http:”; write http://b/c"
        }
    }

    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g/"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"),
        ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"),
        ("http:/h/g", "http://a/h/g"), ("http:g", "http://a/b/c/g"), ("HTTP:?y", "http://a/b/c/d;p?y"), ("http:\\g", "http://a/g"),
        ("http:", "http://a/b/c/d;p?q"), ("http:https://h/", "http://a/b/c/https://h/"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("https://z/1", "https://z/1"),
        ("#s", "http://a/b/c/d;p?q"), ("\\g\\h?x\\y", "http://a/g/h?x\\y"), ("\\\\g\\h", "http://g/h"), ("/\\g/h", "http://g/h"),
    ])
    func `a Location is resolved as RFC 3986 §5.4 says`(reference: String, expected: String) throws {
        #expect(try HTTPURL(parsing: "http://a/b/c/d;p?q").resolving(reference: reference).description == expected)
    }

    @Test func `a Location with another scheme is rejected`() throws {
        let url = try HTTPURL(parsing: "http://a/")
        for reference in ["ftp://b/", "file:///etc/passwd", "javascript:alert(1)", "mailto:a@b"] {
            #expect(throws: HTTPURL.ParseError.self) { try url.resolving(reference: reference) }
        }
    }

    @Test(arguments: [
        ("http://a", "b", "http://a/b"), ("http://a/", "/b", "http://a/b"), ("http://a/v1/", "b", "http://a/v1/b"),
        ("http://a/v1", "/b", "http://a/v1/b"),
        ("http://a/v1", "", "http://a/v1"), ("http://a/v1", "?x", "http://a/v1?x"), ("http://a", "https://b/c", "https://b/c"),
        ("http://a", "httpfoo", "http://a/httpfoo"), ("http://a", "/go?u=http://x", "http://a/go?u=http://x"),
    ])
    func `server and path are joined with exactly one slash (X5, S2.5)`(base: String, path: String, expected: String) throws {
        #expect(try HTTPURL.joining(base: base, path: path).description == expected)
    }

    @Test func `a relative path without a server is an error with the remedy (X5)`() {
        #expect { try HTTPURL.joining(base: nil, path: "/a") } throws: {
            ($0 as? HTTPURL.ParseError)?.reason.contains("give the service a server") == true
        }
    }

    /// A test case of `urltestdata.json` of web-platform-tests.
    struct Case: Decodable {
        var input: String
        var base: String?
        var failure: Bool?
        var hostname: String?
        var port: String?
        var pathname: String?
        var search: String?
    }

    @Test func `the URL cases of web-platform-tests give the same components or a rejection`() throws {
        guard let data = try Corpus.data("url/tests/wpt/urltestdata.visible.json") else { return }
        let rows = try #require(try JSONSerialization.jsonObject(with: data) as? [Any])
        var accepted = 0
        for row in rows where row is [String: Any] {
            let test = try JSONDecoder().decode(Case.self, from: try JSONSerialization.data(withJSONObject: row))
            let url: HTTPURL
            do { url = try HTTPURL(parsing: test.input) } catch { continue }
            accepted += 1
            guard test.failure != true else {
                Issue.record("“\(test.input)” is not a URL but was read as \(url)")
                continue
            }
            let query = url.query.map { $0.isEmpty ? "" : "?" + $0 } ?? ""
            let port = url.port == url.scheme.defaultPort ? "" : String(url.port)
            let parts = [url.host, port, url.path, query]
            #expect(parts == [test.hostname, test.port, test.pathname, test.search], "“\(test.input)”")
        }
        // Verifies that the corpus was read.
        #expect(accepted > 30)
    }

    @Test func `the domain names of web-platform-tests give the same ASCII or a rejection`() throws {
        guard let data = try Corpus.data("url/tests/wpt/toascii.visible.json") else { return }
        let rows = try #require(try JSONSerialization.jsonObject(with: data) as? [Any])
        var accepted = 0
        for case let row as [String: Any] in rows {
            guard let input = row["input"] as? String else { continue }
            let url: HTTPURL
            do { url = try HTTPURL(parsing: "http://\(input)/x") } catch { continue }
            accepted += 1
            #expect(url.host == row["output"] as? String, "“\(input)”")
        }
        #expect(accepted > 5)
    }
}
