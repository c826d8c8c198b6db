internal import SortieTerminal

/// The four panes that can have the focus, in the order of their digit keys.
enum Pane: Int, Hashable, Sendable, CaseIterable {
    case services, request, response, bottom

    var next: Pane { Pane(rawValue: (rawValue + 1) % Pane.allCases.count) ?? .services }
    var previous: Pane { Pane(rawValue: (rawValue + Pane.allCases.count - 1) % Pane.allCases.count) ?? .services }
}

/// A tab of a pane.
protocol PaneTab: CaseIterable, Hashable, Sendable where AllCases == [Self] {}

extension PaneTab {
    /// The tab at a distance, wrapping around.
    func moved(by distance: Int) -> Self {
        let all = Self.allCases
        guard let index = all.firstIndex(of: self) else { return self }
        return all[(index + distance + all.count) % all.count]
    }
}

/// A tab of the bottom pane, with its title on the screen; features declare their tabs.
struct BottomTab: Hashable, Sendable {
    let title: String

    init(_ title: String) {
        self.title = title
    }
}

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

/// A border that is being dragged.
struct PaneDrag: Hashable, Sendable {
    enum Border: Hashable, Sendable {
        case services, requestShare, bottom
    }

    var border: Border
    /// Whether the border moved.
    ///
    /// Without a movement it was a click on the pane whose title is in the border.
    var hasMoved = false
}

/// What the mouse did last.
struct PointerState: FeatureState {
    /// A list of which a row was pressed.
    enum Place: Hashable, Sendable {
        case pane(Pane)
        case popup(PopupStack.ID?)
    }

    /// The popup that was shown at the last press; nil for none.
    var pressed: PopupStack.ID?
    /// The list in which the selected row stays at ``line`` of the screen until a key moves the selection; nil for none.
    var place: Place?
    var line = 0
    /// Whether a movement is that of the wheel.
    var isScrolling = false
}

extension AppState {
    /// The line within the rows of a list at which its selected row was pressed; nil for a row that is displayed at the usual line.
    func pressedLine(_ place: PointerState.Place, in rows: Rect) -> Int? {
        let pointer = states[PointerState.self]
        return pointer.place == place && rows.rows.contains(pointer.line) ? pointer.line - rows.row : nil
    }
}
