import Foundation
import Support
import Testing

/// Tests that every test named for the claims of the security article exists, so that a renamed or removed test is noticed.
@Suite struct SecurityDocumentTests {
    @Test func `every test named in SECURITY.md exists`() throws {
        let place = TestSources.repository.appendingPathComponent("Tests/SECURITY.md")
        let text = try String(contentsOf: place, encoding: .utf8)
        let known = Set(try TestSources.tests().map { "\($0.suite): \($0.name)" })
        let suites = Set(try TestSources.suites().map(\.name))
        let claims = DocumentedTests.all(in: text).map { "\($0.suite): \($0.name)" }
        #expect(claims.count > 50)
        #expect(claims.filter { !known.contains($0) } == [])
        #expect(text.matches(of: /`(\w+Tests)`/).map { String($0.1) }.filter { !suites.contains($0) } == [])
    }

    @Test func `every listed claim of the article has a row, and every row names a test`() throws {
        let article = try String(
            contentsOf: TestSources.repository.appendingPathComponent("Sources/sortie/Documentation.docc/Security.md"), encoding: .utf8)
        let proofs = try String(contentsOf: TestSources.repository.appendingPathComponent("Tests/SECURITY.md"), encoding: .utf8)
        let rows = proofs.split(separator: "\n").filter { $0.hasPrefix("| ") && $0 != "| claim | test |" }
        #expect(rows.filter { !$0.contains("Tests`") && !$0.contains("](#") } == [])
        let proved = Set(rows.compactMap { $0.firstMatch(of: #/^\| (.+?) \| /#)?.1.lowercased() })
        // The lists before are rules and exceptions; those after it are claims.
        let start = try #require(article.firstRange(of: "## What is written where"))
        let claims = article[start.upperBound...].matches(of: /(?m)^- (.+)\.$/).map { $0.1.lowercased() }
        #expect(claims.count > 30)
        #expect(claims.filter { !proved.contains($0) } == [])
    }
}
