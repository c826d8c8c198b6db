internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The columns of the variables for a width.
private struct VariableColumns {
    /// The widths of the name, of each value, and of the number of uses.
    let name: Int
    let value: Int
    let uses: Int
    /// The indices of the shown environments: the first one, and those around the selected one.
    let shown: [Int]

    init(width: Int, names: [String], count: Int, selected: Int) {
        let isNarrow = width < 50
        name = min(max(6, names.reduce(0) { max($0, CellWidth.width(of: $1)) }), isNarrow ? 12 : max(16, width / 4))
        uses = isNarrow ? 0 : 4
        let room = width - name - 2 - (uses > 0 ? uses + 2 : 0)
        let places = max(1, min(count, (room + 2) / ((isNarrow ? 9 : 20) + 2)))
        value = max(1, (room - 2 * (places - 1)) / places)
        // The first environment stays; the others scroll.
        let first = places < 2 ? selected : min(max(1, selected - places + 2), max(1, count - places + 1))
        shown = places < 2 ? [selected] : [0] + Array(first..<min(count, first + places - 1))
    }
}

/// Draws the variables.
extension VariablesPopup {
    static func frame(in whole: Rect) -> Rect {
        whole.width < 110 ? whole : whole.inset(columns: 4, rows: min(2, whole.height / 12))
    }

    /// The height of the details of the selected variable.
    private static func footHeight(_ height: Int) -> Int { height < 10 ? 3 : 6 }

    /// The area of the rows, below the heading and above the details.
    private static func list(in frame: Rect) -> Rect {
        let inner = frame.inset(columns: 2, rows: 1)
        return inner.split(topHeight: 1).bottom.split(bottomHeight: footHeight(inner.height)).top
    }

    /// The number of visible rows.
    static func page(_ state: AppState) -> Int { list(in: frame(in: state.popupArea)).height }

    private func columns(_ rows: [VariableTable.Row], width: Int, _ state: AppState) -> VariableColumns {
        let count = environments(state).count
        return VariableColumns(width: width, names: rows.map(\.name), count: count, selected: column.clamped(to: 0...count - 1))
    }

    private func window(_ rows: [VariableTable.Row], _ state: AppState) -> ListWindow {
        let list = Self.list(in: Self.frame(in: state.popupArea))
        return ListWindow(list, showing: selectedIndex(rows), of: rows.count, at: state.pressedLine(.popup(state.popups.topID), in: list))
    }

    /// The variable and the column at a point; no column beside the values.
    func cell(at point: Point, _ state: AppState) -> (name: String, column: Int?)? {
        let rows = rows(state)
        let window = window(rows, state)
        guard let index = window.index(at: point) else { return nil }
        let columns = columns(rows, width: window.rect.width, state)
        let offset = point.column - window.rect.column - columns.name - 2
        let place = offset / (columns.value + 2)
        return (rows[index].name, offset >= 0 && columns.shown.indices.contains(place) ? columns.shown[place] : nil)
    }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let frame = Self.frame(in: state.popupArea)
        let rows = rows(state)
        let title = [Span("Variables", .titleFocused), Span("  " + subtitle(rows.count, state), .muted)]
        let inner = canvas.popup(frame, title: title, trailing: state.closingHint)
        let columns = columns(rows, width: inner.width, state)
        let window = window(rows, state)
        if rows.isEmpty { canvas.writeHint([emptyHint(state)], in: window.rect) } else { drawHeading(columns, on: &canvas, in: inner, state) }
        let selected = selectedIndex(rows)
        for index in window.indices {
            let line = window.line(of: index)
            draw(rows[index], columns, on: &canvas, in: line, isSelected: index == selected, state)
            if index == selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
        drawFoot(of: chosen(of: rows, state), on: &canvas, in: inner.split(bottomHeight: Self.footHeight(inner.height)).bottom, state)
    }

