import SortieBase
import Support
import Testing

@Suite struct TextSearchTests {
    /// The result of a search by characters.
    private func range(of text: String, in whole: Substring) -> Range<String.Index>? {
        let wanted = Array(text)
        return whole.indices.first { whole[$0...].starts(with: wanted) }.map { $0..<whole.index($0, offsetBy: wanted.count) }
    }

    @Test(arguments: [
        ("a {{b}}", "{{"), ("{ {", "{{"), ("{{\u{301}", "{{"), ("{{\u{301}{{", "{{"), ("é{{", "{{"), ("\u{600}{{", "{{"),
        ("a\r\nb", "\n"), ("a\r\nb", "\r\n"), ("\u{37e}", ";"), ("\u{212a}", "K"), ("://é", "://"), ("a", ""), ("", "a"),
    ])
    func `a text is found where a search by characters finds it`(whole: String, text: String) {
        #expect(whole.firstRange(of: text) == (text.isEmpty ? whole.startIndex..<whole.startIndex : range(of: text, in: whole[...])))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `random texts are found in any part of a text where a search by characters finds them`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let characters: [Character] = ["{", "{", "}", "a", "\r\n", "\n", "é", "{\u{301}", "\u{200d}", "😀"]
        func text(_ count: Int) -> String { String((0..<count).map { _ in characters.randomElement(using: &generator) ?? "a" }) }
        for _ in 0..<300 {
            let whole = text(Int.random(in: 0...12, using: &generator))
            let part = whole.dropFirst(Int.random(in: 0...3, using: &generator))
            let wanted = text(Int.random(in: 1...2, using: &generator))
            #expect(part.firstRange(of: wanted) == range(of: wanted, in: part), "\(seed): “\(wanted)” in “\(part)”")
            #expect(part.contains(wanted) == (range(of: wanted, in: part) != nil))
        }
    }
}
