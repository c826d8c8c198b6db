import Support
import Testing

/// Tests the intended differences between the requests of `sortie send` and curl.
struct CurlDifferenceTests {
    /// A difference: the parts that only Sortie sends, and those that only curl sends.
    struct Difference: Sendable, CustomTestStringConvertible {
        let reason: String
        let pair: WirePair
        let ours: String
        let theirs: String

        init(_ reason: String, curl: [String], send: [String]? = nil, ours: String, theirs: String) {
            self.reason = reason
            pair = WirePair(reason, curl: curl, send: send ?? curl)
            self.ours = ours
            self.theirs = theirs
        }

        var testDescription: String { reason }
    }

    @Test(arguments: [
        Difference(
            "a POST without a body says so, because some servers wait for a length (RFC 9110 §8.6)",
            curl: ["-X", "POST", "{URL}/"], ours: "\nContent-Length: 0\n", theirs: "Accept: */*\nHost: "),
        Difference(
            "characters that a URL may not hold are escaped (RFC 3986 §2, WHATWG URL §1.3)",
            curl: ["{URL}/{x}?q=\"<ü>"], ours: "GET /%7Bx%7D?q=%22%3C%C3%BC%3E ", theirs: "GET /{x}?q=\"<ü> "),
        Difference("a backslash is a slash, as in browsers (WHATWG URL §4.4)", curl: ["{URL}/a\\b"], ours: "GET /a/b ", theirs: "GET /a\\b "),
        Difference(
            "escaped dots are dots, so that nobody climbs with them (WHATWG URL §3.4)", curl: ["{URL}/%2e%2e/a"], ours: "GET /a ",
            theirs: "GET /%2e%2e/a "),
        Difference(
            "a host is in lower case (RFC 3986 §6.2.2.1)", curl: ["http://LOCALHOST:{PORT}/"], ours: "\nHost: localhost:PORT",
            theirs: "\nHost: LOCALHOST:PORT"),
        Difference(
            "names of a form are encoded like its values, in the way of browsers (WHATWG URL §5.2)",
            curl: ["--data-urlencode", "a b=~*", "{URL}/"], send: ["--form", "a b=~*", "{URL}/"], ours: "\n\na+b=%7E*", theirs: "\n\na b=~%2A"),
        Difference(
            "JSON is sent without saying what is wanted back", curl: ["--json", "{}", "{URL}/"], send: ["--json-body", "{}", "{URL}/"],
            ours: "\nAccept: */*\n", theirs: "\nAccept: application/json\n"),
        Difference(
            "a text is sent whole where no option follows its semicolon", curl: ["-F", "note=a;b", "{URL}/"], ours: "\r\na;b\r\n", theirs: "\r\na\r\n"
        ),
        Difference(
            "a Cookie header stands alone: a request has one (RFC 6265 §5.4)",
            curl: ["-b", "jar.txt", "-H", "Cookie: mine=1", "{URL}/"], send: ["--cookies", "jar.txt", "-H", "Cookie: mine=1", "{URL}/"],
            ours: "*/*\nCookie: mine=1\nHost", theirs: "\nCookie: a=b\n"),
    ])
    func `an intended difference is present`(_ difference: Difference) async throws {
        let sortie = try Sortie()
        try sortie.write("jar.txt", "127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n")
        let (curl, send) = try await difference.pair.run(in: sortie)
        #expect(send.wire.contains(difference.ours) && !send.wire.contains(difference.theirs), "\(send.wire)\n\(send.run)")
        // Escaped dots are dots for curl 8.
        if difference.reason.contains("dots"), try await !WirePair.hasCurl7() { return }
        #expect(curl.wire.contains(difference.theirs) && !curl.wire.contains(difference.ours), "\(curl.wire)")
    }

    @Test func `a large body waits for 100 Continue, for a silent server a fifth of curl's second (EngineFacts.md 4.1)`() async throws {
        let sortie = try Sortie()
        try sortie.write("large.bin", [UInt8](repeating: 98, count: 1_100_000))
        let pair = WirePair("large", curl: ["--data-binary", "@large.bin", "{URL}/"], send: ["-d", "@large.bin", "{URL}/"])
        let (curl, send) = try await pair.run(in: sortie)
        #expect(curl.wire == send.wire)
        #expect(send.wire.contains("\nExpect: 100-continue"))
    }

    @Test func `303 is followed with GET for every method (RFC 9110 §15.4.4)`() async throws {
        let pair = WirePair("303", curl: ["-L", "-X", "DELETE", "{URL}/"], send: ["-X", "DELETE", "{URL}/"])
        let (curl, send) = try await pair.run(in: Sortie()) { _, count in count == 0 ? .redirect(303, to: "/next") : .ok("ok") }
        #expect(send.requests.last?.text.hasPrefix("GET /next ") == true)
        #expect(curl.requests.last?.text.hasPrefix("DELETE /next ") == true)
    }

    @Test(arguments: [301, 302]) func `only a POST becomes a GET, any other method keeps its body (RFC 9110 §15.4.2); curl -d loses it`(
        _ status: Int
    ) async throws {
        let arguments = ["-X", "PATCH", "-d", "a=1", "{URL}/"]
        let pair = WirePair("PATCH", curl: ["-L"] + arguments, send: arguments)
        let (curl, send) = try await pair.run(in: Sortie()) { _, count in count == 0 ? .redirect(status, to: "/next") : .ok("ok") }
        let (ours, theirs) = (try #require(send.requests.last).text, try #require(curl.requests.last).text)
        #expect(ours.hasPrefix("PATCH /next ") && ours.hasSuffix("\n\na=1"))
        #expect(theirs.hasPrefix("PATCH /next ") && theirs.hasSuffix("\n\n"))
    }

    @Test func `a Location with only a fragment keeps the URL including its query (RFC 3986 §5.2.2)`() async throws {
        let pair = WirePair("fragment", curl: ["-L", "{URL}/a?b"], send: ["{URL}/a?b"])
        let (curl, send) = try await pair.run(in: Sortie()) { _, count in count == 0 ? .redirect(302, to: "#here") : .ok("ok") }
        #expect(send.requests.last?.text.hasPrefix("GET /a?b ") == true)
        guard try await WirePair.hasCurl7() else { return }
        #expect(curl.requests.last?.text.hasPrefix("GET /a?b ") == false)
    }

    @Test func `a blank in the query of a Location is percent-encoded; curl writes a plus, which is valid only in forms`() async throws {
        let pair = WirePair("blank", curl: ["-L", "{URL}/"], send: ["{URL}/"])
        let (curl, send) = try await pair.run(in: Sortie()) { _, count in count == 0 ? .redirect(302, to: "/x?y=z w") : .ok("ok") }
        #expect(send.requests.last?.text.hasPrefix("GET /x?y=z%20w ") == true)
        #expect(curl.requests.last?.text.hasPrefix("GET /x?y=z+w ") == true)
    }

    @Test func `the media type of a file follows from its name; curl knows few types`() async throws {
        let sortie = try Sortie()
        try sortie.write("a.json", "{}")
        let (curl, send) = try await WirePair("type", "-F", "f=@a.json", "{URL}/").run(in: sortie)
        #expect(send.wire.contains("Content-Type: application/json"))
        #expect(curl.wire.contains("Content-Type: application/octet-stream"))
    }
}
