import FoundationEssentials
import Support
import Testing

@testable import SortieBase
@testable import SortieHTTP

struct RedactionTests {
    @Test(arguments: [
        "Authorization", "authorization", "Cookie", "Set-Cookie", "sign", "token", "access_token", "accessToken", "password", "X-Api-Key",
    ])
    func `secret names are compared without case and separators (S0.35)`(name: String) {
        #expect(Redaction.standard.isSecret(name))
    }

    @Test func `other names are not secret unless configured`() {
        #expect(!Redaction.standard.isSecret("deviceId") && !Redaction.standard.isSecret("design"))
        #expect(Redaction(adding: ["device-id"]).isSecret("deviceId"))
    }

    @Test(arguments: [
        ("http://a/p?sign=1&a=%7B&token=x&b", "http://a/p?sign=••••&a=%7B&token=••••&b"), ("http://a/sign=1", "http://a/sign=1"),
        ("http://a/?token=x#token=y", "http://a/?token=••••#token=••••"),
        ("http://a/cb#access_token=x&token_type=b", "http://a/cb#access_token=••••&token_type=b"),
        ("http://a/#/cb?token=x&b=1", "http://a/#/cb?token=••••&b=1"), ("http://a/#part", "http://a/#part"),
        ("http://a/?%74oken=x", "http://a/?%74oken=••••"),
        ("http://a/?user%5Btoken%5D=x&token=&&sign", "http://a/?user%5Btoken%5D=••••&token=&&sign"),
    ])
    func `the secrets of a query are masked and everything else is preserved`(url: String, masked: String) {
        #expect(Redaction.standard.maskedURL(url) == masked)
        #expect(Redaction.none.maskedURL(url) == url)
    }

