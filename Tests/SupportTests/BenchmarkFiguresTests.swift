import Foundation
import Support
import Testing

/// Copies the figures of `Tests/Benchmarks/results.md`, which `make bench` writes, into the documents while they are updated, and compares them otherwise.
@Suite struct BenchmarkFiguresTests {
    /// The measurements that the README shows, without those of CPU time and memory.
    private static let inReadme: Set = [
        "measured", "---", "start: `--version`", "one request, with its record in the history", "first screen of the workbench",
        "64 GETs in flight, HTTP/1.1", "download of 1024 MiB to a file", "upload of 1024 MiB",
    ]

    @Test(arguments: [("README.md", true), ("Sources/SortieNetworking/Documentation.docc/Performance.md", false)])
    func `the figures of a document are those of the last complete run`(path: String, isReadme: Bool) throws {
        let results = try String(contentsOf: TestSources.repository.appendingPathComponent("Tests/Benchmarks/results.md"), encoding: .utf8)
        let lines = results.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return !isReadme || cells.count > 1 && Self.inReadme.contains(cells[0]) && !["ms CPU", "µs CPU", "MiB"].contains(cells[1])
        }
        let figures = lines.joined(separator: "\n") + (isReadme ? "\n" : "")
        let document = GeneratedDocument(path)
        var text = try String(contentsOf: document.url, encoding: .utf8)
        let start = try #require(text.firstRange(of: "<!-- make bench -->\n")).upperBound
        let end = try #require(text.firstRange(of: "<!-- end -->")).lowerBound
        text.replaceSubrange(start..<end, with: figures)
        let problem = try document.problem(comparedWith: text, suite: "BenchmarkFiguresTests")
        #expect(problem == nil)
    }
}
