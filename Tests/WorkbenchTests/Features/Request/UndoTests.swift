import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests that u undoes one step at a time and U redoes it.
@Suite struct UndoTests {
    private func opened(_ target: String = "shop/orders/list") -> AppState {
        var state = AppState.sample()
        state.open(target)
        return state
    }

    private func value(_ state: AppState) -> String? { state.openEndpoint?.query.first?.value }

    @Test func `words of a value are undone one by one`() {
        var state = opened()
        state.press("Enter", "^U")
        state.type("one two three")
        state.press("Enter")
        for expected in ["one two", "one", "", "1"] {
            state.press("u")
            #expect(value(state) == expected)
        }
        #expect(state.drafts["shop/orders/list"]?.canUndo == false)
    }

    @Test func `typing and deleting are two steps`() {
        var state = opened()
        state.press("Enter")
        state.type("234")
        state.press("Backspace", "Backspace", "Enter")
        #expect(value(state) == "12")
        state.press("u")
        #expect(value(state) == "1234")
        state.press("u")
        #expect(value(state) == "1")
    }

    @Test func `editing a field twice gives two steps`() {
        var state = opened()
        state.press("Enter")
        state.type("2")
        state.press("Enter", "Enter")
        state.type("3")
        state.press("Enter", "u")
        #expect(value(state) == "12")
    }

    @Test func `the fields of a row are separate steps, and the row is removed with its name`() {
        var state = opened()
        state.press("a")
        state.type("sort")
        state.press("Tab")
        state.type("name")
        state.press("Enter", "u")
        #expect(state.openEndpoint?.query[1] == Parameter("sort", ""))
        state.press("u")
        #expect(state.openEndpoint?.query.map(\.name) == ["page", "size"])
        #expect(state.drafts["shop/orders/list"]?.isEdited == false)
    }

    @Test func `lines of a body are undone one by one`() {
        var state = opened("shop/orders/create")
        state.press("↓", "Enter", "End", "Enter")
        state.type("a")
        state.press("Enter")
        state.type("b")
        state.press("Esc", "u")
        #expect(state.openEndpoint?.body == .json("{\n  a\n  \"item\": 1\n}"))
        state.press("u")
        #expect(state.openEndpoint?.body == .json("{\n  \"item\": 1\n}"))
    }

    @Test func `a paste is one step`() {
        var state = opened()
        state.press("Enter")
        state.type("2")
        _ = state.update(.input(.paste(" and more words")))
        state.press("Enter", "u")
        #expect(value(state) == "12")
    }

    @Test func `U redoes what u undid, until another change`() {
        var state = opened()
        state.press("Space", "Enter")
        state.type("2")
        state.press("Enter", "u", "u")
        #expect(state.drafts["shop/orders/list"]?.isEdited == false)
        state.press("U")
        #expect(state.openEndpoint?.query.first == Parameter("page", "1", isEnabled: false))
        state.press("U")
        #expect(value(state) == "12")
        state.press("u", "d")
        #expect(state.press("U").isEmpty)
        #expect(state.openEndpoint?.query.map(\.name) == ["size"])
        #expect(state.toast?.text == "There is nothing to redo")
    }

    @Test func `after a save the steps before it can still be undone`() {
        var state = opened()
        state.press("Space")
        guard case .save(let id, let saved, _) = state.press("^S").first else {
            Issue.record("nothing was saved")
            return
        }
        _ = state.update(.saved(id, .saved(saved)))
        var workspace = Workspace.sample
        workspace.services[0].endpoints[2] = saved
        _ = state.update(.workspaceLoaded(workspace))
        state.press("u")
        #expect(state.openEndpoint?.query.first?.isEnabled == true)
        #expect(state.drafts["shop/orders/list"]?.isEdited == true)
    }
}
