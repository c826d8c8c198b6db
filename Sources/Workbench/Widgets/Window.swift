internal import SortieTerminal

/// The visible rows of a list.
enum Window {
    /// The first visible row that is nearest to `top` and makes `selected` visible.
    static func top(_ top: Int, showing selected: Int, count: Int, height: Int) -> Int {
        guard height > 0, count > 0 else { return 0 }
        var top = top
        if selected < top { top = selected }
        if selected >= top + height { top = selected - height + 1 }
        return limited(top, count: count, height: height)
    }

    /// The first visible row with the selected row at a line, or at two thirds of the height where possible, so that the following rows are visible.
    static func top(showing selected: Int, count: Int, height: Int, at line: Int? = nil) -> Int {
        limited(selected - (line ?? height * 2 / 3), count: count, height: height)
    }

    /// The nearest first row that leaves no empty rows at the end while there are rows above.
    static func limited(_ top: Int, count: Int, height: Int) -> Int {
        top.clamped(to: 0...max(0, count - max(1, height)))
    }
}

/// The visible rows of a list, of which one is selected, in their area.
struct ListWindow {
    /// The area of the rows.
    let rect: Rect
    /// The indices of the visible rows.
    let indices: Range<Int>

    /// - Parameter line: The line of the rows at which the selected row is displayed; nil for the usual one.
    init(_ rect: Rect, showing selected: Int, of count: Int, at line: Int? = nil) {
        self.rect = rect
        let top = Window.top(showing: selected, count: count, height: rect.height, at: line)
        indices = top..<max(top, min(count, top + rect.height))
    }

    /// The line of the screen with a visible row.
    func line(of index: Int) -> Rect {
        Rect(column: rect.column, row: rect.row + index - indices.lowerBound, width: rect.width, height: 1)
    }

    /// The index of the row at a point; nil beside the rows.
    func index(at point: Point) -> Int? {
        let index = indices.lowerBound + point.row - rect.row
        return rect.contains(point) && indices.contains(index) ? index : nil
    }
}

/// A movement in a list or a text.
enum Movement: Hashable, Sendable, CaseIterable {
    case up, down, pageUp, pageDown, first, last

    /// The row after the movement.
    func target(from row: Int, count: Int, page: Int) -> Int {
        let page = max(1, page - 1)
        let target =
            switch self {
            case .up: row - 1
            case .down: row + 1
            case .pageUp: row - page
            case .pageDown: row + page
            case .first: 0
            case .last: count - 1
            }
        return target.clamped(to: 0...max(0, count - 1))
    }
}
