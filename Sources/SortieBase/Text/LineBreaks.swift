extension StringProtocol {
    /// The line break of all lines: a line feed for a text without line breaks, nil where they differ.
    package var lineBreak: Character? {
        // A text is read at each key of its editor, and the bytes of a buffer need no call of a generic view for each.
        utf8.withContiguousStorageIfAvailable { $0.lineBreak } ?? Array(utf8).withUnsafeBufferPointer { $0.lineBreak }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The line break of all lines of a text; see ``Swift/StringProtocol/lineBreak``.
    fileprivate var lineBreak: Character? {
        var (lineFeeds, returns, pairs) = (0, 0, 0)
        var previous: UInt8 = 0
        for byte in self {
            if byte == 0x0D { returns += 1 }
            if byte == 0x0A, previous == 0x0D {
                (returns, pairs) = (returns - 1, pairs + 1)
            } else if byte == 0x0A {
                lineFeeds += 1
            }
            previous = byte
        }
        return switch (lineFeeds, returns, pairs) {
        case (_, 0, 0): "\n"
        case (0, _, 0): "\r"
        case (0, 0, _): "\r\n"
        default: nil
        }
    }
}

extension String {
    /// The lines of a text that is edited, at least one: those between its line breaks; between line feeds where these differ, so that a carriage return
    /// stays in its line.
    package var editedLines: [Substring] {
        let lineBreak = lineBreak
        let lines = utf8.split(separator: lineBreak == "\r" ? 0x0D : 0x0A, omittingEmptySubsequences: false)
        guard lineBreak == "\r\n" else { return lines.map(Substring.init) }
        return lines.enumerated().map { Substring($0 < lines.count - 1 ? $1.dropLast() : $1) }
    }

    /// A text whose lines a line feed separates, with another line break.
    package func withLineBreaks(_ lineBreak: Character) -> String {
        lineBreak == "\n" ? self : replacing(scalars: "\n", with: String(lineBreak))
    }
}
