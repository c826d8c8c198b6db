internal import SortieHTTP
internal import WorkspaceModel

/// Parses pasted text with several rows.
enum PastedRows {
    /// The rows of a text, one per line; for a query string on one line, one per pair.
    ///
    /// A line is `name: value`, `name=value` or name and value separated by a tab. A line without a separator is a name, if another
    /// line has one.
    static func rows(in text: String, of tab: RequestTab) -> [Parameter] {
        let areHeaders = tab == .headers
        let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
        if lines.count == 1, !areHeaders, let line = lines.first, let pairs = queryPairs(line, isForm: tab == .body) { return pairs }
        let separators: [Character] = areHeaders ? ["\t", ":"] : ["\t", "=", ":"]
        guard lines.contains(where: { $0.contains(where: separators.contains) }) else { return [] }
        return lines.map { row($0, separators: separators) }
    }

    private static func row(_ line: String, separators: [Character]) -> Parameter {
        // The first separator in the line counts, because a value may contain the others.
        guard let place = line.firstIndex(where: separators.contains) else { return Parameter(line, "") }
        return Parameter(String(line[..<place]).trimmingBlanks, String(line[line.index(after: place)...]).trimmingBlanks)
    }

    /// The pairs of a query such as `a=1&b=2`, or of a URL with one; nil for other text.
    private static func queryPairs(_ line: String, isForm: Bool) -> [Parameter]? {
        var text = line[...]
        if let mark = text.firstIndex(of: "?") { text = text[text.index(after: mark)...] }
        if let mark = text.firstIndex(of: "#") { text = text[..<mark] }
        guard text.contains("="), !text.contains(where: \.isWhitespace) else { return nil }
        return text.split(separator: "&").map { pair -> Parameter in
            // A pair that is not UTF-8 is decoded as far as possible.
            if let row = URLText.row(pair, isForm: isForm) { return row }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Parameter(
                PercentEncoding.decode(parts.first ?? "", plusIsSpace: isForm),
                parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: isForm) : "")
        }
    }
}
