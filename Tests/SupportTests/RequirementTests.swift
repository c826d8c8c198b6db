import Foundation
import Testing

/// Every requirement has a test that names it, or a line in the README that says what became of it.
@Suite struct RequirementTests {
    /// The numbers of each source document, and the choices between them.
    private static let numbers: [String: ClosedRange<Int>] = ["S0": 1...36, "S1": 1...40, "S2": 1...46, "S3": 1...17, "S4": 1...16, "X": 1...7]

    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..").standardizedFileURL

    /// The numbers that a text names, ranges written out.
    private static func named(in text: String) -> Set<String> {
        var found: Set<String> = []
        for match in text.matches(of: /\b(S[0-4])[._](\d+)(?:[–-](?:S[0-4]\.)?(\d+))?/) {
            guard let first = Int(match.2) else { continue }
            let last = match.3.flatMap { Int($0) } ?? first
            for number in first...max(first, min(last, first + 40)) { found.insert("\(match.1).\(number)") }
        }
        for match in text.matches(of: /\bX([1-7])\b/) { found.insert("X.\(match.1)") }
        return found
    }

    private static func namedInTests() throws -> Set<String> {
        let folder = repository.appendingPathComponent("Tests").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".swift") && !$0.hasSuffix("/RequirementTests.swift")
        }
        #expect(files.count > 100)
        return try files.reduce(into: []) { found, file in
            found.formUnion(named(in: try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)))
        }
    }

    @Test func `each number is named by a test or has its line in the README`() throws {
        let readme = try String(contentsOf: Self.repository.appendingPathComponent("README.md"), encoding: .utf8)
        let table = try #require(readme.split(separator: "## Requirements").last?.split(separator: "\n## ").first)
        let known = try Self.namedInTests().union(Self.named(in: String(table)))
        let all = Self.numbers.flatMap { document, numbers in numbers.map { "\(document).\($0)" } } + ["S2.60"]
        #expect(all.filter { !known.contains($0) }.sorted() == [])
    }

    @Test func `every test that the README's table names is there`() throws {
        let readme = try String(contentsOf: Self.repository.appendingPathComponent("README.md"), encoding: .utf8)
        let table = try #require(readme.split(separator: "## Requirements").last?.split(separator: "\n## ").first)
        let folder = Self.repository.appendingPathComponent("Tests").path
        let names = Set(try FileManager.default.subpathsOfDirectory(atPath: folder).map { URL(fileURLWithPath: $0).lastPathComponent })
        let missing = table.matches(of: /`([A-Za-z0-9]+Tests)`/).map { String($0.1) }.filter { !names.contains("\($0).swift") }
        #expect(missing == [])
    }
}
