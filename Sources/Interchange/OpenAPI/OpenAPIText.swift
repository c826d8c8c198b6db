/// Texts of descriptions for display.
enum OpenAPIText {
    /// The text on one line; nil where it is empty.
    static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        let line = text.split { $0.isWhitespace || $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } }.joined(separator: " ")
        return line.isEmpty ? nil : line
    }

    /// The paragraphs of a text without spaces around it; nil where it is empty.
    static func paragraphs(_ text: String?) -> String? {
        guard let text else { return nil }
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line -> String in
            var line = line
            while line.last?.isWhitespace == true { line.removeLast() }
            return String(line)
        }
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
