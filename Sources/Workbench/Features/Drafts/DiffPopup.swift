internal import Model
internal import Terminal

/// The changes that saving an endpoint would make to its file, in a popup.
struct DiffPopup: Hashable, Sendable {
    var target: String
    var comparison: BodyComparison
    /// The popup that is shown again when this one closes.
    var beneath: ListPopup?
    var top = 0

    /// The lines in the style of a unified diff.
    private var rows: [(text: String, style: Style)] {
        if comparison.lines.isEmpty, comparison.notes.isEmpty { return [("Saving changes nothing in the file.", .muted)] }
        return comparison.notes.map { ($0, Style.muted) }
            + comparison.lines.map { line in
                switch line.kind {
                case .same, .ignored: ("  " + line.text, .text)
                case .removed: ("− " + line.text, .error)
                case .added: ("+ " + line.text, .success)
                case .folded(let count): ("⋯ \(NumberText.count(count, "line")) in both", .muted)
                }
            }
    }

    func lines(width: Int, redaction: Redaction) -> [[Span]] {
        rows.flatMap { row in
            var column = 0
            let text = AppState.expandingTabs(redaction.masked(row.text), column: &column)
            return LogRows.pieces(text, width: max(10, width)).map { [Span($0, row.style)] }
        }
    }

    func text(redaction: Redaction) -> String { rows.map { redaction.masked($0.text) }.joined(separator: "\n") }
}

extension AppState {
    func diffText(_ popup: DiffPopup) -> ReadingText {
        ReadingText(
            title: "What saving changes", subtitle: popup.target, lines: popup.lines(width: readingRect.width - 4, redaction: redaction))
    }
}
