import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests searching in a text in a popup.
@Suite struct ReadingPopupTests {
    /// A text of 100 lines.
    private struct Pages: ReadingPopup {
        var position = ReadingPosition()
        let name = "the pages"

        func text(width: Int, _ state: AppState) -> ReadingText {
            ReadingText(title: "Pages", subtitle: "", lines: (1...100).map { [Span($0 % 30 == 0 ? "page \($0) has gold" : "page \($0)")] })
        }

        func plainText(_ state: AppState) -> String { "" }
    }

    private var state: AppState {
        var state = AppState.sample()
        state.popups.push(Pages())
        return state
    }

    private func match(_ state: AppState) -> Int? { (state.popup as? Pages)?.position.match }

    @Test func `a text is found while it is typed, and n and N go to the other matches`() {
        var state = state
        #expect(state.press("n") == [] && state.toast?.text.contains("Nothing was searched here yet; press /") == true)
        state.press("/")
        state.type("gold")
        #expect(match(state) == 29 && state.screen.contains("page 30 has gold"))
        state.press("Enter", "n")
        #expect(match(state) == 59)
        state.press("N")
        #expect(match(state) == 29)
        let canvas = state.draw()
        #expect((0..<24).contains { row in canvas.bounds.columns.contains { canvas.style(at: Point(column: $0, row: row))?.role == .currentMatch } })
    }

    @Test func `a text that does not occur is reported, and Esc restores the previous search`() {
        var state = state
        state.press("/")
        state.type("gold")
        state.press("Enter", "/")
        state.type("qqq")
        #expect(state.toast?.text == "“qqq” is not here")
        state.press("Esc")
        #expect((state.popup as? Pages)?.position.searchTerm == "gold")
        state.press("Esc")
        #expect(state.popup == nil)
    }
}
