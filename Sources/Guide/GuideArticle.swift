private import SortieTerminal

/// An article of the guide.
package struct GuideArticle: Hashable, Sendable {
    /// The name that `sortie guide` takes: the name of the article's file in lower case, with hyphens between words.
    package let topic: String
    /// The heading of the article.
    package let title: String
    /// The first sentence as plain text.
    package let summary: String
    /// The text in Markdown.
    package let markdown: String

    init(fileName: String, markdown: String) {
        topic = Self.topic(ofFile: fileName)
        self.markdown = markdown
        var (title, summary) = (fileName, "")
        for block in MarkdownBlock.blocks(of: markdown) {
            switch block {
            case .heading(1, let text): title = MarkdownText.plain(text)
            case .paragraph(let text) where summary.isEmpty:
                let text = MarkdownText.plain(text)
                summary = text.firstRange(of: ". ").map { String(text[..<$0.lowerBound]) + "." } ?? text
            default: break
            }
        }
        (self.title, self.summary) = (title, summary)
    }

    private init(topic: String, title: String, summary: String, markdown: String) {
        (self.topic, self.title, self.summary, self.markdown) = (topic, title, summary, markdown)
    }

    /// `WorkspaceKeys` becomes `workspace-keys`, `JSON` becomes `json`.
    static func topic(ofFile name: String) -> String {
        var topic = ""
        var isAfterLowercase = false
        for character in name {
            if character.isUppercase, isAfterLowercase { topic += "-" }
            topic += character.lowercased()
            isAfterLowercase = character.isLowercase
        }
        return topic
    }
}

extension GuideArticle {
    /// The article as lines of at most `width` cells; lines of code, and longer words outside of tables, may be wider.
    package func lines(width: Int) -> [GuideLine] {
        let width = max(20, width)
        var lines: [GuideLine] = []
        var previous: MarkdownBlock?
        for block in MarkdownBlock.blocks(of: markdown) {
            let laidOut = Self.lines(of: block, width: width)
            guard !laidOut.isEmpty else { continue }
            if let previous, !Self.areJoined(previous, block) { lines.append(GuideLine()) }
            lines += laidOut
            previous = block
        }
        return lines
    }

    /// The article as text, each line ended by a line feed.
    package func text(width: Int) -> String { lines(width: width).map { VisibleText.of($0.text) + "\n" }.joined() }

    /// Whether no empty line separates two blocks.
    private static func areJoined(_ first: MarkdownBlock, _ second: MarkdownBlock) -> Bool {
        if case .item = first, case .item = second { return true }
        return false
    }

    private static func lines(of block: MarkdownBlock, width: Int) -> [GuideLine] {
        switch block {
        case .heading(let level, let text):
            let title = MarkdownText.plain(text)
            let line = GuideLine(spans: [GuideSpan(title, .heading)])
            guard level <= 2 else { return [line] }
            return [line, GuideLine(spans: [GuideSpan(String(repeating: level == 1 ? "═" : "─", count: CellWidth.width(of: title)), .muted)])]
        case .paragraph(let text): return GuideWrap.lines(MarkdownText.spans(text), width: width)
        case .item(let level, let mark, let text):
            let indent = String(repeating: "  ", count: level)
            let head = "\(indent)\(mark) "
            let wrapped = GuideWrap.lines(MarkdownText.spans(text), width: max(10, width - head.count))
            return wrapped.enumerated().map { index, line in
                GuideLine(spans: [GuideSpan(index == 0 ? head : String(repeating: " ", count: head.count))] + line.spans)
            }
        case .code(let code): return code.map { GuideLine(spans: [GuideSpan("    " + $0, .code)]) }
        case .table(let rows): return GuideTable(rows: rows.map { $0.map(MarkdownText.spans) }).lines(width: width)
        }
    }
}

extension GuideArticle {
    /// Whether the article is a reference, in which a search finds most words, and which is rarely the answer.
    var isReference: Bool { ["keys", "workspace-keys", "json", "security", "security-rules", "dependencies"].contains(topic) }