    private func subtitle(_ count: Int, _ state: AppState) -> String {
        if let compared, environments(state).contains(compared) { return "\(state.environment ?? "") and \(compared): \(count) different" }
        let all = filter == nil ? count : VariableTable(state.workspace, overrides: state.overrides).rows.count
        return count == all ? ItemCount.text(count, "variable") : "\(count) of \(all)"
    }

    private func emptyHint(_ state: AppState) -> String {
        if compared != nil { return "Both environments have the same values." }
        return filter == nil ? "No variables yet; \(state.key(.addRow, in: .variables)) adds one." : "No variable contains that text."
    }

    private func drawHeading(_ columns: VariableColumns, on canvas: inout Canvas, in line: Rect, _ state: AppState) {
        let environments = environments(state)
        var spans = [Span(ColumnText.padded("name", to: columns.name) + "  ", .muted)]
        for index in columns.shown {
            // Arrows show that there are more environments on a side.
            let isLast = index == columns.shown.last && index < environments.count - 1
            let isCut = columns.shown.count > 1 && index == columns.shown[1] && index > 1
            let name = (isCut ? "‹ " : "") + (environments[index] ?? "value") + (isLast ? " ›" : "")
            spans.append(Span(ColumnText.padded(name, to: columns.value) + "  ", index == column ? .accent : .muted))
        }
        if columns.uses > 0 { spans.append(Span(ColumnText.right("uses", to: columns.uses), .muted)) }
        canvas.write(spans, at: line.origin, width: line.width)
    }

    private func draw(
        _ row: VariableTable.Row, _ columns: VariableColumns, on canvas: inout Canvas, in line: Rect, isSelected: Bool, _ state: AppState
    ) {
        let environments = environments(state)
        var spans = [Span(ColumnText.padded(row.name, to: columns.name) + "  ", .headerName)]
        for index in columns.shown {
            let (text, style) = cell(of: row, in: environments[index], state)
            let mark = isSelected && columns.shown.count > 1 && index == column.clamped(to: 0...environments.count - 1) ? "›" : ""
            let width = columns.value - CellWidth.width(of: mark)
            spans += [Span(mark, .accent), Span(ColumnText.padded(text, to: width) + "  ", style)]
        }
        if columns.uses > 0 { spans.append(Span(ColumnText.right("\(row.uses.count)", to: columns.uses), .muted)) }
        canvas.write(spans, at: line.origin, width: line.width)
    }

    /// The text of a cell: the value, masked where it is secret; muted where it is inherited from the workspace.
    private func cell(of row: VariableTable.Row, in environment: String?, _ state: AppState) -> (text: String, style: Style) {
        guard let definition = row.definition(in: environment) else { return row.uses.isEmpty ? ("–", .muted) : ("not defined", .error) }
        let text = value(of: row, definition, state)
        switch definition.layer {
        case .environment: return (text, .headerValue)
        case .option: return (text, .warning)
        case .endpoint, .environmentFile, .workspace, .publicParameters, .secret: return (text, environment == nil ? .headerValue : .muted)
        }
    }

    /// The value of a definition on one line.
    private func value(of row: VariableTable.Row, _ definition: VariableTable.Definition, _ state: AppState) -> String {
        if let secret = definition.secret { return state.reveal?.values[row.name] ?? "\(HeaderField.mask) \(secret.text)" }
        if definition.text.isEmpty { return "(empty)" }
        if Self.isMasked(row.name, definition, state), !state.revealsSecrets { return HeaderField.mask }
        return (state.revealsSecrets ? definition.text : state.secrets.masked(definition.text)).replacing("\n", with: "⏎")
    }

    // MARK: Details

    /// The keys that the footer has no room for, on the last line of the details.
    private static func furtherKeys(_ state: AppState) -> [(command: Command, spans: [Span])] {
        let commands: [(Command, String)] = [
            (.renameVariable, "rename"), (.undoItems, "undo"), (.reveal, "reveal"), (.newEnvironment, "new environment"),
            (.openDefinition, "open file"), (.copy, "copy"),
        ]
        return commands.map { ($0, [Span(state.key($0, in: .variables), .key), Span(" \($1)  ", .muted)]) }
    }

