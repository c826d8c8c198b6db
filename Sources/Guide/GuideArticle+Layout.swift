private import SortieTerminal

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
