import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the tab with the value that an envelope or a format makes of a body.
@Suite struct ValueTabTests {
    private func answered(_ value: JSONValue?, body: String = "<a/>") -> AppState {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample(body, contentType: "application/xml")
        exchange.value = value
        _ = state.update(.call(id, .finished(exchange)))
        state.focus(.response)
        state.responseState.tab = .value
        return state
    }

    @Test func `S0.13 the value is displayed as JSON, with secrets masked`() {
        let screen = answered(["order": ["@id": "1", "token": "abc123"]]).screen
        #expect(screen.contains("\"@id\": \"1\"") && screen.contains("\"order\": {"), "\(screen)")
        #expect(!screen.contains("abc123"))
    }

    @Test func `a response without a value says what makes one`() {
        #expect(answered(nil).screen.contains("expect: {format: xml}"))
    }

    @Test func `the value of a large body is not laid out`() {
        let state = answered(["a": "1"], body: String(repeating: " ", count: 300 << 10))
        #expect(state.screen.contains("s saves the body"))
        #expect(!state.screen.contains("\"a\""))
    }
}
