extension GuideArticle {
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
