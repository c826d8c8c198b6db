import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

extension AppState {
    /// The workbench with the cursor in the body of a request, at the start of its first line.
    static func editing(_ body: BodyTemplate, size: Size = Size(width: 100, height: 40)) -> AppState {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[1].body = body
        workspace.services[0].endpoints[1].location = SourceLocation(file: "shop/orders/create.yaml")
        var state = AppState(workspace: workspace, environment: nil, size: size)
        state.open("shop/orders/create")
        let isTyped = if case .text = body { true } else { false }
        state.requestState.row = body.isGraphQL || isTyped ? 2 : 1
        state.press("Enter")
        return state
    }

    /// The style of a character of a text on the screen.
    func style(of text: String, at offset: Int = 0) -> Style? {
        let canvas = draw()
        for (row, line) in canvas.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let found = line.firstRange(of: text) else { continue }
            return canvas.style(at: Point(column: line.distance(from: line.startIndex, to: found.lowerBound) + offset, row: row))
        }
        return nil
    }
}

/// Tests the colours, the line numbers and the mistakes of a body that is typed.
@Suite struct BodyEditorTests {
    @Test func `JSON has the colours of a response while it is typed, and before`() {
        var state = AppState.editing(.json(#"{"name": "x", "count": 12, "isOpen": true}"#))
        for _ in 0..<2 {
            #expect(state.style(of: "\"name\"")?.role == .jsonKey)
            #expect(state.style(of: "\"x\"")?.role == .jsonString)
            #expect(state.style(of: "\"count\": 12", at: 9)?.role == .jsonNumber)
            #expect(state.style(of: "true")?.role == .jsonLiteral)
            state.press("Esc")
        }
    }

    @Test func `XML, GraphQL and forms have colours`() {
        let plist = AppState.editing(.plist("<a>\n  <b x=\"1\">t</b>\n  <!-- c -->\n</a>"))
        #expect(plist.style(of: "<b", at: 1)?.role == .accent && plist.style(of: "\"1\"")?.role == .jsonString)
        #expect(plist.style(of: "<!-- c")?.role == .muted)
        let query = AppState.editing(.graphQL(GraphQLTemplate(query: "query { item(id: 5) }")))
        #expect(query.style(of: "query {")?.role == .jsonLiteral && query.style(of: "id:")?.role == .jsonKey)
        let form = AppState.editing(.text("first=1&second=2", contentType: "application/x-www-form-urlencoded"))
        #expect(form.style(of: "second=")?.role == .jsonKey && form.style(of: "second=2", at: 7)?.role == .jsonString)
    }

    @Test func `a line that is too long for colours is named with the key that formats it`() {
        var state = AppState.editing(.json("[" + String(repeating: "12345, ", count: 3000) + "1]"))
        #expect(state.toast?.text == "A line is too long for colours; Alt-= divides it into lines")
        state.press("Alt-=")
        #expect(state.style(of: "12345")?.role == .jsonNumber)
    }

    @Test func `each line has its number`() {
        let state = AppState.editing(.json("{\n  \"item\": 1\n}"))
        #expect(state.screen.contains(" 1 {") && state.screen.contains(" 2   \"item\": 1") && state.screen.contains(" 3 }"))
    }

    @Test func `a mistake of JSON is underlined at its place, with a sentence below, until it is corrected`() {
        var state = AppState.editing(.json("{\n  \"a\": 1,\n}"))
        #expect(state.style(of: " 3 }", at: 3) == Style.error.underlined() && state.style(of: " 3 }", at: 1)?.role == .error)
        #expect(state.screen.contains("3:1: not JSON: unexpected '}', expected a name in quotes"))
        state.press("↓", "End", "Backspace")
        #expect(state.style(of: " 3 }", at: 3)?.isUnderlined == false)
        #expect(!state.screen.contains("not JSON"))
    }

    @Test func `a mistake of XML and a template without a value are underlined`() {
        let plist = AppState.editing(.plist("<a>\n  <b></c>\n</a>"))
        #expect(plist.style(of: "</c>")?.isUnderlined == true && plist.screen.contains("2:6: </c> ends no element here; </b> is expected"))
        let json = AppState.editing(.json("{\"a\": \"{{host}} {{nope}}\"}"))
        #expect(json.style(of: "{{nope}}") == Style.error.underlined() && json.style(of: "{{host}}")?.role == .accent)
    }

    @Test func `a mistake of the syntax of GraphQL is underlined without the schema of the server`() {
        var state = AppState.editing(.graphQL(GraphQLTemplate(query: "query { item(id 5) }")))
        #expect(state.style(of: "id 5", at: 3)?.isUnderlined == true && state.screen.contains("1:17: : with the value of id is expected"))
        state = .editing(.graphQL(GraphQLTemplate(query: "query { item(id: 5) }")))
        #expect(!state.screen.contains("is expected"))
    }

    @Test func `the partner of the bracket at the cursor is marked, without brackets in strings`() {
        var state = AppState.editing(.json("{\n  \"a\": \"}\",\n  \"b\": [1]\n}"))
        #expect(state.style(of: " 1 {", at: 3)?.role == .accent && state.style(of: " 4 }", at: 3)?.role == .accent)
        #expect(state.style(of: "\"}\"", at: 1)?.role == .jsonString)
        state.press("↓")
        #expect(state.style(of: " 1 {", at: 3)?.role == .jsonPunctuation && state.style(of: " 4 }", at: 3)?.role == .jsonPunctuation)
    }

    @Test func `the text of a side file is edited in the colours of its type`() {
        var state = AppState.editing(.file(path: "/demo/shop/orders/create.body.json", contentType: nil))
        state.press("Esc")
        _ = state.update(.filesInspected(["/demo/shop/orders/create.body.json": .file(bytes: 12, text: "{\"a\": 1,}")]))
        state.requestState.row = 3
        state.press("Enter")
        #expect(state.style(of: "\"a\"")?.role == .jsonKey && state.style(of: ",}", at: 1)?.isUnderlined == true)
    }

    @Test func `a click in a line with a number places the cursor in its text`() throws {
        var state = AppState.editing(.json("{\n  \"item\": 1\n}"))
        let area = try #require(state.draw().editedArea)
        _ = state.update(.input(.mouse(Mouse(kind: .press, button: .left, position: area.origin.moved(columns: 4, rows: 1)))))
        state.type("x")
        #expect(state.openEndpoint?.body == .json("{\n  \"ixtem\": 1\n}"))
    }
}

/// Tests typing in a body: pairs, indentation, completion, searching and replacing.
@Suite struct BodyTypingTests {
    private func text(_ state: AppState) -> String? { state.openEndpoint?.body.text(.content) }

    @Test func `brackets and quotes are closed, and typing the closing character moves over it`() {
        var state = AppState.editing(.json(""))
        state.type("{\"a")
        #expect(text(state) == "{\"a\"}")
        state.type("\": [1")
        #expect(text(state) == "{\"a\": [1]}")
        state.type("]}")
        #expect(text(state) == "{\"a\": [1]}" && state.requestState.editing?.area?.column == 10)
        state.type("}")
        #expect(text(state) == "{\"a\": [1]}}")
    }

    @Test func `undo takes a closed pair back in one step, and Backspace deletes an empty one`() {
        var state = AppState.editing(.json(""))
        state.type("[")
        #expect(text(state) == "[]")
        state.press("Alt-u")
        #expect(text(state) == "")
        state.type("{\"")
        state.press("Backspace")
        #expect(text(state) == "{}")
        state.press("Backspace")
        #expect(text(state) == "")
    }

    @Test func `nothing is closed within a string, before a word, or in a text without brackets`() {
        var state = AppState.editing(.json("\"\""))
        state.press("→")
        state.type("a{[")
        #expect(text(state) == "\"a{[\"")
        state = .editing(.json("x"))
        state.type("[")
        #expect(text(state) == "[x")
        state = .editing(.text("", contentType: nil))
        state.type("{\"")
        #expect(text(state) == "{\"")
    }

    @Test func `a closing bracket that was not inserted with its partner is typed`() {
        var state = AppState.editing(.json("[1]"))
        state.press("→", "→")
        state.type("]")
        #expect(text(state) == "[1]]")
    }

    @Test func `a new line is indented, and a closing bracket is aligned with its partner`() {
        var state = AppState.editing(.json(""))
        state.type("{")
        state.press("Enter")
        #expect(text(state) == "{\n  \n}")
        state.type("\"a\": [")
        state.press("Enter")
        #expect(text(state) == "{\n  \"a\": [\n    \n  ]\n}")
        state = .editing(.json("{\n  \"a\": 1"))
        state.press("↓", "End", "Enter")
        state.type("}")
        #expect(text(state) == "{\n  \"a\": 1\n}")
    }

    @Test func `a new line within a bracket that the line opens before other values is indented, and one after a closed bracket is not`() {
        var state = AppState.editing(.json(""))
        state.type(#"{"a": "[", "b": [1],"#)
        state.press("Enter")
        #expect(text(state) == "{\"a\": \"[\", \"b\": [1],\n  \n}")
        state.type(#""c": [1]"#)
        state.press("Enter")
        #expect(text(state) == "{\"a\": \"[\", \"b\": [1],\n  \"c\": [1]\n  \n}")
    }

    @Test func `Esc selects the line with the cursor, and Enter continues there`() {
        var state = AppState.editing(.json("{\n  1\n}"))
        state.press("↓", "Esc")
        #expect(state.requestState.editing == nil)
        state.press("Enter")
        state.type("2")
        #expect(text(state) == "{\n2  1\n}")
    }

    @Test func `a new line after a start tag is indented, and within an empty element the end tag moves down`() {
        var state = AppState.editing(.plist("<a></a>"))
        state.press("→", "→", "→", "Enter")
        state.type("<b/>")
        state.press("Enter")
        state.type("t")
        #expect(text(state) == "<a>\n  <b/>\n  t\n</a>")
    }

    @Test func `an end tag is completed, aligned with its start tag, and may be typed as well`() {
        var state = AppState.editing(.text("", contentType: "application/xml"))
        state.type("<order>")
        state.press("Enter")
        state.type("<item x=\"a/b\">tea</")
        #expect(text(state) == "<order>\n  <item x=\"a/b\">tea</item>")
        state.type("item>!")
        #expect(text(state) == "<order>\n  <item x=\"a/b\">tea</item>!")
        state.press("Backspace", "Enter")
        state.type("</")
        #expect(text(state) == "<order>\n  <item x=\"a/b\">tea</item>\n</order>")
        state.press("Alt-u")
        #expect(text(state) == "<order>\n  <item x=\"a/b\">tea</item>\n  <")
        state.type("/other")
        #expect(text(state)?.hasSuffix("\n</order>other") == true)
    }

    @Test(arguments: [
        ("<a><b>x</b><c/></a>", "<a>\n  <b>x</b>\n  <c/>\n</a>"),
        ("<a>\n\n<!-- one\n <two> --><b>{{t}}</b></a>", "<a>\n  <!-- one\n <two> -->\n  <b>{{t}}</b>\n</a>"),
        ("<a>x <b>y</b> z</a>", "<a>x <b>y</b> z</a>"), ("<a><![CDATA[\n <b>]]></a>", "<a><![CDATA[\n <b>]]></a>"),
    ]) func `XML is formatted and put on one line, and its text stays`(written: String, lines: String) {
        var state = AppState.editing(.text(written, contentType: "text/xml"))
        state.press("Alt-=")
        #expect(text(state) == lines)
        state.press("Alt--")
        #expect(text(state) == written.replacing("\n\n<!", with: "<!"))
    }

    @Test func `XML is a kind of body, with its media type and the first mistake beside the kind`() {
        var state = AppState.editing(.none)
        state.stopEditing()
        state.requestState.tab = .body
        state.requestState.row = 0
        state.press("Enter")
        state.type("x")
        state.press("Enter")
        state.type("<a><b>")
        #expect(state.openEndpoint?.body == .text("<a><b>", contentType: "application/xml") && state.screen.contains("1:7: "))
        state.press("Esc")
        let rows = RequestFeature.rows(state)
        #expect(rows[0].value == "XML" && rows[0].problem.contains("closed") && rows[1].value == "application/xml")
        state.requestState.row = 1
        state.press("Enter", "^U")
        state.type("text/csv")
        #expect(state.openEndpoint?.body == .text("<a><b>", contentType: "text/csv") && RequestFeature.rows(state)[0].value == "Text")
    }

    @Test func `the content type of a text can be added, and is removed by clearing its row`() {
        var state = AppState.editing(.text("a=1", contentType: nil))
        state.stopEditing()
        #expect(state.screen.contains("Content type     text/plain; charset=utf-8 by default"))
        state.requestState.row = 1
        state.press("Enter")
        state.type("text/csv")
        #expect(state.openEndpoint?.body == .text("a=1", contentType: "text/csv"))
        state.press("^U")
        #expect(state.openEndpoint?.body == .text("a=1", contentType: nil))
        state.type("text/html")
        state.press("Enter")
        #expect(state.openEndpoint?.body == .text("a=1", contentType: "text/html"))
    }

    @Test func `JSON that could not be edited any more is not formatted`() {
        let numbers = "[" + String(repeating: "1,", count: BodyTemplate.inPlaceBreaks) + "1]"
        var state = AppState.editing(.json(numbers))
        state.press("Alt-=")
        #expect(state.openEndpoint?.body == .json(numbers) && state.toast?.text.contains("could not be edited here") == true)
    }

    @Test func `a plain text gets no indentation`() {
        var state = AppState.editing(.text("  a", contentType: nil))
        state.press("End", "Enter")
        state.type("b")
        #expect(text(state) == "  a\nb")
    }

    @Test func `Tab and Shift-Tab indent and outdent the selected lines as one step`() {
        var state = AppState.editing(.json("[\n1,\n2\n]"))
        state.press("↓", "Shift-↓", "Shift-End", "Tab")
        #expect(text(state) == "[\n  1,\n  2\n]")
        state.press("Tab", "BackTab", "BackTab")
        #expect(text(state) == "[\n1,\n2\n]")
        state.press("Alt-u")
        #expect(text(state) == "[\n  1,\n  2\n]")
    }

    @Test func `Tab without a selection inserts blanks up to the next level, and Shift-Tab removes a level from the line`() {
        var state = AppState.editing(.json("[\n1\n]"))
        state.press("↓", "→", "Tab")
        #expect(text(state) == "[\n1 \n]")
        state.press("Home", "Tab", "Tab")
        #expect(text(state) == "[\n    1 \n]")
        state.press("BackTab")
        #expect(text(state) == "[\n  1 \n]")
    }

    @Test func `choosing a kind opens its editor, where a typed or pasted object replaces the empty one`() {
        func chosen(_ kind: BodyChoice) -> AppState {
            var state = AppState.editing(.none)
            state.stopEditing()
            state.requestState.tab = .body
            state.requestState.row = 0
            state.press("Enter", "Home")
            for _ in 0..<(BodyChoice.allCases.firstIndex(of: kind) ?? 0) { state.press("↓") }
            state.press("Enter")
            return state
        }
        var state = chosen(.json)
        state.type("\"a\": 1")
        #expect(text(state) == "{\"a\": 1}")
        state.type("}")
        #expect(text(state) == "{\"a\": 1}")
        state = chosen(.json)
        state.type("{\"a\": 1}")
        #expect(text(state) == "{\"a\": 1}")
        state = chosen(.json)
        _ = state.update(.input(.paste("[1, 2]")))
        #expect(text(state) == "[1, 2]")
        state = chosen(.form)
        state.type("user")
        #expect(state.openEndpoint?.body == .form([Parameter("user", "")]))
    }

    @Test func `names that other bodies have are completed, with the colon`() {
        var workspace = Workspace.sample
        var other = Endpoint(target: "shop/items/create", name: "Create item", method: .post, path: "/items")
        other.body = .json("{\"quantity\": 1, \"quality\": \"{{q}}\"}")
        workspace.services[0].endpoints.append(other)
        workspace.services[0].endpoints[1].body = .json("{\"tags\": [\"a\"], }")
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 30))
        state.open("shop/orders/create")
        state.press("↓", "Enter", "End", "←")
        state.type("\"quan")
        #expect(state.completionList?.items.first?.label == "quantity" && state.completionList?.items.first?.source == "Create item")
        state.press("Tab")
        state.type("5")
        #expect(text(state) == "{\"tags\": [\"a\"], \"quantity\": 5}")
        state.press("^A", "^K")
        state.type("{\"quan")
        state.press("Tab")
        state.type("5}")
        #expect(text(state) == "{\"quantity\": 5}")
    }

    @Test func `a string that is a value has no completion of names`() {
        var state = AppState.editing(.json("{\"item\": 1, \"list\": [\"x\", ]}"))
        state.press("End", "←", "←")
        state.type("\"it")
        #expect(state.completionList == nil)
        state.press("End")
        state.type(", \"it")
        #expect(state.completionList == nil)
    }

    @Test func `a search selects its matches in the text, and continues from its end`() {
        var state = AppState.editing(.json("{\n  \"item\": 1,\n  \"Items\": [\"item\"]\n}"))
        state.press("Alt-/")
        state.type("item")
        state.press("Enter")
        func selection() -> EditableText.Position? { state.requestState.editing?.area?.content.selection?.lowerBound }
        #expect(selection() == .init(row: 1, column: 3) && RequestFeature.editing(state) != nil)
        #expect(state.style(of: "Items", at: 0)?.role == .searchMatch)
        state.press("Alt-n")
        #expect(selection() == .init(row: 2, column: 3))
        state.press("Alt-n", "Alt-n")
        #expect(selection() == .init(row: 1, column: 3))
        state.press("Alt-N")
        #expect(selection() == .init(row: 2, column: 13))
        state.press("Alt-/")
        state.type("absent")
        #expect(state.toast?.text == "“absent” is not here")
    }

    @Test func `matches are replaced everywhere as one step, or the next one`() {
        var state = AppState.editing(.json("[\"a b\", \"a\",\n \"a\"]"))
        state.press("Alt-r")
        state.type("a")
        state.press("Tab")
        state.type("cd")
        state.press("Enter")
        #expect(text(state) == "[\"cd b\", \"cd\",\n \"cd\"]" && state.toast?.text.hasPrefix("3 matches replaced") == true)
        state.press("Alt-u")
        #expect(text(state) == "[\"a b\", \"a\",\n \"a\"]")
        state.press("Alt-r", "Tab", "Tab")
        state.press("→", "Enter")
        #expect(text(state)?.contains("[\"a b\"") == false)
    }

    @Test func `nothing is replaced where the text is not found`() {
        var state = AppState.editing(.json("[1]"))
        state.press("Alt-r")
        state.type("absent")
        state.press("Enter")
        #expect(state.screen.contains("“absent” is not in the text") && text(state) == "[1]")
    }

    @Test func `JSON is formatted and minified while it is edited, and undone`() {
        var state = AppState.editing(.json("{\"a\": [1, {{x}}]}"))
        state.press("Alt-=")
        #expect(text(state) == "{\n  \"a\": [\n    1,\n    {{x}}\n  ]\n}")
        state.press("Alt--")
        #expect(text(state) == "{\"a\":[1,{{x}}]}")
        state.press("Alt-u", "Alt-u")
        #expect(text(state) == "{\"a\": [1, {{x}}]}")
    }

    @Test func `the wheel scrolls the text and keeps the cursor in the visible part`() {
        let lines = (0..<200).map { "  \($0)," }.joined(separator: "\n")
        var state = AppState.editing(.json("[\n\(lines)\n  1\n]"), size: Size(width: 100, height: 30))
        let area = state.draw().editedArea ?? .init(column: 0, row: 0, width: 0, height: 0)
        let before = state.screen
        for _ in 0..<10 { _ = state.update(.input(.mouse(Mouse(kind: .scrollDown, button: .none, position: area.origin)))) }
        #expect(state.screen != before && state.screen.contains(" 31   29,") && !state.screen.contains("  1 ["))
        #expect(state.requestState.editing?.area?.row == 30)
        for _ in 0..<10 { _ = state.update(.input(.mouse(Mouse(kind: .scrollUp, button: .none, position: area.origin)))) }
        #expect(state.screen.contains("  1 [") && state.openEndpoint?.body == state.workspace.endpoint("shop/orders/create")?.body)
    }

    @Test func `a long body stays in the endpoint, and a command moves it to a file`() throws {
        var state = AppState.editing(.json("[" + String(repeating: "1, ", count: 2000) + "1]"))
        state.stopEditing()
        _ = state.perform(.moveBodyToFile)
        let endpoint = try #require(state.openEndpoint)
        #expect(endpoint.body == .file(path: "/demo/shop/orders/create.body.json", contentType: nil))
        #expect(endpoint.editedBodyFile?.original == "" && endpoint.editedBodyFile?.text.hasPrefix("[1, 1") == true)
        state.press("u")
        #expect(state.openEndpoint?.body.text(.content)?.hasPrefix("[1, 1") == true)
    }

    @Test func `saving a body that became long offers to move it to a file`() {
        var state = AppState.editing(.json("[]"), size: Size(width: 200, height: 40))
        state.stopEditing()
        state.change { $0.body = .json("[" + String(repeating: "1, ", count: 2000) + "1]") }
        for case .save(let id, let endpoint, _) in state.press("^S") { _ = state.update(.saved(id, .saved(endpoint))) }
        #expect(state.toast?.text.contains("“Body to a file” in ^P moves its long body to a file beside it") == true)
    }

    @Test func `a body with templates cannot be moved to a file, which is sent as it is`() {
        var state = AppState.editing(.json("{\"a\": \"{{host}}\"}"))
        state.stopEditing()
        _ = state.performFromList(.moveBodyToFile)
        #expect(state.toast?.text == "The body has {{templates}}, and a file is sent as it is")
    }
}
