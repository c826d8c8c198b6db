import Foundation

/// An example in an article of the guide.
public enum GuideExample {
    /// No article has such a block.
    public struct Missing: Error {}

    /// The first block of code in a language.
    ///
    /// - Parameters:
    ///   - language: The word after the fence.
    ///   - article: The name of the file.
    public static func block(_ language: String, of article: String) throws -> String {
        let path = TestSources.repository.appendingPathComponent("Sources/sortie/Documentation.docc/\(article)")
        let text = try String(contentsOf: path, encoding: .utf8)
        guard let start = text.range(of: "```\(language)\n")?.upperBound, let end = text.range(of: "\n```", range: start..<text.endIndex)?.lowerBound
        else { throw Missing() }
        return String(text[start..<end]) + "\n"
    }
}
