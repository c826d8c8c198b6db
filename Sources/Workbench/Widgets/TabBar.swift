internal import SortieTerminal

/// A row of titles of which one is selected.
///
/// Drawing and the mouse use the same layout. Where the room is too small, the titles move together, and the first ones are left out so that the
/// selected one is visible.
struct TabBar: Hashable, Sendable {
    var titles: [String]
    var selected: Int
    /// The indices of the titles with a dot, which marks content.
    var marks: Set<Int> = []
    /// The available width.
    var room = Int.max

    /// Each title is followed by a dot or a space, and by a space between titles where there is room.
    var spans: [Span] {
        let (first, gap) = (first, gap)
        let shown = titles.enumerated().dropFirst(first).flatMap { index, title in
            let style = index == selected ? Style.tabSelected : Style.tab
            let last = index == titles.count - 1
            let mark = marks.contains(index) ? Span("•", .accent) : Span(last ? "" : " ")
            return [Span(title, style), mark] + (last || gap < 2 ? [] : [Span(" ")])
        }
        return (first > 0 ? [Span(Self.more, .muted)] : []) + shown
    }

    /// The title at a column relative to the start of the bar.
    func index(atColumn column: Int) -> Int? {
        var start = first > 0 ? CellWidth.width(of: Self.more) : 0
        for (index, title) in titles.enumerated().dropFirst(first) {
            let end = start + CellWidth.width(of: title)
            if column >= start, column <= end { return index }
            start = end + gap
        }
        return nil
    }

    /// The columns in a bar of a width at which its visible titles begin.
    func starts(width: Int) -> [Int] {
        (0..<width).filter { column in index(atColumn: column).map { $0 != index(atColumn: column - 1) } ?? false }
    }

    /// Precedes the first visible title where it is not the first one.
    private static let more = "‹ "

    /// The cells between two titles, the first of which has the mark.
    private var gap: Int { width(of: titles.indices, gap: 2) + (marks.contains(titles.count - 1) ? 1 : 0) <= room ? 2 : 1 }

    /// The index of the first visible title.
    private var first: Int {
        guard titles.indices.contains(selected) else { return 0 }
        let gap = gap
        let isVisible = { (start: Int) in width(of: start..<selected + 1, gap: gap) + (start > 0 ? CellWidth.width(of: Self.more) : 0) <= room }
        return (0...selected).first(where: isVisible) ?? selected
    }

    private func width(of range: Range<Int>, gap: Int) -> Int {
        titles[range].reduce(0) { $0 + CellWidth.width(of: $1) } + max(0, range.count - 1) * gap
    }
}
