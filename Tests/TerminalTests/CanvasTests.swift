import Testing

@testable import SortieTerminal

struct CanvasTests {
    private func canvas(_ width: Int, _ height: Int) -> Canvas { Canvas(size: Size(width: width, height: height)) }

    @Test func `the text of a canvas is its rows without trailing blanks`() {
        var canvas = canvas(6, 3)
        canvas.write("ab ", at: .zero)
        canvas.write("c", at: Point(column: 2, row: 2))
        #expect(canvas.text == "ab\n\n  c\n")
    }

    @Test func `text ends at the edge and at the specified width`() {
        var canvas = canvas(5, 2)
        #expect(canvas.write("abcdefg", at: Point(column: 2, row: 0)) == 3)
        #expect(canvas.write("abcdefg", at: Point(column: 0, row: 1), width: 2) == 2)
        #expect(canvas.text == "  abc\nab\n")
    }

    @Test func `a wide character uses two cells`() {
        var canvas = canvas(4, 1)
        #expect(canvas.write("漢a", at: .zero, style: .error) == 3)
        #expect(canvas.cell(at: .zero)?.width == 2)
        #expect(canvas.cell(at: Point(column: 1, row: 0))?.width == 0)
        #expect(canvas.style(at: Point(column: 1, row: 0)) == .error)
        #expect(canvas.text == "漢a\n")
    }

    @Test func `a wide character cut at an edge becomes a blank`() {
        var canvas = canvas(3, 2)
        #expect(canvas.write("a漢漢", at: .zero, style: .error, width: 4) == 3)
        canvas.write("漢b", at: Point(column: -1, row: 1))
        #expect(canvas.text == "a漢\n b\n")
        canvas.write("ab漢", at: .zero, style: .error)
        #expect(canvas.text == "ab\n b\n")
        #expect(canvas.style(at: Point(column: 2, row: 0)) == .error)
    }

    @Test func `writing over half of a wide character blanks the other half`() {
        var canvas = canvas(6, 1)
        canvas.write("漢漢漢", at: .zero)
        canvas.write("x", at: Point(column: 1, row: 0))
        canvas.write("字", at: Point(column: 3, row: 0))
        #expect(canvas.text == " x 字\n")
        #expect((0..<6).allSatisfy { canvas.cell(at: Point(column: $0, row: 0))?.glyph != "漢" })
    }

    @Test func `spans follow each other within the width`() {
        var canvas = canvas(10, 1)
        #expect(canvas.write([Span("GET", .methodSafe), " ", Span("/orders", .strong)], at: .zero, width: 8) == 8)
        #expect(canvas.text == "GET /or›\n")
        #expect(canvas.style(at: Point(column: 4, row: 0)) == .strong)
    }

    @Test func `a line that is cut at the right ends with a mark, one that fits or ends in blanks does not`() {
        var canvas = canvas(8, 5)
        canvas.write([Span("abcdefgh")], at: .zero, width: 8)
        canvas.write([Span("abcdefgh"), Span("i")], at: Point(column: 0, row: 1), width: 8)
        canvas.write([Span("abcd   "), Span("  ")], at: Point(column: 0, row: 2), width: 4)
        canvas.write([Span("漢漢漢漢漢")], at: Point(column: 1, row: 3), width: 6)
        canvas.write([Span("漢漢漢漢漢")], at: Point(column: 1, row: 4), width: 5)
        #expect(canvas.text == "abcdefgh\nabcdefg›\nabcd\n 漢漢 ›\n 漢漢›\n")
        #expect(canvas.style(at: Point(column: 7, row: 1)) == .cutMark)
    }

    @Test func `a scrolled line has a mark at each side where text is left out`() {
        var canvas = canvas(6, 4)
        canvas.write(["abcdefghij"], row: 0, hiding: 0)
        canvas.write(["abcdefghij"], row: 1, hiding: 2)
        canvas.write(["abcdefghij"], row: 2, hiding: 4)
        canvas.write(["    abc"], row: 3, hiding: 3)
        #expect(canvas.text == "abcde›\n‹defg›\n‹fghij\n abc\n")
    }

