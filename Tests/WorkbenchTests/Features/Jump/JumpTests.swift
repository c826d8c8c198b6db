import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests jump mode: labels on what can be clicked.
@Suite struct JumpTests {
    /// The label at the start of a text on the screen.
    private func label(of text: String, _ state: AppState) throws -> String {
        var below = state
        below.popups.removeAll()
        let popup = try #require(state.popup as? JumpPopup)
        for target in JumpTarget.all(below) {
            let canvas = below.draw()
            var found = ""
            var column = target.point.column
            while found.count < text.count, let cell = canvas.cell(at: Point(column: column, row: target.point.row)) {
                found += cell.glyph
                column += 1
            }
            if found == text { return try #require(popup.label(at: target.point)) }
        }
        Issue.record("nothing to jump to begins with “\(text)”")
        return ""
    }

    private func jump(to text: String, _ state: inout AppState) throws {
        state.press("'")
        state.type(try label(of: text, state))
    }

    @Test func `no label is the start of another, and the first have one letter`() {
        for count in [0, 1, 25, 26, 27, 51, 52, 200, 676, 900] {
            let labels = JumpLabels.labels(count)
            #expect(labels.count == min(count, JumpLabels.most) && Set(labels).count == labels.count)
            for label in labels where label.count == 1 {
                #expect(!labels.contains { $0.count == 2 && $0.hasPrefix(label) }, "\(count) \(label)")
            }
            #expect(labels.allSatisfy { (1...2).contains($0.count) })
        }
        #expect(JumpLabels.labels(200).first?.count == 1)
    }

    @Test(arguments: [Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `typing a label goes to a pane, a tab, a row and a key of the footer`(size: Size) throws {
        var state = AppState.sample(size: size)
        try jump(to: "Request", &state)
        #expect(state.focus == .request && state.popups.isEmpty)
        try jump(to: "Headers", &state)
        #expect(state.requestState.tab == .headers)
        try jump(to: "History", &state)
        #expect(state.bottomTab == .history && state.focus == .bottom)
        try jump(to: "▾ Shop", &state)
        #expect(state.focus == .services && state.services.folded == [.service("shop")])
        try jump(to: "? Help", &state)
        #expect(state.screen.contains("Keys for Services"))
    }

    @Test func `a label on an endpoint opens it, one on the URL edits it`() throws {
        var state = AppState.sample()
        state.press("'")
        let row = try #require(state.layoutBelow.services.rows.first { state.rowBelow($0).contains("Create order") })
        state.type(try #require((state.popup as? JumpPopup)?.label(at: Point(column: 1, row: row))))
        #expect(state.openTarget == "shop/orders/create")
        try jump(to: "http://127.0.0.1", &state)
        guard case .url = state.requestState.editing else {
            Issue.record("the URL is not being edited")
            return
        }
    }

    @Test func `Esc and a click leave jump mode, a letter without a label is ignored, and Backspace takes one back`() throws {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.open("shop/orders/list")
        state.answer(state.sendOpen(), (1...40).map(String.init).joined(separator: "\n"), contentType: "text/plain")
        state.press("'")
        state.type("7")
        #expect(state.popup is JumpPopup)
        let popup = try #require(state.popup as? JumpPopup)
        let long = try #require(JumpTarget.all(state.withoutPopups).compactMap { popup.label(at: $0.point) }.first { $0.count == 2 })
        state.type(String(long.prefix(1)))
        state.press("Backspace")
        state.type("a")
        #expect(state.popup == nil && state.focus == .services, "the first label belongs to the first pane")
        state.press("'", "Esc")
        #expect(state.popup == nil)
        state.press("^G")
        _ = state.update(.input(.mouse(Mouse(kind: .press, button: .left, position: .zero))))
        #expect(state.popup == nil)
    }

    @Test func `the labels cover the screen as it was, with the keys of the footer, and a resize makes them invalid`() {
        var state = AppState.sample()
        let before = state.screen
        state.press("'")
        let shown = state.screen
        #expect(shown.contains("Jump · Esc cancels") && shown.contains("Help"))
        #expect(shown.split(separator: "\n").count == before.split(separator: "\n").count)
        _ = state.update(.input(.resize(Size(width: 60, height: 20))))
        #expect(state.draw().size == Size(width: 60, height: 20))
        state.type("a")
        #expect(state.popup == nil)
    }

    @Test func `the palette has the command`() {
        var state = AppState.sample()
        state.press("^P")
        state.type("jump")
        state.press("Enter")
        #expect(state.popup is JumpPopup)
    }
}

extension AppState {
    fileprivate var withoutPopups: AppState {
        var state = self
        state.popups.removeAll()
        return state
    }

    fileprivate var layoutBelow: Layout { withoutPopups.layout }

    /// The text of a row of Services without the popup.
    fileprivate func rowBelow(_ row: Int) -> String {
        let canvas = withoutPopups.draw()
        return layout.services.columns.compactMap { canvas.cell(at: Point(column: $0, row: row))?.glyph }.joined()
    }
}
