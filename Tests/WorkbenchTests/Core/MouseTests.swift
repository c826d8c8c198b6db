import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct MouseTests {
    private func click(
        _ state: inout AppState, on text: String, offset: Int = 0, kind: Mouse.Kind = .press, button: Mouse.Button = .left
    ) -> [Effect] {
        for (row, line) in state.screen.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let range = line.firstRange(of: text) else { continue }
            let column = CellWidth.width(of: line[..<range.lowerBound]) + offset
            return state.update(.input(.mouse(Mouse(kind: kind, button: button, position: Point(column: column, row: row)))))
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

    @Test func `a click on the method lists the methods, and the second press of a double click does nothing`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        _ = click(&state, on: "GET  http")
        #expect(state.screen.contains("Method") && state.screen.contains("PATCH"))
        let place = state.layout.request.origin.moved(columns: 2).moved(rows: 1)
        _ = state.update(.input(.mouse(Mouse(kind: .doubleClick, button: .left, position: place))))
        #expect(state.screen.contains("PATCH"))
        _ = click(&state, on: "PUT")
        #expect(state.openEndpoint?.method == .put && state.popup == nil)
    }

    @Test func `a click on a key in the footer performs its command`() {
        var state = AppState.sample()
        _ = click(&state, on: "? Help")
        #expect(state.screen.contains("Keys for Services"))
        _ = click(&state, on: "Esc Close")
        #expect(state.popup == nil)
    }

    @Test func `a click on the environment in the footer lists the environments`() {
        var state = AppState.sample()
        state.environment = "develop"
        _ = click(&state, on: " develop ·", offset: 1)
        #expect(state.screen.contains("New environment…") && state.screen.contains("release"), "\(state.screen)")
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
        state.focus(.response)
        _ = state.update(.input(.mouse(Mouse(kind: .scrollDown, button: .none, position: place))))
        #expect(state.responseState.top == 6)
    }

    /// A workspace with more endpoints than the pane has rows.
    private static var long: AppState {
        var workspace = Workspace.sample
        workspace.services[0].endpoints = (10...99).map { Endpoint(target: "shop/e\($0)", name: "Endpoint \($0)", path: "/\($0)") }
        return AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24))
    }

    @Test func `the wheel scrolls Services and opens nothing`() {
        var state = Self.long
        let open = state.openTarget
        let place = Mouse(kind: .scrollDown, button: .none, position: Point(column: 5, row: 5))
        for _ in 0..<10 { _ = state.update(.input(.mouse(place))) }
        #expect(state.openTarget == open)
        #expect(state.screen.contains("Endpoint 40") && !state.screen.contains("Endpoint 11 "))
        _ = click(&state, on: "Endpoint 40")
        #expect(state.openTarget == "shop/e40")
        state.press("↓")
        #expect(state.openTarget == "shop/e41" && state.screen.contains("Endpoint 41"))
    }

    @Test func `a pressed row stays where it is`() {
        var state = Self.long
        for _ in 0..<10 { state.press("PgDn") }
        let line = { (text: String) in state.screen.split(separator: "\n").firstIndex { $0.contains(text) } }
        for name in ["Endpoint 95", "Endpoint 90"] {
            let before = line("GET  \(name)")
            #expect(before != nil)
            _ = click(&state, on: "GET  \(name)")
            #expect(line("GET  \(name)") == before)
            #expect(state.openEndpoint?.name == name)
        }
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

    @Test func `a click beside a popup or on the hint in its border closes it, one on a row chooses it`() {
        var state = AppState.sample()
        state.press("^E")
        _ = click(&state, on: "release")
        #expect(state.environment == "release")
        for place in ["Services", "closes"] {
            state.press("^E")
            _ = click(&state, on: place)
            #expect(state.popup == nil, "\(place)")
        }
        for button in [Mouse.Button.right, .middle] {
            state.press("^E")
            _ = click(&state, on: "develop", button: button)
            #expect(state.popup != nil && state.environment == "release")
            state.press("Esc")
        }
    }

    @Test func `a click beside a form keeps what was typed in it`() {
        for (text, isOpen) in [("", false), ("x", true)] {
            var state = AppState.sample()
            state.popups.show(Form("Form", [.init("Name", "")]) { _, _ in [] })
            state.type(text)
            _ = click(&state, on: "Request")
            #expect((state.popup != nil) == isOpen)
            #expect((state.toast != nil) == isOpen)
        }
        var state = AppState.sample()
        state.popups.show(Prompt("Name", "x") { _, _ in [] })
        state.type("y")
        _ = click(&state, on: "Request")
        #expect(state.popups.popup(Prompt.self)?.text == "xy")
    }

    @Test func `a click in a form chooses the word, the row and the place in a text`() {
        let cities = ["Aachen", "Bochum", "Celle", "Dresden", "Emden", "Freiburg", "Gera", "Hamburg"].map { $0 + " Hauptbahnhof" }
        var state = AppState.sample(size: Size(width: 80, height: 10))
        let rows = (1...9).map { Form.Row("Row \($0)", "text \($0)") }
        state.popups.show(Form("Form", rows + [.init("Size", "small", of: ["small", "large"]), .init("City", "", of: cities)]) { _, _ in [] })
        func form(_ state: AppState) -> Form? { state.popups.popup(Form.self) }
        for _ in 1...10 { scroll(&state, .scrollDown) }
        #expect(form(state)?.selected == 10)
        _ = click(&state, on: "( ) large", offset: 1)
        #expect(form(state)?.text("Size") == "large")
        _ = click(&state, on: "(•) large", offset: 5)
        #expect(form(state)?.text("Size") == "large")
        scroll(&state, .scrollDown)
        _ = click(&state, on: " ›")
        #expect(form(state)?.text("City") == cities[1])
        for _ in 1...2 { _ = click(&state, on: "‹ ") }
        #expect(form(state)?.text("City") == cities[7])
        _ = click(&state, on: "text 9", offset: 2)
        #expect(form(state)?.selected == 8)
        state.type("_")
        #expect(form(state)?.text("Row 9") == "te_xt 9")
    }

    @Test func `a click on the value of a choice opens its list, and one on its name selects the row`() {
        var state = AppState.sample()
        state.open("shop/orders/create")
        state.requestState.tab = .body
        _ = click(&state, on: "Kind")
        #expect(state.popup == nil)
        _ = click(&state, on: "JSON")
        #expect(state.popups.popup(ListPopup.self)?.title == "Body")
    }

    @Test func `the second press of a double click does nothing where the first one opened or closed a popup`() {
        var state = AppState.sample()
        state.open("shop/orders/create")
        state.requestState.tab = .body
        let mark = click(&state, on: "JSON  \(AppState.choiceMark)", offset: 6)
        #expect(mark.isEmpty && state.popups.popup(ListPopup.self) != nil)
        let body = state.openEndpoint?.body
        _ = click(&state, on: "Text", kind: .doubleClick)
        #expect(state.openEndpoint?.body == body)
        _ = click(&state, on: "closes")
        _ = click(&state, on: "item", kind: .doubleClick)
        #expect(state.requestState.editing == nil)
    }

    @Test func `the keys below the details of a variable are buttons, and its rows end before the border`() {
        var state = AppState.sample()
        state.press("E")
        _ = click(&state, on: "n new environment")
        #expect(state.popups.popup(Form.self)?.title == "New environment")
        state = AppState.sample(size: Layout.minimum)
        state.press("E")
        #expect(state.screen.split(separator: "\n").dropLast().allSatisfy { $0.hasSuffix("│") || $0.hasSuffix("┐") || $0.hasSuffix("┘") })
    }

    @Test func `a double click below the header fields adds one, and one on an inherited field takes its place`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/create")
        state.requestState.tab = .headers
        let rows = RequestFeature.rows(state).count
        let place = Point(column: state.layout.request.column + 10, row: RequestView.listRect(state.layout).row + rows)
        _ = state.update(.input(.mouse(Mouse(kind: .doubleClick, button: .left, position: place))))
        #expect(RequestFeature.rows(state).count == rows + 1 && state.requestState.editing != nil)
        state.press("Esc")
        _ = click(&state, on: "Accept  ", kind: .doubleClick)
        state.press("^U")
        state.type("text/csv")
        #expect(state.openEndpoint?.headers.last == Parameter("Accept", "text/csv"), "\(state.screen)")
    }

    private func scroll(_ state: inout AppState, _ kind: Mouse.Kind) {
        _ = state.update(.input(.mouse(Mouse(kind: kind, button: .none, position: Point(column: 40, row: 5)))))
    }

    @Test func `a click of the right button selects the row and lists its keys, which a click performs`() throws {
        var state = AppState.sample()
        state.open("shop/orders/list")
        _ = click(&state, on: "Create order", button: .right)
        #expect(state.screen.contains("Keys for Services") && state.services.selected == .endpoint("shop/orders/create"))
        state.type("dupl")
        _ = click(&state, on: "Copy what is selected")
        #expect((state.popup as? Form)?.text("File") == "orders/create-copy", "\(state.screen)")
    }

    @Test func `a click of the right button toggles no check box, and folds nothing`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        _ = click(&state, on: "[ ] size", offset: 1, button: .right)
        #expect(state.openEndpoint?.query[1].isEnabled == false && RequestFeature.selectedRow(state)?.name == "size")
        state.press("Esc")
        let rows = state.services.rows.count
        _ = click(&state, on: "▾ Shop", button: .right)
        #expect(state.services.rows.count == rows)
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