    @Test func `a control character is displayed and has no effect`() {
        var canvas = canvas(60, 1)
        canvas.write("a\u{1B}[2J\u{202E}b\u{7F}\u{9B}\t", at: .zero)
        #expect(canvas.text == "a␛[2J‹U+202E›b␡‹U+009B›␉\n")
        #expect(canvas.style(at: Point(column: 1, row: 0)) == .escaped)
        #expect(canvas.style(at: Point(column: 2, row: 0)) == .plain)
    }

    @Test func `joiners and marks are kept where a script or an emoji needs them`() {
        var canvas = canvas(60, 1)
        canvas.write("👩‍👩‍👧 👩🏻‍❤️‍💋‍👩🏻 e\u{301} नमस्ते می\u{200C}خواهم", at: .zero)
        #expect(canvas.text == "👩‍👩‍👧 👩🏻‍❤️‍💋‍👩🏻 e\u{301} नमस्ते می\u{200C}خواهم\n")
    }

    @Test func `hidden characters between Latin letters are displayed`() {
        var canvas = canvas(60, 1)
        canvas.write("a\u{200D}b\u{200B}c\u{FE00}\u{AD}", at: .zero)
        #expect(canvas.text == "a‹U+200D›b‹U+200B›c‹U+FE00›‹U+00AD›\n")
    }

    @Test func `many combining marks take further cells, and very many are counted`() {
        var canvas = canvas(30, 1)
        #expect(canvas.write("e" + String(repeating: "\u{301}", count: 5000) + "x", at: .zero) == 8 + 7 + 1)
        #expect(canvas.text.hasSuffix("‹+4969›x\n"))
        #expect((0..<8).allSatisfy { canvas.cell(at: Point(column: $0, row: 0))?.glyph.unicodeScalars.count ?? 9 <= 5 })
        #expect(canvas.style(at: Point(column: 8, row: 0)) == .escaped)
    }

    @Test func `many variation selectors are counted and not listed`() {
        var canvas = canvas(80, 1)
        canvas.write("a" + String(repeating: "\u{FE00}", count: 40), at: .zero)
        #expect(canvas.text == "a‹U+FE00›‹U+FE00›‹U+FE00›‹U+FE00›‹+36›\n")
    }

    @Test(.enabled(if: Corpora.folder != nil, "needs shared/corpora"))
    func `no escape sequence of the corpus is in a cell`() throws {
        for name in ["bench-escape-sequences.txt", "bench-mixed.txt", "bench-no-ansi-corpus.txt"] {
            let text = try Corpora.text("terminal/vt-push-parser/\(name)").replacing("<ESC>", with: "\u{1B}")
            #expect(!text.isEmpty)
            var canvas = canvas(2000, 2)
            canvas.write(text, at: .zero)
            #expect(canvas.harmfulScalars.isEmpty)
        }
    }

