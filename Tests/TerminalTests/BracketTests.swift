import Testing

@testable import SortieTerminal

/// Tests the brackets of terminals that cannot underline or have no colours.
struct BracketTests {
    @Test func `the selected tab is in brackets beside its mark, and nothing moves`() {
        var canvas = Canvas(size: Size(width: 24, height: 1))
        canvas.write([" ", Span("Params", .tab), "  ", Span("Body", .tabSelected), Span("•", .accent), " ", Span("Auth", .tab)], at: .zero)
        #expect(canvas.bracketed.text == " Params [Body•]Auth\n")
        #expect(canvas.text == " Params  Body• Auth\n")
        var border = Canvas(size: Size(width: 12, height: 1))
        border.write("────────────", at: .zero)
        border.write([Span("Log", .tabSelected), " ", Span("Runs", .tab)], at: Point(column: 2, row: 0))
        #expect(border.bracketed.text == "─[Log]Runs──\n")
    }

    @Test func `the title of the focused pane is in brackets, a heading in a text is not`() {
        var canvas = Canvas(size: Size(width: 16, height: 3))
        canvas.box(canvas.bounds, title: [Span("Log", .titleFocused)])
        canvas.write("Heading", at: Point(column: 2, row: 1), style: .titleFocused)
        #expect(canvas.bracketed.text == "┌[Log]─────────┐\n│ Heading      │\n└──────────────┘\n")
    }

    @Test func `a field of one row is in brackets with its placeholder, a text of several rows is not`() {
        var canvas = Canvas(size: Size(width: 12, height: 4))
        canvas.fill(Rect(column: 2, row: 0, width: 8, height: 1), style: .input)
        canvas.write("name", at: Point(column: 2, row: 0), style: .placeholder)
        canvas.fill(Rect(column: 2, row: 2, width: 8, height: 2), style: .input)
        #expect(canvas.bracketed.text == " [name    ]\n\n\n\n")
    }
}
