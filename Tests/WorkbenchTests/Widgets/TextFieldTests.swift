import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct TextFieldTests {
    private func field(_ text: String, _ edits: TextEdit...) -> TextField {
        var field = TextField(text)
        for edit in edits { field.apply(edit) }
        return field
    }

    @Test func `text is inserted at the cursor`() {
        var field = field("ac", .left)
        field.insert("b")
        #expect(field.text == "abc")
        #expect(field.cursor == 2)
    }

    @Test func `a combining mark joins the character before it`() {
        var field = TextField("e")
        field.insert("\u{301}")
        #expect(field.cursor == 1)
        field.apply(.deleteBefore)
        #expect(field.isEmpty)
    }

    @Test func `a family emoji is one character`() {
        #expect(field("a👩‍👩‍👧", .deleteBefore).text == "a")
    }

    @Test func `the cursor moves by words, and words are deleted`() {
        #expect(field("one two", .wordLeft).cursor == 4)
        #expect(field("one two", .start, .wordRight).cursor == 3)
        #expect(field("one two-x", .deleteWordBefore, .deleteWordBefore).text == "one ")
    }

    @Test func `Emacs' control keys work in a field and in a body, and open no popup`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("p", "^A", "^F", "^F", "^D", "^E")
        state.type("!")
        // The URL ends with the query.
        #expect(state.openEndpoint?.path == "/oders" && state.openEndpoint?.query.first?.value == "1!" && state.popup == nil)
        state.press("^B", "^K", "^A", "Alt-d")
        #expect(state.openEndpoint?.path == "" && state.openEndpoint?.query.first?.value == "1")
        state.open("shop/orders/create")
        state.requestState.row = 2
        state.press("Enter", "^A", "^F", "^F", "^E")
        state.type(" ")
        #expect(state.openEndpoint?.body == .json("{\n  \"item\": 1 \n}") && state.popup == nil)
        state.press("Alt-=")
        #expect(state.openEndpoint?.body == .json("{\n  \"item\": 1\n}"))
    }

    @Test func `Ctrl-E switches the environment where no text is edited`() {
        var state = AppState.sample()
        state.press("^E")
        #expect(state.screen.contains("Environment"))
    }

    @Test func `a request is sent with Ctrl-R while a text is typed`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("p")
        _ = state.sendOpen()
        #expect(state.openCall?.isInFlight == true)
    }

    @Test func `the cursor stops at both ends`() {
        #expect(field("a", .right, .right, .deleteAfter).text == "a")
        #expect(field("a", .start, .left, .deleteBefore, .deleteWordBefore, .deleteToStart).text == "a")
        #expect(field("ab", .left, .deleteToEnd).text == "a")
    }

    @Test func `a text wider than the field displays the part at the cursor`() {
        var canvas = Canvas(size: Size(width: 6, height: 1))
        var field = TextField("abcdefgh日本")
        field.draw(on: &canvas, at: .zero, width: 6)
        #expect(canvas.text == "h日本\n")
        #expect(canvas.cursor == Point(column: 5, row: 0))
        field.apply(.start)
        field.draw(on: &canvas, at: .zero, width: 6)
        #expect(canvas.text == "abcdef\n")
        #expect(canvas.cursor == .zero)
    }
}

@Suite struct TextAreaTests {
    @Test func `lines are split and joined`() {
        var area = TextArea("ab\ncd", row: 1)
        area.apply(.deleteBefore)
        #expect(area.text == "abcd")
        area.insert("\nx\n")
        #expect(area.text == "ab\nx\ncd")
        #expect(area.row == 2 && area.column == 0)
        area.apply(.left)
        #expect(area.row == 1 && area.column == 1)
        area.apply(.deleteAfter)
        #expect(area.text == "ab\nxcd")
    }

    @Test func `an empty text has one line`() {
        var area = TextArea("")
        area.move(rows: 5)
        area.insert("x")
        #expect(area.text == "x")
    }
}
