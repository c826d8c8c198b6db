import Testing

@testable import SortieTerminal

@Suite struct VisibleTextTests {
    @Test func `control characters are displayed and line breaks are kept`() {
        #expect(VisibleText.of("a\u{1b}[31mb\u{7}\n\tc") == "a␛[31mb␇\n\tc")
    }

    @Test func `a carriage return cannot overwrite the line`() {
        #expect(VisibleText.of("good\rbad\r\n") == "good␍bad␍\n")
    }

    @Test func `text that changes the reading order is reported by name`() {
        #expect(VisibleText.of("a\u{202e}b") == "a‹U+202E›b")
    }
}
