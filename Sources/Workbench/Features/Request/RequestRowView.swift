internal import SortieHTTP
internal import SortieTerminal

/// Draws a row of the request pane.
struct RequestRowView {
    var row: RequestRow
    /// The width of the name in cells.
    var nameWidth: Int
    /// Whether rows of the list have checkboxes; rows without one are indented.
    var hasBoxes = true
    /// The field of this row that is being edited.
    var edit: RequestState.RowEdit?

    /// The width of the longest name, at most two fifths of the width.
    static func nameWidth(_ rows: [RequestRow], width: Int) -> Int {
        let widest = rows.reduce(0) { max($0, CellWidth.width(of: $1.name)) }
        return min(max(6, widest), max(6, width * 2 / 5))
    }

    func draw(on canvas: inout Canvas, in line: Rect) {
        var column = line.column
        let name = row.name.isEmpty && edit == nil ? "name" : row.name
        switch row.kind {
        case .sectionLine:
            canvas.write(CellWidth.truncated("  " + TextArea.expanded(row.value), to: line.width), at: line.origin)
            return
        case .line:
            let spans = row.spans.map { Span(TextArea.expanded($0.text), $0.style) }
            canvas.write(spans + (row.problem.isEmpty ? [] : [Span("  " + row.problem, .error)]), at: line.origin, width: line.width)
            return
        case .pair, .part:
            guard hasBoxes else { break }
            column += canvas.write(
                row.isEnabled ? "[x] " : "[ ] ", at: line.origin, style: row.isEnabled ? .accent : .muted, width: line.width)
        case .pathParameter: column += canvas.write(hasBoxes ? " :  " : "", at: line.origin, style: .accent, width: line.width)
        case .inherited where row.isLeftOut == true: column += canvas.write("[ ] ", at: line.origin, style: .muted, width: line.width)
        case .inherited, .result: column += canvas.write(hasBoxes ? " ·  " : "", at: line.origin, style: .muted, width: line.width)
        case .note:
            canvas.write(row.value, at: line.origin, style: .muted, width: line.width)
            return
        case .setting, .choice, .toggle, .bodyText, .section: break
        }
        let isMuted = !row.isEnabled || row.isInherited
        let labelWidth = min(labelWidth(in: line.width), max(0, line.endColumn - column))
        draw(
            .name, name, on: &canvas, at: column, width: labelWidth, row: line.row,
            style: isMuted ? .muted : row.name.isEmpty ? .placeholder : .headerName)
        column += labelWidth + 2
        let rest = max(0, line.endColumn - column)
        let isSideEdited = edit.map { $0.column != .name && $0.column != .value } ?? false
        // The side text takes a quarter of the width and what the value leaves; the source of a value takes a half, a problem two thirds.
        var needed = CellWidth.width(of: valueText)
        if edit?.column == .value { needed = max(12, needed + 1) }
        // A value that is being typed takes the room of a description; the description of the value's format stays.
        if edit?.column == .value, row.listIndex != nil { needed = max(needed, rest) }
        var least = row.problem.isEmpty ? rest / 4 : rest * 2 / 3
        if case .inherited = row.kind, row.problem.isEmpty { least = rest / 2 }
        let share = max(least, rest - needed - 2)
        let sideWidth = isSideEdited ? max(12, rest / 2) : min(sideText.isEmpty ? 0 : CellWidth.width(of: sideText), share)
        let valueWidth = max(0, rest - (sideWidth > 0 ? sideWidth + 2 : 0))
        let shownWidth = edit?.column == .value ? valueWidth : min(valueWidth, max(1, CellWidth.width(of: valueText)))
        draw(
            .value, valueText, on: &canvas, at: column, width: shownWidth, row: line.row,
            style: isMuted || row.isTakenOver ? .muted : .headerValue)
        guard sideWidth > 0 else { return }
        draw(
            edit.map { isSideEdited ? $0.column : .summary } ?? .summary, sideText, on: &canvas,
            at: edit == nil ? column + shownWidth + 2 : line.endColumn - sideWidth, width: sideWidth, row: line.row,
            style: row.problem.isEmpty ? .muted : .error)
    }

    /// The width of the name; that of a setting is not cut where it leaves room for a value.
    private func labelWidth(in width: Int) -> Int { max(nameWidth, row.hasFixedName ? min(CellWidth.width(of: row.name), width - 18) : 0) }

    /// The field at a column of the screen: the name or the value.
    func column(at point: Int, in line: Rect) -> RequestRow.Column {
        point < line.column + (hasBoxes ? 4 : 0) + labelWidth(in: line.width) + 2 ? .name : .value
    }

