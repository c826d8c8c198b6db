import SortieTerminal
import Support

@testable import SortieWorkbench

/// The screens of a pane or a popup in several states, for a file in `Tests/Fixtures/Screens`.
struct ScreenSnapshot {
    /// The size of a state that fills the screen with one pane, or has a popup above the panes.
    static let full = Size(width: 80, height: 16)
    /// The smallest size of a terminal.
    static let narrow = Size(width: 40, height: 10)

    /// The name of the file.
    let name: String
    private var parts: [String] = []

    init(_ name: String) { self.name = name }

    /// Adds a pane that fills the screen.
    mutating func add(_ title: String, _ state: AppState, _ pane: Pane) {
        var state = state
        state.focus(pane)
        state.isZoomed = true
        add(title, state)
    }

    /// Adds the screen of a small terminal in which a pane has the focus.
    mutating func addNarrow(_ title: String, _ state: AppState, _ pane: Pane) {
        var state = state
        state.focus(pane)
        state.isZoomed = false
        _ = state.update(.input(.resize(Self.narrow)))
        add(title, state)
    }

    /// Adds a screen without the footer, whose keys `Keys.md` has.
    mutating func add(_ title: String, _ state: AppState) {
        let size = state.size
        var rows = state.screen.split(separator: "\n", omittingEmptySubsequences: false).prefix(size.height - 1)
        while rows.last?.isEmpty == true { rows.removeLast() }
        parts.append("== \(title), \(size.width)×\(size.height)\n" + rows.map { $0 + "\n" }.joined())
    }

    /// Compares the screens with the file; nil, or the first difference.
    func problem() throws -> String? {
        try GeneratedDocument("Tests/Fixtures/Screens/\(name).txt").problem(comparedWith: parts.joined(separator: "\n"), suite: "ScreenSnapshotTests")
    }
}
