import Foundation
import Support
import Testing

@testable import BodyViews
@testable import SortieBase
@testable import SortieHTTP

@Suite struct BodyCharsetTests {
    /// Texts encoded by Python's codecs, including characters whose second byte is a backslash or a letter.
    static let samples: [(label: String, bytes: [UInt8], text: String)] = [
        ("GB18030", [0xB1, 0xE0, 0xC2, 0xEB, 0x20, 0x6E, 0x61, 0x81, 0x30, 0x8A, 0x37, 0x76, 0x65, 0x20, 0xA2, 0xE3], "编码 naïve €"),
        ("gb2312", [0xD6, 0xD0, 0xCE, 0xC4], "中文"), ("GBK", [0xBE, 0x8E, 0xB4, 0x61, 0xB1, 0xED], "編碼表"),
        ("Big5", [0xA5, 0x5C, 0xAF, 0xE0, 0xB3, 0x5C, 0xBB, 0x5C], "功能許蓋"),
        ("Shift_JIS", [0x95, 0x5C, 0x83, 0x5C, 0x94, 0x5C, 0x87, 0x40], "表ソ能①"),
        ("EUC-JP", [0xC6, 0xFC, 0xCB, 0xDC, 0xB8, 0xEC], "日本語"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x34, 0x41, 0x3B, 0x7A, 0x1B, 0x28, 0x42], "漢字"),
        ("EUC-KR", [0xC7, 0xD1, 0xB1, 0xB9, 0xBE, 0xEE, 0x20, 0x8C, 0x63], "한국어 똠"), ("KOI8-R", [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4], "Привет"),
        ("windows-1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
        ("ISO-8859-2", [0xBE, 0x6C, 0x75, 0xBB, 0x6F, 0x75, 0xE8, 0x6B, 0xFD], "žluťoučký"), ("ISO-8859-15", [0x35, 0x20, 0xA4], "5 €"),
        ("ISO-8859-9", [0xDD, 0x73, 0x74, 0x61, 0x6E, 0x62, 0x75, 0x6C], "İstanbul"),
        ("windows-1253", [0xC5, 0xEB, 0xEB, 0xDC, 0xE4, 0xE1], "Ελλάδα"), ("ISO-8859-8", [0xF9, 0xEC, 0xE5, 0xED], "שלום"),
        ("windows-874", [0xE4, 0xB7, 0xC2], "ไทย"), ("UTF-16BE", [0x00, 0xE9, 0xD8, 0x3D, 0xDC, 0x4D], "é👍"),
        ("ISO-8859-1", [0x93, 0xE9, 0x94], "“é”"),
    ]

    private func body(_ text: String, _ label: String) throws -> [UInt8] {
        try #require(TextEncoding(label: label)?.encode(text))
    }

    @Test(arguments: samples) func `the charset of the content type is decoded`(sample: (label: String, bytes: [UInt8], text: String)) throws {
        let type = "text/plain; charset=\"\(sample.label)\""
        let decoded = try #require(DecodedBody(BodyBytes(sample.bytes), contentType: type))
        #expect(decoded.text == sample.text)
        #expect(decoded.invalidSequences == 0)
        let view = BodyFixtures.view(sample.bytes, type)
        #expect(view.kind == .text && view.text == sample.text)
        #expect(view.wholeText == sample.text)
        #expect(view.notice == nil)
    }

    @Test func `a byte order mark, an XML declaration and an HTML meta element declare a charset, and the header has precedence`() throws {
        let xml = try body("<?xml version=\"1.0\" encoding='GBK'?><a>中</a>", "GBK")
        #expect(DecodedBody(BodyBytes(xml), contentType: "application/xml")?.text.hasSuffix("<a>中</a>") == true)
        let html = try body("<!doctype html><html><head><META content=\"text/html; charset=Shift_JIS\"></head>表", "Shift_JIS")
        #expect(DecodedBody(BodyBytes(html), contentType: "text/html")?.text.hasSuffix("表") == true)
        #expect(DecodedBody(BodyBytes(html), contentType: nil)?.charset == "Shift_JIS")
        let short = try body("<html><meta charset=euc-kr>한", "EUC-KR")
        #expect(DecodedBody(BodyBytes(short), contentType: "text/html")?.text.hasSuffix("한") == true)
        #expect(DecodedBody(BodyBytes(short), contentType: "text/html; charset=windows-1251")?.charset == "windows-1251")
        let marked = [0xEF, 0xBB, 0xBF] + Array("<html>é".utf8)
        #expect(DecodedBody(BodyBytes(marked), contentType: "text/html; charset=GBK")?.charset == "UTF-8")
        #expect(DecodedBody(BodyBytes(Array("<meta charset=gbk>".utf8)), contentType: "text/plain")?.charset == "UTF-8", "text is no document")
    }