    /// The command whose key is displayed at a point below the details.
    func command(at point: Point, _ state: AppState) -> Command? {
        let inner = Self.frame(in: state.popupArea).inset(columns: 2, rows: 1)
        guard filter == nil, inner.contains(point), point.row == inner.endRow - 1 else { return nil }
        var end = inner.column
        return Self.furtherKeys(state).first { key in
            end += ColumnText.width(of: key.spans)
            return point.column < end - 2
        }?.command
    }

    private func drawFoot(of choice: Choice?, on canvas: inout Canvas, in foot: Rect, _ state: AppState) {
        var lines = choice.map { details(of: $0, state) } ?? []
        let last: [Span]
        if isFiltering {
            last = []
        } else if let filter {
            last = [Span("/", .key), Span(filter.text, .accent), Span("  \(state.key(.close, in: .variables)) shows all", .muted)]
        } else {
            last = Self.furtherKeys(state).flatMap(\.spans)
        }
        let room = max(0, foot.height - 1)
        if foot.height > 3, lines.count > 2 {
            // What is long is wrapped into the free lines.
            lines = Array(lines.flatMap { WrappedText.lines($0, width: foot.width) }.prefix(room))
        }
        for (offset, line) in lines.prefix(room).enumerated() {
            let isFirst = offset == 0
            canvas.write(
                CellWidth.truncated(line, to: foot.width), at: foot.origin.moved(rows: offset), style: isFirst ? .text : .muted, width: foot.width)
        }
        let point = foot.origin.moved(rows: room)
        if isFiltering {
            canvas.write("/", at: point, style: .key)
            (filter ?? TextField()).draw(on: &canvas, at: point.moved(columns: 1), width: foot.width - 1, placeholder: "part of a name or a value")
        } else {
            canvas.write(last, at: point, width: foot.width)
        }
    }

    /// The value with its templates resolved, the place of the definition with those that it replaces, and the uses.
    private func details(of choice: Choice, _ state: AppState) -> [String] {
        let row = choice.row
        let place = choice.environment.map { " in \($0)" } ?? ""
        guard let definition = choice.definition else {
            let others = row.ofEndpoints.isEmpty ? [] : ["only in \(row.ofEndpoints.map(\.place).joined(separator: ", "))"]
            return ["{{\(row.name)}}\(place) is not defined; \(state.key(.editRow, in: .variables)) defines it"] + others + [uses(of: row)]
        }
        var value = value(of: row, definition, state)
        if definition.secret == nil, !Template(definition.text).isPlain, let resolved = resolved(row.name, in: choice.environment, state) {
            value += "  →  \(resolved)"
        }
        let others = row.definitions(in: choice.environment).dropFirst()
        var source = "from \(definition.place)"
        for other in others { source += "; replaces \(other.place)\(other.text.isEmpty ? "" : " (\(self.value(of: row, other, state)))")" }
        if !row.ofEndpoints.isEmpty { source += "; replaced by \(row.ofEndpoints.map(\.place).joined(separator: ", "))" }
        return ["{{\(row.name)}}\(place): \(value)", source, uses(of: row)]
    }

    private func uses(of row: VariableTable.Row) -> String {
        guard !row.uses.isEmpty else { return "not used in the files" }
        return "used \(ItemCount.text(row.uses.count, "time")): " + row.uses.map { "\($0.file):\($0.line)" }.joined(separator: ", ")
    }

    /// The value with its templates resolved, as far as that is known before sending; nil where it cannot be.
    private func resolved(_ name: String, in environment: String?, _ state: AppState) -> String? {
        var other = state
        other.environment = environment
        let preview = RequestPreview(other, Endpoint(target: "", name: "", path: ""))
        do throws(TemplateError) {
            let text = try preview.resolve("{{\(name)}}")
            return state.revealsSecrets ? text : state.secrets.masked(text)
        } catch {
            return error.undefined.map { "nothing defines {{\($0.name)}}" } ?? error.message
        }
    }
}
