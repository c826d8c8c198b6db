import Support
import Testing

@testable import SortieTerminal

@Suite struct VisibleTextTests {
    @Test func `control characters are displayed and line breaks are kept`() {
        #expect(VisibleText.of("a\u{1b}[31mb\u{7}\n\tc") == "a␛[31mb␇\n\tc")
    }

    @Test func `a carriage return cannot overwrite the line`() {
        #expect(VisibleText.of("good\rbad\r\n") == "good␍bad␍\n")
    }

    @Test func `a text is the same as its characters one by one`() {
        let parts = [
            "a", "b", " ", "\n", "\t", "\r", "\r\n", "e\u{301}", "\u{301}", "é", "漢", "👩‍👩‍👧", "\u{600}", "\u{1b}", "\u{7}", "\u{9b}", "\u{202e}", "क्ष",
            "🇩🇪", "\u{200d}",
        ]
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...20, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            let expected = text.map { VisibleText.of(String($0)) }.joined()
            #expect(VisibleText.of(text) == expected, "\(Array(text.unicodeScalars)), seed \(seed)")
        }
    }

    @Test func `text that changes the reading order is reported by name`() {
        #expect(VisibleText.of("a\u{202e}b") == "a‹U+202E›b")
    }
}
