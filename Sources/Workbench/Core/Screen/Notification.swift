internal import SortieTerminal

/// The notification above the footer: one row is drawn over the lowest border, several rows have their own place below the panes.
extension AppState {
    /// The maximum number of rows of a notification.
    private static let notificationRows = 3

    /// The number of rows between the panes and the footer that a notification needs.
    var messageRows: Int {
        guard let toast, toast.text.utf8.count > size.width - 8 || toast.text.contains(where: \.isNewline) else { return 0 }
        let count = notificationLines(toast).count
        return count > 1 ? count : 0
    }

    private func notificationLines(_ toast: Toast) -> [String] {
        let width = max(10, size.width - 8)
        var lines = WrappedText.lines(toast.text, width: width)
        if lines.count > AppState.notificationRows {
            lines.removeLast(lines.count - AppState.notificationRows)
            let more = popups.isEmpty ? "… \(key(.messages)) shows all" : "…"
            lines[lines.count - 1] = CellWidth.prefix(of: lines[lines.count - 1], fitting: max(0, width - CellWidth.width(of: more))) + more
        }
        return lines
    }

    func drawNotification(on canvas: inout Canvas, above footer: Rect) {
        guard let toast else { return }
        let lines = notificationLines(toast)
        let top = footer.row - lines.count
        let longest = lines.reduce(0) { max($0, CellWidth.width(of: $1)) }
        for (index, line) in lines.enumerated() {
            let place = Point(column: 1, row: top + index)
            // Over the tabs of a bottom pane without rows, and in its own place, the whole row is blank, so that no part of a name is left.
            let isWhole = lines.count > 1 || place.row == layout.bottom.row && layout.bottom.height == 1
            canvas.fill(Rect(column: place.column, row: place.row, width: isWhole ? size.width - 1 : longest + 4, height: 1), style: .overlay)
            let mark = toast.mark
            canvas.write([Span(" "), index == 0 ? mark : Span(" "), Span(" "), Span(line, mark.style)], at: place)
        }
    }
}

extension Toast {
    /// The mark before the message, in the style of its level.
    var mark: Span {
        switch level {
        case .debug, .info: Span("•", .info)
        case .warning: Span("!", .warning)
        case .error: Span("✗", .error)
        }
    }
}
