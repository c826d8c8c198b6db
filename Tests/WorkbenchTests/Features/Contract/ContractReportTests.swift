import SortieTerminal
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

    /// A workspace with a description outside of it, which is not permitted.
    private func unpermitted() -> AppState {
        var workspace = Workspace.sample
        workspace.services[0].contract = ContractSetting(document: "/other/api.yaml")
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 80, height: 24), permitted: [])
        state.open("shop/orders/list")
        return state
    }

    private func choose(_ name: String, _ state: inout AppState) -> [Effect] { state.press("^P") + state.type(name) + state.press("Enter") }

    @Test(arguments: ["Contract drift", "Mock"])
    func `a description outside of the workspace is read after the question for permission, and the lines are shown then`(name: String) throws {
        var state = unpermitted()
        #expect(choose(name, &state).started(ContractReportJob.self).isEmpty)
        #expect(state.screen.contains("read the file /other/api.yaml"), "\(state.screen)")
        let (id, job) = try #require(state.press("Down", "Enter").started(ContractReportJob.self).first)
        #expect(state.popup == nil)
        var output = ContractOutput(subject: job.subject)
        output.add("a line")
        _ = state.end(ContractReportJob.self, id, output)
        #expect(state.screen.contains("a line"), "\(state.screen)")
    }

    @Test func `a refused permission ends what was started with the reason`() throws {
        var state = unpermitted()
        #expect(choose("Contract coverage", &state).started(ContractCoverageJob.self).isEmpty)
        state.press("Enter")
        #expect(state.pendingJobs(ContractCoverageJob.self).isEmpty && state.screen.contains("did not permit"), "\(state.screen)")
        #expect(choose("Contract drift", &state).started(ContractReportJob.self).isEmpty)
        state.press("Enter")
        #expect(state.contractOutputs[.check]?.isRunning == false && state.screen.contains("you did not permit"), "\(state.screen)")
    }

    @Test func `generated requests are sent after a question for their number, and their findings are shown`() throws {
        var state = described()
        #expect(state.performFromList(.contractTest).isEmpty && state.screen.contains("The endpoint has no contract"), "a download")
        state.open("shop/orders/list")
        #expect(state.performFromList(.contractTest).isEmpty)
        #expect(state.screen.contains("Generated requests for shop/orders/list") && state.screen.contains("safe ones"), "\(state.screen)")
        let (id, job) = try #require(state.perform(.accept).started(ContractReportJob.self).first)
        #expect(job.limit == 20 && job.endpoint == state.openEndpoint && job.sent.count == 1 && !job.sendsUnsafe)
        var output = ContractOutput(subject: job.subject)
        output.add("✗ GET /pets  invalid: limit: accepted")
        _ = state.end(ContractReportJob.self, id, output)
        #expect(state.screen.contains("✗ GET /pets"), "\(state.screen)")
    }

    @Test func `methods that change data are sent only where they are chosen, which an endpoint with one of them needs`() throws {
        var state = described()
        state.open("shop/orders/create")
        _ = state.performFromList(.contractTest)
        #expect(state.perform(.accept).isEmpty)
        #expect(state.screen.contains("POST is not a safe method"), "\(state.screen)")
        state.press("Tab", "Space")
        let job = try #require(state.perform(.accept).started(ContractReportJob.self).first).job
        #expect(job.sendsUnsafe)
    }

    @Test func `a message of the command is a sentence without its name, and a hint for a shell is left out`() {
        var output = ContractOutput(subject: "Shop")
        for line in [
            "sortie: warning: the row 7 is damaged", "17  GET /pets  200", "    body $.id: type",
            "sortie: contract: 1 exchange compared, 1 not as described", "  sortie trust shows more", "sortie: this has: no name",
        ] { output.add(line) }
        let sentences = ["warning: the row 7 is damaged", "17  GET /pets  200", "    body $.id: type", "1 exchange compared, 1 not as described"]
        #expect(output.lines == sentences + ["this has: no name"])
    }

    /// The state after a report with some lines, while its view is open.
    private func reported(_ command: Command, _ lines: [String]) throws -> AppState {
        var state = described()
        state.open("shop/orders/list")
        var effects = state.performFromList(command)
        if command == .contractTest { effects = state.perform(.accept) }
        let id = try #require(effects.started(ContractReportJob.self).first).id
        var output = ContractOutput(subject: "Shop")
        for line in lines { output.add(line) }
        output.end()
        _ = state.end(ContractReportJob.self, id, output)
        return state
    }

    @Test func `Enter on an exchange that is not as described opens it from the history`() throws {
        var state = try reported(.contractCheck, ["7  GET /a  200", "    body $.id: type", "19  GET /b  200", "    body $.id: type", "2 exchanges"])
        state.press("Down")
        let effects = state.press("Enter")
        #expect(state.popup == nil)
        #expect(effects.contains { if case .history(_, .past(19)) = $0 { true } else { false } }, "\(effects)")
    }

    @Test func `Enter on a finding makes a new request of its curl command, and on an operation opens its endpoint`() throws {
        let lines = ["✗ GET /orders  invalid: size: accepted", "    # Set before: KEY", "    curl -L \\", "      'http://h/orders?size=0'"]
        var state = try reported(.contractTest, lines + ["GET /orders  16 requests"])
        var opened = state
        let job = try #require(opened.press("Enter").started(ReadCommandsJob.self).first).job
        #expect(job.text == "curl -L \\\n  'http://h/orders?size=0'", "\(job.text)")
        state.open("shop/orders/create")
        state.press("Down", "Enter")
        #expect(state.popup == nil && state.openTarget == EndpointID("shop/orders/list") && state.focus == .request, "\(state.screen)")
    }

    @Test func `Enter on a request that a mock received opens its endpoint, and a text without parts is closed`() throws {
        var state = try reported(.contractMock, ["listening on http://127.0.0.1:4711", "GET /orders 200 shop/orders/create example 2 ms"])
        state.press("Enter")
        #expect(state.popup == nil && state.openTarget == EndpointID("shop/orders/create"))
        state = try reported(.contractMock, ["listening on http://127.0.0.1:4711"])
        #expect(state.press("Enter").isEmpty && state.popup == nil)
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
