import BodyViews
import SortieBase
import SortieHTTP
import Support
import Testing

struct MarkupLayoutTests {
    private static let xml = """
        <?xml version="1.0"?>
        <!DOCTYPE orders [ <!ENTITY a "b">
        <!ENTITY c "d"> ]>
        <orders total="2"><order id="1"><title>Tea &amp; cup</title><price
           currency="EUR">19.90</price></order>
        <order id="2"><title><![CDATA[Crème <brûlée>]]></title><empty/></order>
        <!-- a comment
             of two lines -->
        </orders>
        """

    private static let html = """
        <!DOCTYPE html>
        <html><head><meta charset="utf-8"><title>a < b</title></head>
        <body><p>one<p>two <b>bold</b> < three<br>
        <ul><li>first line
        <li>second line
        </ul>
        <script>
          if (a < b) {
            run("</b>")
          }
        </script>
        </body></HTML>
        """

    @Test func `XML has a row for each tag, and one for an element with a short text`() {
        let view = BodyFixtures.view(Self.xml, "application/xml")
        #expect(view.mode == .pretty && view.notice == nil)
        #expect(
            view.text == """
                <?xml version="1.0"?>
                <!DOCTYPE orders [ <!ENTITY a "b">
                <!ENTITY c "d"> ]>
                <orders total="2">
                  <order id="1">
                    <title>Tea &amp; cup</title>
                    <price currency="EUR">19.90</price>
                  </order>
                  <order id="2">
                    <title>
                      <![CDATA[Crème <brûlée>]]>
                    </title>
                    <empty/>
                  </order>
                  <!-- a comment
                  of two lines -->
                </orders>
                """)
    }

    @Test func `HTML is laid out without missing end tags, and scripts as they are`() {
        let view = BodyFixtures.view(Self.html, "text/html")
        #expect(view.mode == .pretty && view.notice == nil)
        #expect(
            view.text == """
                <!DOCTYPE html>
                <html>
                  <head>
                    <meta charset="utf-8">
                    <title>
                      a < b
                    </title>
                  </head>
                  <body>
                    <p>
                      one
                    <p>
                      two
                      <b>bold</b>
                      < three
                      <br>
                    <ul>
                      <li>
                        first line
                      <li>
                        second line
                    </ul>
                    <script>
                  if (a < b) {
                    run("</b>")
                  }
                    </script>
                  </body>
                </HTML>
                """)
    }

    @Test(arguments: [
        ("<a><b>x</c></a>", "<a>\n  <b>\n    x", "</c> ends no element here; </b> is expected at line 1, column 8 (byte 7)"),
        ("<a>\n<b x=1/></a>", "<a>", "the value of an attribute is not in quotes at line 2, column 6 (byte 9)"),
        ("<a><b>", "<a>\n  <b>", "the body ends before 2 elements are closed at line 1, column 7 (byte 6)"),
        ("<a/><b/>", "<a/>", "a second root element at line 1, column 5 (byte 4)"),
        ("<a>1 < 2</a>", "<a>\n  1", "'<' is not followed by a name; as text it is written &lt; at line 1, column 6 (byte 5)"),
        ("<a>text</a>\nmore", "<a>text</a>", "text after the root element at line 2, column 1 (byte 12)"),
        ("<a><!-- never", "<a>", "the body ends inside a comment, an instruction or a section at line 1, column 14 (byte 13)"),
        ("<a></a ></b>", "<a>\n</a >", "an end tag without its start tag at line 1, column 9 (byte 8)"),
    ]) func `malformed XML is laid out up to the error, whose position is named`(text: String, rows: String, problem: String) {
        let view = BodyFixtures.view(text, "application/xml")
        #expect(view.mode == .pretty && view.text == rows)
        #expect(view.notice == "not well-formed XML: " + problem)
        var raw = view
        raw.show(.raw)
        #expect(raw.text == text)
    }

    @Test(arguments: [(xml, "application/xml"), (html, "text/html")])
    func `rows do not depend on how the body arrives`(text: String, type: String) {
        let bytes = Array(text.utf8)
        let whole = BodyFixtures.view(bytes, type).all
        var view = BodyView.make(bytes: .empty, contentType: type, isFinal: false)
        for count in 1...bytes.count {
            view.grow(to: BodyBytes(Array(bytes[..<count])), isFinal: count == bytes.count)
            #expect(view.rows(0..<view.rowCount).count == view.rowCount)
        }
        #expect(view.all == whole && view.isComplete)
    }

    @Test func `any row of a large document is found from a checkpoint`() {
        let rows = (0..<5000).map { "<row id=\"\($0)\"><name>n\($0)</name><text>two\nlines</text></row>" }
        let view = BodyFixtures.view("<rows>" + rows.joined() + "</rows>", "text/xml")
        let all = view.all
        #expect(view.problem == nil && all.count == 5000 * 7 + 2)
        for row in stride(from: 0, to: all.count, by: 997) {
            #expect(view.rows(row..<row + 1) == [all[row]])
            #expect(view.row(containing: all[row].sourceRange.lowerBound) == row)
        }
    }

    @Test func `long texts, tags and comments are several rows, and nothing is lost`() {
        let long = String(repeating: "0123456789 ", count: 2000)
        let text = "<a b=\"\(long)\"><!--\(long)-->\(long)</a>"
        let view = BodyFixtures.view(text, "application/xml")
        #expect(view.problem == nil && view.rowCount > 15)
        #expect(view.all.allSatisfy { $0.sourceRange.count <= BodyRow.byteLimit })
        #expect(view.all.reduce(0) { $0 + $1.sourceRange.count } >= text.utf8.count - 20)
    }

    @Test func `elements nested too deeply end the layout of XML, and not that of HTML`() {
        let deep = String(repeating: "<a>", count: 600)
        #expect(BodyFixtures.view(deep, "application/xml").notice?.contains("nested deeper than 512 levels") == true)
        #expect(BodyFixtures.view(deep, "text/html").rowCount == 600)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8]) func `damaged documents end in rows, never in a trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for (text, type) in [(Self.xml, "application/xml"), (Self.html, "text/html")] {
            var bytes = Array(text.utf8)
            for _ in 0..<6 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random) }
            bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
            let view = BodyFixtures.view(bytes, type, budget: 64)
            #expect(view.isComplete && view.all.count == view.rowCount, "seed \(seed)")
        }
    }

    @Test func `a search marks its matches in laid out XML`() {
        let view = BodyFixtures.view(Self.xml, "application/xml")
        let marked = view.rows(0..<view.rowCount, marking: BodySearch("order")).flatMap(\.spans).filter(\.isMatch).map(\.text)
        #expect(marked.count == 7 && Set(marked) == ["order"])
    }
}
