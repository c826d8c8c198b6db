import Support
import Testing

/// Compares the requests of curl and of `sortie send` byte by byte on the wire.
///
/// Both use libcurl, so this tests Sortie's part: URLs, methods, fields, forms, parts, redirects, cookies and credentials.
/// ``CurlDifferenceTests`` contains the intended differences.
struct CurlConformanceTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
        try sortie.write("plain.txt", "file text")
        try sortie.write("empty.bin", "")
        try sortie.write("q\"u\\o.txt", "quoted")
        try sortie.write("ü 東.txt", "named")
    }

    private func expectSame(
        _ pair: WirePair, address: String = "127.0.0.1", requests: Int = 1,
        _ answer: @escaping @Sendable (ReceivedRequest, Int) -> HTTPAnswer = { _, _ in .ok("ok") }
    ) async throws {
        let (curl, send) = try await pair.run(in: sortie, address: address, answer)
        #expect(curl.requests.count == requests, "\(curl.run)")
        #expect(send.wire == curl.wire, "\(send.run)")
        #expect(send.run.outputBytes == curl.run.outputBytes)
        #expect(send.run.succeeded == curl.run.succeeded)
    }

    @Test(arguments: ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get"])
    func `S0.2 a method with a body is equal`(_ method: String) async throws {
        try await expectSame(WirePair(method, "-X", method, "-d", "a=1", "{URL}/m"))
    }

    @Test(arguments: ["GET", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get"])
    func `S0.2 a method without a body is equal`(_ method: String) async throws {
        try await expectSame(WirePair(method, "-X", method, "{URL}/m"))
    }

    @Test func `S0.2 HEAD is equal`() async throws {
        let (curl, send) = try await WirePair("HEAD", curl: ["-I", "{URL}/"], send: ["-X", "HEAD", "{URL}/"]).run(in: sortie)
        #expect(send.wire == curl.wire)
        #expect(send.run.outputBytes.isEmpty)
    }

    @Test(arguments: [
        "?", "?a", "a?b#frag", "?a=b&&c", "a/../b", "./a", "a%20b", "a'()*!", "a|b", "[x]", "//x", "a;b", "a//b", "#f", "%2F%c3%bc", "?q=%00+%20",
        "~a:@",
    ])
    func `a path and a query are equal`(_ target: String) async throws {
        // curl 8 leaves out an empty query.
        if target == "?", try await !WirePair.hasCurl7() { return }
        try await expectSame(WirePair(target, "{URL}/\(target)"))
    }

    @Test(arguments: [
        WirePair("no slash", "http://127.0.0.1:{PORT}?a=b"),
        WirePair("user and password of -u", "-u", "me:pä:s", "{URL}/"),
        WirePair("a bearer token", curl: ["--oauth2-bearer", "tok", "{URL}/"], send: ["--bearer", "tok", "{URL}/"]),
        WirePair("a long field", "-H", "X: " + String(repeating: "y", count: 60_000), "{URL}/"),
        WirePair("fields of the person", "-H", "Accept: a/b", "-H", "Host: other.test", "-H", "x-two: 1", "-H", "X-Two: ü", "{URL}/"),
        WirePair("an empty field", "-H", "X-Empty;", "{URL}/"),
        WirePair("a default field that is removed", "-H", "Accept:", "{URL}/"),
        WirePair("the field Host that is removed", "-H", "Host:", "{URL}/"),
        WirePair("two that are removed", "-H", "accept-encoding:", "-H", "User-Agent: ", "{URL}/"),
        WirePair("the type of a body removed", "-H", "Content-Type:", "-d", "x", "{URL}/"),
        WirePair("a removed field that is not there", "-H", "X-None:", "{URL}/"),
        WirePair("a range", curl: ["-r", "2-3", "{URL}/"], send: ["-H", "Range: bytes=2-3", "{URL}/"]),
        WirePair("Expect where it is asked for", "-H", "Expect: 100-continue", "-d", "x", "{URL}/"),
        WirePair("user and password of the URL", "http://me:p%40ss@127.0.0.1:{PORT}/"),
    ])
    func `a request is equal`(_ pair: WirePair) async throws {
        try await expectSame(pair)
    }

    @Test(arguments: [
        "http://example.test/x?y", "http://example.test:80/", "http://example.test:8081/a", "http://me:pw@example.test/", "http://example.test?a",
    ])
    func `a proxy receives the absolute URL`(_ url: String) async throws {
        try await expectSame(WirePair(url, curl: ["--noproxy", "", "-x", "{URL}", url], send: ["--proxy", "{URL}", url]))
        let proxy = "http://pu:pp@127.0.0.1:{PORT}"
        try await expectSame(WirePair(url, curl: ["--noproxy", "", "-x", proxy, url], send: ["--proxy", proxy, url]))
    }

    @Test func `a URL with an IPv6 address is equal`() async throws {
        try await expectSame(WirePair("::1", "http://[::1]:{PORT}/?a"), address: "::1")
    }

    @Test(arguments: [
        WirePair("a form", curl: ["--data-urlencode", "a=b c&d=\"+%\r\n", "{URL}/"], send: ["--form", "a=b c&d=\"+%\r\n", "{URL}/"]),
        WirePair("a form in UTF-8", curl: ["--data-urlencode", "a=ü東😀", "{URL}/"], send: ["--form", "a=ü東😀", "{URL}/"]),
        WirePair("a file", curl: ["--data-binary", "@plain.txt", "{URL}/"], send: ["-d", "@plain.txt", "{URL}/"]),
        WirePair(
            "a file and its length", curl: ["--data-binary", "@plain.txt", "-H", "Content-Length: 9", "{URL}/"],
            send: ["-d", "@plain.txt", "-H", "Content-Length: 9", "{URL}/"]),
        WirePair("an empty file", curl: ["--data-binary", "@empty.bin", "{URL}/"], send: ["-d", "@empty.bin", "{URL}/"]),
    ])
    func `S2.20 a body is equal`(_ pair: WirePair) async throws {
        try await expectSame(pair)
    }

    @Test(arguments: [
        ["a=1"], ["a=1", "b=@plain.txt", "a=2"], ["b=@empty.bin"], ["e="], ["q\"n\\a=1"], ["ü 東=ö"], ["b=@ü 東.txt"], ["b=@q\"u\\o.txt"],
        ["b=@plain.txt;filename=ü.txt"], ["b=@plain.txt;type=x/y"], ["b=@plain.txt;filename=a b.txt;type=text/plain; charset=utf-8"],
        ["b=@plain.txt;filename=o\\t.txt"], ["a=1;type=text/plain"], ["a={};type=application/json; charset=utf-8", "b=2"], ["a=<plain.txt"],
        ["a=<plain.txt;type=text/x"], ["a=<empty.bin"], ["a=\"1;type=x/y\""], ["a=\"@plain.txt\";type=text/plain"], ["a=\"q\\\"b\\\\\""],
        ["a=1;filename=f.txt"], ["a=1;filename=\"f;1.txt\";type=x/y"], ["b=@\"plain.txt\";filename=\"x;y.txt\""], ["a=\"open"],
    ])
    func `S2.20 parts with difficult names and file names are equal`(_ parts: [String]) async throws {
        let arguments = parts.flatMap { ["-F", $0] } + ["{URL}/"]
        try await expectSame(WirePair("parts", curl: arguments, send: arguments))
    }

    @Test(arguments: [301, 302, 303, 307, 308], ["GET", "POST", "HEAD"])
    func `a redirect is equal`(_ status: Int, _ method: String) async throws {
        let url = "{URL}/from?a"
        let pair =
            switch method {
            case "POST": WirePair("POST", curl: ["-L", "-d", "a=1", url], send: ["-d", "a=1", url])
            case "HEAD": WirePair("HEAD", curl: ["-L", "-I", "-o", "/dev/null", url], send: ["-X", "HEAD", url])
            default: WirePair("GET", curl: ["-L", url], send: [url])
            }
        try await expectSame(pair, requests: 2) { request, count in
            let answer = count == 0 ? HTTPAnswer.redirect(status, to: "next") : .ok(request.method == "HEAD" ? "" : "ok")
            return answer
        }
    }

    @Test(arguments: [301, 302, 307, 308]) func `a redirected upload is equal`(_ status: Int) async throws {
        let pair = WirePair(
            "PUT", curl: ["-L", "-T", "plain.txt", "-H", "Expect:", "-H", "Content-Type: x/y", "{URL}/put"],
            send: ["-X", "PUT", "-d", "@plain.txt", "-H", "Content-Type: x/y", "{URL}/put"])
        try await expectSame(pair, requests: 2) { _, count in count == 0 ? .redirect(status, to: "/next") : .ok("ok") }
    }

    @Test(arguments: [307, 308], ["PUT", "DELETE", "PATCH"])
    func `a redirect keeps another method`(_ status: Int, _ method: String) async throws {
        let arguments = ["-X", method, "-d", "a=1", "{URL}/"]
        try await expectSame(WirePair(method, curl: ["-L"] + arguments, send: arguments), requests: 2) { _, count in
            count == 0 ? .redirect(status, to: "/next") : .ok("ok")
        }
    }

    @Test(arguments: ["//{AUTHORITY}/x", "http://{AUTHORITY}/x?y", "?q", "../up", "/a b", "x/../y", "./z?a#b", "next;a"])
    func `the URL of a redirect is equal`(_ location: String) async throws {
        try await expectSame(WirePair(location, curl: ["-L", "{URL}/d/e?f"], send: ["{URL}/d/e?f"]), requests: 2) { request, count in
            count == 0 ? .redirect(302, to: location.replacing("{AUTHORITY}", with: request["Host"] ?? "")) : .ok("ok")
        }
    }

    @Test func `a redirect without a valid Location is the response`() async throws {
        try await expectSame(WirePair("nowhere", curl: ["-L", "{URL}/"], send: ["{URL}/"])) { _, _ in .redirect(302, to: "") }
    }

    @Test func `credentials are sent only to their origin`() async throws {
        let other = try ScriptedServer(address: "127.0.0.2", .answering(.ok("other")))
        for fields in [["-u", "me:pw"], ["-H", "Authorization: Bearer x"], ["-H", "Cookie: a=b"]] {
            let place = Watched("/next")
            let arguments = fields + ["{URL}/"]
            let pair = WirePair("credentials", curl: ["-L"] + arguments, send: arguments)
            try await expectSame(pair, requests: 2) { _, count in count == 0 ? .redirect(302, to: place.current) : .ok("ok") }
            place.change { $0 = other.url + "/" }
            try await expectSame(pair) { _, _ in .redirect(302, to: place.current) }
        }
        #expect(other.requests.count == 6)
        #expect(other.requests.allSatisfy { $0["Authorization"] == nil && $0["Cookie"] == nil })
    }

    @Test(arguments: [
        "qop=\"auth\"", "qop=\"auth\", algorithm=MD5, opaque=\"o\"", "qop=\"auth\", algorithm=SHA-256", "qop=\"auth\", algorithm=MD5-sess",
        "qop=\"auth-int\"", "qop=\"auth,auth-int\"", "opaque=\"o\"", "qop=\"auth\", userhash=true", "qop=\"auth\", algorithm=SHA-512-256",
    ])
    func `a Digest exchange is equal`(_ parameters: String) async throws {
        let arguments = ["--digest", "-u", "me:p w", "-d", "the body", "{URL}/p?x=1"]
        try await expectSame(WirePair("digest", curl: arguments, send: arguments), requests: 2) { request, _ in
            guard request["Authorization"] == nil else { return .ok("in") }
            return .status(401, "", headers: [("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", \(parameters)")])
        }
    }

    @Test func `a Digest exchange with a stale nonce is equal`() async throws {
        let arguments = ["--digest", "-u", "me:pw", "{URL}/"]
        try await expectSame(WirePair("stale", curl: arguments, send: arguments), requests: 3) { _, count in
            guard count < 2 else { return .ok("in") }
            let stale = count == 0 ? "" : ", stale=true"
            return .status(401, "", headers: [("WWW-Authenticate", "Digest realm=\"r\", qop=\"auth\", nonce=\"n\(count)\"\(stale)")])
        }
    }

    @Test func `S3.11 cookies over redirects, with paths, expiry and another host, are equal`() async throws {
        let pair = WirePair("cookies", curl: ["-L", "-b", "", "{URL}/a/set"], send: ["{URL}/a/set"])
        try await expectSame(pair, requests: 3) { request, _ in
            switch request.target {
            case "/a/set":
                return HTTPAnswer.redirect(302, to: "/a/b").with("Set-Cookie", "one=1; Path=/").with("Set-Cookie", "two=\"2 x\"; Path=/a/b")
                    .with("Set-Cookie", "gone=1; Max-Age=0").with("Set-Cookie", "else=1; Domain=example.com").with("Set-Cookie", "folder=1")
                    .with("Set-Cookie", "safe=1; Secure; Path=/").with("Set-Cookie", "elsewhere=1; Path=/x")
            case "/a/b": return HTTPAnswer.redirect(302, to: "/end").with("Set-Cookie", "one=; Max-Age=0; Path=/")
            default: return .ok("end")
            }
        }
    }

    @Test func `S3.11 cookies of a file are equal`() async throws {
        try sortie.write(
            "jar.txt",
            "127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb c\n#HttpOnly_127.0.0.1\tFALSE\t/x\tFALSE\t4102444800\td\te\n127.0.0.1\tFALSE\t/\tFALSE\t1\told\t1\n")
        try await expectSame(WirePair("file", curl: ["-b", "jar.txt", "{URL}/x"], send: ["--cookies", "jar.txt", "{URL}/x"]))
    }

    @Test(arguments: [
        ("gzip", "H4sIAAAAAAACA0vOzy0oSi0uTk1RKEmtKNFRSCYgwAUAgvPmWzIAAAA="), ("deflate", "eJxLzs8tKEotLk5NUShJrSjRUUgmIMAFAO0GEvE="),
        ("deflate", "S87PLShKLS5OTVEoSa0o0VFIJiDABQA="), ("br", "GzEA+B0Hbqwbn5xgUw0y1oYn6VgUquwtFemkngIhntzOw0YC"),
        ("zstd", "KLUv/QRYxQAAkGNvbXByZXNzZWQgdGV4dCwgCgEACZ9L0nTYGQ=="), ("identity", "Y29tcHJlc3NlZA=="),
    ])
    func `a compressed body is equal`(_ coding: String, _ base64: String) async throws {
        let bytes = try #require(Base64.decoded(base64))
        let pair = WirePair(coding, curl: ["{URL}/"], send: ["{URL}/"])
        let (curl, send) = try await pair.run(in: sortie) { _, _ in .ok(bytes: bytes, headers: [("Content-Encoding", coding)]) }
        #expect(send.wire == curl.wire)
        #expect(send.run.succeeded == curl.run.succeeded)
        // A coding that this libcurl does not support is an error in both.
        #expect(send.run.outputBytes == curl.run.outputBytes || !curl.run.succeeded)
        if coding == "gzip" { #expect(send.run.output.hasPrefix("compressed text")) }
    }
}
