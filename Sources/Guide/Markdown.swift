/// A block of a Markdown text, as far as the articles of the guide use the format.
enum MarkdownBlock: Hashable, Sendable {
    /// A heading with its level, from 1.
    case heading(Int, String)
    /// The lines of a paragraph, joined by spaces.
    case paragraph(String)
    /// An item of a list, with its level from 0 and its bullet or number.
    case item(Int, String, String)
    /// The lines of a fenced code block.
    case code([String])
    /// The rows of a table, the first one the header.
    case table([[String]])

    /// Splits a text into blocks.
    static func blocks(of text: String) -> [MarkdownBlock] {
        var reader = Reader()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { reader.take(line) }
        return reader.end()
    }

    /// Collects blocks line by line.
    private struct Reader {
        private var blocks: [MarkdownBlock] = []
        /// The block that the next line may continue.
        private var open: MarkdownBlock?
        /// Whether the line is inside of a fenced block.
        private var isInCode = false

        mutating func take(_ line: Substring) {
            if isInCode {
                if line.hasPrefix("```") {
                    isInCode = false
                    close()
                } else if case .code(let lines) = open {
                    open = .code(lines + [String(line)])
                }
                return
            }
            let text = line.drop { $0 == " " }
            if text.hasPrefix("```") {
                close()
                (open, isInCode) = (.code([]), true)
            } else if text.isEmpty {
                close()
            } else if text.hasPrefix("|") {
                takeRow(text)
            } else if let heading = Self.heading(text) {
                close()
                blocks.append(heading)
            } else if let item = Self.item(text, indent: line.count - text.count) {
                close()
                open = item
            } else {
                takeText(text)
            }
        }

        mutating func end() -> [MarkdownBlock] {
            close()
            return blocks
        }

        private mutating func close() {
            if let open { blocks.append(open) }
            open = nil
        }

        private mutating func takeText(_ text: Substring) {
            switch open {
            case .paragraph(let before): open = .paragraph("\(before) \(text)")
            case .item(let level, let mark, let before): open = .item(level, mark, "\(before) \(text)")
            default:
                close()
                open = .paragraph(String(text))
            }
        }

        private mutating func takeRow(_ text: Substring) {
            let cells = Self.cells(text)
            // The line between the header and the rows.
            if cells.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 == "-" || $0 == ":" } }) { return }
            if case .table(let rows) = open {
                open = .table(rows + [cells])
            } else {
                close()
                open = .table([cells])
            }
        }

        /// The cells of a row; `\|` is a bar within a cell.
        private static func cells(_ row: Substring) -> [String] {
            var cells = [""]
            var isEscaped = false
            for character in row.dropFirst() {
                if isEscaped {
                    cells[cells.count - 1] += character == "|" ? "|" : "\\\(character)"
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "|" {
                    cells.append("")
                } else {
                    cells[cells.count - 1].append(character)
                }
            }
            if cells.last?.allSatisfy(\.isWhitespace) == true { cells.removeLast() }
            return cells.map { cell in String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        }

        private static func heading(_ text: Substring) -> MarkdownBlock? {
            let level = text.prefix { $0 == "#" }.count
            guard 1...6 ~= level, text.dropFirst(level).first == " " else { return nil }
            return .heading(level, String(text.dropFirst(level + 1)))
        }

        private static func item(_ text: Substring, indent: Int) -> MarkdownBlock? {
            if text.hasPrefix("- ") || text.hasPrefix("* ") { return .item(indent / 2, "-", String(text.dropFirst(2))) }
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, text.dropFirst(digits.count).hasPrefix(". ") else { return nil }
            return .item(indent / 2, "\(digits).", String(text.dropFirst(digits.count + 2)))
        }
    }
}

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
            } else if character == "*", !Self.isWord(plain.last ?? spans.last?.text.last), let emphasis = Self.emphasis(rest) {
                flush()
                spans += Self.spans(emphasis.text).map { GuideSpan($0.text, $0.role == .text ? .strong : $0.role) }
                rest = emphasis.rest
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

    /// The text as Markdown, in which a backslash precedes all characters that could be marks.
    static func escaped(_ text: String) -> String {
        String(text.flatMap { $0.isPunctuation || $0.isSymbol ? ["\\", $0] : [$0] })
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

    /// A text in single asterisks at the start of a text; nil where the first asterisk is one of the text, as in `2 * 3`.
    private static func emphasis(_ text: Substring) -> (text: String, rest: Substring)? {
        var rest = text.dropFirst()
        guard let first = rest.first, !first.isWhitespace else { return nil }
        var previous: Character = " "
        while let character = rest.first {
            if character == "`", let code = Self.code(rest) {
                (previous, rest) = ("`", code.rest)
                continue
            }
            let next = rest.dropFirst()
            if character == "*", !previous.isWhitespace, !isWord(next.first) {
                return (String(text[..<rest.startIndex].dropFirst()), next)
            }
            previous = character
            rest = character == "\\" ? next.dropFirst() : next
        }
        return nil
    }

    private static func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }

    /// A link at the start of a text.
    private static func link(_ text: Substring) -> (text: String, target: String, rest: Substring)? {
        guard let middle = text.firstRange(of: "]("), let end = text[middle.upperBound...].firstIndex(of: ")") else { return nil }
        let label = text[..<middle.lowerBound].dropFirst()
        guard !label.contains("[") else { return nil }
        return (String(label), String(text[middle.upperBound..<end]), text[text.index(after: end)...])
    }
}
