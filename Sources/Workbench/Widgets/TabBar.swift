internal import Terminal

/// Names side by side of which one is shown; drawing and the mouse use the same places.
struct TabBar: Hashable, Sendable {
    var titles: [String]
    var selected: Int
    /// Which names carry a dot, because there is something behind them.
    var marks: Set<Int> = []

    /// The names with a dot or a blank after each, then a blank.
    var spans: [Span] {
        titles.enumerated().flatMap { index, title in
            let style = index == selected ? Style.tabSelected : Style.tab
            let last = index == titles.count - 1
            let mark = marks.contains(index) ? Span("•", .accent) : Span(last ? "" : " ")
            return [Span(title, style), mark] + (last ? [] : [Span(" ")])
        }
    }

    /// The name at a column counted from the bar's own start.
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
