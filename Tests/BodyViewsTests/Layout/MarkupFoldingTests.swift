import BodyViews
import SortieBase
import SortieHTTP
import Support
import Testing

/// Tests folding XML and HTML, and the places of their rows.
@Suite struct MarkupFoldingTests {
    private static let xml = """
        <shop><orders><order id="1"><name>a</name><total>5</total></order><!-- c --><order id="2"><name>b</name><note>
        two lines</note></order></orders><empty/></shop>
        """

    private func fold(_ view: inout BodyView, _ text: String, isFolded: Bool = true) throws {
        let row = try #require(view.all.firstIndex { $0.text.contains(text) })
        view.fold(try #require(view.place(inRow: row)), isFolded)
    }

    @Test func `a folded element is one row with the number of its elements`() throws {
        var view = BodyFixtures.view(Self.xml, "application/xml")
        let whole = view.text
        try fold(&view, "<orders>")
        #expect(view.all.map(\.text) == ["<shop>", "  <orders> … 2 elements </orders>", "  <empty/>", "</shop>"])
        try fold(&view, "<orders>", isFolded: false)
        #expect(view.text == whole)
        try fold(&view, #"id="2""#)
        #expect(view.text.contains(#"    <order id="2"> … 2 elements </order>"# + "\n  </orders>"))
        view.foldAll()
        #expect(view.text == "<shop>\n  <orders> … 2 elements </orders>\n  <empty/>\n</shop>")
        #expect(view.lineCount > 4 && view.lineCount == view.all.last?.number)
        view.unfoldAll()
        #expect(view.text == whole && view.folds.isEmpty)
    }

    @Test func `every row has the XPath of its element`() throws {
        let view = BodyFixtures.view(Self.xml, "application/xml")
        #expect(
            try view.all.indices.map { try #require(view.place(inRow: $0)).text } == [
                "/shop", "/shop/orders[1]", "/shop/orders[1]/order[1]", "/shop/orders[1]/order[1]/name[1]", "/shop/orders[1]/order[1]/total[1]",
                "/shop/orders[1]/order[1]", "/shop/orders[1]", "/shop/orders[1]/order[2]", "/shop/orders[1]/order[2]/name[1]",
                "/shop/orders[1]/order[2]/note[1]", "/shop/orders[1]/order[2]/note[1]", "/shop/orders[1]/order[2]/note[1]",
                "/shop/orders[1]/order[2]", "/shop/orders[1]", "/shop/empty[1]", "/shop",
            ])
    }

    @Test func `the source of an element is copied from its start tag to its end tag`() throws {
        let view = BodyFixtures.view(Self.xml, "application/xml")
        func source(_ text: String, limit: Int = 1000) throws -> String? {
            let row = try #require(view.all.firstIndex { $0.text.contains(text) })
            return view.sourceText(of: try #require(view.place(inRow: row)), limit: limit)
        }
        #expect(try source(#"id="1""#) == #"<order id="1"><name>a</name><total>5</total></order>"#)
        #expect(try source("<name>b") == "<name>b</name>")
        #expect(try source("two lines") == "<note>\ntwo lines</note>")
        #expect(try source(#"id="1""#, limit: 20) == nil)
    }

    @Test func `an element of HTML without an end tag ends before its sibling`() throws {
        var view = BodyFixtures.view("<ul><li>one <b>x</b> y<li>two <i>z</i> w</ul>", "text/html")
        try fold(&view, "<li>")
        #expect(view.all.map(\.text).prefix(3) == ["<ul>", "  <li> … ", "  <li>"])
        #expect(view.all.last?.text == "</ul>")
        #expect(try #require(view.place(inRow: 2)).path == "/ul/li[2]")
    }

    @Test func `a match in a folded element is revealed`() throws {
        var view = BodyFixtures.view(Self.xml, "application/xml")
        let whole = view.text
        try fold(&view, #"id="2""#)
        view.foldAll()
        let offset = try #require(Array(Self.xml.utf8).firstIndex(of: UInt8(ascii: "w")))
        #expect(view.row(containing: offset) == 1)
        #expect(view.reveal(offset) && view.text.contains("two lines"))
        view.unfoldAll()
        #expect(view.text == whole)
    }

    @Test func `positions beyond the counted names are those among all elements`() throws {
        let names = (0..<40).map { "<n\($0)>\n</n\($0)>" }.joined()
        let view = BodyFixtures.view("<r>\(names)</r>", "application/xml")
        #expect(try #require(view.place(inRow: 1)).path == "/r/n0[1]")
        #expect(try #require(view.place(inRow: 61)).path == "/r/*[31]")
    }

    @Test func `a large folded document is drawn without scanning what is hidden`() throws {
        let items = (0..<20_000).map { "<item n=\"\($0)\"><a>text</a><b>\nmore</b></item>" }
        var view = BodyFixtures.view("<r><first><x/></first><items>\(items.joined())</items><last>\n</last></r>", "application/xml")
        let count = view.rowCount
        let row = try #require(view.all.firstIndex { $0.text == "  <items>" })
        view.fold(try #require(view.place(inRow: row)))
        while view.canAdvance { view.advance(budget: 64 << 10) }
        #expect(view.text.hasSuffix("  <items> … 20000 elements </items>\n  <last>\n  </last>\n</r>"))
        for row in 0..<view.rowCount { #expect(view.row(containing: view.rows(row..<row + 1)[0].sourceRange.lowerBound) == row) }
        view.unfoldAll()
        while view.canAdvance { view.advance(budget: 64 << 10) }
        #expect(view.rowCount == count)
        #expect(try #require(view.place(at: view.rows(count / 2..<count / 2 + 1)[0].sourceRange.lowerBound)).path.hasPrefix("/r/items[1]/item["))
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `any folding shows a part of the rows, and unfolding shows all`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var text = "<root>"
        var open: [String] = []
        for _ in 0..<300 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                open.append("e\(Int.random(in: 0..<4, using: &random))")
                text += "<\(open.last ?? "")>"
            case 2: if let name = open.popLast() { text += "</\(name)>" }
            case 3: text += "<leaf>\(Int.random(in: 0..<99, using: &random))</leaf>"
            default: text += "some text\n"
            }
        }
        text += open.reversed().map { "</\($0)>" }.joined() + "</root>"
        var view = BodyFixtures.view(text, "application/xml")
        #expect(view.problem == nil)
        let whole = view.all
        for _ in 0..<30 {
            let row = Int.random(in: 0..<view.rowCount, using: &random)
            guard let place = view.place(inRow: row), view.isContainer(place) else { continue }
            view.fold(place, !view.isFolded(place))
            while view.canAdvance { view.advance(budget: 256) }
            let rows = view.all
            #expect(rows.count == view.rowCount, "seed \(seed)")
            #expect(rows.map(\.number).allSatisfy { number in whole.contains { $0.number == number } })
            for (index, row) in rows.enumerated() { #expect(view.row(containing: row.sourceRange.lowerBound) == index) }
        }
        view.unfoldAll()
        while view.canAdvance { view.advance(budget: 256) }
        #expect(view.all == whole, "seed \(seed)")
    }
}
