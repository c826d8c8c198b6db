import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the views of what commands about descriptions print.
@Suite struct ContractReportTests {
    private func described() -> AppState {
        var state = AppState.sample()
        for index in state.workspace.services.indices { state.workspace.services[index].contract = ContractSetting(document: "api.yaml") }
        return state
    }

    @Test func `recorded exchanges that are not as described are shown line by line`() throws {
        var state = AppState.sample()
        #expect(state.performFromList(.contractCheck).isEmpty && state.screen.contains("No service has a contract"))
        state = described()
        let id = try #require(state.performFromList(.contractCheck).started(ContractReportJob.self).first).id
        var output = ContractOutput(subject: "Shop")
        output.add("17  GET /pets  200")
        output.add("    body $.id: type: expected integer")
        _ = state.end(ContractReportJob.self, id, output)
        #expect(state.screen.contains("not as described") && state.screen.contains("17  GET /pets  200"), "\(state.screen)")
        output.end()
        _ = state.end(ContractReportJob.self, id, output)
        #expect(state.contractOutputs[.check]?.isRunning == false && state.pendingJobs(ContractReportJob.self).isEmpty)
        #expect(state.screen.contains("expected integer"))
    }

    @Test func `generated requests are sent after a question for their number, and their findings are shown`() throws {
        var state = described()
        #expect(state.performFromList(.contractTest).isEmpty && state.screen.contains("The endpoint has no contract"), "a download")
        state.open("shop/orders/list")
        #expect(state.performFromList(.contractTest).isEmpty)
        #expect(state.screen.contains("Most generated requests"), "\(state.screen)")
        let (id, job) = try #require(state.perform(.accept).started(ContractReportJob.self).first)
        #expect(job.limit == 20 && job.endpoint == state.openEndpoint && job.sent.count == 1)
        var output = ContractOutput(subject: job.subject)
        output.add("✗ GET /pets  invalid: limit: accepted")
        _ = state.end(ContractReportJob.self, id, output)
        #expect(state.screen.contains("✗ GET /pets"), "\(state.screen)")
    }

    @Test func `a mock is served while its view is closed, and is shown and ended from the palette`() throws {
        var state = described()
        let id = try #require(state.performFromList(.contractMock).started(ContractReportJob.self).first).id
        var output = ContractOutput(subject: "shop")
        output.add("listening on http://127.0.0.1:4711")
        _ = state.end(ContractReportJob.self, id, output)
        _ = state.perform(.close)
        #expect(!state.screen.contains("listening on"))
        output.add("GET /pets 200")
        _ = state.end(ContractReportJob.self, id, output)
        #expect(state.performFromList(.contractMock).isEmpty && state.screen.contains("GET /pets 200"), "\(state.screen)")
        _ = state.perform(.close)
        _ = state.performFromList(.contractStop)
        #expect(state.pendingJobs(ContractReportJob.self).isEmpty && state.contractOutputs[.mock]?.isRunning == false)
    }
}
