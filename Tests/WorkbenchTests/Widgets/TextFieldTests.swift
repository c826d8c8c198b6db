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

    @Test func `a text wider than the field displays the part at the cursor, and marks where it continues`() {
        var canvas = Canvas(size: Size(width: 8, height: 1))
        var field = TextField("abcdefghij日本")
        field.draw(on: &canvas, at: .zero, width: 8)
        #expect(canvas.text == "‹j日本\n")
        #expect(canvas.cursor == Point(column: 6, row: 0))
        field.apply(.start)
        field.draw(on: &canvas, at: .zero, width: 8)
        #expect(canvas.text == "abcdefg›\n")
        #expect(canvas.cursor == .zero)
        for _ in 0..<7 { field.apply(.right) }
        field.draw(on: &canvas, at: .zero, width: 8)
        #expect(canvas.text == "‹defghi›\n")
        #expect(canvas.cursor == Point(column: 5, row: 0))
    }

    @Test(arguments: [1, 2, 3, 7, 8, 20, 40]) func `the cursor is at its character at every width`(width: Int) {
        for text in ["", "abc", "abcdefghijklmnopqrstuvwxyz", "日本語テキスト👩‍👩‍👧です", "e\u{301}\u{7}x\u{202E}y"] {
            for cursor in 0...text.count {
                var canvas = Canvas(size: Size(width: width, height: 1))
                TextField(text, cursor: cursor).draw(on: &canvas, at: .zero, width: width)
                let column = canvas.cursor?.column ?? -1
                #expect((0..<width).contains(column), "\(text) \(cursor)")
                guard width > 8, cursor < text.count else { continue }
                let character = Array(text)[cursor]
                guard character.isLetter else { continue }
                #expect(canvas.cell(at: Point(column: column, row: 0))?.glyph == String(character), "\(text) \(cursor)")
            }
        }
    }

    @Test func `the selected characters have the style of a selection`() {
        var canvas = Canvas(size: Size(width: 8, height: 1))
        field("one two", .select(.wordLeft)).draw(on: &canvas, at: .zero, width: 8)
        let styles = (0..<7).compactMap { canvas.style(at: Point(column: $0, row: 0)) }
        #expect(styles.map(\.isSelected) == [false, false, false, false, true, true, true])
    }

    @Test func `a masked text has a dot for each character, and its selection`() {
        var canvas = Canvas(size: Size(width: 8, height: 1))
        field("a日👩‍👩‍👧", .select(.left)).draw(on: &canvas, at: .zero, width: 8, isMasked: true)
        #expect(canvas.text == "•••\n")
        #expect(canvas.style(at: Point(column: 2, row: 0))?.isSelected == true && canvas.style(at: .zero)?.isSelected == false)
    }

    @Test func `typing replaces the selection, and moving ends it`() {
        var field = field("one two", .select(.wordLeft))
        #expect(field.content.selectedText == "two")
        field.insert("2")
        #expect(field.text == "one 2")
        field.apply(.selectAll)
        field.apply(.left)
        #expect(field.content.selection == nil && field.cursor == 0)
        field.apply(.select(.end))
        field.apply(.deleteBefore)
        #expect(field.isEmpty)
    }

    @Test func `undo and redo go by words`() {
        var field = TextField()
        for character in "one two" { field.apply(.insert(String(character))) }
        field.apply(.deleteBefore)
        field.apply(.deleteBefore)
        for expected in ["one two", "one", "", ""] {
            field.apply(.undo)
            #expect(field.text == expected)
        }
        for expected in ["one", "one two", "one t", "one t"] {
            field.apply(.redo)
            #expect(field.text == expected)
        }
    }

    @Test func `line breaks at the end of a pasted text are dropped, the others become spaces`() {
        var field = TextField()
        field.insert("one\ntwo\n\n")
        #expect(field.text == "one two")
    }

    @Test(arguments: ["a\r\nb\r\n", "a\nb", "a\rb", "a\r\nb\nc\rd", "a\u{2028}b\u{85}c\u{b}d\u{c}\ne"])
    func `a text area keeps the line breaks and separators that a text has`(text: String) {
        var area = EditableText(text, isSingleLine: false)
        #expect(area.text == text)
        area.insert("Z")
        #expect(area.text.unicodeScalars.elementsEqual((text + "Z").unicodeScalars))
        area.apply(.edit(.undo))
        #expect(area.text.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(arguments: [("a\r\nb", "a\r\nb\r\nc\r\nd"), ("a\nb", "a\nb\nc\nd"), ("a\rb", "a\rb\rc\rd")])
    func `inserted line breaks become those of the text`(text: String, expected: String) {
        var area = EditableText(text, isSingleLine: false)
        area.apply(.newLine)
        area.insert("c\r\nd")
        #expect(area.text.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test(arguments: ["w1\nw2", "a\tb", "a\r\nb", "\n", "one\n"]) func `line breaks and tabs that a text has stay, and are visible`(text: String) {
        var field = TextField(text)
        #expect(field.text == text)
        field.insert("Z")
        #expect(field.text == text + "Z")
        field.apply(.undo)
        #expect(field.text == text && field.content.lines.count == 1)
        var canvas = Canvas(size: Size(width: 12, height: 1))
        field.apply(.end)
        field.draw(on: &canvas, at: .zero, width: 12)
        #expect(text.contains("\t") || canvas.text.contains("\u{240A}"), "\(canvas.text)")
        field.apply(.replaceAll("x\ny"))
        #expect(field.text == "x\ny")
    }

    @Test func `a field for a key keeps the line breaks of a pasted text`() {
        var field = TextField("", keepsLineBreaks: true)
        field.insert("-----BEGIN\nMIG\n-----END\n")
        #expect(field.text == "-----BEGIN\nMIG\n-----END")
        for _ in 0..<9 { field.apply(.deleteBefore) }
        #expect(field.text == "-----BEGIN\nMIG")
    }

    @Test func `the mouse places the cursor, selects by dragging, and selects a word`() {
        var field = TextField("one two")
        let size = Size(width: 10, height: 1)
        field.apply(.point(TextPoint(point: Point(column: 4, row: 0), size: size, action: .move)))
        #expect(field.cursor == 4)
        field.apply(.point(TextPoint(point: Point(column: 6, row: 0), size: size, action: .select)))
        #expect(field.content.selectedText == "tw")
        field.apply(.point(TextPoint(point: Point(column: 1, row: 0), size: size, action: .selectWord)))
        #expect(field.content.selectedText == "one")
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

    @Test func `up and down keep the cell across short and wide lines`() {
        var area = TextArea("abcdef\nx\n日本語")
        for _ in 0..<4 { area.apply(.right) }
        area.move(rows: 1)
        #expect(area.row == 1 && area.column == 1)
        area.move(rows: 1)
        #expect(area.row == 2 && area.column == 2)
        area.move(rows: -2)
        #expect(area.row == 0 && area.column == 4)
    }

    @Test func `a selection over lines is deleted and undone in one step`() {
        var area = TextArea("one\ntwo\nthree")
        area.apply(.right)
        area.apply(.select(.down))
        area.apply(.select(.down))
        #expect(area.content.selectedText == "ne\ntwo\nt")
        area.apply(.deleteBefore)
        #expect(area.text == "ohree")
        area.apply(.undo)
        #expect(area.text == "one\ntwo\nthree")
    }

    @Test func `a click and a drag keep the visible rows`() {
        var area = TextArea((1...50).map { "line \($0)" }.joined(separator: "\n"), row: 25)
        let size = Size(width: 20, height: 10)
        area.scroll(height: 10)
        var before = Canvas(size: size)
        area.draw(on: &before, in: before.bounds)
        area.apply(.point(TextPoint(point: Point(column: 5, row: 1), size: size, action: .move)))
        area.apply(.point(TextPoint(point: Point(column: 2, row: 3), size: size, action: .select)))
        var after = Canvas(size: size)
        area.draw(on: &after, in: after.bounds)
        #expect(after.text == before.text)
        #expect(after.cursor == Point(column: 2, row: 3))
        #expect(area.content.selectedText.count(where: \.isNewline) == 2)
    }
}
