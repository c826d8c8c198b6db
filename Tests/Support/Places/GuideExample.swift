import Foundation

/// An example in an article of the guide.
public enum GuideExample {
    /// No article has such a block.
    public struct Missing: Error {}

    /// `README.md`, and the names of the files of the guide.
    public static func articles() throws -> [String] {
        let folder = TestSources.repository.appendingPathComponent("Sources/sortie/Documentation.docc").path
        return try ["README.md"] + FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }.sorted()
    }

    /// The first block of code in a language.
    ///
    /// - Parameters:
    ///   - language: The word after the fence.
    ///   - article: The name of the file.
    public static func block(_ language: String, of article: String) throws -> String {
        guard let block = try blocks(of: article).first(where: { $0.language == language }) else { throw Missing() }
        return block.text
    }

    /// All blocks of code with the word after their fence, in their order.
    ///
    /// - Parameter article: The name of an article of the guide, or `README.md`.
    public static func blocks(of article: String) throws -> [(language: String, text: String)] {
        let folder = article == "README.md" ? "" : "Sources/sortie/Documentation.docc/"
        let path = TestSources.repository.appendingPathComponent(folder + article)
        var blocks: [(language: String, text: String)] = []
        var isInBlock = false
        for line in try String(contentsOf: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if !isInBlock { blocks.append((String(line.dropFirst(3)), "")) }
                isInBlock.toggle()
            } else if isInBlock {
                blocks[blocks.count - 1].text += line + "\n"
            }
        }
        return blocks
    }
}