    /// Draws the text of a row that is cut in the room below the rows, and returns the rest of the room.
    ///
    /// - Parameter least: The number of rows that have to stay free.
    func drawWhole(on canvas: inout Canvas, in room: Rect, keeping least: Int) -> Rect {
        guard let text = wholeText(width: room.width) else { return room }
        let lines = WrappedText.lines(text, width: room.width)
        guard lines.count + 1 + least <= room.height else { return room }
        canvas.write(lines: lines, at: room.origin.moved(rows: 1), width: room.width)
        return room.split(topHeight: lines.count + 1).bottom
    }

    /// Draws the text of a row that is cut into the lines of ``detailHeight(_:in:_:)``.
    func drawWhole(on canvas: inout Canvas, inDetail detail: Rect) {
        guard detail.height > 0, let text = wholeText(width: detail.width) else { return }
        var lines = WrappedText.lines(text, width: detail.width)
        if lines.count > detail.height {
            lines = Array(lines.prefix(detail.height))
            lines[detail.height - 1] = CellWidth.truncated(lines[detail.height - 1] + " …", to: detail.width)
        }
        canvas.write(lines: lines, at: detail.origin, width: detail.width)
    }

    /// The number of lines that a list leaves below its rows for the whole text of the selected one: where texts are cut, and there is no room for them
    /// below all rows.
    static func detailHeight(_ rows: [RequestRow], in list: Rect, _ view: (RequestRow) -> RequestRowView) -> Int {
        guard list.height >= 7 else { return 0 }
        let cut = rows.compactMap { view($0).wholeText(width: list.width) }.map { CellWidth.width(of: $0) / max(1, list.width) + 1 }.max()
        return cut.map { rows.count + $0 + 1 > list.height ? min($0, list.height / 4, 3) : 0 } ?? 0
    }

    /// The text of the row where a line of this width cuts it; nil for a row that is shown whole, and for the lines of texts.
    private func wholeText(width: Int) -> String? {
        let box: Int
        switch row.kind {
        case .line, .sectionLine, .note: return nil
        case .inherited where row.isLeftOut == true: box = 4
        case .pair, .part, .pathParameter, .inherited, .result: box = hasBoxes ? 4 : 0
        case .setting, .choice, .toggle, .bodyText, .section: box = 0
        }
        let texts = [valueText, sideText].filter { !$0.isEmpty }
        let label = labelWidth(in: width)
        // An empty value takes a cell, too.
        let side = sideText.isEmpty ? 0 : CellWidth.width(of: sideText) + 2
        let needed = box + label + 2 + max(1, CellWidth.width(of: valueText)) + side
        return needed > width || CellWidth.width(of: row.name) > label ? ([row.name] + texts).joined(separator: " · ") : nil
    }

    private var valueText: String { row.isSecret && !row.value.isEmpty ? HeaderField.mask : row.value }

    private var sideText: String {
        if case .inherited(let place) = row.kind { return row.problem.isEmpty ? "from \(place)" : row.problem }
        // While a value is typed, the side text describes its format.
        if edit?.column == .value, case .setting(let setting) = row.kind, let form = setting.form { return form }
        let text = row.problem.isEmpty ? row.summary : row.problem
        if case .choice = row.kind { return text.isEmpty ? AppState.choiceMark : "\(AppState.choiceMark)  \(text)" }
        return text
    }

    private func draw(
        _ column: RequestRow.Column, _ text: String, on canvas: inout Canvas, at start: Int, width: Int, row line: Int, style: Style
    ) {
        let point = Point(column: start, row: line)
        guard let edit, edit.column == column else {
            canvas.write(CellWidth.truncated(text, to: width), at: point, style: style)
            return
        }
        let placeholder =
            switch column {
            case .name: "name"
            case .value: isPart ? "value, or @ and a file" : "value"
            case .fileName: "file name to send"
            case .contentType: "content type"
            case .summary: "description"
            }
        edit.field.draw(on: &canvas, at: point, width: width, placeholder: placeholder, isMasked: row.isSecret && !hasBoxes)
    }

    private var isPart: Bool { if case .part = row.kind { true } else { false } }
}

extension RequestRow {
    /// Whether the row is read-only, because its value is inherited or a result.
    var isInherited: Bool {
        switch kind {
        case .inherited, .result: true
        default: false
        }
    }

    /// Whether the program gives the name, as that of a setting.
    var hasFixedName: Bool {
        switch kind {
        case .setting, .choice, .toggle, .bodyText, .section, .result: true
        case .pair, .pathParameter, .part, .line, .sectionLine, .note, .inherited: false
        }
    }

    /// Whether `{{templates}}` in its name and value are resolved.
    var mayHaveTemplates: Bool {
        switch kind {
        case .pair, .pathParameter, .part, .setting(.auth), .setting(.bodyFile), .setting(.operation), .inherited:
            true
        case .setting, .choice, .toggle, .bodyText, .line, .section, .sectionLine, .note, .result: false
        }
    }
}
