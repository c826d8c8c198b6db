import Foundation
import Testing

/// Tests that every test named in the security documentation exists, so that a renamed or removed test is noticed.
@Suite struct SecurityDocumentTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..").standardizedFileURL

    /// The names of the tests of each suite, read from the sources.
    private static func suites() throws -> [String: Set<String>] {
        let folder = repository.appendingPathComponent("Tests").path
        var suites: [String: Set<String>] = [:]
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".swift") {
            var suite = ""
            for line in try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n") {
                if let found = line.firstMatch(of: /\b(?:struct|extension|class|actor) (\w+Tests)\b/) { suite = String(found.1) }
                for name in line.matches(of: /func `([^`]+)`/) { suites[suite, default: []].insert(String(name.1)) }
            }
        }
        return suites
    }

    @Test func `every test that Security.md names is there`() throws {
        let place = Self.repository.appendingPathComponent("Sources/sortie/Documentation.docc/Security.md")
        let text = try String(contentsOf: place, encoding: .utf8)
        let suites = try Self.suites()
        var (missing, count): ([String], Int) = ([], 0)
        for claim in text.matches(of: /`(\w+Tests)`((?:: “[^”]+”(?:, “[^”]+”)*)?)/) {
            let suite = String(claim.1)
            guard let tests = suites[suite] else {
                missing.append(suite)
                continue
            }
            for name in claim.2.matches(of: /“([^”]+)”/) {
                count += 1
                if !tests.contains(String(name.1)) { missing.append("\(suite): \(name.1)") }
            }
        }
        #expect(missing == [])
        #expect(count > 50)
    }
}
