import HistoryModel
import SortieBase
import SortieGuide
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

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

    @Test(arguments: [("C", "cookies"), ("^P", "transfers"), ("?", "transfers"), ("^E", "transfers")])
    func `F1 in a popup opens the article about it or the pane below, and Esc goes back to the popup`(key: String, topic: String) {
        var state = AppState.sample()
        state.press("T", key)
        let before = state.screen
        state.press("F1")
        #expect(state.screen.contains("sortie guide \(topic)"))
        state.press("Esc")
        #expect(state.screen == before && state.popup != nil)
        state.press("F1", "F1")
        #expect(state.screen == before && state.popup != nil)
    }

    @Test func `F1 keeps what is typed into a prompt`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("m", "End", "Enter")
        state.type("PROP")
        state.press("F1")
        #expect(state.screen.contains("sortie guide requests"))
        state.press("F1")
        state.type("FIND")
        state.press("Enter")
        #expect(state.openEndpoint?.method.rawValue == "PROPFIND")
    }

    @Test func `each popup with an article names one of the guide`() throws {
        var store = HistoryStandIn()
        store.add(2)
        guard case .compared(let comparison) = store.answer(.compare(1, 2)) else {
            Issue.record("no comparison")
            return
        }
        let popups: [any Popup] = [
            CookiesPopup(environment: nil), ComparePopup(comparison), DiffPopup(target: "x", comparison: comparison.body),
            DryRunPopup(outcome: .failed(Diagnostic(SourceLocation(file: "x.yaml"), "x")), target: "x"), TransferPopup(id: CallID(1)),
        ]
        for popup in popups {
            let topic = try #require(popup.guideTopic)
            #expect(Guide.article(topic)?.topic == topic)
        }
    }

    @Test func `a text is found while it is typed, and n and N go to the other matches`() {
        var state = AppState.sample()
        state.press("1", "F1")
        func found() -> Int? { (state.popup as? GuidePopup)?.position.match }
        #expect(state.press("n") == [] && state.toast?.text.contains("Nothing was searched here yet; press /") == true)
        state.press("/")
        state.type("yaml")
        let first = found()
        state.press("Enter", "n")
        let second = found()
        #expect(first != nil && second != nil && (first ?? 0) < (second ?? 0))
        state.press("N")
        #expect(found() == first)
        #expect(state.screen.lowercased().contains("yaml"))
    }

    @Test func `a match below the visible lines is scrolled to, and highlighted`() throws {
        var state = AppState.sample()
        state.press("1", "F1")
        let lines = try #require(state.popup as? GuidePopup).lines(width: state.readingRect.width - 4).map { $0.map(\.text).joined() }
        let start = lines.prefix(30).joined(separator: "\n").lowercased()
        let words = lines.dropFirst(40).flatMap { $0.lowercased().split { !$0.isLetter } }
        let word = try #require(words.first { $0.count > 4 && !start.contains($0) })
        state.press("/")
        state.type(String(word))
        let match = try #require((state.popup as? GuidePopup)?.position.match)
        #expect(match >= 30 && state.screen.contains(lines[match]))
        let canvas = state.draw()
        #expect((0..<24).contains { row in canvas.bounds.columns.contains { canvas.style(at: Point(column: $0, row: row))?.role == .currentMatch } })
    }

    @Test func `a text that does not occur is reported, and Esc restores the previous search`() {
        var state = AppState.sample()
        state.press("1", "F1", "/")
        state.type("yaml")
        state.press("Enter", "/")
        state.type("qqq")
        #expect(state.toast?.text == "“qqq” is not here")
        state.press("Esc")
        #expect((state.popup as? GuidePopup)?.position.searchTerm == "yaml")
        state.press("Esc")
        #expect(state.popup == nil)
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
