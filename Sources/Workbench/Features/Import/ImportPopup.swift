internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// What an import would create, change and omit, in a popup.
struct ImportPopup: ReadingPopup {
    var preview: ImportPreview
    var position = ReadingPosition()

    var contexts: [Context] { position.entry == nil ? [.importPreview, .reading] : Context.typingSearch }
    var guideTopic: String? { "import" }
    var name: String { "the preview" }

    /// A line, indented behind its first word.
    private struct Row {
        var head = ""
        var text: String
        var style = Style.text
    }

    private func rows(_ state: AppState) -> [Row] {
        let keys = "\(state.key(.importNow, in: .importPreview)) imports; \(state.key(.close, in: .reading)) writes nothing"
        var rows = [Row(text: preview.changes.changes.isEmpty ? "The workspace has all of it already." : keys, style: .info), Row(text: "")]
        rows.append(Row(text: "Items of the source: \(preview.counts)", style: .strong))
        rows += preview.report.map { Row(head: $0.kind.rawValue, text: $0.text, style: $0.kind.style) }
        rows += [Row(text: ""), Row(text: "Files of the workspace", style: .strong)]
        rows += preview.files.map { Row(head: $0.kind.rawValue, text: $0.text, style: $0.kind.style) }
        return rows
    }

    func text(width: Int, _ state: AppState) -> ReadingText {
        ReadingText(title: "Import", subtitle: "\(preview.source) · \(preview.format)", lines: rows(state).flatMap { lines(of: $0, width, state) })
    }

    private func lines(of row: Row, _ width: Int, _ state: AppState) -> [[Span]] {
        let text = state.redaction.masked(row.text)
        guard !row.head.isEmpty else { return (text.isEmpty ? [""] : WrappedText.lines(text, width: max(10, width))).map { [Span($0, row.style)] } }
        let indentation = 11
        return WrappedText.lines(text, width: max(10, width - indentation)).enumerated().map { index, line in
            [Span(ColumnText.padded(index == 0 ? row.head : "", to: indentation), row.style), Span(line)]
        }
    }

    func plainText(_ state: AppState) -> String {
        rows(state).dropFirst(2).map { state.redaction.masked($0.head.isEmpty ? $0.text : "\($0.head): \($0.text)") }.joined(separator: "\n")
    }
}

extension ImportPreview.Kind {
    fileprivate var style: Style {
        switch self {
        case .created, .updated, .imported: .success
        case .unchanged: .muted
        case .changed: .info
        case .kept, .omitted: .warning
        }
    }
}
