internal import SortieTerminal

/// A row of titles of which one is selected.
///
/// Drawing and the mouse use the same layout.
struct TabBar: Hashable, Sendable {
    var titles: [String]
    var selected: Int
    /// The indices of the titles with a dot, which marks content.
    var marks: Set<Int> = []

    /// Each title is followed by a dot or a space, and by a space between titles.
    var spans: [Span] {
        titles.enumerated().flatMap { index, title in
            let style = index == selected ? Style.tabSelected : Style.tab
            let last = index == titles.count - 1
            let mark = marks.contains(index) ? Span("•", .accent) : Span(last ? "" : " ")
            return [Span(title, style), mark] + (last ? [] : [Span(" ")])
        }
    }

    /// The title at a column relative to the start of the bar.
    func index(atColumn column: Int) -> Int? {
        var start = 0
        for (index, title) in titles.enumerated() {
            let end = start + CellWidth.width(of: title)
            if column >= start, column <= end { return index }
            start = end + 2
        }
        return nil
    }

    var width: Int { spans.reduce(0) { $0 + CellWidth.width(of: $1.text) } }
}
