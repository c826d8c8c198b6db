import Foundation
import Support
import Testing

/// The test data outside of the repository.
///
/// Tests that need it are skipped where it is missing. That is reported here, and is an error in CI (the variable `CI` is set, as `.ci/run` does).
@Suite struct CorporaTests {
    /// The files and directories that tests name.
    private static func used() throws -> [String] {
        let names = try TestSources.files().flatMap { file in
            file.text.matches(of: /\b(?:Corpora|Corpus|BodyFixtures)\.(?:url|data|text|lines|corpus)\("([a-z][^"\\]*)/).map { String($0.1) }
        }
        return Set(names).filter { !$0.hasPrefix("json/one") && !$0.hasPrefix("json/two") }.sorted()
    }

    @Test func `the corpora are there, or their absence is reported`() throws {
        let used = try Self.used()
        #expect(used.count >= 8)
        // The source documents are beside the corpora (DebugLogBlockTests).
        let missing = (used + ["../seeds"]).filter { Corpora.url($0) == nil }
        guard !missing.isEmpty else { return }
        let isInCI = ProcessInfo.processInfo.environment["CI"]?.isEmpty == false
        Issue.record(
            """
            The tests that use this data are skipped, because it is not in shared/corpora above the repository, and SORTIE_CORPORA \
            names no directory that has it: \(missing.joined(separator: ", "))
            """, severity: isInCI ? .error : .warning)
    }
}