    @Test func `no scalar that controls a terminal or is hidden is in a cell, alone or combined`() {
        // All scalars of the ranges with format and control characters, and a sample of the others.
        let values = [0...0x3000, 0xFE00...0xFFFF, 0xE0000...0xE01FF].joined() + Array(stride(from: 0x3001, to: 0x30000, by: 61))
        for value in values {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            var canvas = canvas(40, 1)
            canvas.write("a\(scalar)漢\(scalar)\(scalar)👩\(scalar)", at: .zero)
            if !canvas.harmfulScalars.isEmpty { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test func `a box has its titles in the top border`() {
        var canvas = canvas(20, 3)
        canvas.box(canvas.bounds, title: [Span("Log", .title)], trailing: [Span("3/9", .muted)])
        #expect(canvas.text == "┌ Log ──────── 3/9 ┐\n│                  │\n└──────────────────┘\n")
    }

    @Test func `a title that is too long for its box is truncated`() {
        var canvas = canvas(9, 2)
        canvas.box(canvas.bounds, title: ["Response"], trailing: ["9"])
        #expect(canvas.text == "┌ Resp› ┐\n└───────┘\n")
    }

    @Test func `stacked boxes share an edge`() {
        var canvas = canvas(5, 5)
        let (top, bottom) = canvas.bounds.split(topHeight: 2)
        canvas.box(top.union(rows: 1), joints: .below)
        canvas.box(bottom, joints: .above)
        #expect(canvas.text == "┌───┐\n│   │\n├───┤\n│   │\n└───┘\n")
    }

    @Test func `boxes side by side share an edge`() {
        var canvas = canvas(5, 3)
        canvas.box(Rect(column: 0, row: 0, width: 3, height: 3))
        canvas.box(Rect(column: 2, row: 0, width: 3, height: 3), joints: .left)
        #expect(canvas.text == "┌─┬─┐\n│ │ │\n└─┴─┘\n")
    }

    @Test func `a canvas is drawn at a position with its cursor`() {
        var canvas = canvas(6, 2)
        canvas.write("漢漢漢", at: .zero)
        var popup = self.canvas(3, 1)
        popup.write("x漢", at: .zero)
        popup.cursor = Point(column: 1, row: 0)
        canvas.paste(popup, at: Point(column: 1, row: 0))
        #expect(canvas.text == " x漢漢\n\n")
        #expect(canvas.cursor == Point(column: 2, row: 0))
        canvas.paste(popup, at: Point(column: 4, row: 1))
        #expect(canvas.text == " x漢漢\n    x\n")
        canvas.paste(popup, at: Point(column: -2, row: 1))
        #expect(canvas.text == " x漢漢\n    x\n")
    }

    @Test func `a selection bar keeps the styles`() {
        var canvas = canvas(4, 2)
        canvas.write("ab", at: .zero, style: .error)
        canvas.restyle(Rect(column: 0, row: 0, width: 9, height: 1)) { $0.isSelected = true }
        #expect(canvas.style(at: .zero) == .error.selected())
        #expect(canvas.style(at: Point(column: 3, row: 0)) == .plain.selected())
        #expect(canvas.style(at: Point(column: 0, row: 1)) == .plain)
    }

    @Test(arguments: [
        Size(width: 0, height: 0), Size(width: -5, height: 3), Size(width: 1, height: 1), Size(width: 39, height: 9),
    ])
    func `any position and size is accepted`(size: Size) {
        var canvas = Canvas(size: size)
        let numbers = [Int.min, -7, -1, 0, 1, 38, 2000, Int.max]
        for column in numbers {
            for extent in numbers {
                let point = Point(column: column, row: extent == .max ? .min : 0)
                let rect = Rect(column: column, row: column, width: extent, height: extent)
                canvas.write("漢a\u{1B}", at: point, width: extent)
                canvas.write([Span("漢"), Span("b")], at: point, width: extent)
                canvas.fill(rect, style: .error, with: "漢")
                canvas.box(rect, title: ["a title"], trailing: ["b"], joints: [.above, .left])
                canvas.write(ProgressBar(0.3).spans(width: extent), at: point, width: extent)
                canvas.restyle(rect) { $0.isBold = true }
                canvas.paste(canvas, at: point)
                _ = (rect.inset(), rect.split(leftWidth: extent), rect.split(bottomHeight: column), rect.centered(rect.size))
                _ = (canvas.cell(at: point), canvas.style(at: point))
            }
        }
        #expect(canvas.cells.count == max(0, size.width) * max(0, size.height))
    }

    @Test func `an excessive size is limited`() {
        let canvas = Canvas(size: Size(width: .max, height: .max))
        #expect(canvas.size == Canvas.largestSize)
    }
}

extension Canvas {
    /// The scalars in cells that control a terminal, or that reorder or hide text.
    fileprivate var harmfulScalars: [Unicode.Scalar] {
        let reordering: [ClosedRange<UInt32>] = [0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x61C...0x61C]
        let hiding: [ClosedRange<UInt32>] = [
            0x200B...0x200B, 0x2028...0x2029, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0001...0xE001F,
        ]
        return cells.flatMap(\.glyph.unicodeScalars).filter { scalar in
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || (reordering + hiding).contains { $0.contains(scalar.value) }
        }
    }
}

extension Rect {
    /// The rectangle extended by rows.
    fileprivate func union(rows: Int) -> Rect {
        Rect(column: column, row: row, width: width, height: height + rows)
    }
}
