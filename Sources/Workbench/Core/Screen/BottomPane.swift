internal import Terminal

/// Draws the bottom pane, with its tabs in the border.
extension AppState {
    var bottomTabBar: TabBar {
        TabBar(titles: BottomTab.allCases.map(\.title), selected: BottomTab.allCases.firstIndex(of: bottom.tab) ?? 0)
    }

    func drawBottom(on canvas: inout Canvas, in rect: Rect) {
        let bar = bottomTabBar
        var title = bar.spans
        if focus == .bottom, popup == nil {
            title = title.map { span in
                var span = span
                if span.style.role == .tabSelected { span.style = .titleFocused }
                return span
            }
        }
        let trailing = bottom.tab == .log ? logTitle : bottom.tab == .history ? historyTitle : []
        canvas.box(rect, title: title, trailing: trailing, style: borderStyle(.bottom))
        if rect.height == 1 { canvas.write(title, at: Point(column: rect.column + 2, row: rect.row), width: rect.width - 3) }
        let inner = rect.inset(columns: 2, rows: 1)
        guard inner.height > 0, inner.width > 0 else { return }
        switch bottom.tab {
        case .transfers: drawTransfers(on: &canvas, in: inner)
        case .log: drawLog(on: &canvas, in: inner)
        case .runs: drawRuns(on: &canvas, in: inner)
        case .history: drawHistory(on: &canvas, in: inner)
        case .monitor: drawMonitor(on: &canvas, in: inner)
        }
    }
}
