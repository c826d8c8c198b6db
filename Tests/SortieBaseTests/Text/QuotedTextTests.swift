import SortieBase
import Testing

struct QuotedTextTests {
    @Test func `a part is replaced before a combining mark, which forms a character with it`() {
        let text = "a'\u{301}'b".replacing(scalars: "'", with: "''")
        #expect(text.unicodeScalars.elementsEqual("a''\u{301}''b".unicodeScalars))
    }
}
