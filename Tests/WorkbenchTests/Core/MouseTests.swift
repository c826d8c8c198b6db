import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct MouseTests {
    private func click(_ state: inout AppState, on text: String, offset: Int = 0) -> [Effect] {
        for (row, line) in state.screen.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let range = line.firstRange(of: text) else { continue }
            let column = CellWidth.width(of: line[..<range.lowerBound]) + offset
            return state.update(.input(.mouse(Mouse(kind: .press, button: .left, position: Point(column: column, row: row)))))
        }
        Issue.record("“\(text)” is not on the screen")
        return []
    }

    @Test func `a click opens an endpoint`() {
        var state = AppState.sample()
        _ = click(&state, on: "Create order")
        #expect(state.openTarget == "shop/orders/create")
    }

    @Test func `a click on a name in a border selects that tab`() {
        var state = AppState.sample()
        _ = click(&state, on: "History")
        #expect(state.bottomTab == .history)
        #expect(state.focus == .bottom)
    }

    @Test func `a click on a tab of the request selects it`() {
        var state = AppState.sample()
        _ = click(&state, on: "Auth")
        #expect(state.requestState.tab == .auth)
    }

    @Test func `a click on a key in the footer performs its command`() {
        var state = AppState.sample()
        _ = click(&state, on: "? Help")
        #expect(state.screen.contains("Keys for Services"))
        _ = click(&state, on: "Esc Close")
        #expect(state.popup == nil)
    }

    @Test func `a click on a check box toggles the row`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        _ = click(&state, on: "[ ] size", offset: 1)
        #expect(state.openEndpoint?.query[1].isEnabled == true)
    }

    @Test func `the wheel scrolls the pane under the pointer and keeps the focus`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.answer(state.sendOpen(), (1...100).map(String.init).joined(separator: "\n"), contentType: "text/plain")
        let place = Point(column: 60, row: state.layout.response.row + 3)
        _ = state.update(.input(.mouse(Mouse(kind: .scrollDown, button: .none, position: place))))
        #expect(state.responseState.top == 3)
        #expect(state.focus == .request)
    }

    @Test func `a dragged border makes the pane wider`() {
        var state = AppState.sample()
        let before = state.layout.services.width
        let row = 5
        _ = state.update(.input(.mouse(Mouse(kind: .press, button: .left, position: Point(column: before - 1, row: row)))))
        _ = state.update(.input(.mouse(Mouse(kind: .drag, button: .left, position: Point(column: before + 7, row: row)))))
        _ = state.update(.input(.mouse(Mouse(kind: .release, button: .left, position: Point(column: before + 7, row: row)))))
        #expect(state.layout.services.width == before + 8)
        _ = state.update(.input(.mouse(Mouse(kind: .drag, button: .left, position: Point(column: 20, row: row)))))
        #expect(state.layout.services.width == before + 8)
    }

    @Test func `a click on a title in a border focuses that pane`() {
        var state = AppState.sample()
        _ = click(&state, on: "Response")
        #expect(state.focus == .services)
        let place = state.layout.response.origin.moved(columns: 3)
        _ = state.update(.input(.mouse(Mouse(kind: .release, button: .left, position: place))))
        #expect(state.focus == .response)
    }

    @Test func `a click beside a popup closes it, one on a row chooses it`() {
        var state = AppState.sample()
        state.press("^E")
        _ = click(&state, on: "release")
        #expect(state.environment == "release")
        state.press("^E")
        _ = click(&state, on: "Services")
        #expect(state.popup == nil)
    }

    @Test func `the mouse may be at any position`() {
        for place in [Point(column: -1, row: -1), Point(column: 9999, row: 3), Point(column: 3, row: 9999)] {
            for kind in [Mouse.Kind.press, .drag, .release, .scrollUp, .scrollDown, .doubleClick] {
                var state = AppState.sample()
                state.drag = PaneDrag(border: .services)
                _ = state.update(.input(.mouse(Mouse(kind: kind, button: .left, position: place))))
                #expect(state.draw().size == state.size)
            }
        }
    }
}
