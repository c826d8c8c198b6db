internal import SortieTerminal

/// Text wrapping.
enum WrappedText {
    /// Wraps a text between words to lines of at most `width` cells; a longer word is split.
    static func lines(_ text: String, width: Int) -> [String] {
        guard width > 0 else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { wrap($0, width) }
    }

    private static func wrap(_ line: Substring, _ width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        var used = 0
        for word in line.split(separator: " ", omittingEmptySubsequences: true) {
            var word = word
            let wanted = CellWidth.width(of: word)
            if used > 0, used + 1 + wanted <= width {
                current += " " + word
                used += 1 + wanted
                continue
            }
            if used > 0 { lines.append(current) }
            while CellWidth.width(of: word) > width {
                let part = CellWidth.prefix(of: word, fitting: width)
                // A wide character does not fit into a single cell; it is drawn truncated.
                let taken = part.isEmpty ? word.prefix(1) : part
                lines.append(String(taken))
                word = word.dropFirst(taken.count)
            }
            current = String(word)
            used = CellWidth.width(of: word)
        }
        lines.append(current)
        return lines
    }
}