    /// The part of the article below the heading with this anchor, with its smaller headings, as an article; nil where there is none.
    package func part(_ anchor: String) -> GuideArticle? {
        var lines: [Substring] = []
        var level: Int?
        var isInCode = false
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isInCode.toggle() }
            if !isInCode, case .heading(let found, let text)? = MarkdownBlock.blocks(of: String(line)).first {
                if let level, found <= level { break }
                if level == nil, Self.anchor(MarkdownText.plain(text)) == anchor { level = found }
            }
            if level != nil { lines.append(line) }
        }
        return level == nil ? nil : GuideArticle(topic: topic, title: title, summary: summary, markdown: lines.joined(separator: "\n"))
    }

    /// The headings below the title, as plain text.
    var headings: [String] {
        var isInCode = false
        return markdown.split(separator: "\n").compactMap { line in
            if line.hasPrefix("```") { isInCode.toggle() }
            guard !isInCode, line.hasPrefix("##"), case .heading(_, let text)? = MarkdownBlock.blocks(of: String(line)).first else { return nil }
            return MarkdownText.plain(text)
        }
    }

    /// A heading in the form of addresses: *How it is sent* is `how-it-is-sent`.
    package static func anchor(_ heading: String) -> String {
        heading.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }

    /// The rows of the first table below a heading, without the header, as plain text; empty where there is none.
    ///
    /// - Parameter heading: The beginning of the heading.
    package func table(below heading: String) -> [[String]] {
        var isBelow = false
        for block in MarkdownBlock.blocks(of: markdown) {
            switch block {
            case .heading(_, let text): isBelow = MarkdownText.plain(text).hasPrefix(heading)
            case .table(let rows) where isBelow: return rows.dropFirst().map { $0.map(MarkdownText.plain) }
            default: break
            }
        }
        return []
    }
}

/// A table of an article.
struct GuideTable {
    /// The rows of cells, the first one the header.
    let rows: [[[GuideSpan]]]

    private static let gap = 2
    private static let leastWidth = 8

    /// The table as lines of at most `width` cells where that is possible: columns become narrower and their cells are wrapped, the widest columns first.
    func lines(width: Int) -> [GuideLine] {
        let widths = columnWidths(width)
        guard !widths.isEmpty, let header = rows.first else { return [] }
        var lines: [GuideLine] = []
        if header.contains(where: { !$0.isEmpty }) {
            lines += laidOut(header.map { $0.map { GuideSpan($0.text, .heading) } }, widths)
            let rules = widths.map { String(repeating: "─", count: $0) }.joined(separator: String(repeating: " ", count: Self.gap))
            lines.append(GuideLine(spans: [GuideSpan(rules, .muted)]))
        }
        for row in rows.dropFirst() { lines += laidOut(row, widths) }
        return lines
    }

    private func columnWidths(_ width: Int) -> [Int] {
        let count = rows.map(\.count).max() ?? 0
        var widths = (0..<count).map { column in
            rows.map { row in column < row.count ? row[column].reduce(0) { $0 + CellWidth.width(of: $1.text) } : 0 }.max() ?? 0
        }
        let room = width - Self.gap * max(0, count - 1)
        while widths.reduce(0, +) > room, let widest = widths.max(), widest > Self.leastWidth, let column = widths.firstIndex(of: widest) {
            widths[column] -= 1
        }
        return widths
    }

    private func laidOut(_ row: [[GuideSpan]], _ widths: [Int]) -> [GuideLine] {
        let cells = row.enumerated().map { GuideWrap.lines($1, width: widths[$0], breaksWords: true) }
        let height = max(1, cells.map(\.count).max() ?? 0)
        return (0..<height).map { index in
            var line = GuideLine()
            for (column, cell) in cells.enumerated() {
                let spans = index < cell.count ? cell[index].spans : []
                line.spans += spans
                guard column < cells.count - 1 else { continue }
                let used = spans.reduce(0) { $0 + CellWidth.width(of: $1.text) }
                line.spans.append(GuideSpan(String(repeating: " ", count: max(0, widths[column] - used) + Self.gap)))
            }
            return line
        }
    }
}

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
            } else if let emphasis = Self.emphasis(rest, after: text[..<rest.startIndex].last) {
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

    /// An emphasized text at the start of a text: between two asterisks, beside which there are no blanks within and no parts of words outside.
    private static func emphasis(_ text: Substring, after before: Character?) -> (text: String, rest: Substring)? {
        func isPartOfWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber || $0 == "*" } ?? false }
        let inner = text.dropFirst()
        guard text.first == "*", !isPartOfWord(before), let first = inner.first, first != "*", !first.isWhitespace,
            let end = inner.firstIndex(of: "*"), inner[..<end].last?.isWhitespace == false
        else { return nil }
        let rest = inner[inner.index(after: end)...]
        return isPartOfWord(rest.first) ? nil : (String(inner[..<end]), rest)
    }

    /// A link at the start of a text.
    private static func link(_ text: Substring) -> (text: String, target: String, rest: Substring)? {
        guard let middle = text.firstRange(of: "]("), let end = text[middle.upperBound...].firstIndex(of: ")") else { return nil }
        let label = text[..<middle.lowerBound].dropFirst()
        guard !label.contains("[") else { return nil }
        return (String(label), String(text[middle.upperBound..<end]), text[text.index(after: end)...])
    }
}
