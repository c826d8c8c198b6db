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

    @Test func `white space is a space or a tab, one of these or a part of a line break, or any of ASCII`() {
        let bytes = (UInt8.min...UInt8.max)
        #expect(bytes.filter(\.isSpaceOrTab) == [0x09, 0x20])
        #expect(bytes.filter(\.isSpaceOrLineBreak) == [0x09, 0x0a, 0x0d, 0x20])
        #expect(bytes.filter(\.isASCIIWhitespace) == [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20])
        let scalars = bytes.map { Unicode.Scalar($0) }
        #expect(scalars.map(\.isSpaceOrTab) == bytes.map(\.isSpaceOrTab))
        #expect(scalars.map(\.isSpaceOrLineBreak) == bytes.map(\.isSpaceOrLineBreak))
        #expect(scalars.map { Character($0).isSpaceOrTab } == bytes.map(\.isSpaceOrTab))
    }
}
