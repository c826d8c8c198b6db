internal import SortieTerminal

/// The notification above the footer, drawn over the lowest border.
extension AppState {
    /// The maximum number of rows of a notification.
    private static let notificationRows = 3

    func drawNotification(on canvas: inout Canvas, above footer: Rect) {
        guard let toast else { return }
        let (mark, style): (String, Style) =
            switch toast.level {
            case .debug, .info: ("•", .info)
            case .warning: ("!", .warning)
            case .error: ("✗", .error)
            }
        let width = max(10, size.width - 8)
        var lines = WrappedText.lines(toast.text, width: width)
        if lines.count > AppState.notificationRows {
            lines.removeLast(lines.count - AppState.notificationRows)
            lines[lines.count - 1] = CellWidth.truncated(lines[lines.count - 1] + "……", to: width)
        }
        let top = footer.row - lines.count
        let longest = lines.reduce(0) { max($0, CellWidth.width(of: $1)) }
        for (index, line) in lines.enumerated() {
            let place = Point(column: 1, row: top + index)
            // Over the tabs of a bottom pane without rows the whole row is blank, so that no part of a name is left.
            let isOverTabs = place.row == layout.bottom.row && layout.bottom.height == 1
            canvas.fill(Rect(column: place.column, row: place.row, width: isOverTabs ? size.width - 1 : longest + 4, height: 1), style: .overlay)
            canvas.write([Span(" "), Span(index == 0 ? mark : " ", style), Span(" "), Span(line, style)], at: place)
        }
    }
}
