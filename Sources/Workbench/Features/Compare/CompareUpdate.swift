internal import SortieBase
internal import SortieTerminal

/// A comparison of two exchanges of the history.
struct CompareJob: Job {
    static let isReplaced = true
    static let opensPopup = true

    /// The numbers of the exchanges.
    var numbers: [Int64]
}

/// A comparison of a run with the previous one.
struct CompareRunJob: Job {
    static let isReplaced = true
    static let opensPopup = true

    /// The start of the run.
    var run: RunID
}

/// Comparing two exchanges.
struct CompareFeature: Feature {
    let stacks: [[Context]] = [[.comparing]]
}

extension ComparePopup: Popup {
    var guideTopic: String? { "history" }
    var contexts: [Context] { [.comparing] }

    func label(of command: Command) -> String? {
        guard command == .open else { return nil }
        return isUnfolded ? "Only differences" : "Same fields"
    }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): scroll(movement, state)
        case .fold: left = (left - 8).clamped(to: 0...4096)
        case .unfold: left = (left + 8).clamped(to: 0...4096)
        case .nextMatch: if !goToDifference(forward: true) { state.toast = Toast("No difference below", .warning) }
        case .previousMatch: if !goToDifference(forward: false) { state.toast = Toast("No difference above", .warning) }
        case .open: toggleSameFields()
        case .copy: return state.copy(text(state.redaction), "the comparison")
        case .close: state.popups.pop()
        default: return nil
        }
        return []
    }

    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        guard mouse.kind == .scrollUp || mouse.kind == .scrollDown else { return [] }
        for _ in 0..<3 { scroll(mouse.kind == .scrollUp ? .up : .down, state) }
        return []
    }

    private mutating func scroll(_ movement: Movement, _ state: AppState) {
        let height = state.readingRect.height - 3
        let lastTop = max(0, rows.count - height)
        top = movement.target(from: min(top, lastTop), count: lastTop + 1, page: height)
    }

    /// Shows or hides the fields that are equal; of bodies only the differences are available.
    private mutating func toggleSameFields() {
        var other = ComparePopup(comparison, isUnfolded: !isUnfolded, moment: moment)
        // The row at the top stays there.
        let first = rows.indices.contains(top) ? rows[top] : nil
        other.top = other.rows.firstIndex { $0 == first } ?? 0
        self = other
    }
}
