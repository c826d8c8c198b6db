import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the view of the coverage of descriptions.
@Suite struct ContractCoverageTests {
    @Test func `the coverage is shown with a sign for each operation, where a service has a contract`() throws {
        var state = AppState.sample()
        #expect(state.performFromList(.contractCoverage).isEmpty)
        #expect(state.screen.contains("No service has a contract"))
        state.workspace.services[0].contract = ContractSetting(document: "api.yaml")
        let effects = state.performFromList(.contractCoverage)
        let id = try #require(effects.started(ContractCoverageJob.self).first).id
        _ = state.end(
            ContractCoverageJob.self, id, .lines(["✓ GET /pets  2", "· GET /pets/{id}  1", "    not seen: response 404", "Pets: 2 of 2 operations"]))
        for text in ["Contract coverage", "✓ GET /pets  2", "not seen: response 404", "Pets: 2 of 2 operations"] {
            #expect(state.screen.contains(text), "\(state.screen)")
        }
    }

    @Test func `Enter on an operation opens the endpoint whose path has its form`() throws {
        var state = AppState.sample()
        state.workspace.services[0].contract = ContractSetting(document: "api.yaml")
        let id = try #require(state.performFromList(.contractCoverage).started(ContractCoverageJob.self).first).id
        let lines = ["– DELETE /pets   0", "✓ GET /orders    2", "    not seen: query a", "✓ GET /orders/{id}  2"]
        _ = state.end(ContractCoverageJob.self, id, .lines(lines))
        state.press("Enter")
        #expect(state.popup != nil && state.screen.contains("No endpoint of the workspace sends DELETE /pets"), "\(state.screen)")
        state.press("Down", "Enter")
        #expect(state.popup == nil && state.openTarget == EndpointID("shop/orders/list"), "\(state.screen)")
    }
}
