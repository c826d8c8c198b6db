internal import Terminal

/// Draws the file picker.
extension AppState {
    private var pickerRect: Rect {
        let whole = Rect(origin: .zero, size: size).split(bottomHeight: 1).top
        return whole.centered(Size(width: min(100, max(20, whole.width - 4)), height: min(40, max(6, whole.height - 2))))
    }

    /// The area of the entries, below the folder and the typed text.
    var pickerRows: Rect { pickerRect.inset(columns: 2, rows: 1).split(topHeight: 2).bottom }

    private func pickerTop(_ picker: FilePicker) -> Int {
        Window.limited(picker.selected - pickerRows.height * 2 / 3, count: picker.shown.count, height: pickerRows.height)
    }

    func drawPicker(_ picker: FilePicker, on canvas: inout Canvas) {
        let rect = pickerRect
        canvas.fill(rect, style: .overlay)
        canvas.box(
            rect, title: [Span("Choose a file", .titleFocused)], trailing: [Span(pickerCount(picker), .muted)], style: .borderFocused)
        let inner = rect.inset(columns: 2, rows: 1)
        canvas.write(CellWidth.truncatedAtStart(picker.folder, to: inner.width), at: inner.origin, style: .accent, width: inner.width)
        picker.filter.draw(
            on: &canvas, at: inner.origin.moved(rows: 1), width: inner.width, placeholder: "type a name, or a path with /")
        let rows = pickerRows
        if picker.shown.isEmpty { canvas.writeHint([pickerHint(picker)], in: rows, style: pickerHintStyle(picker)) }
        let top = pickerTop(picker)
        for offset in 0..<max(0, rows.height) where top + offset < picker.shown.count {
            let line = Rect(column: rows.column, row: rows.row + offset, width: rows.width, height: 1)
            draw(picker.entries[picker.shown[top + offset]], on: &canvas, in: line)
            if top + offset == picker.selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
    }

    private func draw(_ entry: FolderEntry, on canvas: inout Canvas, in line: Rect) {
        let side: String
        let style: Style
        switch entry.kind {
        case .folder: (side, style) = ("folder", .accent)
        case .file(let bytes): (side, style) = (ByteText.amount(bytes), .text)
        case .other: (side, style) = ("not a file", .muted)
        }
        let width = CellWidth.width(of: side)
        let nameWidth = max(0, line.width - width - 2)
        canvas.write(
            CellWidth.truncated(entry.isFolder ? entry.name + "/" : entry.name, to: nameWidth), at: line.origin, style: style, width: nameWidth)
        canvas.write(side, at: Point(column: line.endColumn - width, row: line.row), style: .muted)
    }

    private func pickerCount(_ picker: FilePicker) -> String {
        switch picker.state {
        case .reading: "reading…"
        case .failed: "Esc closes"
        case .read(let isCut): "\(picker.shown.count) of \(picker.entries.count)\(isCut ? " and more" : "")"
        }
    }

    private func pickerHint(_ picker: FilePicker) -> String {
        switch picker.state {
        case .reading: return "Reading the folder…"
        case .failed(let sentence): return sentence
        case .read:
            if !picker.filter.isEmpty { return "No name here holds that text." }
            return picker.entries.isEmpty ? "The folder is empty; ← goes up." : "All names here are hidden; ^T shows them."
        }
    }

    private func pickerHintStyle(_ picker: FilePicker) -> Style {
        if case .failed = picker.state { .error } else { .muted }
    }

    /// Handles the mouse: the wheel moves the selection, a click chooses.
    mutating func used(_ mouse: Mouse, on picker: FilePicker) -> [Effect] {
        var picker = picker
        switch mouse.kind {
        case .scrollUp, .scrollDown:
            picker.move(mouse.kind == .scrollUp ? .up : .down, page: 1)
            popup = .files(picker)
        case .press where !pickerRect.contains(mouse.position): popup = nil
        case .press:
            let index = mouse.position.row - pickerRows.row + pickerTop(picker)
            guard pickerRows.contains(mouse.position), picker.shown.indices.contains(index) else { return [] }
            picker.selected = index
            popup = .files(picker)
            return chooseFile(picker)
        case .release, .drag, .doubleClick: break
        }
        return []
    }
}
