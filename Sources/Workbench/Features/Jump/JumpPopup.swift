internal import SortieTerminal

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
        case .edit, .newLine, .point, .replace, .replaceAll: break
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
