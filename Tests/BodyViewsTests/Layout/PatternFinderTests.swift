import BodyViews
import SortieBase
import SortieHTTP
import Support
import Testing

/// Tests searching bodies with regular expressions.
@Suite struct PatternFinderTests {
    private func view(_ text: String, _ type: String = "text/plain") -> BodyView {
        var view = BodyView.make(bytes: BodyBytes(Array(text.utf8)), contentType: type, isFinal: true)
        while view.canAdvance { view.advance(budget: 1 << 20) }
        return view
    }

    private func search(_ pattern: String, caseInsensitive: Bool? = nil) -> BodySearch {
        BodySearch(pattern, caseInsensitive: caseInsensitive, isPattern: true)
    }

    /// All matches, one after the other.
    private func all(_ search: BodySearch, _ view: BodyView) -> [String] {
        var found: [String] = []
        var start = 0
        while case .found(let match) = view.find(search, from: start) {
            found.append(view.bytes.string(in: match))
            start = match.lowerBound + 1
        }
        return found
    }

    @Test func `lines are compared one by one`() {
        let view = view("order 1\nother 2\r\norder 33\n")
        #expect(all(search("^order [0-9]+$"), view) == ["order 1", "order 33"])
        #expect(view.find(search("r [0-9]"), from: BodyView.endOfBody, forward: false) == .found(21..<24))
    }

    @Test func `formatted JSON is compared as it is displayed`() {
        let view = view(#"{"items":[{"id":7,"name":"a"},{"id":12,"name":"b"}]}"#, "application/json")
        #expect(all(search(#""id": \d+,$"#), view) == [#""id":7,"#, #""id":12,"#])
    }

    @Test func `folded values are searched, too`() {
        var view = view(#"{"items":[{"id":7},{"id":12}]}"#, "application/json")
        view.foldAll()
        #expect(all(search(#"id": 1\d"#), view) == [#"id":12"#])
    }

    @Test func `the case is ignored in a pattern without capitals; classes are none`() {
        let view = view("Order\norder\n")
        #expect(all(search("order"), view) == ["Order", "order"])
        #expect(all(search(#"\Srder"#), view) == ["Order", "order"])
        #expect(all(search("Order"), view) == ["Order"])
        #expect(all(search("order", caseInsensitive: false), view) == ["order"])
    }

    @Test func `the rows mark the matches, and the count has their number`() {
        let view = view("a1 a2\nb\na3\n")
        let rows = view.rows(0..<3, marking: search("a[0-9]"), current: 0..<2)
        #expect(rows.flatMap(\.spans).filter(\.isMatch).map(\.text) == ["a1", "a2", "a3"])
        var count = MatchCount(search("a[0-9]"), in: view)
        while !count.isComplete { count.advance(over: view, budget: 1 << 16) }
        #expect(count.total == 3 && count.ordinal(of: 8..<10, in: view) == 3)
    }

    @Test func `matches far into a large body are found in steps`() {
        let line = "some words of a line that does not match\n"
        let text = String(repeating: line, count: 20_000) + "needle-77\n" + String(repeating: line, count: 1000)
        let view = view(text)
        var step = view.find(search("needle-[0-9]+"), from: 0, budget: 100_000)
        var steps = 0
        while case .continueFrom(let next) = step {
            steps += 1
            step = view.find(search("needle-[0-9]+"), from: next, budget: 100_000)
        }
        #expect(step == .found(line.utf8.count * 20_000..<line.utf8.count * 20_000 + 9) && steps > 3)
    }

    @Test func `in a line of a megabyte a match at any place is found`() {
        for place in [0, 65_530, 65_536, 500_000] {
            let text = String(repeating: "x", count: place) + "ab12cd" + String(repeating: "y", count: 1_000_000 - place)
            #expect(view(text).find(search("b[0-9]+c"), from: 0, budget: 4 << 20) == .found(place + 1..<place + 5), "at \(place)")
        }
    }

    @Test func `an invalid pattern and the hexadecimal view find nothing`() {
        var view = view("a(b")
        #expect(view.find(search("a("), from: 0) == .notFound)
        #expect(throws: PatternError.self) { try search("a(").pattern() }
        view.show(.hex)
        #expect(view.find(search("a"), from: 0) == .notFound)
    }

    @Test func `a stopped search ends`() {
        let view = view(String(repeating: "a", count: 200_000))
        #expect(view.find(search("(a?){200}b"), from: 0) { true } == .notFound)
    }
}
