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
