import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests the precedence of Esc: field, popup, search or filter of the pane, and finally the current request.
@Suite struct EscapeTests {
    private func sending() -> (AppState, CallID) {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        return (state, id)
    }

    @Test func `Esc clears the filter of Services before it cancels the selected endpoint's call`() {
        var (state, id) = sending()
        state.press("1", "/")
        state.type("list")
        state.press("Enter")
        #expect(state.screen.contains("Esc Clear filter"))
        #expect(state.press("Esc") == [])
        #expect(state.services.filter == nil && state.openCall?.phase == .sending)
        #expect(state.press("Esc") == [.cancel(id)])
    }

    @Test func `Esc ends the search in a response before it cancels the call`() {
        var (state, id) = sending()
        state.focus(.response)
        #expect(state.screen.contains("Esc cancels"))
        state.press("/")
        state.type("x")
        state.press("Enter")
        #expect(!state.screen.contains("Esc cancels") && state.screen.contains("Esc Clear search"))
        #expect(state.press("Esc") == [])
        #expect(state.searchTerms[.response] == nil && state.openCall?.phase == .sending)
        #expect(state.press("Esc") == [.cancel(id)])
    }

    @Test func `Esc ends the search in Transfers and never cancels a transfer`() {
        var state = AppState.sample()
        state.open("shop/big")
        let id = state.downloadOpen()
        state.press("T", "/")
        state.type("big")
        state.press("Enter")
        #expect(state.press("Esc") == [])
        #expect(state.searchTerms[.transfers] == nil)
        for key in ["Esc", "^C"] {
            #expect(state.press(key) == [])
            for pane in ["1", "2", "3"] { #expect(state.press(pane, key) == []) }
            state.press("T")
        }
        #expect(state.calls[id]?.transfer?.phase != .cancelling && !state.screen.contains("Esc Cancel"))
        #expect(state.press("x") == [.cancelDownload(id, keepsPart: true)])
    }

    @Test func `Esc leaves a field and closes a popup before anything else`() {
        var (state, id) = sending()
        state.press("p", "Esc")
        #expect(RequestFeature.editing(state) == nil && state.openCall?.phase == .sending)
        state.press("?", "Esc")
        #expect(state.popup == nil && state.openCall?.phase == .sending)
        #expect(state.press("Esc") == [.cancel(id)])
    }

    @Test func `Esc clears the history filter before it removes marks`() {
        var state = AppState.sample()
        state.press("H")
        state.history.setFilter("status:500")
        state.press("Esc")
        #expect(state.history.filterText.isEmpty)
    }
}
