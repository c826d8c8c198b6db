/// Replaces lines of a text; all other bytes stay, also its line breaks and an end without one.
struct LineEdit {
    /// The lines, each with its line break.
    private(set) var lines: [String] = []
    /// What takes the place of lines, by their indices.
    private var changes: [(Range<Int>, [String])] = []
    private let lineBreak: String

    init(_ text: String) {
        lineBreak = text.contains("\r\n") ? "\r\n" : "\n"
        var line = ""
        for character in text {
            line.append(character)
            guard character == "\n" || character == "\r\n" else { continue }
            lines.append(line)
            line = ""
        }
        lines.append(line)
    }

    /// The changed text.
    var text: String {
        var lines = lines
        // From the end, so that the numbers of earlier lines stay; a line is replaced before another one is inserted above it.
        for (range, text) in changes.sorted(by: { ($0.0.lowerBound, $0.0.upperBound) > ($1.0.lowerBound, $1.0.upperBound) }) {
            var new = text.map { $0 + lineBreak }
            // The last line of a file need not end with a line break.
            if let end = new.indices.last, range.upperBound >= lines.count, let last = lines.indices.last, !lines[last].hasSuffix(lineBreak) {
                if range.lowerBound > last { lines[last] += lineBreak }
                new[end].removeLast()
            }
            lines.replaceSubrange(range.clamped(to: 0..<lines.count), with: new)
        }
        return lines.joined()
    }

    /// Replaces lines by others, which have no line breaks; numbers are from 1.
    mutating func replace(_ numbers: Range<Int>, by new: [String]) {
        changes.append((numbers.lowerBound - 1..<numbers.upperBound - 1, new))
    }
}
