import Testing

@testable import SortieBase
@testable import SortieHTTP

/// Tests that bodies of any size are masked piece by piece with the same result as in one piece.
@Suite struct BodyMaskingTests {
    private let redaction = Redaction(values: ["s3cret value", "hunter2"])

    private func masked(_ text: String, _ type: String?, by redaction: Redaction? = nil) -> String {
        String(decoding: (redaction ?? self.redaction).maskedBody(Array(text.utf8), contentType: type), as: UTF8.self)
    }

    @Test(
        arguments: [
            (#"{"a": 1, "token": "x", "b": {"password": [1, 2]}}"#, "application/json", #"{"a": 1, "token": "••••", "b": {"password": "••••"}}"#),
            (#"{"token": "x"}"#, "text/plain", #"{"token": "••••"}"#), (#"{"token": "x"}"#, nil, #"{"token": "••••"}"#),
            (
                "{\"token\": \"x\"}\nbroken {\n{\"token\": \"y\"}\n", "application/x-ndjson",
                "{\"token\": \"••••\"}\nbroken {\n{\"token\": \"••••\"}\n"
            ),
            ("data: {\"token\": \"x\", \"n\": 1}\n\nevent: end\n", "text/event-stream", "data: {\"token\": \"••••\", \"n\": 1}\n\nevent: end\n"),
            ("a=1&token=x&user[password]=y&token=&b", "application/x-www-form-urlencoded", "a=1&token=••••&user[password]=••••&token=&b"),
            ("see http://a/?token=x&b=1\nand http://me:pw@b/ too\n", "text/html", "see http://a/?token=••••&b=1\nand http://me:••••@b/ too\n"),
            ("say s3cret value or hunter2!", "image/png", "say •••• or ••••!"), ("s3cret+value&x=s3cret%20value", "text/plain", "••••&x=••••"),
        ] as [(String, String?, String)]) func `a body is masked by the rules of its content`(text: String, type: String?, result: String)
    {
        #expect(masked(text, type) == result)
        #expect(masked(text, type, by: Redaction.none) == text)
    }

    @Test func `in binary bodies only the bytes of secrets are masked`() {
        let bytes: [UInt8] = [0, 0xff, 0xfe, 1] + Array("hunter2".utf8) + [0x80, 0]
        #expect(redaction.maskedBody(bytes, contentType: "application/octet-stream") == [0, 0xff, 0xfe, 1] + Array("••••".utf8) + [0x80, 0])
        let latin: [UInt8] = Array("caf".utf8) + [0xe9] + Array(" http://a/?token=x".utf8)
        #expect(redaction.maskedBody(latin, contentType: "text/plain") == Array("caf".utf8) + [0xe9] + Array(" http://a/?token=••••".utf8))
    }

    @Test func `text with two bytes per character is masked, too`() throws {
        let text = #"{"token": "abc", "say": "hunter2"}"#
        let bytes = try #require(TextEncoding.utf16LittleEndian.encode(text))
        let masked = redaction.maskedBody(bytes, contentType: "application/json")
        #expect(masked.withUnsafeBytes { TextEncoding.utf16LittleEndian.decode($0) } == #"{"token": "••••", "say": "••••"}"#)
    }

    @Test(arguments: 1...40) func `a value is found across any division into pieces`(size: Int) {
        var redaction = Redaction(values: ["abcab", "bcabcd", "aaaa"])
        redaction.hide("ä€x")
        let text = Array("abcabcd.aaaaaaaaaaaaaaaaaaaaaaa.abcab abcababcab ä€x bcabc abca".utf8)
        var hiding = ValueHiding(redaction.spellings, step: 1)
        var result: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: size) {
            text[start..<min(text.count, start + size)].withUnsafeBytes { hiding.append($0) { result.append(contentsOf: $0) } }
        }
        hiding.finish { result.append(contentsOf: $0) }
        #expect(String(decoding: result, as: UTF8.self) == "••••.••••.•••• •••••••• •••• bcabc abca")
    }

    @Test(arguments: [1, 2, 3, 7, 50]) func `JSON is masked with windows of any size`(window: Int) {
        let text = Array(#"{"a": "b", "token": {"x": ["y", "zz"]}, "password" : "p\"w", "n": [1, {"secret": 12.5}], "pwd": null} "#.utf8)
        var result: [UInt8] = []
        text.withUnsafeBytes { Redaction.standard.maskJSON($0, isLines: false, window: window, afterEach: {}) { result.append(contentsOf: $0) } }
        #expect(
            String(decoding: result, as: UTF8.self)
                == #"{"a": "b", "token": "••••", "password" : "••••", "n": [1, {"secret": "••••"}], "pwd": "••••"} "#)
    }

    @Test(arguments: [0, 1, 5, 11]) func `a secret across the border of two pieces of a large body is masked`(shift: Int) {
        let filler = String(repeating: "x", count: Redaction.window - shift)
        #expect(masked(filler + "s3cret value" + filler, "application/octet-stream") == filler + "••••" + filler)
        let text = #"{"a": "\#(String(repeating: "x", count: Redaction.window - 20 + shift))", "token": "abcdefghijkl", "b": 1}"#
        let result = masked(text, "application/json")
        #expect(!result.contains("abcd") && result.hasSuffix(#", "token": "••••", "b": 1}"#))
        let line = String(repeating: "x", count: Redaction.window - 20 + shift) + " http://a/?token=abcdefghijkl&b=1"
        #expect(masked(line, "text/plain").hasSuffix(" http://a/?token=••••&b=1"))
    }
}
