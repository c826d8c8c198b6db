import HistoryModel
import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests making a run of exchanges in History.
@Suite struct RecordRunTests {
    private func past(_ number: Int64, _ target: String, _ workspace: Workspace, body: String = "{}") throws -> PastExchange {
        var exchange = Exchange.sample(body)
        let endpoint = try #require(workspace.endpoint(target))
        exchange.request.origin = RequestOrigin(endpoint: endpoint)
        let item = HistoryItem(
            number: number, id: exchange.id, startedAt: exchange.startedAt, service: "shop", target: target, url: "http://127.0.0.1:8080/orders",
            status: 200)
        return PastExchange(item: item, exchange: exchange)
    }

    /// The state after the exchanges were read.
    private func state(_ work: (Workspace) throws -> [PastExchange]) rethrows -> AppState {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[2].query = [Parameter("after", "order-17")]
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 30))
        let exchanges = try work(workspace)
        let job = RecordRunJob(numbers: exchanges.map(\.item.number), in: state)
        for (id, _) in state.start(job).started(RecordRunJob.self) {
            state.end(RecordRunJob.self, id, .success(job.recording(of: exchanges)))
        }
        return state
    }

    @Test func `the run gets a name, its endpoints are saved with it, and the captures are said`() throws {
        var state = try state { workspace in
            [
                try past(5, "shop/orders/list", workspace),
                try past(4, "shop/orders/create", workspace, body: #"{"id": "order-17"}"#),
            ]
        }
        #expect(state.screen.contains("Run of 2 exchanges") && state.screen.contains("create-list"))
        let effects = state.press("Enter")
        guard case .editWorkspace(let job, .createRun(let run, saving: let drafts))? = effects.first else {
            Issue.record("no run is made: \(effects)")
            return
        }
        #expect(run.name == "create-list" && run.steps.map(\.target) == ["shop/orders/create", "shop/orders/list"])
        #expect(drafts.map(\.edited.target) == ["shop/orders/create", "shop/orders/list"])
        #expect(drafts.first?.edited.captures == [Capture(name: "id", path: "$.id")])
        #expect(drafts.last?.edited.query == [Parameter("after", "{{create.id}}")])
        var workspace = state.workspace
        workspace.runs.append(run)
        _ = state.update(.workspaceEdited(job, .done(FileChanges(), workspace)))
        #expect(state.isFocused(.runs))
        #expect(state.screen.contains("{{create.id}} ($.id) is used by list: query after"))
    }

    @Test func `a name that a run has is refused`() throws {
        var state = try state { [try past(5, "shop/orders/list", $0)] }
        state.press("^U")
        state.type("checkout")
        #expect(state.press("Enter").isEmpty)
        #expect(state.screen.contains("checkout already exists"))
    }

    @Test func `exchanges that cannot be read make no run`() {
        var state = AppState.sample()
        for (id, _) in state.start(RecordRunJob(numbers: [1], in: state)).started(RecordRunJob.self) {
            state.end(RecordRunJob.self, id, .failure(Diagnostic(.nowhere, "number 1 is no longer in the history")))
        }
        #expect(state.popup == nil && state.screen.contains("No run was made: number 1 is no longer in the history"))
    }
}
