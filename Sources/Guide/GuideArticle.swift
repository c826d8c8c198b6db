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
    /// The article as lines of at most `width` cells; code without its comment, and longer words outside of tables, may be wider.
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
        case .code(let code): return code.flatMap { GuideCode(line: "    " + $0).lines(width: width) }
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

/// A line of code of an article.
struct GuideCode {
    /// The line with its indentation.
    let line: String

    /// A comment beside the code is not wrapped to fewer cells.
    private static let leastWidth = 24

    /// The line; where it is wider than `width`, its comment is wrapped, each line of it with its own `#`, beside the code or above it.
    ///
    /// The code itself stays one line, so that it can be copied.
    func lines(width: Int) -> [GuideLine] {
        guard CellWidth.width(of: line) > width, let start = comment else { return [GuideLine(spans: [GuideSpan(line, .code)])] }
        let code = line[..<start]
        let isAlone = code.allSatisfy { $0 == " " }
        let column = CellWidth.width(of: code)
        let isBeside = isAlone || width - column >= Self.leastWidth
        let indent = String(repeating: " ", count: isBeside ? column : code.prefix { $0 == " " }.count)
        let words = [GuideSpan(String(line[start...].dropFirst()), .code)]
        let comments = GuideWrap.lines(words, width: max(10, width - indent.count - 2)).map { "# \($0.text)" }
        let beside = comments.enumerated().map { ($0 == 0 && isBeside ? String(code) : indent) + $1 }
        return (isBeside ? beside : beside + [String(code)]).map { GuideLine(spans: [GuideSpan($0, .code)]) }
    }

    /// Where the comment begins: a `#` between blanks that is not in quotes.
    private var comment: String.Index? {
        var quote: Character?
        var previous: Character = " "
        for index in line.indices {
            let character = line[index]
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else if quote == nil, character == "#", previous == " ", line[line.index(after: index)...].first == " " {
                return index
            }
            previous = character
        }
        return nil
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
