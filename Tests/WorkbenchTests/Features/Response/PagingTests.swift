import BodyViews
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests loading more items of a paged list (S1.39, S1.40).
struct PagingTests {
    private func page(_ items: [Int], total: Int = 5) -> String {
        "{\"result\": {\"items\": [\(items.map(String.init).joined(separator: ", "))], \"total\": \(total)}}"
    }

    /// The list endpoint with the response of its first page.
    private func state(prompting: Bool = false) throws -> AppState {
        var workspace = Workspace.sample
        var list = try #require(workspace.endpoint("shop/orders/list"))
        var paging = Paging()
        (paging.number, paging.size, paging.items, paging.total) = ("page", "size", "$.items", "$.total")
        list.paging = paging
        list.query = [Parameter("page", "1"), Parameter("size", "2")]
        if prompting { list.query.append(Parameter("pin", "{{$promptSecret PIN}}")) }
        workspace.replace(list)
        workspace.services[0].envelope = Envelope(codePath: try JSONPath("$.code"), success: [], resultPath: try JSONPath("$.result"))
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 40))
        state.open("shop/orders/list")
        if prompting {
            state.press("^R")
            state.type("1234")
            let effects = state.press("Enter")
            let sent = effects.compactMap { if case .send(let id, _, _) = $0 { id } else { nil } }
            state.answer(try #require(sent.first), page([1, 2]))
        } else {
            state.answer(state.sendOpen(), page([1, 2]))
        }
        state.press("3")
        return state
    }

    /// Presses the key for more items and returns the job and its endpoint.
    private func loadMore(_ state: inout AppState) throws -> (JobID, Endpoint) {
        guard let (id, job) = state.press("m").started(LoadMoreJob.self).first, job.environment == "develop" else { throw NothingAsked() }
        return (id, job.endpoint)
    }

    private struct NothingAsked: Error {}

    private func body(_ state: AppState) -> String {
        guard let bytes = state.openCall?.body?.bytes else { return "" }
        return bytes.string(in: 0..<bytes.count)
    }

    @Test func `m appends the items of the next page, page by page, to the end`() throws {
        var state = try state()
        let (second, endpoint) = try loadMore(&state)
        #expect(endpoint.query == [Parameter("page", "2"), Parameter("size", "2")])
        _ = state.end(LoadMoreJob.self, second, .success(.sample(page([3, 4]))))
        #expect(body(state) == page([1, 2, 3, 4]))
        let (third, next) = try loadMore(&state)
        #expect(next.query[0].value == "3")
        _ = state.end(LoadMoreJob.self, third, .success(.sample(page([5]))))
        #expect(body(state) == page([1, 2, 3, 4, 5]))
        #expect(state.press("m").isEmpty)
        #expect(state.toast?.text == "There are no further items")
    }

    @Test func `a further page uses what was entered for the first, also a secret`() throws {
        var state = try state(prompting: true)
        state.states[PromptsState.self].values["PIN"] = "of another endpoint"
        #expect(try loadMore(&state).1.promptValues == ["PIN": "1234"])
    }

    @Test func `a table has the rows of further pages`() throws {
        var state = try state()
        state.answer(state.sendOpen(), #"{"result":{"items":[{"n":1},{"n":2}],"total":3}}"#)
        state.press("t")
        #expect(state.shownTable?.table.rowCount == 2)
        let (id, _) = try loadMore(&state)
        _ = state.end(LoadMoreJob.self, id, .success(.sample(#"{"result":{"items":[{"n":3}],"total":3}}"#)))
        let table = try #require(state.shownTable)
        #expect(table.rows(0..<9).map { table.table.cells(at: $0.offset).first??.text } == ["1", "2", "3"])
    }

    @Test func `S1.40 a failed page is requested again`() throws {
        var state = try state()
        let (id, _) = try loadMore(&state)
        _ = state.end(LoadMoreJob.self, id, .success(.sample(error: NetworkError(.timedOut, "too late"))))
        #expect(state.toast?.text == "The next page was not loaded: too late")
        #expect(try loadMore(&state).1.query[0].value == "2")
    }

    @Test func `S1.40 a page of a restarted list is dropped, and m during a request sends none`() throws {
        var state = try state()
        let (id, _) = try loadMore(&state)
        #expect(state.press("m").isEmpty)
        state.answer(state.sendOpen(), page([7, 8]))
        _ = state.end(LoadMoreJob.self, id, .success(.sample(page([3, 4]))))
        #expect(body(state) == page([7, 8]))
    }

    @Test func `S1.32 an empty later page means no further items, not an error`() throws {
        var state = try state()
        let (id, _) = try loadMore(&state)
        _ = state.end(LoadMoreJob.self, id, .success(.sample(page([]))))
        #expect(body(state) == page([1, 2]))
        #expect(state.toast?.text == "There are no further items")
    }

    @Test func `the footer displays the key for more only where there are more items`() throws {
        var state = try state()
        #expect(state.screen.contains("m More"))
        state.open("shop/orders/create")
        state.press("3")
        #expect(!state.screen.contains("m More"))
    }
}
