import SortieTerminal
import Testing

/// Tests the control sequence that sets the clipboard of a terminal.
@Suite struct ClipboardSequenceTests {
    @Test(arguments: [("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj"), ("é\u{1B}]52;c;x\u{07}", "w6kbXTUyO2M7eAc=")])
    func `the sequence has the Base64 encoding of the text`(text: String, encoded: String) throws {
        let sequence = try #require(ClipboardSequence(text))
        #expect(String(decoding: sequence.bytes, as: UTF8.self) == "\u{1B}]52;c;\(encoded)\u{07}")
    }

    @Test func `tmux gets the sequence in the form that it passes on`() throws {
        let sequence = try #require(ClipboardSequence("a", throughTmux: true))
        #expect(String(decoding: sequence.bytes, as: UTF8.self) == "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;YQ==\u{07}\u{1B}\\")
    }

    @Test func `an empty text and one above the limit have no sequence`() throws {
        #expect(ClipboardSequence("") == nil)
        #expect(ClipboardSequence(String(repeating: "x", count: ClipboardSequence.textLimit + 1)) == nil)
        let largest = try #require(ClipboardSequence(String(repeating: "x", count: ClipboardSequence.textLimit)))
        #expect(largest.bytes.count <= 100_000)
    }
}
