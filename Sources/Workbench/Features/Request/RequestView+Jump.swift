internal import SortieTerminal

extension RequestView {
    /// The positions of the URL, the tabs and the rows.
    var jumpPoints: [Point] {
        let inner = area
        guard !inner.isEmpty else { return [] }
        var points: [Point] = []
        var isURL = false
        var tab: RequestTab?
        for point in inner.columns.flatMap({ column in [0, 1].map { Point(column: column, row: inner.row + $0) } }) {
            switch target(at: point) {
            case .url where !isURL:
                isURL = true
                points.append(point)
            case .tab(let other) where other != tab:
                tab = other
                points.append(point)
            default: break
            }
        }
        for row in inner.rows.dropFirst(2) {
            let start = Point(column: inner.column, row: row)
            guard case .row(_, let hasBox) = target(at: start) else { continue }
            // Beside the box, which a click switches.
            points.append(hasBox ? start.moved(columns: 4) : start)
        }
        return points
    }
}
