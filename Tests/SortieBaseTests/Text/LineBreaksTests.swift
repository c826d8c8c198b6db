import SortieBase
import Testing

/// Tests the line breaks of edited texts.
struct LineBreaksTests {
    @Test(
        arguments: [
            ("", "\n", [""]), ("a\nb", "\n", ["a", "b"]), ("a\r\nb\r\n", "\r\n", ["a", "b", ""]), ("a\rb", "\r", ["a", "b"]),
            ("a\u{2028}b\u{85}c\u{b}d", "\n", ["a\u{2028}b\u{85}c\u{b}d"]),
        ] as [(String, Character, [String])])
    func `a text with one kind of line breaks has that kind`(_ text: String, _ lineBreak: Character, _ lines: [String]) {
        #expect(text.lineBreak == lineBreak && text.editedLines.map(String.init) == lines)
        #expect(lines.joined(separator: "\n").withLineBreaks(lineBreak) == text)
    }

    @Test(arguments: [("a\r\nb\nc", ["a\r", "b", "c"]), ("a\rb\nc", ["a\rb", "c"]), ("a\n\r\nb", ["a", "\r", "b"])])
    func `a text with several kinds has lines between line feeds, which keep carriage returns`(_ text: String, _ lines: [String]) {
        #expect(text.lineBreak == nil && text.editedLines.map(String.init) == lines)
        #expect(lines.joined(separator: "\n") == text)
    }
}
