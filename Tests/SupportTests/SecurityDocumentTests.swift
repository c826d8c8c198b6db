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
}
