import Foundation
import Support
import Testing

/// Every requirement has a row in `Tests/REQUIREMENTS.md` that names the tests that prove it.
@Suite struct RequirementTests {
    /// The numbers of each source document, and the decisions between them.
    ///
    /// There is no S2.47 to S2.59.
    private static let numbers: [String: [ClosedRange<Int>]] = [
        "S0.": [1...38], "S1.": [1...44], "S2.": [1...46, 60...64], "S3.": [1...18], "S4.": [1...17], "X": [1...7],
    ]
    /// Rows that give a reason instead of a test.
    private static let untested: Set<String> = ["S1.22"]

    /// A row of the tables.
    private struct Row {
        let number: String
        let proof: String
        let tests: [(suite: String, name: String)]
    }

    private static func rows() throws -> [Row] {
        let text = try String(contentsOf: TestSources.repository.appendingPathComponent("Tests/REQUIREMENTS.md"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            guard let row = line.wholeMatch(of: /\| (S[0-4]\.\d+|X\d+) \| .* \| (.*) \|/) else { return nil }
            return Row(number: String(row.1), proof: String(row.2), tests: DocumentedTests.all(in: row.2))
        }
    }

    @Test func `each of the 175 numbers has one row`() throws {
        let all = Self.numbers.flatMap { document, ranges in ranges.flatMap { $0.map { "\(document)\($0)" } } }
        #expect(all.count == 175)
        #expect(try Self.rows().map(\.number).sorted() == all.sorted())
    }

    @Test func `each row names a test, or the issue that implements it`() throws {
        for row in try Self.rows() where row.tests.isEmpty && !Self.untested.contains(row.number) {
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
}
