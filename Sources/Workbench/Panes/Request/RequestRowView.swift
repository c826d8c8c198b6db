internal import Model
internal import Terminal

/// Draws one row of the request.
struct RequestRowView {
    var row: RequestRow
    /// Columns of the name.
    var nameWidth: Int
    /// The field of this row that is being edited.
    var edit: RequestState.RowEdit?

    /// Columns that the names need, at most two fifths of the width.
    static func nameWidth(_ rows: [RequestRow], width: Int) -> Int {
        let widest = rows.reduce(0) { max($0, CellWidth.width(of: $1.name)) }
        return min(max(6, widest), max(6, width * 2 / 5))
    }

    func draw(on canvas: inout Canvas, in line: Rect) {
        var column = line.column
        let name = row.name.isEmpty && edit == nil ? "name" : row.name
        switch row.kind {
        case .line:
            canvas.write(TextArea.expanded(row.value), at: line.origin, width: line.width)
            return
        case .pair:
            column += canvas.write(
                row.isEnabled ? "[x] " : "[ ] ", at: line.origin, style: row.isEnabled ? .accent : .muted, width: line.width)
        case .inherited: column += canvas.write(" ·  ", at: line.origin, style: .muted, width: line.width)
        case .note:
            canvas.write(row.value, at: line.origin, style: .muted, width: line.width)
            return
        case .setting, .choice: break
        }
        let isMuted = !row.isEnabled || row.isInherited
        let labelWidth = min(nameWidth, max(0, line.endColumn - column))
        draw(
            .name, name, on: &canvas, at: column, width: labelWidth, row: line.row,
            style: isMuted ? .muted : row.name.isEmpty ? .placeholder : .headerName)
        column += labelWidth + 2
        let rest = max(0, line.endColumn - column)
        let isSummaryEdited = edit?.column == .summary
        let summaryWidth =
            isSummaryEdited ? max(12, rest / 2) : min(summaryText.isEmpty ? 0 : CellWidth.width(of: summaryText), rest / 2)
        let valueWidth = max(0, rest - (summaryWidth > 0 ? summaryWidth + 2 : 0))
        let shownWidth = edit?.column == .value ? valueWidth : min(valueWidth, max(1, CellWidth.width(of: valueText)))
        draw(
            .value, valueText, on: &canvas, at: column, width: edit?.column == .value ? valueWidth : shownWidth, row: line.row,
            style: isMuted ? .muted : .headerValue)
        guard summaryWidth > 0 else { return }
        let summaryColumn = edit == nil ? column + shownWidth + 2 : line.endColumn - summaryWidth
        draw(
            .summary, summaryText, on: &canvas, at: summaryColumn, width: summaryWidth, row: line.row,
            style: isProblem ? .error : .muted)
    }

    private var isProblem: Bool { if case .choice = row.kind { !row.summary.isEmpty } else { false } }

    private var valueText: String { row.isSecret ? HeaderField.mask : row.value }

    private var summaryText: String {
        if case .inherited(let place) = row.kind { return "from \(place)" }
        if case .choice = row.kind { return row.summary.isEmpty ? "▾" : "▾  \(row.summary)" }
        return row.summary
    }

    private func draw(
        _ column: RequestRow.Column, _ text: String, on canvas: inout Canvas, at start: Int, width: Int, row: Int, style: Style
    ) {
        let point = Point(column: start, row: row)
        guard let edit, edit.column == column else {
            canvas.write(CellWidth.truncated(text, to: width), at: point, style: style)
            return
        }
        let placeholder =
            switch column {
            case .name: "name"
            case .value: "value"
            case .summary: "description"
            }
        edit.field.draw(on: &canvas, at: point, width: width, placeholder: placeholder)
    }
}

extension RequestRow {
    /// Whether it is shown only, because it belongs to the service or the workspace.
    var isInherited: Bool { if case .inherited = kind { true } else { false } }
}

extension TextArea {
    /// A line with its tabs as blanks.
    static func expanded(_ line: String) -> String { expanded(Array(line)) }
}
