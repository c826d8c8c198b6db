import Foundation
import Support
import Testing

/// Every requirement has a row in `Tests/REQUIREMENTS.md` that names where a user meets it and the tests that prove it.
@Suite struct RequirementTests {
    /// The numbers of each source document, the decisions between them, the workbench, export, import, and bench.
    ///
    /// There is no S2.47 to S2.59.
    private static let numbers: [String: [ClosedRange<Int>]] = [
        "S0.": [1...39], "S1.": [1...44], "S2.": [1...46, 60...65], "S3.": [1...19], "S4.": [1...18], "X": [1...7], "W": [1...13], "E": [1...12],
        "I": [1...11], "B": [1...25], "A": [1...11],
    ]

    /// A row of the tables.
    private struct Row {
        let number: String
        /// Where a user meets the requirement.
        let place: String
        let proof: String
        let tests: [(suite: String, name: String)]
    }

    private static func rows() throws -> [Row] {
        let text = try String(contentsOf: TestSources.repository.appendingPathComponent("Tests/REQUIREMENTS.md"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            guard let row = line.wholeMatch(of: /\| (S[0-4]\.\d+|[ABEIWX]\d+) \| (.+) \| (.*) \|/) else { return nil }
            return Row(number: String(row.1), place: String(row.2), proof: String(row.3), tests: DocumentedTests.all(in: row.3))
        }
    }

    @Test func `each number has one row`() throws {
        let all = Self.numbers.flatMap { document, ranges in ranges.flatMap { $0.map { "\(document)\($0)" } } }
        #expect(all.count == 251)
        #expect(try Self.rows().map(\.number).sorted() == all.sorted())
    }

    @Test func `each row names a test, or the issue that implements it`() throws {
        for row in try Self.rows() where row.tests.isEmpty {
            #expect(row.proof.wholeMatch(of: /open: issue \d+/) != nil, "\(row.number): \(row.proof)")
        }
    }

    @Test func `every test that a row names is there`() throws {
        let known = Set(try TestSources.tests().map { "\($0.suite): \($0.name)" })
        let missing = try Self.rows().flatMap { row in
            row.tests.map { "\($0.suite): \($0.name)" }.filter { !known.contains($0) }.map { "\(row.number): \($0)" }
        }
        #expect(missing == [])
    }

    @Test func `every endpoint of the demo that a row names is there and described`() throws {
        let demo = TestSources.repository.appendingPathComponent("Workspaces/Demo")
        for row in try Self.rows() {
            guard let start = row.place.firstRange(of: "Demo: ")?.upperBound else { continue }
            // The endpoints are the last items, or end with a semicolon.
            for name in row.place[start...].prefix(while: { $0 != ";" }).matches(of: /`([^`]+)`/).map({ String($0.1) }) {
                let text = try? String(contentsOf: demo.appendingPathComponent(name + ".yaml"), encoding: .utf8)
                // A run is explained by the comment at its top.
                let isDescribed = text?.contains("\ndescription: ") == true || name.hasPrefix("runs/") && text?.hasPrefix("# ") == true
                #expect(isDescribed, "\(row.number): \(name)")
            }
        }
    }

    @Test func `every key and option that a row names is there`() throws {
        let guide = TestSources.repository.appendingPathComponent("Sources/sortie/Documentation.docc")
        let keys = try String(contentsOf: guide.appendingPathComponent("WorkspaceKeys.md"), encoding: .utf8)
        let commands = TestSources.repository.appendingPathComponent("Sources/SortieApp")
        let sources = try FileManager.default.subpathsOfDirectory(atPath: commands.path).filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: commands.appendingPathComponent($0), encoding: .utf8)
        }.joined()
        for row in try Self.rows() {
            for name in row.place.matches(of: /`(\w+):`/).map(\.1) { #expect(keys.contains("\n| `\(name)` |"), "\(row.number): \(name):") }
            for name in row.place.matches(of: /`--([\w.-]+)`/).map({ String($0.1) }) {
                // Options are declared by name, or by a property whose name has capitals in place of hyphens.
                let words = name.split(separator: "-")
                let property = words[0] + words.dropFirst().map(\.capitalized).joined()
                #expect(sources.contains("\"\(name)\"") || sources.contains("var \(property)"), "\(row.number): --\(name)")
            }
        }
    }
}
