import SortieBase
import Support
import Testing

@testable import SortieStorage

/// Tests that the example for GitHub Actions in the guide is a workflow.
@Suite struct ActionsWorkflowTests {
    @Test func `the example is YAML with a job whose steps are complete`() throws {
        let root = try YAMLSource.node(parsing: Array(GuideExample.block("yaml", of: "Scripting.md").utf8), file: "api.yml")
        let job = try #require(root["jobs"]?["api"])
        #expect(root["on"] != nil && job["runs-on"]?.text == "ubuntu-24.04")
        let steps = try #require(job["steps"]?.items)
        #expect(steps.count == 5)
        for step in steps { #expect((step["uses"] == nil) != (step["run"] == nil)) }
    }
}
