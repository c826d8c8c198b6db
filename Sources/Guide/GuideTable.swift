private import SortieTerminal

/// A table of an article.
struct GuideTable {
    /// The rows of cells, the first one the header.
    let rows: [[[GuideSpan]]]

    private static let gap = 2
    private static let leastWidth = 8

    /// The table as lines of at most `width` cells where that is possible: columns become narrower and their cells are wrapped, the widest columns first.
    func lines(width: Int) -> [GuideLine] {
        let widths = columnWidths(width)
        guard !widths.isEmpty, let header = rows.first else { return [] }
        var lines: [GuideLine] = []
        if header.contains(where: { !$0.isEmpty }) {
            lines += laidOut(header.map { $0.map { GuideSpan($0.text, .heading) } }, widths)
            let rules = widths.map { String(repeating: "─", count: $0) }.joined(separator: String(repeating: " ", count: Self.gap))
            lines.append(GuideLine(spans: [GuideSpan(rules, .muted)]))
        }
        for row in rows.dropFirst() { lines += laidOut(row, widths) }
        return lines
    }

    private func columnWidths(_ width: Int) -> [Int] {
        let count = rows.map(\.count).max() ?? 0
        var widths = (0..<count).map { column in
            rows.map { row in column < row.count ? row[column].reduce(0) { $0 + CellWidth.width(of: $1.text) } : 0 }.max() ?? 0
        }
        let room = width - Self.gap * max(0, count - 1)
        while widths.reduce(0, +) > room, let widest = widths.max(), widest > Self.leastWidth, let column = widths.firstIndex(of: widest) {
            widths[column] -= 1
        }
        return widths
    }

    private func laidOut(_ row: [[GuideSpan]], _ widths: [Int]) -> [GuideLine] {
        let cells = row.enumerated().map { GuideWrap.lines($1, width: widths[$0], breaksWords: true) }
        let height = max(1, cells.map(\.count).max() ?? 0)
        return (0..<height).map { index in
            var line = GuideLine()
            for (column, cell) in cells.enumerated() {
                let spans = index < cell.count ? cell[index].spans : []
                line.spans += spans
                guard column < cells.count - 1 else { continue }
                let used = spans.reduce(0) { $0 + CellWidth.width(of: $1.text) }
                line.spans.append(GuideSpan(String(repeating: " ", count: max(0, widths[column] - used) + Self.gap)))
            }
            return line
        }
    }
}
