import Support
import Testing

@testable import SortieHTTP

/// Tests that hidden values are found in one pass in every spelling.
@Suite struct ValueMatcherTests {
    private func ranges(_ needles: [String], _ text: String) -> [Range<Int>] {
        var matcher = ValueMatcher()
        for needle in needles { matcher.add([Array(needle.utf8)]) }
        return Array(text.utf8).withUnsafeBytes { matcher.ranges(in: $0) }
    }

    @Test func `sequences are found at their places, and overlapping ones are merged`() {
        #expect(ranges(["abc", "bcd"], "xabcdx abc") == [1..<5, 7..<10])
        #expect(ranges(["aa"], "aaaa") == [0..<4])
        #expect(ranges(["abc"], "ab").isEmpty && ranges([], "abc").isEmpty && ranges(["a"], "aaa").isEmpty)
        #expect(ranges(["a long sequence beyond a window", "ong"], "a long sequence beyond a window") == [0..<31])
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)]) func `a set of sequences gives the same result as individual searches`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let letters = Array("abc")
            func word(_ length: ClosedRange<Int>) -> String {
                String((0..<Int.random(in: length, using: &generator)).map { _ in letters[Int.random(in: 0..<3, using: &generator)] })
            }
            let needles = (0..<Int.random(in: 1...6, using: &generator)).map { _ in word(2...20) }
            let text = word(0...200)
            var covered = Array(repeating: false, count: text.count)
            for needle in needles where needle.count <= text.count {
                for start in 0...text.count - needle.count where text.dropFirst(start).hasPrefix(needle) {
                    for index in start..<start + needle.count { covered[index] = true }
                }
            }
            var found = Array(repeating: false, count: text.count)
            for range in ranges(needles, text) { for index in range { found[index] = true } }
            #expect(found == covered, "seed \(seed): \(needles) in \(text)")
        }
    }

    @Test(
        arguments: [
            "dXNlcjpzM2NyZXQtdmFsdWU=", "czNjcmV0LXZhbHVl", "eHMzY3JldC12YWx1ZQ==", "733363726574", "7333637265742d76616c7565",
            "7333637265742D76616C7565",
            #"\u0073\u0033\u0063\u0072\u0065\u0074\u002d\u0076\u0061\u006c\u0075\u0065"#,
            #"\u0073\u0033\u0063\u0072\u0065\u0074\u002D\u0076\u0061\u006C\u0075\u0065"#,
        ]) func `a value is hidden in Base64 after other bytes, in hexadecimal digits and in escapes`(spelling: String)
    {
        let redaction = Redaction(values: ["s3cret-value", "s3cret"])
        let masked = redaction.masked("say \(spelling) twice")
        #expect(masked.hasPrefix("say ") && masked.hasSuffix(" twice") && masked.contains("••••"))
        #expect(!masked.contains("M2NyZXQ") && !masked.contains("NjcmV0") && !masked.contains("zY3JldC") && !masked.contains("726574"))
    }

    @Test(
        arguments: [
            "a&lt;b&amp;c&quot;d&#39;/", "a&lt;b&amp;c&#34;d&#39;/", "a&lt;b&amp;c\"d'/", "a&lt;b&amp;c&quot;d&#x27;/", "a&lt;b&amp;c&quot;d&apos;/",
            "a%253Cb%2526c%2522d%2527%252F", "YTxiJmMiZCcv", "YTxiJmMiZCcv",
        ]) func `a value with markup is hidden in entities, double percent-encoding and Base64`(spelling: String)
    {
        #expect(Redaction(values: ["a<b&c\"d'/"]).masked("say \(spelling) twice") == "say •••• twice")
    }

    @Test(
        arguments: [
            "a%2Fb%20(c)!*'%26~%3D%3F", "a/b%20(c)!*'&~=?", "a/b%20%28c%29%21%2A%27%26~%3D%3F", "a%2fb+%28c%29%21%2a%27%26%7e%3d%3f",
            "a%2Fb+%28c%29%21%2A%27%26~%3D%3F", "a%2Fb%20%28c%29%21%2A%27&~=%3F", "a%2Fb%20(c)!*'&~=%3F", "a/b%20(c)!*'&~=%3F", "a/b (c)!*'&~=?",
            "a%252Fb%2520(c)!*'%2526~%253D%253F",
        ]) func `a value is hidden as JavaScript, Python, PHP, Go and RFC 3986 percent-encode it, and in lower case`(spelling: String)
    {
        #expect(Redaction(values: ["a/b (c)!*'&~=?"]).masked("say \(spelling) twice") == "say •••• twice")
        #expect(Redaction(values: ["T/k_N (x)!"]).masked("its Content-Encoding t/k_n (x)! is unknown") == "its Content-Encoding •••• is unknown")
    }

    @Test func `URL-safe Base64 and Base64 in a URL are hidden`() {
        let redaction = Redaction(values: ["\u{3e}\u{3f}\u{3e}\u{3f}>>??~~"])
        for text in ["Pj8-Pz4-Pz9-fg", "Pj8+Pz4+Pz9+fg==", "Pj8%2BPz4%2BPz9%2Bfg%3D%3D"] {
            #expect(!redaction.masked("say \(text)").contains("Pz4"), "\(redaction.masked(text))")
        }
    }

    @Test func `a short value is not searched in Base64 and hexadecimal digits`() {
        let redaction = Redaction(values: ["abc"])
        #expect(redaction.masked("YWJj 616263 abc") == "YWJj 616263 ••••")
    }

    @Test(
        arguments: [
            ("token", "abc", nil, true), ("id", "12345678", nil, false), ("id", "A-12345678", nil, true), ("id", "abcdefg", nil, false),
            ("next", "https://api.example/orders?page=2", nil, false), ("x", "abc", "$.data.token", true), ("x", "abc", "header X-Api-Key", true),
            ("x", "abc", "header ETag", false), ("flag", "undefined", nil, false), ("n", "-12.5e10000", nil, false),
            ("list", "[\"abcdef\"]", nil, true),
        ] as [(String, String, String?, Bool)])
    func `captured values are hidden by name, by source and by length, numbers and URLs are not`(
        name: String, value: String, source: String?, isHidden: Bool
    ) {
        #expect(Redaction.standard.hidesCapture(value, named: name, from: source) == isHidden)
    }
}
