import Foundation
import Support
import Testing

/// The Swift code in the documentation of the library is code of a separate package that CI compiles (`Tests/Consumer`).
@Suite struct ArticleCodeTests {
    /// A block of Swift code in an article or in a comment.
    struct Block: CustomTestStringConvertible, Sendable {
        let place: String
        let lines: [String]

        var testDescription: String { place }

        /// The lines without the imports before them.
        var code: ArraySlice<String> { lines.drop { $0.hasPrefix("import ") || $0.isEmpty } }
    }

    private static let libraries = ["SortieBase", "SortieClassic", "SortieHTTP", "SortieNetworking", "SortieTesting"]

    /// The Markdown files and the sources below a folder, by their paths in the repository.
    private static func files(in folder: String, _ ending: String) throws -> [(path: String, text: String)] {
        let root = TestSources.repository.appendingPathComponent(folder)
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(ending) }.sorted().map {
            ("\(folder)/\($0)", try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))
        }
    }

    /// The blocks in lines of Markdown; excerpts of a package description are left out.
    private static func blocks(of path: String, in lines: [(number: Int, text: String)]) -> [Block] {
        var blocks: [Block] = []
        var current: [String]?
        for (number, text) in lines {
            if let block = current {
                guard text.trimmingCharacters(in: .whitespaces) == "```" else {
                    current?.append(text)
                    continue
                }
                if block.first != "// Package.swift" { blocks.append(Block(place: "\(path):\(number - block.count - 1)", lines: block)) }
                current = nil
            } else if text.trimmingCharacters(in: .whitespaces) == "```swift" {
                current = []
            }
        }
        return blocks
    }

    private static func numbered(_ text: String) -> [(number: Int, text: String)] {
        text.components(separatedBy: "\n").enumerated().map { ($0.offset + 1, $0.element) }
    }

    /// All blocks of the articles and of the comments.
    static let blocks = Result {
        var articles = try libraries.flatMap { try files(in: "Sources/\($0)", ".md") }
        articles += try files(in: "Sources/sortie/Documentation.docc", ".md").filter { $0.path.hasSuffix("/Library.md") }
        let ofArticles = articles.flatMap { blocks(of: $0.path, in: numbered($0.text)) }
        let sources = try libraries.flatMap { try files(in: "Sources/\($0)", ".swift") }
        let ofComments = sources.flatMap { source in
            let comments = numbered(source.text).compactMap { line -> (number: Int, text: String)? in
                let text = line.text.drop { $0 == " " }
                guard text.hasPrefix("///") else { return nil }
                return (line.number, String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)))
            }
            return blocks(of: source.path, in: comments)
        }
        return ofArticles + ofComments
    }

    /// The lines of the package's files.
    private static let compiled = Result {
        try (files(in: "Tests/Consumer/Sources", ".swift") + files(in: "Tests/Consumer/Tests", ".swift")).map {
            $0.text.components(separatedBy: "\n")
        }
    }

    /// Whether the lines follow each other in a file, where all of them may be indented by the same number of spaces.
    static func contains(_ file: [String], _ code: ArraySlice<String>) -> Bool {
        guard let first = code.first, !first.isEmpty, file.count >= code.count else { return false }
        return (0...(file.count - code.count)).contains { start in
            guard file[start].hasSuffix(first) else { return false }
            let indentation = file[start].dropLast(first.count)
            guard indentation.allSatisfy({ $0 == " " }) else { return false }
            return zip(file[start...], code).allSatisfy { $0 == ($1.isEmpty ? "" : indentation + $1) }
        }
    }

    @Test func `every block of Swift code in the documentation of the library is compiled`() throws {
        let (blocks, files) = (try Self.blocks.get(), try Self.compiled.get())
        #expect(blocks.count >= 30)
        for block in blocks {
            #expect(
                files.contains { Self.contains($0, block.code) },
                "\(block.place): copy this code, as it is, to a file of Tests/Consumer/Sources/Articles or Tests/Consumer/Tests/ArticleTests")
        }
    }

    @Test func `code is found with the indentation of its function, and not where a line differs`() {
        let file = ["func a() {", "    let b = 1", "", "    print(b)", "}"]
        #expect(Self.contains(file, ["let b = 1", "", "print(b)"]))
        #expect(!Self.contains(file, ["let b = 1", "", "print(c)"]))
        #expect(!Self.contains(file, ["let b = 1", "print(b)"]))
        #expect(!Self.contains(file, ["b = 1"]))
    }

    @Test func `the block of an article or a comment ends at its fence, and its imports do not count`() throws {
        let blocks = Self.blocks(of: "a.md", in: Self.numbered("text\n```swift\nimport A\n\nlet b = 1\n```\n```swift\n// Package.swift\nx\n```"))
        #expect(blocks.map(\.place) == ["a.md:2"])
        #expect(blocks.first.map { Array($0.code) } == ["let b = 1"])
    }
}
