import BodyViews
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests scrolling, searching, copying and quitting.
@Suite struct ReadingTests {
    private var numbered: String { (1...200).map { "row \($0)" }.joined(separator: "\n") }

    @Test func `a body scrolls to its end and not further`() {
        var state = AppState.showing(numbered, contentType: "text/plain")
        state.press("End")
        #expect(state.screen.contains("row 200"))
        let top = state.responseState.top
        state.press("PgDn", "↓")
        #expect(state.responseState.top == top)
        state.press("g")
        #expect(state.responseState.top == 0)
    }

    /// The number of rows, of which only the first are known when the response arrives.
    private static let manyRows = 40_000

    /// The workbench with a long body, and the effects that read the rest of it.
    private func withLongBody() -> (state: AppState, rest: [Effect]) {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let lines = (1...Self.manyRows).map { "row \($0)" }.joined(separator: "\n")
        let rest = state.answer(state.sendOpen(), lines, contentType: "text/plain")
        state.focus(.response)
        return (state, rest)
    }

    @Test func `the end of a body is shown when it is known, if the cursor was moved to the end before`() throws {
        var (state, rest) = withLongBody()
        state.press("End")
        #expect(state.openBody?.isComplete == false)
        #expect(!state.screen.contains("row \(Self.manyRows)"))
        state.settle(rest)
        #expect(state.openBody?.isComplete == true)
        #expect(state.screen.contains("row \(Self.manyRows)"))
    }

    @Test func `a cursor that has left the end of the known rows stays where it is`() throws {
        var (state, rest) = withLongBody()
        state.press("End", "↑")
        let (row, top) = (state.responseState.row, state.responseState.top)
        state.settle(rest)
        #expect(state.responseState.row == row && state.responseState.top == top)
    }

    @Test func `a search scrolls to its match, n continues and wraps around`() {
        var state = AppState.showing(numbered, contentType: "text/plain")
        state.press("/")
        state.settle(state.type("row 15"))
        #expect(state.press("Enter").isEmpty)
        state.settle(state.press("n"))
        state.settle(state.press("n"))
        #expect(state.screen.contains("row 151"))
        state.settle(state.press("N"))
        #expect(state.screen.contains("row 150"))
        for _ in 0..<10 { state.settle(state.press("n")) }
        #expect(state.screen.contains("row 15\u{20}") || state.responseState.top < 20)
        #expect(state.toast?.text == "Continued from the start")
    }

    @Test func `matches are marked on the screen`() {
        var state = AppState.showing("alpha\nbeta", contentType: "text/plain")
        state.press("/")
        state.settle(state.type("bet"))
        let canvas = state.draw()
        let marked = canvas.bounds.rows.flatMap { row in
            canvas.bounds.columns.filter { canvas.style(at: Point(column: $0, row: row))?.role == .currentMatch }
        }
        #expect(marked.count == 3)
    }

    @Test func `the result of an older search is ignored`() throws {
        var state = AppState.showing(numbered, contentType: "text/plain")
        state.press("/")
        let old = try #require(state.type("1").started(SearchJob.self).first?.id)
        state.type("5")
        #expect(state.end(SearchJob.self, old, .found(900..<901)).isEmpty)
        #expect(state.responseState.match == nil)
    }

    @Test func `Esc discards the text that was being typed`() {
        var state = AppState.showing(numbered, contentType: "text/plain")
        state.press("/")
        state.type("xyz")
        state.press("Esc")
        #expect(state.searchTerms[.response] == nil)
        #expect(state.searchEntry == nil)
    }

