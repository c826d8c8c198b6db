import BodyViews
import Support
import Testing

@testable import SortieBase
@testable import SortieHTTP

struct BodyKindTests {
    private func kind(_ type: String?, _ bytes: [UInt8]) -> BodyKind {
        BodyKind.detect(ContentType(type), BodyBytes(bytes), isFinal: true).kind
    }
    private func kind(_ type: String?, _ text: String) -> BodyKind { kind(type, Array(text.utf8)) }

    @Test func `the content type takes precedence`() {
        #expect(kind("application/json; charset=utf-8", "x") == .json)
        #expect(kind("Application/Problem+JSON", "x") == .json)
        #expect(kind("text/plain", "{}") == .text)
        #expect(kind("text/html", "x") == .html)
        #expect(kind("image/svg+xml", "<svg/>") == .xml)
        #expect(kind("image/png", "x") == .binary)
    }

    @Test func `the first bytes determine the kind without a specific content type`() {
        for type in [nil, "application/octet-stream", ""] {
            #expect(kind(type, " \n[1") == .json)
            #expect(kind(type, "\u{FEFF}{") == .json)
            #expect(kind(type, "<?xml version='1.0'?>") == .xml)
            #expect(kind(type, "\n<!DOCTYPE HTML>") == .html)
            #expect(kind(type, "hello") == .text)
            #expect(kind(type, [0x1F, 0x8B, 0x08, 0x00, 0x01]) == .binary)
            #expect(kind(type, [UInt8](0x80...0xFF)) == .binary)
            #expect(kind(type, []) == .empty)
        }
    }

    @Test func `NUL makes text binary unless it has a byte order mark`() {
        #expect(kind("text/plain", [0x61, 0x00]) == .binary)
        #expect(kind("text/plain", [0xFF, 0xFE, 0x61, 0x00]) == .text)
        #expect(kind(nil, [0xFF, 0xFE, 0x00, 0x00, 0x61, 0, 0, 0]) == .binary)
    }

    @Test func `a character truncated by the end of the window does not make text binary`() {
        #expect(kind(nil, String(repeating: "日", count: 3000)) == .text)
    }

    @Test func `a text without a charset that is not UTF-8 is in windows-1252, with a notice`() {
        let view = BodyFixtures.view([0x63, 0x61, 0x66, 0xE9, 0x20, 0x93, 0x80, 0x94], "text/plain")
        #expect(view.text == "caf\u{e9} \u{201c}\u{20ac}\u{201d}")
        #expect(view.notice == "no charset is declared, and the bytes are not UTF-8: shown as windows-1252")
        #expect(BodyFixtures.view([0x61, 0x3B, 0xE4], "text/csv").text == "a;\u{e4}")
    }

    @Test(
        arguments: [
            ("text/plain; charset=utf-8", [0x63, 0xE9]), (nil, [0x63, 0xE9]), ("text/plain", [0x63, 0xE9, 0x01]), ("text/plain", [0x63, 0x81]),
            ("application/octet-stream", [0x63, 0xE9]),
        ] as [(String?, [UInt8])])
    func `other bytes that are not UTF-8 are shown as hex`(_ type: String?, _ bytes: [UInt8]) {
        #expect(kind(type, bytes) == .binary)
    }

    @Test func `a text in UTF-8 with some bytes that are not is read as UTF-8`() {
        let bytes = Array("r\u{e9}sum\u{e9} of a longer text".utf8) + [0xE9]
        #expect(BodyKind.detect(ContentType("text/plain"), BodyBytes(bytes), isFinal: true) == (.text, .utf8))
        let replaced = Array("a \u{FFFD} in a longer text".utf8)
        #expect(BodyKind.detect(ContentType("text/plain"), BodyBytes(replaced), isFinal: true) == (.text, .utf8))
    }

    @Test func `an unknown charset is reported`() {
        #expect(
            BodyFixtures.view("x", "text/plain; charset=x-klingon").notice
                == "the charset x-klingon is not supported: shown as UTF-8")
        #expect(BodyFixtures.view([0x80], "text/plain; charset=\"ISO-8859-1\"").text == "€")
    }
}
