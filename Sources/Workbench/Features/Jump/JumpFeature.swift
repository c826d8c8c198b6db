internal import SortieTerminal

/// Jump mode: labels on what can be clicked, which a key sequence clicks.
struct JumpFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.panes, [.character("'")], .jump, "Jump", "Put letters on panes, tabs, rows and keys; typing them goes there", hint: 50)
                .alsoKnownAs("Go to", "Hint", "Labels", "Click", "Easy motion"),
            Binding(.everywhere, [.control("g")], .jump, "Jump", "Put letters on panes, tabs, rows and keys; typing them goes there"),
            Binding(.jump, [.escape, .control("c")], .close, "Cancel", "Leave without going anywhere", hint: 1),
        ]
    }

    let stacks: [[Context]] = [[.jump, .field]]

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .jump else { return nil }
        guard state.popups.isEmpty, !state.layout.isTooSmall else { return [] }
        state.focusedPane.stopEditing(&state)
        state.stopTyping()
        state.toast = nil
        state.popups.push(JumpPopup(targets: JumpTarget.all(state), layout: state.layout))
        return []
    }
}

extension Command {
    static let jump = Command.named("jump")
}

extension Context {
    /// Labels are shown on what can be clicked.
    static let jump = Context("Jumping")
}

/// The labels of jump mode: one or two letters each, and none the start of another.
enum JumpLabels {
    /// The letters, those on the home row first.
    private static let letters = Array("asdfghjklewrtyuiopqvbnmcxz").map { String($0) }

    /// The largest number of labels.
    static let most = letters.count * letters.count

    /// The labels of a number of places, at most ``most``; the first ones have one letter where there are enough.
    static func labels(_ count: Int) -> [String] {
        let count = min(count, most)
        // Each first letter of labels with two letters takes the place of one label with one letter.
        let starts = count <= letters.count ? 0 : (count - letters.count + letters.count - 2) / (letters.count - 1)
        let single = letters.prefix(letters.count - starts)
        let double = letters.suffix(starts).flatMap { start in letters.map { start + $0 } }
        return Array((single + double).prefix(count))
    }
}

/// The labels of jump mode over the panes, and the letters that were typed.
struct JumpPopup: Popup {
    private let labels: [(label: String, target: JumpTarget)]
    /// The layout that the positions belong to.
    private let layout: Layout
    private var typed = ""

    init(targets: [JumpTarget], layout: Layout) {
        labels = Array(zip(JumpLabels.labels(targets.count), targets)).map { (label: $0, target: $1) }
        self.layout = layout
    }

    let contexts: [Context] = [.jump, .field]

    /// The places that the typed letters still allow.
    private var shown: [(label: String, target: JumpTarget)] { labels.filter { $0.label.hasPrefix(typed) } }

    /// The label at a position.
    func label(at point: Point) -> String? { labels.first { $0.target.point == point }?.label }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .close else { return nil }
        state.popups.pop()
        return []
    }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] {
        guard state.layout == layout else {
            state.popups.pop()
            return []
        }
        switch change {
        case .insert(let text):
            let next = typed + text.lowercased()
            // A letter without a label is ignored.
            guard labels.contains(where: { $0.label.hasPrefix(next) }) else { return [] }
            typed = next
            guard let chosen = labels.first(where: { $0.label == next }) else { return [] }
            state.popups.pop()
            return chosen.target.go(&state)
        case .edit(.deleteBefore): _ = typed.popLast()
        case .edit, .newLine, .indent, .outdent, .point, .replace, .replaceAll, .vi: break
        }
        return []
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        if mouse.kind == .press { state.popups.pop() }
        return []
    }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        // The panes and the footer look as they do without the popup, because the labels belong to them.
        var below = state
        below.popups.removeAll()
        canvas = below.draw()
        canvas.cursor = nil
        canvas.restyle(canvas.bounds) { $0 = Style($0.role).dim() }
        guard state.layout == layout else { return }
        let footer = state.layout.footer
        let end = labels.filter { $0.target.point.row == footer.row }.map(\.target.point.column).min() ?? footer.endColumn
        let room = Rect(column: 0, row: footer.row, width: max(0, end - 1), height: 1)
        canvas.fill(room)
        let hint = "Jump · \(state.key(.close, in: .jump)) cancels"
        canvas.write(CellWidth.truncated(hint, to: room.width - 1), at: room.origin.moved(columns: 1), style: .accent)
        for (label, target) in shown {
            canvas.write(
                [Span(label.prefix(typed.count), .muted), Span(label.dropFirst(typed.count), .currentMatch)], at: target.point)
        }
    }
}

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
