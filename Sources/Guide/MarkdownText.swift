/// The text of a paragraph, heading or cell in Markdown: code, emphasis and links.
enum MarkdownText {
    /// Splits a text into spans.
    ///
    /// Links are their text; a link to a web page is followed by the address. Images are left out.
    static func spans(_ text: String) -> [GuideSpan] {
        var spans: [GuideSpan] = []
        var plain = ""
        var rest = text[...]
        var isStrong = false
        func flush() {
            if !plain.isEmpty { spans.append(GuideSpan(plain, isStrong ? .strong : .text)) }
            plain = ""
        }
        while let character = rest.first {
            if character == "`", let code = Self.code(rest) {
                flush()
                spans.append(GuideSpan(code.text, .code))
                rest = code.rest
            } else if rest.hasPrefix("**") {
                flush()
                isStrong.toggle()
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("!["), let image = Self.link(rest.dropFirst()) {
                rest = image.rest
            } else if character == "[", let link = Self.link(rest) {
                flush()
                spans += Self.spans(link.text)
                if link.target.contains("://"), link.target != link.text { plain = " (\(link.target))" }
                rest = link.rest
            } else if character == "\\", let next = rest.dropFirst().first, next.isPunctuation || next.isSymbol {
                plain.append(next)
                rest = rest.dropFirst(2)
            } else {
                plain.append(character)
                rest = rest.dropFirst()
            }
        }
        flush()
        return spans
    }

    /// The text without marks.
    static func plain(_ text: String) -> String { spans(text).map(\.text).joined() }

    /// A code span at the start of a text: it ends at the same number of backticks.
    private static func code(_ text: Substring) -> (text: String, rest: Substring)? {
        let fence = text.prefix { $0 == "`" }
        let inner = text.dropFirst(fence.count)
        guard let end = inner.firstRange(of: fence) else { return nil }
        var code = inner[..<end.lowerBound]
        if fence.count > 1, code.hasPrefix(" "), code.hasSuffix(" ") { code = code.dropFirst().dropLast() }
        return (String(code), inner[end.upperBound...])
    }

    /// A link at the start of a text.
    private static func link(_ text: Substring) -> (text: String, target: String, rest: Substring)? {
        guard let middle = text.firstRange(of: "]("), let end = text[middle.upperBound...].firstIndex(of: ")") else { return nil }
        let label = text[..<middle.lowerBound].dropFirst()
        guard !label.contains("[") else { return nil }
        return (String(label), String(text[middle.upperBound..<end]), text[text.index(after: end)...])
    }
}
