internal import SortieBase

/// Finds the tags of YAML values (`!json`) in a text, which the reader of documents does not keep.
struct SlumberTags {
    private let lines: [Substring]

    init(_ text: String) {
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    /// The tag before a value; nil for none.
    func tag(of node: SourceNode) -> String? {
        guard node.line >= 1, node.line <= lines.count else { return nil }
        let line = lines[node.line - 1]
        // A place may be that of the value or of its tag.
        let before = line.prefix(node.column - 1)
        let after = line.dropFirst(node.column - 1)
        if after.first == "!" { return Self.word(after) }
        if let mark = before.lastIndex(of: "!"), let tag = Self.word(before[mark...]),
            before[mark...].dropFirst(tag.count + 1).allSatisfy(\.isWhitespace)
        {
            return tag
        }
        guard before.allSatisfy(\.isWhitespace) else { return nil }
        var index = node.line - 2
        while index >= 0 {
            var text = ForeignText.trimmed(lines[index])[...]
            if let comment = text.firstRange(of: " #") { text = text[..<comment.lowerBound] }
            if text.isEmpty || text.hasPrefix("#") {
                index -= 1
                continue
            }
            guard let mark = text.lastIndex(of: "!"), let tag = Self.word(text[mark...]), text[mark...].count == tag.count + 1 else { return nil }
            return tag
        }
        return nil
    }

    private static func word(_ text: Substring) -> String? {
        let word = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return word.isEmpty ? nil : String(word)
    }
}
