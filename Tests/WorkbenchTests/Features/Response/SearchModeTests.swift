import BodyViews
import SortieBase
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests regular expressions and case in the search of the panes, and the progress of a search.
@Suite struct SearchModeTests {
    private let orders = #"[{"id":5},{"id":17},{"id":18}]"#

    @Test func `Alt-R searches a regular expression`() {
        var state = AppState.showing(orders, size: Size(width: 120, height: 40))
        state.press("/")
        state.settle(state.type(#"id": 1\d"#))
        #expect(state.toast?.text.contains("is not here") == true)
        state.settle(state.press("Alt-r"))
        #expect(state.screen.contains("match 1 of 2") && state.screen.contains("regex"))
        state.press("Enter")
        state.settle(state.press("n"))
        #expect(state.screen.contains("match 2 of 2"))
        #expect(state.cells(.currentMatch) == 7 && state.cells(.searchMatch) == 7)
    }

    @Test func `an invalid pattern shows its place while it is typed, and starts no search`() {
        var state = AppState.showing(orders, size: Size(width: 120, height: 40))
        state.press("/", "Alt-r")
        state.settle(state.type("(id"))
        #expect(state.screen.contains("the ( at character 1 is not closed"))
        #expect(state.jobs.isEmpty)
        state.settle(state.type(")"))
        #expect(!state.screen.contains("is not closed") && state.screen.contains("match 1 of 3"))
    }

    @Test func `Alt-C matches the case exactly`() {
        var state = AppState.showing("Order\norder\n", contentType: "text/plain", size: Size(width: 120, height: 40))
        state.press("/")
        state.settle(state.type("order"))
        #expect(state.screen.contains("match 1 of 2"))
        state.settle(state.press("Alt-c"))
        #expect(state.screen.contains("match 1 of 1") && state.screen.contains("case"))
    }

    @Test func `the other tabs search patterns, mark each match and number the lines`() {
        var state = AppState.showing(orders, size: Size(width: 120, height: 40))
        state.press("]", "/", "Alt-r")
        state.type("^Content-.*on$")
        #expect(state.screen.contains("match 1 of 1"))
        #expect(state.cells(.currentMatch) == "Content-Type: application/json".count)
        state.press("Enter", "Esc", "/", "Alt-r")
        state.type("a")
        #expect(state.cells(.searchMatch) + state.cells(.currentMatch) > 1)
    }

    @Test func `a filter has no regular expressions`() {
        var state = AppState.sample()
        state.press("1", "/", "Alt-r")
        #expect(state.toast?.text == "A filter compares plain text")
    }

    @Test func `a search of a large body shows how far it is, and Esc cancels it`() throws {
        var state = AppState.showing(orders, size: Size(width: 120, height: 40))
        state.press("/")
        let id = try #require(state.type("x").started(SearchJob.self).first?.id)
        state.end(SearchJob.self, id, .continueFrom(15))
        #expect(state.screen.contains("searching 50 %"), "\(state.screen)")
        #expect(state.press("Esc") == [.cancelJobs([id])])
        #expect(!state.screen.contains("searching"))
        state.end(SearchJob.self, id, .continueFrom(20))
        #expect(!state.screen.contains("searching"))
    }

    @Test func `a text that is not found and resembles a pattern names the key of regular expressions`() {
        var state = AppState.showing(orders, size: Size(width: 120, height: 40))
        state.press("/")
        state.settle(state.type(#"1\d"#))
        #expect(state.toast?.text.contains("regular expression") == true)
        state.press("^U")
        state.settle(state.type("nowhere"))
        #expect(state.toast?.text.contains("is not here") == true && state.toast?.text.contains("regular expression") == false)
    }

    @Test func `the search of a window says that it compares plain text`() {
        var state = AppState.sample()
        state.popups.show(MessagesPopup())
        state.press("/", "Alt-r")
        #expect(state.toast?.text == "The search of a window compares plain text")
    }
}
