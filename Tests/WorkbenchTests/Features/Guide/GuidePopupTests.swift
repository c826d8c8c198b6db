import SortieGuide
import SortieTerminal
import Testing

@testable import SortieWorkbench

@Suite struct GuidePopupTests {
    @Test(arguments: [
        ("1", "workspaces"), ("2", "requests"), ("3", "responses"), ("T", "transfers"), ("R", "runs"), ("H", "history"), ("M", "addresses"),
    ])
    func `F1 opens the article about the focused pane, and closes it`(key: String, topic: String) {
        var state = AppState.sample()
        state.press(key)
        #expect(state.press("F1") == [])
        #expect(state.screen.contains("sortie guide \(topic)"))
        state.press("F1")
        #expect(state.popup == nil)
    }

    @Test func `each pane has an article`() {
        var state = AppState.sample()
        for key in ["1", "2", "3", "T", "R", "L", "H", "M"] {
            state.press(key)
            #expect(Guide.article(state.focusedPane.guideTopic)?.topic == state.focusedPane.guideTopic)
        }
    }

    @Test func `an article is scrolled to its end and copied as text`() {
        var state = AppState.sample()
        state.press("F1")
        let top = state.screen
        state.press("PgDn")
        #expect(state.screen != top)
        state.press("G")
        let last = Guide.article("workspaces")?.lines(width: 70).last?.text ?? ""
        #expect(!last.isEmpty && state.screen.contains(last))
        guard case .copy(_, let text)? = state.press("y").first else {
            Issue.record("nothing was copied")
            return
        }
        #expect(text.hasPrefix("Workspaces\n"))
    }

    @Test func `code that is wider than the popup is continued on the next row`() {
        var state = AppState.sample(size: Size(width: 40, height: 12))
        state.press("F1")
        guard let popup = state.popup as? GuidePopup else {
            Issue.record("no article is shown")
            return
        }
        let rows = popup.lines(width: 30)
        #expect(rows.allSatisfy { row in row.reduce(0) { $0 + CellWidth.width(of: $1.text) } <= 30 })
        #expect(rows.count > popup.article.lines(width: 30).count)
    }
}
