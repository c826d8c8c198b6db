import BodyViews
import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing

/// The documents of the JSON test suite in a body view.
@Suite struct JSONSuiteTests {
    private static let suite = BodyFixtures.corpus("json/JSONTestSuite/test_parsing")

    @Test(.enabled(if: suite != nil, "the JSON test suite is not here"))
    func `what the JSON test suite refuses is shown raw with one problem`() throws {
        let folder = try #require(Self.suite)
        for file in try BodyFixtures.files(folder, prefix: "n_") where !file.bytes.isEmpty {
            let problem = try #require(JSONText.problem(in: BodyBytes(file.bytes)), "\(file.name)")
            let view = BodyFixtures.view(file.bytes)
            #expect(view.problem == problem || view.kind != .json, "\(file.name)")
            #expect(view.mode != .pretty && view.notice != nil && view.isComplete, "\(file.name)")
        }
    }
}
