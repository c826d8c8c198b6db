import Foundation
import Support
import Testing

@testable import SortieApp
@testable import SortieWorkbench

/// Tests that the application implements the work of all jobs of the workbench.
@Suite struct PerformedWorkTests {
    /// The types of a conformance in the Swift files of a folder.
    private func types(_ pattern: Regex<(Substring, Substring)>, in folder: String) throws -> Set<String> {
        let folder = TestSources.repository.appendingPathComponent(folder)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try files.reduce(into: []) { types, file in
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("Work") {
                if let found = line.firstMatch(of: pattern) { types.insert(String(found.1)) }
            }
        }
    }

    @Test func `each job with work has an implementation`() throws {
        let jobs = try types(/struct (\w+): WorkJob\b/, in: "Sources/Workbench")
        #expect(jobs.count > 20)
        #expect(jobs == (try types(/extension (\w+): (?:Performed|Reporting)Work\b/, in: "Sources/SortieApp")))
    }

    @Test func `an implementation is found for a job whose type is not known`() {
        let work: any Work = StartedWork(id: JobID(1), job: CacheJob(request: .list)).work
        #expect(work is any PerformedWork)
    }

    @Test func `the drafts of a pasted command are kept although no key follows`() {
        #expect(Action.worked(WorkResult(of: ReadCommandsJob.self, JobID(1), .done([], notes: []))).mayEdit)
    }
}
