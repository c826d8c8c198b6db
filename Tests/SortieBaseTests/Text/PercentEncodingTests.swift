import SortieBase
import Testing

@Suite struct PercentEncodingTests {
    @Test func `only unreserved characters stay unencoded in names and values (RFC 3986 §2.3)`() {
        #expect(PercentEncoding.encode("aZ09-._~", allowed: .unreserved) == "aZ09-._~")
        #expect(PercentEncoding.encode("a b+c&d=e%ä/", allowed: .unreserved) == "a%20b%2Bc%26d%3De%25%C3%A4%2F")
    }

    @Test func `a form has a plus for a space (WHATWG URL §5.2)`() {
        #expect(PercentEncoding.encode("a b+c~*", allowed: .form) == "a+b%2Bc%7E*")
    }

    @Test func `an existing escape is preserved in path and query`() {
        #expect(PercentEncoding.encode("/a%20b c%zz?{}", allowed: .path) == "/a%20b%20c%zz%3F%7B%7D")
        #expect(PercentEncoding.encode("a=%20 '\"<>", allowed: .query) == "a=%20%20%27%22%3C%3E")
    }

    @Test(arguments: [("a%20b", "a b"), ("%C3%A4", "ä"), ("%zz%4", "%zz%4"), ("%", "%"), ("a+b", "a+b"), ("%FF", "\u{fffd}")])
    func `escapes are decoded and invalid ones are preserved`(text: String, decoded: String) {
        #expect(PercentEncoding.decode(text) == decoded)
    }

    @Test func `a plus is decoded as a space only where specified`() {
        #expect(PercentEncoding.decode("a+b%2B", plusIsSpace: true) == "a b+")
    }

    @Test func `every text is the same after encoding and decoding`() {
        let text = String(String.UnicodeScalarView((0...0x2ff).compactMap(Unicode.Scalar.init)))
        #expect(PercentEncoding.decode(PercentEncoding.encode(text, allowed: .unreserved)) == text)
        #expect(PercentEncoding.decode(PercentEncoding.encode(text, allowed: .form), plusIsSpace: true) == text)
    }
}
