internal import BodyViews
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The changes that saving an endpoint would make to its file, in a popup.
struct DiffPopup: ReadingPopup {
    var target: EndpointID
    var comparison: BodyComparison
    var position = ReadingPosition()

    var guideTopic: String? { "workspaces" }
    var name: String { "the differences" }

    /// The lines in the style of a unified diff.
    private var rows: [(text: String, style: Style)] {
        if comparison.lines.isEmpty, comparison.notes.isEmpty { return [("Saving does not change the file.", .muted)] }
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

    func text(width: Int, _ state: AppState) -> ReadingText {
        ReadingText(title: "What saving changes", subtitle: target.path, lines: lines(width: width, state.redaction))
    }

    private func lines(width: Int, _ redaction: Redaction) -> [[Span]] {
        rows.flatMap { row in
            var column = 0
            let text = ColumnText.expandingTabs(redaction.masked(row.text), column: &column)
            return ColumnText.pieces(text, width: max(10, width)).map { [Span($0, row.style)] }
        }
    }

    func plainText(_ state: AppState) -> String { rows.map { state.redaction.masked($0.text) }.joined(separator: "\n") }
}
