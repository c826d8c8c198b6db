internal import SortieTerminal

/// A popup with a table or list of which one row is selected, such as the cookies.
protocol TablePopup: Popup {
    /// Whether a click chooses the row; otherwise a double click does.
    static var choosesByClick: Bool { get }
    /// The index of the selected row.
    var selected: Int { get set }
    /// The number of rows.
    var count: Int { get }
    /// The number of lines, which include headings between the rows.
    var lineCount: Int { get }

    /// The line of a row.
    func line(of row: Int) -> Int
    /// The row in a line; nil for a heading.
    func row(inLine line: Int) -> Int?
    /// The area of the popup.
    func frame(in area: Rect) -> Rect
    /// The area of the lines.
    func rows(in frame: Rect) -> Rect
    /// Does with the selected row what Enter does.
    mutating func chooseSelected(_ state: inout AppState) -> [Effect]
}

extension TablePopup {
    static var choosesByClick: Bool { false }
    var lineCount: Int { count }

    func line(of row: Int) -> Int { row }
    func row(inLine line: Int) -> Int? { line }

    func frame(in area: Rect) -> Rect { area.width < 110 ? area : area.inset(columns: 4, rows: min(2, area.height / 12)) }

    /// The lines are below a heading and above three lines of details.
    func rows(in frame: Rect) -> Rect { frame.inset(columns: 2, rows: 1).split(topHeight: 1).bottom.split(bottomHeight: 3).top }

    /// The visible lines.
    func window(_ state: AppState) -> ListWindow {
        let rows = rows(in: frame(in: state.popupArea))
        return ListWindow(rows, showing: line(of: selected), of: lineCount, at: state.pressedLine(.popup(state.popups.topID), in: rows))
    }

    mutating func move(_ movement: Movement, _ state: AppState) {
        selected = movement.target(from: selected, count: count, page: window(state).rect.height)
    }

    func area(_ state: AppState) -> Rect { frame(in: state.popupArea) }

    /// Handles the mouse: the wheel moves the selection, a click selects.
    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        switch mouse.kind {
        case .scrollUp, .scrollDown: move(mouse.kind == .scrollUp ? .up : .down, state)
        case .press:
            guard let row = window(state).index(at: mouse.position).flatMap(row(inLine:)) else { break }
            selected = row
            if Self.choosesByClick { return chooseSelected(&state) }
        case .doubleClick:
            guard !Self.choosesByClick, window(state).index(at: mouse.position).flatMap(row(inLine:)) == selected else { break }
            return chooseSelected(&state)
        case .release, .drag: break
        }
        return []
    }
}

extension Binding {
    /// The keys that move in a table; `row` is the noun for one of its rows.
    static func movements(_ context: Context, _ row: String) -> [Binding] {
        [
            Binding(context, [.up, .character("k")], .move(.up), "Up", "Move up"),
            Binding(context, [.down, .character("j")], .move(.down), "Down", "Move down"),
            Binding(context, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
            Binding(context, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
            Binding(context, [.home, .character("g")], .move(.first), "Start", "Go to the first \(row)"),
            Binding(context, [.end, .character("G")], .move(.last), "End", "Go to the last \(row)"),
        ]
    }
}
