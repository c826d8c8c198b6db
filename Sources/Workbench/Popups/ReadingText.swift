internal import Terminal

/// A text in a popup, for reading and copying.
struct ReadingText {
    var title: String
    var subtitle: String
    /// The lines, wrapped to the width.
    var lines: [[Span]]
}

extension AppState {
    /// The area of the popup.
    var readingRect: Rect {
        let whole = Rect(origin: .zero, size: size).split(bottomHeight: 1).top
        return whole.inset(columns: min(4, whole.width / 20), rows: min(2, whole.height / 12))
    }

    func draw(_ reading: ReadingText, top: Int, on canvas: inout Canvas) {
        let rect = readingRect
        canvas.fill(rect, style: .overlay)
        let lines = reading.lines
        let inner = rect.inset(columns: 2, rows: 1)
        let top = Window.limited(top, count: lines.count, height: inner.height)
        var trailing = [Span("y", .key), Span(" copies  ", .muted), Span("Esc", .key), Span(" closes", .muted)]
        if lines.count > inner.height { trailing.append(Span("  \(min(lines.count, top + inner.height))/\(lines.count)", .muted)) }
        canvas.box(
            rect, title: [Span(reading.title, .titleFocused), Span("  " + reading.subtitle, .muted)], trailing: trailing, style: .borderFocused)
        for offset in 0..<max(0, inner.height) where top + offset < lines.count {
            canvas.write(lines[top + offset], at: Point(column: inner.column, row: inner.row + offset), width: inner.width)
        }
    }

    /// Scrolls the open text; false when there is none.
    mutating func moveInReading(_ movement: Movement) -> Bool {
        switch popup {
        case .dryRun(var dryRun):
            dryRun.top = scrolled(dryRunText(dryRun), from: dryRun.top, movement)
            popup = .dryRun(dryRun)
        case .transfer(var transfer):
            transfer.top = scrolled(transferText(transfer), from: transfer.top, movement)
            popup = .transfer(transfer)
        case .diff(var diff):
            diff.top = scrolled(diffText(diff), from: diff.top, movement)
            popup = .diff(diff)
        case .list, .files, .prompt, .cookies, .form, .compare, nil: return false
        }
        return true
    }

    /// The first visible line after a movement.
    private func scrolled(_ reading: ReadingText, from top: Int, _ movement: Movement) -> Int {
        let height = readingRect.height - 2
        let lastTop = max(0, reading.lines.count - height)
        return movement.target(from: min(top, lastTop), count: lastTop + 1, page: height)
    }
}
