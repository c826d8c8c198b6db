import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the rows of the parameters in a path.
@Suite struct PathParameterRowTests {
    private func typed(_ path: String) -> AppState {
        var state = AppState.sample(size: Size(width: 120, height: 30))
        state.open("shop/orders/list")
        state.press("p", "^A", "^K")
        _ = state.update(.input(.paste(path)))
        state.press("Enter")
        return state
    }

    private func rows(_ state: AppState) -> [RequestRow] {
        RequestFeature.rows(state).filter { if case .pathParameter = $0.kind { true } else { false } }
    }

    @Test func `parameters of the typed path are rows, and their values are sent`() throws {
        var state = typed("/users/:id/orders/{order}")
        #expect(rows(state).map(\.name) == ["id", "order"])
        #expect(state.screen.contains("no value; :id is sent as it is"))
        state.requestState.row = try #require(RequestFeature.rows(state).firstIndex { $0.name == "id" })
        state.press("Enter")
        state.type("a b")
        state.press("Tab", "Tab")
        state.type("7")
        state.press("Enter")
        #expect(state.openEndpoint?.variables == ["id": "a b", "order": "7"])
        #expect(state.screen.contains("http://127.0.0.1:8080/users/a%20b/orders/7"))
        state.press("d")
        #expect(state.openEndpoint?.variables == ["id": "a b"])
        state.press("u")
        #expect(state.openEndpoint?.variables["order"] == "7")
    }

    @Test func `a name typed in the row changes the path, and a name typed in the path keeps the value`() throws {
        var state = typed("/users/:id")
        state.change { $0.variables["id"] = "7" }
        state.requestState.row = try #require(RequestFeature.rows(state).firstIndex { $0.name == "id" })
        state.press("Enter", "Shift-Tab", "^U")
        state.type("user")
        state.press("Enter")
        #expect(state.openEndpoint?.path == "/users/:user" && state.openEndpoint?.variables == ["user": "7"])
        state.press("p")
        for _ in 0..<4 { state.press("Backspace") }
        #expect(rows(state).isEmpty)
        state.press("Alt-u", "Enter")
        #expect(state.openEndpoint?.path == "/users/:user" && state.openEndpoint?.variables == ["user": "7"])
        state.press("p")
        state.type("Name")
        state.press("Enter")
        #expect(state.openEndpoint?.path == "/users/:userName" && state.openEndpoint?.variables == ["userName": "7"])
    }

    @Test func `a value of the environment is displayed as such`() {
        var state = typed("/:host")
        #expect(rows(state).first?.isTakenOver == true)
        #expect(rows(state).first?.summary == "in the path, from outside: 127.0.0.1:8080")
        state.press("p")
        #expect(state.openEndpoint?.variables.isEmpty == true)
    }
}
