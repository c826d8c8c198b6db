/// Determines which parts of a file's text are masked after a template has read it.
///
/// A key file is masked as a whole and line by line, because a service may return one line of it. A text above ``lineLimit`` is not masked.
package enum HiddenFileText {
    /// The maximum size in bytes of a text that is masked as a whole.
    static let wholeLimit = 4 << 10
    /// The maximum size in bytes of a text whose lines are masked.
    package static let lineLimit = 64 << 10
    /// The minimum number of characters of a masked line, because shorter lines also occur elsewhere.
    static let shortestLine = 8

    /// The masked parts of a text, without surrounding white space.
    package static func parts(of text: String) -> [String] {
        guard text.utf8.count <= lineLimit else { return [] }
        let lines = text.split(whereSeparator: \.isNewline).map { trimmed($0) }
        var parts: Set<String> = Set(lines.filter { $0.count >= shortestLine })
        if text.utf8.count <= wholeLimit { parts.insert(trimmed(text[...])) }
        parts.remove("")
        return parts.sorted()
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