    @Test func `JSON in a declared charset is formatted, searched and parsed`() throws {
        let bytes = try body(#"{"名": "表示", "ソ": [1]}"#, "Shift_JIS")
        #expect(bytes.contains(UInt8(ascii: "\\")), "the text has a second byte that is a backslash")
        let type = "application/json; charset=Shift_JIS"
        let view = BodyFixtures.view(bytes, type)
        #expect(view.mode == .pretty)
        #expect(view.text == "{\n  \"名\": \"表示\",\n  \"ソ\": [\n    1\n  ]\n}")
        guard case .found(let match) = view.find(BodySearch("示"), from: 0) else {
            Issue.record("the search finds nothing")
            return
        }
        #expect(view.row(containing: match.lowerBound) == 1)
        let marked = view.rows(0..<3, marking: BodySearch("表示"))
        #expect(marked[1].spans.filter(\.isMatch).map(\.text) == ["表示"])
        let response = Response(status: 200, headers: [HeaderField("Content-Type", type)], body: BodyBytes(bytes))
        #expect(try JSONValue(parsing: response.utf8Body) == ["名": "表示", "ソ": .array([.integer(1)])])
        #expect(response.text == #"{"名": "表示", "ソ": [1]}"#)
    }

    @Test(
        arguments: [[0xE9, 0x22, 0x7D], [0xE9, 0x22], [0xE9], [0xC3], [0xF0, 0x22, 0x7D], [0xE9, 0x22, 0x5D, 0x7D], [0x93, 0x22, 0x7D]] as [[UInt8]])
    func `JSON in a declared charset is decoded, also where its only other bytes than ASCII are the last ones`(_ end: [UInt8]) {
        let bytes = Array(#"{"a":"Jos"#.utf8) + end
        let decoded = DecodedBody(BodyBytes(bytes), contentType: "application/json; charset=iso-8859-1")
        #expect(decoded?.charset == "windows-1252" && decoded?.invalidSequences == 0, "\(decoded?.charset ?? "")")
    }

    @Test(arguments: 1...3) func `JSON in UTF-8 is decoded as UTF-8 where the inspected bytes end in its first character beyond ASCII`(_ cut: Int) {
        let beginning = "[\"" + String(repeating: "a", count: BodyKind.sniffedBytes - 2 - cut)
        let body = BodyBytes(Array("\(beginning)👍\"]".utf8))
        #expect(DecodedBody(body, contentType: "application/json; charset=iso-8859-1")?.charset == "UTF-8")
    }

    @Test func `JSON in UTF-8 is decoded as UTF-8, whatever its charset parameter`() {
        let bytes = Array(#"{"a": "中"}"#.utf8)
        #expect(BodyFixtures.view(bytes, "application/json; charset=GBK").text == "{\n  \"a\": \"中\"\n}")
        #expect(DecodedBody(BodyBytes(bytes), contentType: "application/json; charset=iso-8859-1")?.charset == "UTF-8")
    }

    @Test func `invalid bytes are displayed as U+FFFD with a notice, and are visible in the hexadecimal view`() throws {
        let bytes = try body("good 中文中文中文中文中文中文中文 ", "GBK") + [0xFF, 0x41] + body("文", "GBK") + [0x81]
        var view = BodyFixtures.view(bytes, "text/plain; charset=gbk")
        #expect(view.text == "good 中文中文中文中文中文中文中文 \u{FFFD}A文\u{FFFD}")
        #expect(view.notice == "2 sequences of bytes are not valid GBK: shown as \u{FFFD}; the hexadecimal view has the bytes")
        view.show(.hex)
        #expect(view.text.contains("ff 41"))
        #expect(view.notice == nil)
        #expect(view.bytes.count == bytes.count)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func `pieces of any size give the same text as the complete body`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sample = try #require(Self.samples.randomElement(using: &random))
        let encoding = try #require(TextEncoding(label: sample.label))
        var bytes: [UInt8] = []
        for _ in 0..<200 {
            bytes += sample.bytes
            if encoding.name == "GBK", Int.random(in: 0..<8, using: &random) == 0 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        }
        let whole = try #require(DecodedText(encoding, skipping: 0)).advance(over: BodyBytes(bytes), to: bytes.count, isFinal: true)
        let pieces = try #require(DecodedText(encoding, skipping: 0))
        var seen = 0
        while seen < bytes.count {
            seen = min(bytes.count, seen + Int.random(in: 1...7, using: &random))
            _ = pieces.advance(over: BodyBytes(Array(bytes[..<seen])), to: seen, isFinal: false)
        }
        let end = pieces.advance(over: BodyBytes(bytes), to: bytes.count, isFinal: true)
        #expect(end.text.string(in: 0..<end.text.count) == whole.text.string(in: 0..<whole.text.count), "seed \(seed), \(sample.label)")
        #expect(end.isComplete && end.invalidSequences == whole.invalidSequences)
    }

    @Test func `a large body has its first rows immediately, and all rows after further steps`() throws {
        let line = try body("第一行文字\n", "GBK")
        let count = 400_000
        let bytes = BodyBytes(Array(repeatElement(line, count: count).joined()))
        var view = BodyView.make(bytes: bytes, contentType: "text/plain; charset=gbk", isFinal: true)
        #expect(view.rows(0..<1).first?.text == "第一行文字")
        #expect(view.progress < 0.1)
        #expect(view.memoryUse < 1 << 20)
        while view.canAdvance { view.advance(budget: 1 << 20) }
        #expect(view.rowCount == count && view.isComplete && view.progress == 1)
        #expect(view.rows(count - 1..<count).first?.text == "第一行文字")
    }

    @Test func `a search finds text beyond the index`() throws {
        let line = try body("第一行文字\n", "GBK")
        let end = try body("末尾", "GBK")
        let bytes = Array(repeatElement(line, count: 100_000).joined()) + end
        let view = BodyView.make(bytes: BodyBytes(bytes), contentType: "text/plain; charset=gbk", isFinal: true)
        #expect(view.find(BodySearch("末尾"), from: 0) == .found(1_600_000..<1_600_006))
        #expect(!view.isComplete)
    }

    @Test func `a body that arrives in pieces never displays half a character, and a view waits for more data`() throws {
        let bytes = try body("中文表", "GBK")
        var view = BodyView.make(bytes: BodyBytes(Array(bytes[..<3])), contentType: "text/plain; charset=gbk", isFinal: false)
        #expect(view.text == "中")
        #expect(!view.canAdvance)
        view.grow(to: BodyBytes(bytes), isFinal: true)
        #expect(view.text == "中文表")
        #expect(!view.canAdvance && view.isComplete)
    }

    @Test func `secrets are masked in a charset whose characters contain ASCII bytes, and other bytes are preserved`() throws {
        let redaction = Redaction(values: ["hunter2"])
        let type = "application/json; charset=Shift_JIS"
        let masked = redaction.maskedBody(try body(#"{"表": "ソ", "token": "能", "say": "hunter2 ソ"}"#, "Shift_JIS"), contentType: type)
        #expect(DecodedBody(BodyBytes(masked), contentType: type)?.text == #"{"表": "ソ", "token": "????", "say": "???? ソ"}"#)
        let plain = try body(#"{"表": "ソ"}"#, "Shift_JIS")
        #expect(redaction.maskedBody(plain, contentType: type) == plain)
        let wide = redaction.maskedBody(try body(#"{"token": "中"}"#, "GB18030"), contentType: "application/json; charset=gb18030")
        #expect(DecodedBody(BodyBytes(wide), contentType: "application/json; charset=gb18030")?.text == #"{"token": "••••"}"#)
    }

    @Test func `the record has the decoded text and the charset, and Base64 where decoding would lose bytes`() throws {
        func record(_ bytes: [UInt8]) throws -> JSONValue? {
            let request = Request(url: HTTPURL(scheme: .http, host: "127.0.0.1", port: 8080, path: "/"))
            var exchange = Exchange(id: RequestID(high: 1, low: 1), request: request, startedAt: Date(timeIntervalSince1970: 0))
            exchange.response = Response(
                status: 200, headers: [HeaderField("Content-Type", "text/plain; charset=gb18030")], body: BodyBytes(bytes))
            return exchange.record(redaction: Redaction())["response"]
        }
        let good = try record(body("中文 text", "GB18030"))
        #expect(good?["body"] == "中文 text" && good?["bodyEncoding"] == "utf8" && good?["charset"] == "GB18030")
        let bad = try record(body("中文中文中文中文中文中文中文中文", "GB18030") + [0xFF])
        #expect(bad?["bodyEncoding"] == "base64" && bad?["charset"] == .null)
    }
}
