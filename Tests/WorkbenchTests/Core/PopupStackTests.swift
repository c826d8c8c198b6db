import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Popups form a stack, and handle commands before the panes.
@Suite struct PopupStackTests {
    /// A popup that counts what it handles.
    private struct Counter: Popup {
        var count = 0

        var contexts: [Context] { [.reading] }

        mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
            switch command {
            case .move: count += 1
            case .open: state.popups.push(Counter())
            case .close: state.popups.pop()
            default: return nil
            }
            return []
        }

        mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] { [] }

        func draw(on canvas: inout Canvas, _ state: AppState) {}
    }

    private func counts(_ state: inout AppState) -> [Int] {
        var counts: [Int] = []
        while let popup = state.popup {
            counts.append((popup as? Counter)?.count ?? -1)
            state.popups.pop()
        }
        return counts
    }

    @Test func `the popup that is shown handles a command, and keeps its change`() {
        var state = AppState.sample()
        state.popups.show(Counter())
        let selected = state.services.selected
        state.press("↓", "↓")
        #expect(state.services.selected == selected, "the pane below gets nothing")
        #expect(counts(&state) == [2])
    }

    @Test func `a popup above another one gets the commands until it closes`() {
        var state = AppState.sample()
        state.popups.show(Counter())
        state.press("↓")
        _ = state.perform(.open)
        state.press("↓", "↓", "↓")
        _ = state.perform(.close)
        state.press("↓")
        #expect(counts(&state) == [2])
    }

    @Test func `a popup that closes itself is not stored again`() {
        var state = AppState.sample()
        state.popups.show(Counter())
        state.press("Esc")
        #expect(state.popup == nil)
    }

    @Test func `the palette opens in place of a popup in which nothing is typed`() {
        for key in ["E", "F1", "^E"] {
            var state = AppState.sample()
            state.press(key)
            #expect(state.popup != nil)
            state.press("^P")
            #expect(state.screen.contains("Commands and places"), "\(key)")
            state.press("Esc")
            #expect(state.popup == nil)
        }
    }

    @Test func `details are in a column where no label is long, and only the text of a cut row is repeated below`() {
        func rows(_ labels: [(String, String)], width: Int) -> [String] {
            var state = AppState.sample(size: Size(width: width, height: 24))
            state.popups.show(ListPopup(title: "List", items: labels.map { .plain(label: $0.0, detail: $0.1) }))
            return state.screen.split(separator: "\n").map { String($0) }
        }
        let short = rows([("dark", "bright colours"), ("color-blind", "colours that differ")], width: 80)
        #expect(short.contains { $0.contains("  dark         bright colours") })
        #expect(short.contains { $0.contains("  color-blind  colours that differ") })
        #expect(short.count { $0.contains("bright colours") } == 1)
        let long = rows([("dark", "bright colours"), (String(repeating: "x", count: 31), "colours")], width: 80)
        #expect(long.contains { $0.contains("  dark  bright colours") })
        let cut = rows([("dark", "bright colours for a dark background, as most terminals have it")], width: 44)
        #expect(cut.contains { $0.contains("dark · bright colours for a dark") })
    }

    @Test func `a command that a popup does not know means the same everywhere`() {
        var state = AppState.sample()
        state.popups.show(Counter())
        #expect(state.press("^L") == [.redraw])
        #expect(state.popup != nil)
    }

    @Test(arguments: [Command.nextTab, .unfold, .search, .leave, .copy, .nextField])
    func `a general command that a popup does not know does not reach the pane below`(command: Command) {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.popups.show(Counter())
        #expect(state.dispatch(command) == nil)
        #expect(state.requestState.tab == .params && state.searchEntry == nil)
    }

    @Test func `showing a popup closes the others`() {
        var state = AppState.sample()
        state.popups.show(Counter())
        state.popups.push(Counter())
        state.popups.show(Counter())
        #expect(counts(&state).count == 1)
    }
}
