internal import SortieTerminal

/// Draws the bottom pane, with its tabs in the border.
extension AppState {
    var bottomTabBar: TabBar {
        TabBar(titles: features.tabs.map(\.tab.title), selected: features.tabs.firstIndex { $0.tab == bottomTab } ?? 0)
    }

    func drawBottom(on canvas: inout Canvas, in rect: Rect) {
        let bar = bottomTabBar
        var title = bar.spans
        if isActive(.bottom) {
            title = title.map { span in
                var span = span
                if span.style.role == .tabSelected { span.style = .titleFocused }
                return span
            }
        }
        canvas.box(rect, title: title, trailing: shownTab.trailingTitle(self), style: borderStyle(.bottom))
        if rect.height == 1 { canvas.write(title, at: Point(column: rect.column + 2, row: rect.row), width: rect.width - 3) }
        let inner = rect.inset(columns: 2, rows: 1)
        guard inner.height > 0, inner.width > 0 else { return }
        shownTab.draw(on: &canvas, in: inner, self)
    }
}
