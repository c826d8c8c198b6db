private import SortieTerminal

/// Wrapping of text with several appearances.
enum GuideWrap {
    /// Wraps spans between words to lines of at most `width` cells; a longer word has a line for itself, or is broken.
    static func lines(_ spans: [GuideSpan], width: Int, breaksWords: Bool = false) -> [GuideLine] {
        var lines: [GuideLine] = []
        var line = GuideLine()
        var used = 0
        // A piece fills its line, so no space follows it.
        let words = breaksWords ? words(spans).flatMap { GuideLine(spans: $0).pieces(width: width).map(\.spans) } : words(spans)
        for word in words {
            let wanted = word.reduce(0) { $0 + CellWidth.width(of: $1.text) }
            if used > 0, used + 1 + wanted > width {
                lines.append(line)
                (line, used) = (GuideLine(), 0)
            }
            if used > 0 {
                // The space between two words of one code span belongs to it.
                let role = line.spans.last?.role == word.first?.role ? word.first?.role ?? .text : .text
                append(GuideSpan(" ", role), to: &line)
                used += 1
            }
            for span in word { append(span, to: &line) }
            used += wanted
        }
        if used > 0 { lines.append(line) }
        return lines
    }

    private static func append(_ span: GuideSpan, to line: inout GuideLine) {
        if let last = line.spans.indices.last, line.spans[last].role == span.role {
            line.spans[last].text += span.text
        } else {
            line.spans.append(span)
        }
    }

    /// The words, each in the spans that it consists of.
    private static func words(_ spans: [GuideSpan]) -> [[GuideSpan]] {
        var words: [[GuideSpan]] = [[]]
        for span in spans {
            for (index, part) in span.text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                if index > 0, words.last?.isEmpty == false { words.append([]) }
                if !part.isEmpty { words[words.count - 1].append(GuideSpan(String(part), span.role)) }
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
