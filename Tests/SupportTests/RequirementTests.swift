import Foundation
import Testing

/// Tests that every requirement has a row in `Tests/REQUIREMENTS.md` that names the suites that prove it.
@Suite struct RequirementTests {
    /// The numbers of each source document, and of the decisions between them.
    private static let numbers: [String: ClosedRange<Int>] = ["S0": 1...36, "S1": 1...40, "S2": 1...46, "S3": 1...17, "S4": 1...16, "X": 1...7]
    /// The rows that give a reason instead of a suite.
    private static let untested: Set<String> = ["S1.22"]

    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..").standardizedFileURL

    /// The rows of the tables: the number and its suites.
    private static func rows() throws -> [(number: String, suites: [String])] {
        let text = try String(contentsOf: repository.appendingPathComponent("Tests/REQUIREMENTS.md"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            guard let match = line.firstMatch(of: /^\| (S[0-4]\.\d+|X\d+) \|/) else { return nil }
            return (String(match.1), line.matches(of: /`([A-Za-z0-9]+Tests)`/).map { String($0.1) })
        }
    }

    @Test func `each number has one row, and each row a suite or a reason`() throws {
        let rows = try Self.rows()
        let all = Self.numbers.flatMap { document, numbers in numbers.map { document == "X" ? "X\($0)" : "\(document).\($0)" } } + ["S2.60"]
        #expect(rows.map(\.number).sorted() == all.sorted())
        #expect(Set(rows.filter(\.suites.isEmpty).map(\.number)) == Self.untested)
    }

    @Test func `every suite that a row names is there`() throws {
        let folder = Self.repository.appendingPathComponent("Tests").path
        let names = Set(try FileManager.default.subpathsOfDirectory(atPath: folder).map { URL(fileURLWithPath: $0).lastPathComponent })
        #expect(names.count > 100)
        let missing = try Self.rows().flatMap(\.suites).filter { !names.contains("\($0).swift") }
        #expect(missing == [])
    }
}
