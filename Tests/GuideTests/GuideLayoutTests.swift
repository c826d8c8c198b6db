import Testing

@testable import SortieGuide

@Suite struct GuideLayoutTests {
    private func text(_ markdown: String, width: Int = 30) -> String { GuideArticle(fileName: "Test", markdown: markdown).text(width: width) }

    @Test func `headings are underlined, paragraphs wrapped`() {
        #expect(
            text("# A title\n\nOne sentence that is\nlonger than the line.\n\n### Small\nNext.")
                == "A title\n═══════\n\nOne sentence that is longer\nthan the line.\n\nSmall\n\nNext.\n")
    }

    @Test func `items of a list are indented, and follow each other`() {
        #expect(
            text("- first item that needs another line\n- second\n\n1. one\n2. two")
                == "- first item that needs\n  another line\n- second\n1. one\n2. two\n")
    }

    @Test func `code keeps its lines`() {
        #expect(text("Before:\n```yaml\na:   1\n\n  b: 2\n```\nAfter.") == "Before:\n\n    a:   1\n\n      b: 2\n\nAfter.\n")
    }

    @Test func `a comment that does not fit beside its code is wrapped there, each line with its mark`() {
        #expect(
            text("```yaml\na: 1   # a comment of many words\nb: '2 # 3'\n```", width: 36)
                == "    a: 1   # a comment of many words\n    b: '2 # 3'\n")
        #expect(
            text("```yaml\na: 1   # a comment of many more words\n```", width: 36)
                == "    a: 1   # a comment of many more\n           # words\n")
    }

    @Test func `a comment without room beside its code is above it, and the code stays one line`() {
        #expect(
            text("```sh\nsortie send shop/orders/list --json   # prints an object\n```", width: 36)
                == "    # prints an object\n    sortie send shop/orders/list --json\n")
    }

    @Test func `a mark in quotes begins no comment`() {
        let code = "query: {q: 'one # two', r: \"three # four\"}"
        #expect(text("```\n\(code)\n```", width: 30) == "    \(code)\n")
    }

    @Test func `code that is wider than a pane is divided at spaces, and its further lines are indented`() {
        let line = GuideLine(spans: [GuideSpan("    sortie send shop/orders/list --json --fail", .code)])
        #expect(line.pieces(width: 33).map(\.text) == ["    sortie send shop/orders/list", "        --json --fail"])
        #expect(line.pieces(width: 16).map(\.text).joined().filter { $0 != " " } == line.text.filter { $0 != " " })
    }

    @Test(arguments: [-4, 0, 1]) func `a pane without room divides code into characters`(width: Int) {
        let line = GuideLine(spans: [GuideSpan("    a: b", .code)])
        #expect(line.pieces(width: width).map(\.text).joined().filter { $0 != " " } == "a:b")
    }

    @Test func `emphasis is strong, and an asterisk of the text stays`() {
        let spans = MarkdownText.spans("See *List `a*b` orders*, 2 * 3 * 4, a*b*c, *open and *.")
        #expect(spans.map(\.text).joined() == "See List a*b orders, 2 * 3 * 4, a*b*c, *open and *.")
        #expect(spans.filter { $0.role == .strong }.map(\.text) == ["List ", " orders"])
    }

    @Test func `emphasis over a line break of a paragraph has no asterisks`() {
        #expect(text("Press *Open\nanother* now.") == "Press Open another now.\n")
    }

    @Test func `links are their text, addresses follow, images are left out`() {
        #expect(
            text("See [runs](Runs.md#a) and **[RFC](https://x.example)**.\n\n![picture](a.svg)", width: 60)
                == "See runs and RFC (https://x.example).\n")
    }

    @Test func `marks within code stay, and escaped marks are text`() {
        #expect(text("`a * b ** c` and \\*x\\* and ``a ` b``", width: 60) == "a * b ** c and *x* and a ` b\n")
        #expect(text("*Save as* and (*New run*), *`v` opens*: 2*3*4, * a", width: 60) == "Save as and (New run), v opens: 2*3*4, * a\n")
    }

    @Test func `a table has columns, and wraps the widest one`() {
        let table = "| key | contents |\n|---|:--|\n| `a\\|b` | a long text that is wrapped |\n| c | d |"
        #expect(text(table) == "key  contents\n───  ─────────────────────────\na|b  a long text that is\n     wrapped\nc    d\n")
    }

    @Test func `a word that is longer than its column is broken`() {
        let table = "| key | contents |\n|---|---|\n| `https://shop.example/orders` | one `two_three_four_five` six |"
        let lines = text(table, width: 26).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 26 }, "\(lines)")
        #expect(lines.map { $0.prefix(12) }.dropFirst(2).map { $0.filter { $0 != " " } }.joined() == "https://shop.example/orders")
        #expect(lines.map { $0.dropFirst(14) }.dropFirst(2).map { $0.filter { $0 != " " } }.joined() == "onetwo_three_four_fivesix")
    }

    @Test func `a broken word of wide characters fits`() {
        let lines = text("| a | b |\n|---|---|\n| 中文中文中文中文中文中文 | 中文中文中文中文中文中文 |", width: 21).split(separator: "\n")
        #expect(lines.dropFirst(2).allSatisfy { $0.reduce(0) { $0 + ($1 == " " ? 1 : 2) } <= 21 }, "\(lines)")
        #expect(lines.joined().filter { $0 == "中" }.count == 12)
    }

    @Test func `a table without a header has none`() {
        #expect(text("| | |\n|---|---|\n| a | b |") == "a  b\n")
    }

    @Test func `wide characters count two cells`() {
        #expect(text("# 中文\n\n中文中文中文中文中文 中文中文中文", width: 20) == "中文\n════\n\n中文中文中文中文中文\n中文中文中文\n")
    }

    @Test func `text that is not closed stays text`() {
        #expect(text("a ` b [c](d\n\n```\ncode", width: 60) == "a ` b [c](d\n\n    code\n")
    }
}
