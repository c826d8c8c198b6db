import BodyViews
import SortieBase
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests searching a body: matches, their display, and cancellation.
@Suite struct BodySearchingTests {
    private func cancelled(_ effects: [Effect]) -> [JobID] {
        effects.flatMap { effect -> [JobID] in if case .cancelJobs(let ids) = effect { ids } else { [] } }
    }

    /// The job of the only search among the effects.
    private func searchJob(_ effects: [Effect]) throws -> JobID {
        try #require(effects.started(SearchJob.self).last?.id)
    }

    private var orders: String { "[" + (1...20).map { #"{"id":\#($0 % 4),"name":"n"}"# }.joined(separator: ",") + "]" }

    @Test func `visible text in formatted JSON is found, and the position of the match is displayed`() {
        var state = AppState.showing(orders)
        state.press("/")
        state.settle(state.type(#""id": 3"#))
        #expect(state.screen.contains("match 1 of 5"))
        state.press("Enter")
        state.settle(state.press("n"))
        #expect(state.screen.contains("match 2 of 5"))
        state.settle(state.press("N"))
        state.settle(state.press("N"))
        #expect(state.screen.contains("match 5 of 5"))
        #expect(state.toast?.text == "Continued from the end")
        #expect(state.screen.contains(#""id": 3"#))
    }

    @Test func `the current match looks different from the others`() {
        var state = AppState.showing(#"[{"id":5},{"id":5},{"id":5}]"#)
        state.press("/")
        state.settle(state.type(#""id": 5"#))
        #expect(state.cells(.currentMatch) == 7)
        #expect(state.cells(.searchMatch) == 14)
        state.press("Enter", "Esc")
        #expect(state.cells(.currentMatch) == 0 && state.cells(.searchMatch) == 0)
        #expect(!state.screen.contains("match 1"))
    }

    @Test func `while matches are counted the number is a minimum, and the last count is kept`() throws {
        var state = AppState.showing(orders)
        state.press("/")
        let id = try searchJob(state.type("name"))
        let body = try #require(state.openCall?.body)
        let effects = state.end(SearchJob.self, id, body.find(BodySearch("name"), from: 0))
        let (count, job) = try #require(effects.started(CountMatchesJob.self).first)
        #expect(state.screen.contains("match … of 1+"))
        var counted = MatchCount(job.search, in: job.body)
        counted.advance(over: job.body, budget: 100)
        state.end(CountMatchesJob.self, count, counted)
        #expect(state.screen.contains("match 1 of 5+"))
        counted.advance(over: job.body, budget: 1 << 20)
        state.end(CountMatchesJob.self, count, counted)
        #expect(state.screen.contains("match 1 of 20 "))
        #expect(state.jobs.isEmpty)
        state.press("Enter")
        #expect(state.press("n").started(CountMatchesJob.self).isEmpty)
    }

    @Test func `a match beyond the right edge is scrolled into view`() {
        var state = AppState.showing(String(repeating: "x", count: 300) + "needle", contentType: "text/plain")
        state.press("/")
        state.settle(state.type("needle"))
        #expect(state.screen.contains("needle"))
        #expect(state.cells(.currentMatch) == 6)
    }

    @Test func `the next key stops the search and the count of the previous keys`() throws {
        var state = AppState.showing(orders)
        state.press("/")
        let first = try searchJob(state.type("n"))
        let effects = state.type("a")
        let second = try searchJob(effects)
        #expect(cancelled(effects) == [first])
        let found = state.end(SearchJob.self, second, .found(10..<12))
        let count = try #require(found.started(CountMatchesJob.self).first?.id)
        #expect(cancelled(state.type("m")) == [count])
    }

    @Test func `Esc stops a search, while its text is typed and afterwards`() throws {
        var state = AppState.showing(orders)
        state.press("/")
        let typed = try searchJob(state.type("n"))
        #expect(state.press("Esc") == [.cancelJobs([typed])])
        state.press("/")
        let entered = try searchJob(state.type("n"))
        #expect(state.press("Enter").isEmpty)
        #expect(state.press("Esc") == [.cancelJobs([entered])])
        #expect(state.end(SearchJob.self, entered, .found(0..<1)).isEmpty)
        #expect(state.responseState.match == nil)
    }

    @Test func `deleting the text stops the search`() throws {
        var state = AppState.showing(orders)
        state.press("/")
        let job = try searchJob(state.type("n"))
        #expect(cancelled(state.press("Backspace")) == [job])
    }

    @Test func `quitting stops running work`() throws {
        var state = AppState.showing(orders)
        state.press("/")
        let job = try searchJob(state.type("n"))
        state.press("Enter")
        #expect(state.press("^Q") == [.quit, .cancelJobs([job])])
    }

    @Test func `a closed terminal stops running work`() throws {
        var state = AppState.showing(orders)
        state.press("/")
        let job = try searchJob(state.type("n"))
        #expect(state.update(.input(.hangup)) == [.quit, .cancelJobs([job])])
    }

    @Test func `a new response and another mode of the body stop the search`() throws {
        var state = AppState.showing(orders)
        state.press("/")
        let first = try searchJob(state.type("n"))
        state.press("Enter")
        #expect(cancelled(state.press("w")) == [first])
        let second = try searchJob(state.press("n"))
        #expect(cancelled(state.press("^R")) == [second])
    }

    @Test func `Esc stops the work that a popup waits for`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        guard let job = state.press("v").started(DryRunJob.self).first?.id else {
            Issue.record("no dry run began")
            return
        }
        #expect(state.press("Esc") == [.cancelJobs([job])])
        #expect(state.toast?.text == "The dry run was cancelled")
        _ = state.end(DryRunJob.self, job, .failed(Diagnostic(SourceLocation(file: "a.yaml"), "unknown name")))
        #expect(state.popup == nil)
    }

    @Test func `closing the file picker stops reading its folder`() throws {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[1].body = .file(path: "", contentType: nil)
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24))
        state.open("shop/orders/create")
        state.press("↓")
        let job = try #require(state.press("Enter").started(ListFolderJob.self).first?.id)
        #expect(state.press("Esc") == [.cancelJobs([job])])
    }

    @Test func `work with side effects is never stopped`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.press("Space")
        guard case .save? = state.press("^S").first else {
            Issue.record("nothing was saved")
            return
        }
        #expect(cancelled(state.update(.input(.hangup))) == [])
    }
}
