import Foundation
import Support
import Testing

/// The code of the tutorial is a file that CI builds and runs, in a separate package (`Tests/Consumer`).
@Suite struct TutorialDocumentTests {
    @Test func `the code in the tutorial is that of the package that uses the library`() throws {
        let article = TestSources.repository.appendingPathComponent("Sources/SortieNetworking/Documentation.docc/Tutorial.md")
        let source = try String(
            contentsOf: TestSources.repository.appendingPathComponent("Tests/Consumer/Sources/Tutorial/Tutorial.swift"), encoding: .utf8)
        let parts = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
        let blocks = parts.compactMap { $0.components(separatedBy: "```").first }.filter { !$0.hasPrefix("// Package.swift") }
        #expect(blocks.count == 8)
        for block in blocks { #expect(source.contains(block), "\(block)") }
    }
}
