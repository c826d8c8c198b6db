import Foundation
import Testing

/// Tests the documents of the repository: links have existing targets, and the README stays short.
@Suite struct DocumentationTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..").standardizedFileURL

    private static func documents() throws -> [URL] {
        var documents = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map { repository.appendingPathComponent($0) }
        for folder in ["Sources", "Tests"] {
            let place = repository.appendingPathComponent(folder)
            documents += try FileManager.default.subpathsOfDirectory(atPath: place.path).filter { $0.hasSuffix(".md") }
                .map { place.appendingPathComponent($0) }
        }
        return documents
    }

    @Test func `every relative link refers to an existing file and heading`() throws {
        let documents = try Self.documents()
        #expect(documents.count > 20)
        var broken: [String] = []
        for document in documents {
            let text = try String(contentsOf: document, encoding: .utf8)
            for link in text.matches(of: /\]\(([^)\s]+)\)/) where !link.1.contains("://") {
                let parts = link.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let target =
                    parts[0].isEmpty
                    ? document : document.deletingLastPathComponent().appendingPathComponent(String(parts[0])).standardizedFileURL
                guard FileManager.default.fileExists(atPath: target.path) else {
                    broken.append("\(document.lastPathComponent): \(link.1)")
                    continue
                }
                guard parts.count == 2 else { continue }
                let headings = try String(contentsOf: target, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("#") }
                if !headings.contains(where: { Self.fragment(of: $0) == parts[1] }) { broken.append("\(document.lastPathComponent): \(link.1)") }
            }
        }
        #expect(broken == [])
    }

    /// The fragment that code hosts assign to a heading: lower case, blanks as hyphens, without punctuation.
    private static func fragment(of heading: Substring) -> String {
        let title = heading.drop { $0 == "#" || $0 == " " }.lowercased()
        return String(title.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" ? $0 : nil })
    }

    @Test func `every row of a table has the cells of its header`() throws {
        var wrong: [String] = []
        for document in try Self.documents() {
            var header: Int?
            var isInCode = false
            for line in try String(contentsOf: document, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("```") { isInCode.toggle() }
                // A bar in code divides a row, too, unless a backslash precedes it.
                let bars = isInCode || !line.hasPrefix("|") ? nil : line.matches(of: /\\\||\|/).count { $0.output == "|" }
                if let bars, bars != header ?? bars { wrong.append("\(document.lastPathComponent): \(line)") }
                header = bars.map { header ?? $0 }
            }
        }
        #expect(wrong == [])
    }

    @Test func `the README has at most 150 lines`() throws {
        let text = try String(contentsOf: Self.repository.appendingPathComponent("README.md"), encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }

    @Test func `every file that answers a question of a newcomer exists`() throws {
        let text = try String(contentsOf: Self.repository.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("? | ") }
        #expect(rows.count >= 10)
        for row in rows {
            let files = row.matches(of: /`(Sources\/[^`]+\.swift)`/).map { String($0.1) }
            #expect(!files.isEmpty, "\(row)")
            for file in files { #expect(FileManager.default.fileExists(atPath: Self.repository.appendingPathComponent(file).path), "\(file)") }
        }
    }
}
