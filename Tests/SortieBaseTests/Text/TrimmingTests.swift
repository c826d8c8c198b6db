import SortieBase
import Testing

/// Tests what is removed at the ends of texts.
struct TrimmingTests {
    @Test(arguments: [
        ("", "", "", ""), (" \t", "", "", " \t"), ("\u{a0}\r\n a b \t\n", "a b", "\u{a0}\r\n a b \t\n", "\u{a0}\r\n a b \t\n"),
        ("\t a \t b  ", "a \t b", "a \t b", "\t a \t b"),
    ])
    func `white space, optional white space, or spaces at the end are removed`(_ text: String, _ blanks: String, _ optional: String, _ end: String) {
        #expect(text.trimmingBlanks == blanks && text.trimmingOptionalWhitespace == optional && text.trimmingEnd == end)
        #expect(text[...].trimmingBlanks == blanks && text[...].trimmingOptionalWhitespace == optional && text[...].trimmingEnd == end)
    }
}
