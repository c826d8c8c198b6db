import Foundation
import Testing

@testable import SortieGuide

@Suite struct GuideTests {
    /// The directory of the articles.
    private static let catalog = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/sortie/Documentation.docc").standardizedFileURL

    @Test func `the program has every article of the guide as it is in the repository`() throws {
        // The overview is replaced by the list of topics, and the page of the target is for contributors.
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.catalog.path)
            .filter { $0.hasSuffix(".md") && !["Documentation.md", "sortie.md"].contains($0) }.map { String($0.dropLast(3)) }
        #expect(Set(Guide.articles.map(\.topic)) == Set(names.map(GuideArticle.topic)))
        for name in names {
            let text = try String(contentsOf: Self.catalog.appendingPathComponent("\(name).md"), encoding: .utf8)
            #expect(Guide.article(GuideArticle.topic(ofFile: name))?.markdown == text, "\(name)")
        }
    }

    @Test func `each article has a title and a sentence for the list`() {
        for article in Guide.articles {
            #expect(!article.title.isEmpty)
            #expect(article.summary.hasSuffix("."), "\(article.topic): \(article.summary)")
            #expect(Guide.contents.markdown.contains("| `\(article.topic)` | \(article.summary)"))
        }
    }

    @Test(arguments: [
        ("runs", "runs"), ("RUNS", "runs"), ("lib", "library"), ("tools", "coming-from"), ("rules", "security-rules"),
        ("workspace-keys", "workspace-keys"),
    ])
    func `an article is found by its topic, its beginning, or a word of its title`(name: String, topic: String) {
        #expect(Guide.article(name)?.topic == topic)
    }

    @Test(arguments: ["", "re", "nothing", "\u{1B}[2J"]) func `an ambiguous or unknown name finds nothing`(name: String) {
        #expect(Guide.article(name) == nil)
    }

    @Test(arguments: [80, 120, 200]) func `prose and tables fit into the width`(width: Int) {
        for article in Guide.articles {
            for line in article.lines(width: width) where !line.spans.contains(where: { $0.role == .code }) {
                // A word without a space is not split.
                #expect(line.text.count <= width || !line.text.drop { $0 == " " }.contains(" "), "\(article.topic): \(line.text)")
            }
        }
    }

    @Test(arguments: [0, 1, 20]) func `every article is laid out for a very small width`(width: Int) {
        for article in Guide.articles { #expect(article.lines(width: width).count > 20, "\(article.topic)") }
    }

    @Test func `no article has control characters`() {
        for article in Guide.articles {
            #expect(article.text(width: 80).unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }, "\(article.topic)")
        }
    }
}
