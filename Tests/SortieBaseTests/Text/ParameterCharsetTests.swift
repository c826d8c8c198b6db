import SortieBase
import Testing

struct ParameterCharsetTests {
    @Test(arguments: [
        (ParameterCharset.utf8, "é中", [0xC3, 0xA9, 0xE4, 0xB8, 0xAD] as [UInt8]), (.latin1, "é", [0xE9]), (.windows1252, "€é", [0x80, 0xE9]),
        (.gbk, "卫衣a", [0xCE, 0xC0, 0xD2, 0xC2, 0x61]), (.gb18030, "卫😀", [0xCE, 0xC0, 0x94, 0x39, 0xFC, 0x36]),
        (.shiftJIS, "日本～①", [0x93, 0xFA, 0x96, 0x7B, 0x81, 0x60, 0x87, 0x40]), (.eucJP, "日本", [0xC6, 0xFC, 0xCB, 0xDC]),
        (.big5, "中文", [0xA4, 0xA4, 0xA4, 0xE5]), (.eucKR, "한똠", [0xC7, 0xD1, 0x8C, 0x63]), (.gbk, "", []), (.shiftJIS, "\\~", [0x5C, 0x7E]),
    ])
    func `characters are converted to the charset's bytes (S0.3)`(charset: ParameterCharset, text: String, bytes: [UInt8]) throws {
        #expect(try charset.encode(text) == bytes)
    }

    @Test(arguments: [
        (ParameterCharset.latin1, "aé€b", "ISO-8859-1 cannot encode “€” (U+20AC); change the text or send it as UTF-8"),
        (.gbk, "卫衣😀b", "GBK cannot encode “😀” (U+1F600); change the text or send it as UTF-8"),
        (.shiftJIS, "日é", "Shift_JIS cannot encode “é” (U+00E9); change the text or send it as UTF-8"),
        (.big5, "한", "Big5 cannot encode “한” (U+D55C); change the text or send it as UTF-8"),
    ])
    func `a character that the charset lacks is reported`(charset: ParameterCharset, text: String, sentence: String) {
        let problem = #expect(throws: ParameterCharset.Problem.self) { try charset.encode(text) }
        #expect(problem?.description == sentence)
    }

    @Test func `every charset of the list can be converted on this machine`() throws {
        for charset in ParameterCharset.allCases { #expect(try charset.encode("abc") == Array("abc".utf8), "\(charset)") }
    }

    @Test(arguments: [("gb2312", ParameterCharset.gbk), ("UTF8", .utf8), ("latin1", .latin1), ("shift-jis", .shiftJIS), ("EUC_KR", .eucKR)])
    func `charsets are found by their common names`(name: String, charset: ParameterCharset) {
        #expect(ParameterCharset(named: name) == charset)
    }

    @Test func `every charset is found by its name, and no other name matches`() {
        for charset in ParameterCharset.allCases { #expect(ParameterCharset(named: charset.rawValue) == charset) }
        #expect(ParameterCharset(named: "klingon") == nil)
    }

    @Test func `a character byte that equals an ASCII letter is preserved`() throws {
        // U+4E02 is 81 40 in GBK, U+4E04 is 81 41.
        #expect(try ParameterCharset.gbk.percentEncoded("丄 a", allowed: .form) == "%81A+a")
    }

    @Test(arguments: ["gbk", "gb18030"]) func `the byte 0x80 is the euro sign, as browsers decode it`(label: String) throws {
        let encoding = TextEncoding.other(try #require(BodyCharset(label: label)))
        let bytes: [UInt8] = [0x80, 0xCE, 0xC4, 0x80, 0x80]
        #expect(bytes.withUnsafeBytes { encoding.decode($0) } == "€文€€")
    }

    @Test func `a text with a euro sign is decoded from the bytes in which it was encoded`() throws {
        for charset in [ParameterCharset.gbk, .gb18030] {
            let encoding = TextEncoding.other(try #require(BodyCharset(label: charset.rawValue)))
            #expect(try charset.encode("12 €").withUnsafeBytes { encoding.decode($0) } == "12 €", "\(charset)")
        }
    }
}
