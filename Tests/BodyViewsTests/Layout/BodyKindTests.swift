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

    @Test func `an unknown charset is reported`() {
        #expect(
            BodyFixtures.view("x", "text/plain; charset=x-klingon").notice
                == "the charset x-klingon is not supported: shown as UTF-8")
        #expect(BodyFixtures.view([0x80], "text/plain; charset=\"ISO-8859-1\"").text == "€")
    }
}
