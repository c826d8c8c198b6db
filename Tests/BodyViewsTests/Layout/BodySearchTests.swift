import Support
import Testing

@testable import BodyViews
@testable import SortieBase

struct BodySearchTests {
    /// All matches, found step by step.
    private func all(_ search: BodySearch, _ view: BodyView, forward: Bool) -> [Int] {
        var found: [Int] = []
        var offset = forward ? 0 : view.bytes.count
        while true {
            switch view.find(search, from: offset, forward: forward, budget: 1) {
            case .found(let range):
                found.append(range.lowerBound)
                offset = forward ? range.lowerBound + 1 : range.lowerBound
            case .continueFrom(let next): offset = next
            case .notFound: return found
            }
        }
    }

    private func naive(_ needle: [UInt8], _ bytes: [UInt8]) -> [Int] {
        guard bytes.count >= needle.count else { return [] }
        return (0...bytes.count - needle.count).filter { Array(bytes[$0..<$0 + needle.count]) == needle }
    }

    @Test(arguments: 0..<6)
    func `steps in both directions find the results of a plain search`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<150_000).map { _ in UInt8(ascii: "abN ".unicodeScalars.randomElement(using: &random) ?? "a") }
        let view = BodyFixtures.view(bytes, "text/plain")
        let needle = (0..<9).map { _ in UInt8(ascii: "abN ".unicodeScalars.randomElement(using: &random) ?? "a") }
        let search = BodySearch(String(decoding: needle, as: UTF8.self), caseInsensitive: false)
        let expected = naive(needle, bytes)
        #expect(all(search, view, forward: true) == expected)
        #expect(all(search, view, forward: false) == expected.reversed())
    }

    @Test func `a match across the border of two steps is found`() {
        for place in 65_530...65_540 {
            let bytes = [UInt8](repeating: 0x2D, count: place) + Array("needle".utf8) + [UInt8](repeating: 0x2D, count: 70_000)
            let view = BodyFixtures.view(bytes, "text/plain")
            #expect(all(BodySearch("Needle"), view, forward: true) == [])
            #expect(all(BodySearch("needle"), view, forward: true) == [place])
            #expect(all(BodySearch("needle"), view, forward: false) == [place])
        }
    }

    @Test func `a search term without capitals ignores case, also beyond ASCII`() {
        let view = BodyFixtures.view("Éa éA ÉA ſ", "text/plain")
        #expect(all(BodySearch("éa"), view, forward: true) == [0, 4, 8])
        #expect(all(BodySearch("ÉA"), view, forward: true) == [8])
        #expect(all(BodySearch(""), view, forward: true) == [])
    }

    @Test func `the search term is converted to the encoding of the body`() {
        let latin = BodyFixtures.view([0x61, 0xE9, 0x62], "text/plain; charset=latin1")
        #expect(all(BodySearch("é"), latin, forward: true) == [1])
        #expect(all(BodySearch("日"), latin, forward: true) == [])
        let wide = BodyFixtures.view([0xFE, 0xFF] + (TextEncoding.utf16BigEndian.encode("xÉy") ?? []), "text/plain")
        #expect(all(BodySearch("é"), wide, forward: true) == [4])
    }

    @Test func `a match leads to its row`() {
        let view = BodyFixtures.view(#"[1,{"key":"zebra"}]"#)
        #expect(view.find(BodySearch("zebra"), from: 0) == .found(11..<16))
        #expect(view.row(containing: 11) == 3)
    }
}
