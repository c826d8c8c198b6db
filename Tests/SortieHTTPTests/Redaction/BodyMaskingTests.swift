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
        var hiding = ValueHiding(redaction.spellings, in: .bytes, step: 1)
        var result: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: size) {
            text[start..<min(text.count, start + size)].withUnsafeBytes { hiding.append($0) { result.append(contentsOf: $0) } }
        }
        hiding.finish { result.append(contentsOf: $0) }
        #expect(String(decoding: result, as: UTF8.self) == "••••.••••.•••• •••••••• •••• bcabc abca")
    }

    /// Hides an array, an object, a number and a text that a run captured.
    private static let captured = Redaction(values: [#"[1,2,{"a":"b]"}]"#, #"{"id":7,"n":[1]}"#, "12345678", "s3cret value"])

    @Test(
        arguments: [
            (#"{"list": [1,2,{"a":"b]"}], "n": 1}"#, "application/json", #"{"list": "••••", "n": 1}"#),
            (#"[{"id":7,"n":[1]},{"id":7,"n":[1]}]"#, "application/json", #"["••••","••••"]"#),
            (#"[1,2,{"a":"b]"}]"#, "application/json", #""••••""#), (#"{"12345678": [12345678]}"#, "text/plain", #"{"••••": ["••••"]}"#),
            (
                #"{"a": 12345678, "b": [-12345678.5, 9123456780,1], "c": "12345678"}"#, "application/json",
                #"{"a": "••••", "b": ["••••", "••••",1], "c": "••••"}"#
            ),
            (#"{"a": "is [1,2,{\"a\":\"b]\"}] or \"s3cret value"}"#, "application/json", #"{"a": "is •••• or \"••••"}"#),
            (
                "{\"a\":12345678}\n[broken 12345678\n{\"a\":12345678}\n", "application/x-ndjson",
                "{\"a\":\"••••\"}\n[broken ••••\n{\"a\":\"••••\"}\n"
            ),
            ("data: {\"n\": 12345678}\n\ndata: 12345678\n\n", "text/event-stream", "data: {\"n\": \"••••\"}\n\ndata: ••••\n\n"),
            (#"[INFO] got [1,2,{"a":"b]"}], 12345678, s3cret value"#, "text/plain", "[INFO] got ••••, ••••, ••••"),
            ("[s3cret value]", "text/plain", "[••••]"), ("a: 12345678\n", "text/plain", "a: ••••\n"),
        ] as [(String, String, String)])
    func `a hidden value in JSON that is not a string becomes one, and other text has the mask alone`(text: String, type: String, result: String) {
        #expect(masked(text, type, by: Self.captured) == result)
        #expect(Self.captured.maskedBody(text, contentType: type) == result)
    }

    @Test(arguments: 1...40) func `a mask in JSON is the same across any division into pieces`(size: Int) {
        let row = #"{"list": [1,2,{"a":"b]"}], "n": -12345678.5, "m": 123456789, "s": "a 12345678"}"#
        let result = #"{"list": "••••", "n": "••••", "m": "••••", "s": "a ••••"}"#
        let text = Array("[\(Array(repeating: row, count: 20).joined(separator: ","))]".utf8)
        var hiding = ValueHiding(Self.captured.spellings, in: .json(isLines: false), step: 1)
        var written: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: size) {
            text[start..<min(text.count, start + size)].withUnsafeBytes { hiding.append($0) { written.append(contentsOf: $0) } }
        }
        hiding.finish { written.append(contentsOf: $0) }
        #expect(String(decoding: written, as: UTF8.self) == "[\(Array(repeating: result, count: 20).joined(separator: ","))]")
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