    @Test(arguments: [
        (#"{ "token" : "a\"b", "n": 1 }"#, #"{ "token" : "••••", "n": 1 }"#),
        (#"{"token": {"a": ["x"]}, "b": {"password": 12}}"#, #"{"token": "••••", "b": {"password": "••••"}}"#),
        (#"{"secret": [{"token": "x"}], "a": null}"#, #"{"secret": "••••", "a": null}"#), (#"{"\u0074oken": "x"}"#, #"{"\u0074oken": "••••"}"#),
        ("not JSON token=1", "not JSON token=1"), (#"{"a": "token"}"#, #"{"a": "token"}"#),
    ])
    func `the secrets of JSON are masked and every other byte is preserved`(text: String, masked: String) {
        #expect(Redaction.standard.maskedJSON(text) == masked)
        #expect(Redaction.none.maskedJSON(text) == text)
    }

    @Test(arguments: [(#"{"token": "abc"#, #"{"token": "#), (#"{"a": 1, "token": {"b": "x", "c"#, #"{"a": 1, "token": "#)])
    func `a body truncated inside a secret does not reveal it`(text: String, start: String) {
        let masked = Redaction.standard.maskedJSON(text)
        #expect(masked.hasPrefix(start) && masked.hasSuffix("\"••••\""))
        for secret in ["abc", "\"x\""] { #expect(!masked.contains(secret)) }
    }

    @Test(arguments: [
        ("302 redirects to http://a/b?token=s3cret, as GET", "302 redirects to http://a/b?token=••••"),
        ("through http://me:s3cret@a/b?x=1 again", "through http://me:••••@a/b?x=1 again"),
        ("the URL “http://s3cret@a/” is odd", "the URL “http://••••@a/” is odd"), ("a=1 & b=2, really?", "a=1 & b=2, really?"),
        ("mail me@a.example, see http://a/", "mail me@a.example, see http://a/"),
    ])
    func `the secrets of URLs in a text are masked`(text: String, start: String) {
        let masked = Redaction.standard.masked(text)
        #expect(masked.hasPrefix(start) && !masked.contains("s3cret"))
        #expect(Redaction.none.masked(text) == text)
    }

    @Test func `the value of a used secret is hidden under any name, in every spelling`() {
        var redaction = Redaction.standard
        redaction.hide(#"p&"ä"#)
        #expect(redaction.masked(#"say p&"ä twice: p&"ä"#) == "say •••• twice: ••••")
        #expect(redaction.maskedURL("http://a/p%26%22%C3%A4?x=p%26%22%C3%A4") == "http://a/••••?x=••••")
        #expect(redaction.maskedJSON(#"{"plain": "p&\"ä"}"#) == #"{"plain": "••••"}"#)
        #expect(redaction.masked(HeaderField("X-Plain", #"v=p&"ä"#)).value == "v=••••")
    }

    @Test func `the longer of two overlapping secrets is hidden completely`() {
        var redaction = Redaction.standard
        for value in ["abc", "abcde", ""] { redaction.hide(value) }
        #expect(redaction.masked("abcde abc") == "•••• ••••")
    }

    @Test func `a value of one or two characters is not hidden everywhere`() {
        var redaction = Redaction.standard
        for value in ["t", "ok"] { redaction.hide(value) }
        #expect(redaction.masked("status: expected 200, ok") == "status: expected 200, ok")
        #expect(redaction.masked(HeaderField("Authorization", "t")).value == "••••")
    }

    @Test func `no text of an error contains a secret`() {
        let error = NetworkError(.badRedirect, "to http://a/?token=s3cret", hint: "try http://a/?sign=s3cret", underlying: "http://u:s3cret@a/")
        let masked = Redaction.standard.masked(error)
        #expect(!"\(masked.message)\(masked.hint ?? "")\(masked.underlying ?? "")".contains("s3cret"))
    }

    @Test func `a pair inside a secret container is masked, and an empty one is not`() {
        #expect(Redaction.standard.masked(ParameterPair("user[token]", "x")) == ParameterPair("user[token]", "••••"))
        #expect(Redaction.standard.masked(ParameterPair("token", "")) == ParameterPair("token", ""))
        #expect(Redaction.standard.masked(ParameterPair("user[name]", "x")) == ParameterPair("user[name]", "x"))
    }

    @Test func `nested parameters are masked at every depth`() {
        let members: [ParameterValue.Member] = [.init("a", [["token": "x"]]), .init("sign", ["b": 1])]
        #expect(Redaction.standard.masked(members) == [.init("a", [["token": "••••"]]), .init("sign", "••••")])
    }

    @Test(arguments: [
        (")]}',\n{\"access_token\":\"s3cret\", \"a\": 1}", ")]}',\n{\"access_token\":\"••••\", \"a\": 1}"),
        (#"{"score": NaN, "token":"s3cret", "a": 1}"#, #"{"score": NaN, "token":"••••", "a": 1}"#),
        (#"{"a": 1} {"token": "s3cret"}"#, #"{"a": 1} {"token": "••••"}"#),
        (#"{"a": [1,], "token": ["s3cret", {"a": "]"}], "b": 2}"#, #"{"a": [1,], "token": "••••", "b": 2}"#),
        (#"{"a": 1, // say "hi\n "password" : 12.5, "b": 2}"#, #"{"a": 1, // say "hi\n "password" : "••••", "b": 2}"#),
        (#"{"a": "bad \x escape", "token": "s3\"cret"}"#, #"{"a": "bad \x escape", "token": "••••"}"#),
        (#"{"token": "bad \x s3cret", "a": 1}"#, #"{"token": "••••", "a": 1}"#), (#"{"token" = "s3cret", "a": 1}"#, #"{"token" = "••••", "a": 1}"#),
        (#"{"token": {"a": NaN, "b": "s3cret"}, "c": 1}"#, #"{"token": "••••", "c": 1}"#),
        (#"{"a": NaN, "u": "http://h/?token=s3cret"}"#, #"{"a": NaN, "u": "http://h/?token=••••"}"#),
        (#"{"a": NaN, "say": "the \"token\": it"}"#, #"{"a": NaN, "say": "the \"token\": it"}"#),
    ])
    func `the secrets of malformed JSON are masked after the error as well`(text: String, masked: String) {
        #expect(Redaction.standard.maskedJSON(text) == masked)
        for window in [1, 2, 3, 5, 8, 13, 1 << 20] {
            for isLines in [true, false] {
                var result: [UInt8] = []
                Array(text.utf8).withUnsafeBytes {
                    Redaction.standard.maskJSON($0, isLines: isLines, window: window, afterEach: {}) { result.append(contentsOf: $0) }
                }
                #expect(String(decoding: result, as: UTF8.self) == masked, "windows of \(window)")
            }
        }
    }

    @Test func `JSON beyond the nesting limit is masked`() {
        let deep = String(repeating: "[", count: 20_000)
        #expect(Redaction.standard.maskedJSON(deep + #"{"token": "s3cret"}"#) == deep + #"{"token": "••••"}"#)
    }

    @Test(arguments: [
        (#"{"url":"http://h/get?token=s3cret&a=1", "n": "a=1&token=2"}"#, #"{"url":"http://h/get?token=••••&a=1", "n": "a=1&token=2"}"#),
        (#"["http:\/\/h\/get?token=s3cret"]"#, #"["http://h/get?token=••••"]"#), (#"["http://me:s3cret@h/"]"#, #"["http://me:••••@h/"]"#),
        (#"["https://h/cb#access_token=s3cret&b=1"]"#, #"["https://h/cb#access_token=••••&b=1"]"#),
        (#"["http:\/\/h\/?a=1"]"#, #"["http:\/\/h\/?a=1"]"#),
    ])
    func `the URLs in JSON strings are masked`(text: String, masked: String) {
        for window in [1, 7, 1 << 20] {
            var result: [UInt8] = []
            Array(text.utf8).withUnsafeBytes {
                Redaction.standard.maskJSON($0, isLines: false, window: window, afterEach: {}) { result.append(contentsOf: $0) }
            }
            #expect(String(decoding: result, as: UTF8.self) == masked, "windows of \(window)")
        }
    }

    @Test func `the secrets of fragments are masked`() {
        let masked = Redaction.standard.masked(HeaderField("Location", "https://app/cb#access_token=s3cret&token_type=bearer"))
        #expect(masked.value == "https://app/cb#access_token=••••&token_type=bearer")
    }

    @Test(arguments: [
        "a%2fb%2b%c3%a4%22", #"a\/b+ä\""#, #"a/b+\u00e4\""#, #"a\/b+\u00e4\""#, #"a/b\u002B\u00E4\u0022"#, "a%2Fb%2B%C3%A4%22", "a/b+%C3%A4%22",
    ])
    func `a value is hidden in the spellings of common programs`(spelling: String) {
        var redaction = Redaction.standard
        redaction.hide(#"a/b+ä""#)
        #expect(redaction.masked("say \(spelling) twice") == "say •••• twice")
        redaction.hide("<a&b>")
        #expect(redaction.masked(#"\u003ca\u0026b\u003e \u003Ca\u0026b\u003E"#) == "•••• ••••")
    }

    @Test func `a value that is escaped twice is hidden, in JSON and in a URL`() throws {
        let redaction = Redaction(values: [#"a"b\c-secret"#])
        func json(_ text: String) -> String { String(JSONValue.string(text).text.dropFirst().dropLast()) }
        let query = "{ f(a: \"\(json(#"a"b\c-secret"#))\") }"
        #expect(redaction.masked(json(query)) == json("{ f(a: \"••••\") }"))
        #expect(
            redaction.masked(PercentEncoding.encode(query, allowed: .query)) == PercentEncoding.encode("{ f(a: \"", allowed: .query) + "••••%22)%20}")
    }

    @Test func `values that are hidden one at a time are masked like those hidden at once, and copies of the rules share them`() {
        let values = (0..<500).map { "value-\($0)-" } + ["alue-7-and", "value-7-a"]
        var redaction = Redaction()
        var built = 0
        for value in values {
            let copy = redaction
            redaction.hide(value)
            built += redaction.spellings.blocks.last?.values.count ?? 0
            #expect(redaction != copy && copy.values.count == redaction.values.count - 1)
        }
        // Each value is copied a logarithmic number of times.
        #expect(built <= values.count * 10, "\(built)")
        #expect(redaction == Redaction(values: Set(values)) && redaction.longestValue == Redaction(values: Set(values)).longestValue)
        #expect(redaction.masked("a value-7-and value-499-value-0- value-500 b") == "a •••• •••••••• value-500 b")
        #expect(redaction.masked("value-12-x") == "••••x")
    }

    @Test func `a plain value has the spellings of Base64, hexadecimal digits and escapes only`() {
        #expect(
            Redaction(values: ["abc-123"]).spellings.texts == [
                "abc-123", "YWJjLTEyM", "YWJjLTEyMw", "YWJjLTEyMw==", "YWJjLTEyMw%3D%3D", "YWJjLTEyMw%3d%3d", "FiYy0xMj", "FiYy0xMjM", "FiYy0xMjM=",
                "FiYy0xMjM%3D", "FiYy0xMjM%3d", "hYmMtMTIz", "6162632d313233", "6162632D313233",
                #"\u0061\u0062\u0063\u002d\u0031\u0032\u0033"#, #"\u0061\u0062\u0063\u002D\u0031\u0032\u0033"#,
            ])
    }

    @Test func `the spellings of a long value take time that grows with its length`() async throws {
        // A server chooses the length of a captured value.
        let value = "[" + String(repeating: "1,", count: 500_000) + "1]"
        let count = try await withDeadline(.seconds(120), "the spellings") { JSONSpelling.all(of: value).count }
        #expect(count == 3)
    }

    @Test func `a very long value is hidden as it is, in JSON and in forms`() async throws {
        let value = "\"" + String(repeating: "1 ", count: 1_500_000)
        let redaction = try await withDeadline(.seconds(120), "the spellings") { Redaction(values: [value]) }
        #expect(redaction.hidingValues("a\(value)b") == "a••••b")
        #expect(redaction.hidingValues(JSONValue.string(value).text) == "\"••••\"")
        #expect(redaction.hidingValues(PercentEncoding.encode(value, allowed: .form)) == "••••")
    }

    @Test func `a secret number is masked in a value, and a service's code in an error`() {
        var redaction = Redaction.standard
        redaction.hide("12345")
        #expect(
            redaction.masked(["a": .number("12345"), "b": .number("6"), "12345": true] as JSONValue) == [
                "a": "••••", "b": .number("6"), "••••": true,
            ])
        var error = NetworkError(.badBody, "x")
        error.businessCode = "12345"
        #expect(redaction.masked(error).businessCode == "••••")
    }

    @Test(arguments: ["pass-word-1234", "pass-wo rd-1234", "pass-wo\r\n\t rd-1234", "p ass-word-123 4"])
    func `a value that a folded header field breaks is hidden as a whole`(text: String) {
        let redaction = Redaction(values: ["pass-word-1234"])
        #expect(redaction.masked(HeaderField("X-Next", "a \(text) b")).value == "a •••• b")
        #expect(redaction.masked("pass-word 1234 pass -word-1235") == "pass-word 1234 pass -word-1235")
    }

    @Test func `a short value is not hidden across blanks, where it occurs by chance`() {
        #expect(Redaction(values: ["word"]).masked("wo rd a word") == "wo rd a ••••")
    }

    @Test(arguments: [60, 64, 76], ["\n", "\r\n", "\n    ", #"\n"#, #"\r\n"#])
    func `a value in lines of Base64 is hidden, also beside other bytes and in pieces`(columns: Int, lineBreak: String) {
        let value = String((0..<300).map { Character(Unicode.Scalar(UInt8(33 + $0 * 7 % 90))) })
        let redaction = Redaction(values: [value])
        for before in 0..<5 {
            let encoded = Data(Array(repeating: 0, count: before * 20) + Array(value.utf8) + [1, 2, 3]).base64EncodedString()
            let lines = stride(from: 0, to: encoded.count, by: columns).map { String(encoded.dropFirst($0).prefix(columns)) }
            let body = Array("{\"key\": \"\(lines.joined(separator: lineBreak))\"}".utf8)
            var hiding = ValueHiding(redaction.spellings, in: .bytes, step: 1)
            var pieces: [UInt8] = []
            for byte in body { [byte].withUnsafeBytes { hiding.append($0) { pieces.append(contentsOf: $0) } } }
            hiding.finish { pieces.append(contentsOf: $0) }
            let masked = String(decoding: pieces, as: UTF8.self)
            #expect(masked == String(decoding: redaction.maskedBody(body, contentType: "application/octet-stream"), as: UTF8.self))
            #expect(masked.hasPrefix("{\"key\": \"") && masked.hasSuffix("\"}") && masked.contains("••••"))
            // Beside the mask, only the other bytes and the characters that they determine with the value are left.
            #expect(masked.utf8.count < body.count - value.utf8.count, "\(masked)")
        }
    }
}
