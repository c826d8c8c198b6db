import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the commands that work in every text: the editor, the clipboard, the mouse, undo.
@Suite struct TypedTextTests {
    private func opened(_ target: String = "shop/orders/list") -> AppState {
        var state = AppState.sample()
        state.open(target)
        return state
    }

    private func edit(_ effects: [Effect]) -> (id: JobID, text: String)? {
        for case .edit(let id, let text, _) in effects { return (id, text) }
        return nil
    }

    private func copied(_ effects: [Effect]) -> String? {
        for case .copy(_, let text) in effects { return text }
        return nil
    }

    @Test func `Ctrl-O opens the text of a field, and takes it back without the last line break`() throws {
        var state = opened()
        state.press("Enter")
        let job = try #require(edit(state.press("^O")))
        #expect(job.text == "1")
        _ = state.update(.edited(job.id, .text("new\nvalue\n")))
        #expect(state.openEndpoint?.query.first?.value == "new value" && RequestFeature.editing(state) != nil)
    }

    @Test func `Ctrl-O opens the text of a prompt, a form, a search and a body`() throws {
        var state = opened("shop/orders/create")
        state.press("↓", "Enter")
        #expect(edit(state.press("^O"))?.text == "{\n  \"item\": 1\n}")
        state.press("Esc", "/")
        state.type("term")
        #expect(edit(state.press("^O"))?.text == "term")
        state.press("Enter")
        state.popups.push(Prompt("Note", "some note") { _, _ in [] })
        #expect(edit(state.press("^O"))?.text == "some note")
        state.popups.push(Form("Item", [.init("Name", "a name")]) { _, _ throws(FormProblem) in [] })
        let job = try #require(edit(state.press("^O")))
        #expect(job.text == "a name")
        _ = state.update(.edited(job.id, .text("another")))
        #expect((state.popup as? Form)?.text("Name") == "another")
    }

    @Test func `a secret is not written to a file for the editor`() {
        var state = opened()
        state.popups.push(Prompt("Passphrase", "swordfish", isSecret: true) { _, _ in [] })
        #expect(state.press("^O").isEmpty)
        #expect(state.toast?.text.contains("A secret is not written to a file") == true)
    }

    @Test func `a masked secret is copied only while secrets are shown`() {
        var state = opened()
        state.popups.push(Prompt("Passphrase", "swordfish", isSecret: true) { _, _ in [] })
        #expect(state.press("Alt-w").isEmpty)
        #expect(state.toast?.text.contains("A masked secret is not copied") == true)
        state.showsSecrets = true
        #expect(copied(state.press("Alt-w")) == "swordfish")
    }

    @Test func `the text of the editor is kept when its field was closed`() throws {
        var state = opened()
        state.press("Enter")
        let job = try #require(edit(state.press("^O")))
        state.press("Esc")
        _ = state.update(.edited(job.id, .text("long text")))
        #expect(state.openEndpoint?.query.first?.value == "1")
        #expect(state.toast?.text == "The field is closed; ^Y in a field inserts the text of the editor")
        state.press("Enter", "^Y")
        #expect(state.openEndpoint?.query.first?.value == "1long text")
    }

    @Test func `the selection is copied and cut, and what was cut or deleted is inserted elsewhere`() {
        var state = opened()
        state.press("p")
        #expect(copied(state.press("Alt-w")) == "/orders?page=1")
        state.press("Home")
        for _ in 0..<4 { _ = state.update(.input(.key(Key(.right, .shift)))) }
        #expect(copied(state.press("Alt-w")) == "/ord")
        #expect(copied(state.press("^X")) == "/ord")
        #expect(state.openEndpoint?.path == "ers")
        state.press("Enter", "↓")
        state.requestState.row = 0
        state.press("Enter", "^Y")
        #expect(state.openEndpoint?.query.first?.value == "1/ord")
        state.press("^W", "^Y", "^Y")
        #expect(state.openEndpoint?.query.first?.value == "1/ordord")
    }

    @Test func `cutting without a selection explains how to select`() {
        var state = opened()
        state.press("Enter")
        #expect(state.press("^X").isEmpty)
        #expect(state.toast?.text == "Nothing is selected; Shift with an arrow selects")
    }

    @Test func `undo and redo of a field are those of the endpoint`() {
        var state = opened()
        state.press("Enter")
        state.type(" two three")
        state.press("Alt-u")
        #expect(state.openEndpoint?.query.first?.value == "1 two")
        state.press("Alt-u")
        #expect(state.openEndpoint?.query.first?.value == "1")
        state.press("Alt-U", "Enter")
        #expect(state.openEndpoint?.query.first?.value == "1 two")
        state.press("u")
        #expect(state.openEndpoint?.query.first?.value == "1")
        state.press("U", "U")
        #expect(state.openEndpoint?.query.first?.value == "1 two three")
    }

    @Test func `dragging the mouse selects in a field, a body and a prompt`() throws {
        var state = opened()
        state.press("p")
        try drag(&state, from: 1, to: 4)
        #expect(state.typedText?.content.selectedText == "ord")
        state.type("X")
        #expect(state.openEndpoint?.path == "/Xers")
        state.open("shop/orders/create")
        state.press("↓", "↓", "Enter")
        try drag(&state, from: 2, to: 8)
        #expect(state.typedText?.content.selectedText.contains("item") == true)
        state.popups.push(Prompt("Note", "some note") { _, _ in [] })
        try drag(&state, from: 5, to: 40)
        #expect(state.typedText?.content.selectedText == "note")
    }

    /// Drags in the row of the cursor of the edited text.
    private func drag(_ state: inout AppState, from first: Int, to last: Int) throws {
        let canvas = state.draw()
        let (area, row) = (try #require(canvas.editedArea), try #require(canvas.cursor).row)
        func use(_ kind: Mouse.Kind, _ column: Int) {
            _ = state.update(.input(.mouse(Mouse(kind: kind, button: .left, position: Point(column: area.column + column, row: row)))))
        }
        use(.press, first)
        use(.drag, last)
        use(.release, last)
    }

    @Test func `a double click selects a word`() throws {
        var state = opened()
        state.press("p")
        let area = try #require(state.draw().editedArea)
        _ = state.update(.input(.mouse(Mouse(kind: .doubleClick, button: .left, position: Point(column: area.column + 3, row: area.row)))))
        #expect(state.typedText?.content.selectedText == "orders")
    }

    @Test(arguments: [("PUR GE", "a space"), ("GET/", "“/”"), ("é", "“é”"), ("", "such as PURGE")])
    func `a method that is not a token is refused with the reason`(text: String, reason: String) {
        var state = opened()
        state.press("m", "End", "Enter")
        state.type(text)
        state.press("Enter")
        #expect(state.completionList == nil)
        #expect(state.screen.contains(reason), "\(state.screen)")
        #expect(state.openEndpoint?.method == .get)
        state.press("^U")
        state.type("PURGE")
        state.press("Enter")
        #expect(state.openEndpoint?.method.rawValue == "PURGE" && state.popup == nil)
    }
}
