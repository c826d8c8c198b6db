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
}
