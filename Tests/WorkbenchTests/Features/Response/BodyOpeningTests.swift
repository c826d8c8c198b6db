import BodyViews
import SortieBase
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests opening a body in the pager and with a program, and what a failed filter permits.
@Suite struct BodyOpeningTests {
    private func answered(_ body: String = #"{"id": 1}"#, contentType: String = "application/json") -> AppState {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        state.answer(state.sendOpen(), body, contentType: contentType)
        state.focus(.response)
        return state
    }

    /// Filters the body; `find` is what the filter finds.
    private func filter(_ state: inout AppState, _ text: String, finding results: String, problem: String? = nil) throws {
        state.press("f")
        let id = try #require(state.type(text).started(FilterJob.self).last?.id)
        let bytes = BodyBytes(Array(results.utf8))
        state.end(FilterJob.self, id, FilterUpdate(bytes: bytes, count: results.isEmpty ? 0 : 1, isFinal: true, problem: problem))
    }

    @Test func `the body is written, then the pager has the terminal`() throws {
        var state = answered()
        let (id, job) = try #require(state.press("o").started(PreparePagerJob.self).first)
        #expect(job.body.bytes.count == 9)
        guard case .showInPager(let pager, "/tmp/x")? = state.end(PreparePagerJob.self, id, .done("/tmp/x")).first else {
            Issue.record("the pager was not started")
            return
        }
        _ = state.update(.bodyOpened(pager, .failed("the pager “x” ended with status 127")))
        #expect(state.toast?.text == "The body was not opened: the pager “x” ended with status 127")
    }

    @Test func `Esc cancels the preparation, and its late result starts no pager`() throws {
        var state = answered()
        let id = try #require(state.press("o").started(PreparePagerJob.self).first?.id)
        #expect(state.press("Esc") == [.cancelJobs([id])])
        #expect(state.end(PreparePagerJob.self, id, .done("/tmp/x")) == [])
    }

    @Test(arguments: [
        ("image/png; x=1", "\u{89}PNG\u{0}", "image/png"), ("", "{\"a\": 1}", "application/json"), ("", "words", "text/plain"),
    ]) func `the program depends on the declared media type, else on the kind of the body`(type: String, body: String, expected: String) {
        var state = answered(body, contentType: type)
        let effects = state.press("O")
        #expect(effects.contains { if case .openBody(_, _, expected) = $0 { true } else { false } }, "\(effects)")
    }

    @Test func `the program that has the body is named once`() throws {
        var state = answered()
        guard case .openBody(let id, _, _)? = state.press("O").first else {
            Issue.record("nothing was opened")
            return
        }
        _ = state.update(.bodyOpened(id, .done("feh")))
        #expect(state.toast?.text == "Opened the body with feh")
        _ = state.update(.bodyOpened(id, .failed("feh ended with status 1")))
        #expect(state.toast?.text == "Opened the body with feh")
    }

    @Test func `after an invalid filter the results of the previous one are not copied, saved or opened`() throws {
        var state = answered()
        try filter(&state, ".id", finding: "1\n")
        #expect(state.screen.contains("1 result"))
        state.type("[")
        #expect(!state.screen.contains("1 result") && state.screen.contains("this [ is not closed"))
        // Enter does not close the field of an invalid filter; another pane does.
        state.press("Enter")
        #expect(state.responses.filterField?.text == ".id[")
        state.focus(.services)
        state.focus(.response)
        for key in ["y", "Y", "s", "o", "O"] {
            #expect(state.press(key) == [], "\(key)")
            #expect(state.toast?.text.contains("this [ is not closed") == true, "\(key): \(state.toast?.text ?? "")")
            #expect(state.popup == nil)
        }
    }

    @Test func `a filter that fails shows the error and no number of results`() throws {
        var state = answered()
        try filter(&state, ".id.x", finding: "", problem: "cannot read .x of a number")
        #expect(state.screen.contains("cannot read .x of a number") && !state.screen.contains("0 results"))
        state.press("Enter")
        #expect(state.press("y") == [])
        #expect(state.toast?.text == "The filter has no results: cannot read .x of a number")
    }

    @Test func `results before an error are counted as such`() throws {
        var state = answered()
        try filter(&state, ".id", finding: "1\n", problem: "cannot read .x of a number")
        #expect(state.screen.contains("1 result before the error"))
    }

    @Test func `a program that fails after it was reported as opened is reported`() {
        var state = answered()
        _ = state.update(.viewerFailed("feh ended with status 1"))
        #expect(state.toast?.text == "The program for the body failed: feh ended with status 1")
        #expect(state.log.entries.last?.level == .error)
    }
}