    @Test func `the body is displayed formatted, raw and as hex in turn`() {
        var state = AppState.showing(#"{"a":1}"#, contentType: "application/json")
        #expect(state.screen.contains(#""a": 1"#))
        state.press("w")
        #expect(state.screen.contains(#"{"a":1}"#))
        state.press("w")
        #expect(state.screen.contains("00000000  7b 22 61"))
        state.press("w")
        #expect(state.openCall?.body?.mode == .pretty)
    }

    @Test func `y copies the body, or the value of a header field`() {
        var state = AppState.showing("hello", contentType: "text/plain")
        guard case .copy(let id, "hello") = state.press("y").first else {
            Issue.record("the body was not copied")
            return
        }
        _ = state.update(.copied(id, .done("")))
        #expect(state.toast?.text == "Copied the body (5 bytes)")
        state.press("]", "↓")
        guard case .copy(_, "text/plain") = state.press("y").first else {
            Issue.record("the value was not copied")
            return
        }
    }

    @Test func `the result of an unrequested copy is ignored`() {
        var state = AppState.showing("hello", contentType: "text/plain")
        let before = state.log.entries
        _ = state.update(.copied(JobID(77), .done("")))
        #expect(state.log.entries == before)
    }

    @Test func `a body is saved to the typed path`() throws {
        var state = AppState.showing("hello", contentType: "text/plain")
        state.press("s", "^U")
        state.type("/tmp/x.txt")
        let body = try #require(state.openCall?.body?.bytes)
        let save = try #require(state.press("Enter").started(SaveFileJob.self).first?.job)
        #expect(save.content == .body(body) && save.path == "/tmp/x.txt" && !save.overwrites)
    }

    @Test func `the log follows the newest entry until the user scrolls up`() {
        var state = AppState.sample()
        state.press("L")
        for number in 1...50 { _ = state.update(.log(LogEntry(.info, "entry \(number)"))) }
        #expect(state.screen.contains("entry 50"))
        state.press("PgUp", "PgUp")
        _ = state.update(.log(LogEntry(.info, "entry 51")))
        #expect(!state.screen.contains("entry 51"))
        state.press("G")
        #expect(state.screen.contains("entry 51"))
    }

    @Test func `the log removes its oldest entries`() {
        var log = Log()
        for number in 0..<20_000 { log.append(LogEntry(.info, "\(number)")) }
        #expect(log.entries.count <= Log.capacity * 5 / 4)
        #expect(log.entries.last?.text == "19999")
    }

    @Test func `a large body stays in Transfers when it has ended, x cancels a running one and removes an ended one`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.call(id, .progressed(CallProgress(received: 5_000_000))))
        state.press("T")
        #expect(state.press("x") == [.cancel(id)])
        _ = state.update(.call(id, .finished(.sample(error: NetworkError(.cancelled, "stopped")))))
        #expect(state.screen.contains("– ↓ List orders"))
        #expect(state.press("x") == [])
        #expect(!state.screen.contains("– ↓ List orders"))
    }

    @Test func `the filter displays matches, Enter opens the selected one and keeps it, Esc displays all again`() {
        var state = AppState.sample()
        let openBefore = state.openTarget
        state.press("/")
        state.type("create")
        #expect(state.openTarget == openBefore)
        #expect(!state.screen.contains("List orders"))
        state.press("Enter")
        #expect(state.openTarget == "shop/orders/create")
        state.press("Enter")
        #expect(state.focus == .request)
        state.press("1", "Esc")
        #expect(state.screen.contains("List orders"))
    }

    @Test func `a service is collapsed and expanded`() {
        var state = AppState.sample()
        state.press("Home", "←")
        #expect(!state.screen.contains("List orders"))
        state.press("→")
        #expect(state.screen.contains("List orders"))
    }

    @Test func `the environment is switched`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("^E", "↓", "Enter")
        #expect(state.environment == "release")
        #expect(state.screen.contains("https://a.shop.example/orders"))
    }

    @Test func `quitting with running work requires confirmation`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        #expect(state.press("^Q").isEmpty)
        #expect(state.screen.contains("1 request in flight"))
        state.press("Enter")
        #expect(!state.isQuitting)
        state.answer(id)
        #expect(state.press("^Q") == [.quit])
        #expect(state.isQuitting)
    }

    @Test func `quitting can save everything first`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("Space")
        _ = state.sendOpen()
        state.press("^Q", "↓")
        guard case .save(let id, let saved, _) = state.press("Enter").first else {
            Issue.record("nothing was saved")
            return
        }
        #expect(!state.isQuitting)
        #expect(state.update(.saved(id, .saved(saved))) == [.quit])
    }

    /// The sample with an unsaved edit and the question before quitting.
    private func quittingWithEdits() -> AppState {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("Space")
        #expect(state.press("^Q").isEmpty)
        return state
    }

    @Test func `quitting with unsaved edits requires confirmation and lists the endpoints`() {
        var state = quittingWithEdits()
        #expect(state.screen.contains("1 endpoint not saved") && state.screen.contains("shop/orders/list"))
        state.press("Esc")
        #expect(!state.isQuitting)
        #expect(state.drafts["shop/orders/list"]?.isEdited == true)
    }

    @Test func `unsaved edits can be kept as drafts when quitting`() {
        var state = quittingWithEdits()
        #expect(state.press("↓", "↓", "Enter") == [.quit])
        #expect(state.unsavedDrafts.map(\.edited.target) == ["shop/orders/list"])
    }

    @Test func `unsaved edits can be discarded when quitting`() {
        var state = quittingWithEdits()
        #expect(state.press("↓", "↓", "↓", "Enter").isEmpty && state.screen.contains("cannot be restored"))
        #expect(state.press("↓", "Enter") == [.quit])
        #expect(state.unsavedDrafts.isEmpty)
    }

    @Test func `an unsaved endpoint can be displayed before quitting`() {
        var state = quittingWithEdits()
        state.press("End", "Enter")
        #expect(!state.isQuitting)
        #expect(state.openTarget == "shop/orders/list" && state.focus == .request)
    }

    @Test func `a closed terminal ends the program without a question`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("Space")
        #expect(state.update(.input(.hangup)) == [.quit])
        #expect(state.isQuitting)
    }
}
