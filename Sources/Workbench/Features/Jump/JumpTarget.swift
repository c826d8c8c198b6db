internal import SortieTerminal

/// A place on the screen that jump mode goes to.
struct JumpTarget: Hashable, Sendable {
    /// What choosing the place does.
    enum Action: Hashable, Sendable {
        /// Gives the focus to a pane.
        case focus(Pane)
        /// Does what a click does there.
        case click
    }

    /// The position of the label.
    var point: Point
    var action: Action

    /// The places on the screen while no popup is open: titles, tabs, the rows of the focused pane, those of the others, and the keys of the footer.
    static func all(_ state: AppState) -> [JumpTarget] {
        let layout = state.layout
        let panes = Pane.allCases.filter { !layout[$0].isEmpty }
        let titles = panes.filter { $0 != .bottom }.map { pane in
            JumpTarget(point: layout[pane].origin.moved(columns: 2), action: .focus(pane))
        }
        let tabs = state.bottomTabPoints(layout).map { JumpTarget(point: $0, action: .click) }
        let order = panes.filter { $0 == state.focus } + panes.filter { $0 != state.focus }
        let canvas = panes.contains(.bottom) ? state.draw() : Canvas(size: .zero)
        let rows = order.flatMap { pane in
            pane == .bottom ? bottomRows(state, layout, canvas) : state.paneFeature(pane).jumpPoints(layout, state)
        }
        let keys = state.footerPoints(in: layout.footer)
        return titles + tabs + (rows + keys).map { JumpTarget(point: $0, action: .click) }
    }

    /// The rows of the bottom pane that show something.
    private static func bottomRows(_ state: AppState, _ layout: Layout, _ canvas: Canvas) -> [Point] {
        let inner = layout.bottom.inset(columns: 2, rows: 1)
        guard !inner.isEmpty, !state.shownTab.isEmpty(state) else { return [] }
        return inner.rows.filter { row in
            inner.columns.contains { column in canvas.cell(at: Point(column: column, row: row)).map { $0.glyph != " " } ?? false }
        }.map { Point(column: inner.column, row: $0) }
    }

    /// Goes to the place.
    func go(_ state: inout AppState) -> [Effect] {
        switch action {
        case .focus(let pane):
            state.focus(pane)
            return []
        case .click:
            let effects = state.used(Mouse(kind: .press, button: .left, position: point))
            // Nothing is being dragged.
            state.drag = nil
            return effects
        }
    }
}
