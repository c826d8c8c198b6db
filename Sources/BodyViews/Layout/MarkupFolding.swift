/// Determines which rows of XML or HTML are displayed.
struct MarkupFolding: Sendable {
    /// How a row is displayed.
    enum Display {
        case shown, hidden
        /// The end tag of a folded element, which is displayed in the row of its start tag.
        case closing
    }

    /// The depth of the folded element around the next row; -1 without one.
    var depth = -1

    /// The display of the next row; `opensElement` states that the following rows are in an element that the row begins.
    mutating func display(_ row: MarkupScanner.Row, opensElement: Bool, isEndTag: Bool, _ folds: BodyFolds) -> Display {
        // A long start tag has several rows, which are all displayed.
        if depth >= 0, !(row.continues && row.kind == .tag && row.depth == depth) {
            guard row.depth <= depth, !row.continues else { return .hidden }
            // In HTML, an element can end without an end tag.
            let closes = isEndTag && row.depth == depth
            depth = -1
            if closes { return .closing }
        }
        if opensElement, folds.contains(row.source.lowerBound, depth: row.depth) { depth = row.depth }
        return .shown
    }
}

extension MarkupScanner {
    /// Whether the row before the current place begins an element that is not in that row alone.
    func hasOpened(_ row: Row) -> Bool { row.kind == .tag && !row.continues && row.isClosed && open.count == row.depth + 1 }
}

extension MarkupScanner.Row {
    /// Whether the row is an end tag.
    func isEndTag(_ bytes: UnsafeRawBufferPointer) -> Bool {
        kind == .tag && !continues && source.count > 1 && bytes[source.lowerBound + 1] == UInt8(ascii: "/")
    }
}
