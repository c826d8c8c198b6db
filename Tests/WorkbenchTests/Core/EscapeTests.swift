import SortieHTTP
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests what Esc leaves, in its order: a field, a popup, the search or filter of the pane; it never cancels a request, which Ctrl-C does.
@Suite struct EscapeTests {
    private func sending() -> (AppState, CallID) {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        return (state, id)
    }

    @Test func `Esc clears the filter of Services and does not cancel the selected endpoint's call`() {
        var (state, id) = sending()
        state.press("1", "/")
        state.type("list")
        state.press("Enter")
        #expect(state.screen.contains("Esc Clear filter"))
        #expect(state.press("Esc") == [])
        #expect(state.services.filter == nil && state.openCall?.isSending == true)
        #expect(state.press("Esc") == [] && state.openCall?.isSending == true)
        #expect(state.press("^C") == [.cancel(id)])
    }

    @Test func `Esc names the key that cancels for a moment, and cancels nothing`() {
        var (state, _) = sending()
        for pane in ["1", "2", "3"] {
            state.press(pane)
            #expect(state.press("Esc") == [] && state.openCall?.isSending == true)
            #expect(state.toast?.text == "^C cancels GET /orders", "\(pane): \(state.toast?.text ?? "none")")
        }
        #expect(state.screen.contains("^C cancels GET /orders"))
    }

    @Test func `Ctrl-C cancels a request at once, also where a filter is shown`() {
        var (state, id) = sending()
        state.press("1", "/")
        state.type("list")
        state.press("Enter")
        #expect(state.screen.contains("^C Cancel") && state.press("^C") == [.cancel(id)])
        #expect(state.services.filter?.text == "list")
    }

    @Test func `Ctrl-C without a request goes back as Esc does`() {
        var state = AppState.sample()
        state.press("z")
        #expect(state.isZoomed && !state.screen.contains("^C"))
        #expect(state.press("^C") == [] && !state.isZoomed)
    }

    @Test func `Esc ends the search in a response and does not cancel the call`() {
        var (state, id) = sending()
        state.focus(.response)
        #expect(state.screen.contains("^C cancels"))
        state.press("/")
        state.type("x")
        state.press("Enter")
        #expect(state.screen.contains("^C cancels") && state.screen.contains("Esc Clear search"))
        #expect(state.press("Esc") == [])
        #expect(state.searchTerms[.response] == nil && state.openCall?.isSending == true)
        #expect(state.press("^C") == [.cancel(id)])
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
        #expect(state.calls[id]?.call.isCancelling == false && !state.screen.contains("^C Cancel"))
        #expect(state.press("x") == [.commandDownload(id, .cancel(keepsPart: true))])
    }

    @Test func `Esc leaves a field and closes a popup before anything else`() {
        var (state, id) = sending()
        state.press("p", "Esc")
        #expect(RequestFeature.editing(state) == nil && state.openCall?.isSending == true)
        state.press("?", "Esc")
        #expect(state.popup == nil && state.openCall?.isSending == true)
        #expect(state.press("^C") == [.cancel(id)])
    }

    @Test func `Esc clears the history filter before it removes marks`() {
        var state = AppState.sample()
        state.press("H")
        state.history.setFilter("status:500")
        state.press("Esc")
        #expect(state.history.filterText.isEmpty)
    }
}
