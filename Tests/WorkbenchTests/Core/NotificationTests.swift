import SortieBase
import SortieHTTP
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests notifications: their text, their position, and when they disappear.
@Suite struct NotificationTests {
    private func answered(size: Size = Size(width: 80, height: 24)) -> AppState {
        var state = AppState.sample(size: size)
        state.open("shop/orders/list")
        state.answer(state.sendOpen(), "hello", contentType: "text/plain")
        state.focus(.response)
        return state
    }

    private func rows(_ state: AppState) -> [String] {
        state.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `a notification leaves the status line readable`(size: Size) {
        var state = answered(size: size)
        let status = rows(state)[size.height - 1]
        #expect(status.contains("develop · Shop"))
        _ = state.update(.workspaceFailed("the workspace cannot be read"))
        #expect(rows(state)[size.height - 1] == status)
        #expect(rows(state)[size.height - 2].contains("✗ the workspace cannot be read"))
    }

    @Test func `a long notification is wrapped, and the status line stays visible`() {
        var state = answered()
        _ = state.update(.workspaceFailed(String(repeating: "word ", count: 30) + "end"))
        let rows = rows(state)
        #expect(rows[22].contains("end") && rows[20].contains("✗ word"))
        #expect(rows[23].contains("develop · Shop"))
    }

    @Test func `a short secret is masked as a word, and not within the words of a message`() {
        var state = answered()
        state.secrets.hide("out")
        state.notify("Without out: outer about (out)")
        #expect(state.toast?.text == "Without ••••: outer about (••••)")
    }

    @Test func `one sentence contains what was copied and with which program`() {
        var state = answered()
        guard case .copy(let id, _) = state.press("y").first else {
            Issue.record("nothing was copied")
            return
        }
        _ = state.update(.copied(id, .done("tmux")))
        #expect(state.toast?.text == "Copied the body (5 bytes) with tmux")
    }

    @Test func `a saved body and a saved log display their paths`() {
        var state = answered()
        state.press("s")
        guard let body = state.press("Enter").started(SaveFileJob.self).first?.id else {
            Issue.record("nothing was saved")
            return
        }
        _ = state.end(SaveFileJob.self, body, .done("list.txt (5 B)"))
        #expect(state.toast?.text == "Saved the body to list.txt (5 B)")
        state.press("L", "s")
        guard let log = state.press("Enter").started(SaveFileJob.self).first?.id else {
            Issue.record("nothing was saved")
            return
        }
        _ = state.end(SaveFileJob.self, log, .done("sortie.log (5 B)"))
        #expect(state.toast?.text == "Saved the log to sortie.log (5 B)")
    }

    @Test func `the next key removes a notification that a key caused`() {
        var state = AppState.sample()
        state.press("^S")
        #expect(state.toast?.text == "There are no changes since the last save")
        state.press("↓")
        #expect(state.toast == nil)
    }

    @Test func `a notification of an event stays a second despite keys, and is then removed by the next key`() {
        var state = AppState.sample()
        _ = state.update(.tick(now: 10))
        _ = state.update(.workspaceFailed("it failed"))
        state.press("↓")
        _ = state.update(.tick(now: 10.1))
        state.press("↑")
        #expect(state.toast != nil)
        _ = state.update(.tick(now: 11.2))
        #expect(state.toast != nil)
        state.press("↓")
        #expect(state.toast == nil)
    }

    @Test func `a notification expires`() {
        var state = answered()
        guard case .copy(let id, _) = state.press("y").first else { return #expect(Bool(false), "nothing was copied") }
        _ = state.update(.copied(id, .done("")))
        _ = state.update(.tick(now: 20))
        #expect(state.toast != nil && state.wantsTicks)
        _ = state.update(.tick(now: 24.1))
        #expect(state.toast == nil && !state.wantsTicks)
    }

    @Test func `a notification of a running job disappears when the job has ended`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        guard let id = state.press("v").started(DryRunJob.self).first?.id else {
            Issue.record("no dry run began")
            return
        }
        state.press("p")
        state.type("x")
        #expect(state.toast?.text == "Preparing the dry run…")
        _ = state.end(DryRunJob.self, id, .failed(Diagnostic(SourceLocation(file: "a.yaml"), "unknown name")))
        #expect(state.toast?.text != "Preparing the dry run…")
    }

    @Test func `Ctrl-L redraws the screen, also from a popup and while typing`() {
        var state = AppState.sample()
        #expect(state.press("^L") == [.redraw])
        state.press("?")
        #expect(state.press("^L") == [.redraw])
        state.press("Esc", "/")
        #expect(state.press("^L") == [.redraw])
    }
}
