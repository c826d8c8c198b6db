internal import SortieTerminal

/// Draws the files of the folder.
extension FilePicker {
    func frame(in area: Rect) -> Rect {
        area.centered(Size(width: min(100, max(20, area.width - 4)), height: min(40, max(6, area.height - 2))))
    }

    /// The area of the entries, below the folder and the typed text.
    func rows(in frame: Rect) -> Rect { frame.inset(columns: 2, rows: 1).split(topHeight: 2).bottom }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let rect = frame(in: state.popupArea)
        let title = purpose == .importing ? "Import a file or a folder" : "Choose a file"
        let inner = canvas.popup(rect, title: [Span(title, .titleFocused)], trailing: [Span(countText(state), .muted)])
        canvas.write(CellWidth.truncatedAtStart(folder, to: inner.width), at: inner.origin, style: .accent, width: inner.width)
        filter.draw(
            on: &canvas, at: inner.origin.moved(rows: 1), width: inner.width, placeholder: "type a name, or a path with /")
        let window = window(state)
        if shown.isEmpty { canvas.writeHint([hint(state)], in: window.rect, style: hintStyle) }
        for index in window.indices {
            let line = window.line(of: index)
            draw(entries[shown[index]], on: &canvas, in: line)
            if index == selected { canvas.select(row: line.row, in: line, isFocused: true) }
        }
    }

    private func draw(_ entry: FolderEntry, on canvas: inout Canvas, in line: Rect) {
        let side: String
        let style: Style
        switch entry.kind {
        case .folder: (side, style) = (entry.name == Self.wholeFolder ? "this whole folder" : "folder", .accent)
        case .file(let bytes): (side, style) = (ByteText.amount(bytes), .text)
        case .other: (side, style) = ("not a file", .muted)
        }
        let width = CellWidth.width(of: side)
        let nameWidth = max(0, line.width - width - 2)
        canvas.write(
            CellWidth.truncated(entry.isFolder ? entry.name + "/" : entry.name, to: nameWidth), at: line.origin, style: style, width: nameWidth)
        canvas.write(side, at: Point(column: line.endColumn - width, row: line.row), style: .muted)
    }

    private func countText(_ app: AppState) -> String {
        switch state {
        case .reading: "reading…"
        case .failed: "\(app.key(.close, in: .files)) closes"
        case .read(let isCut): "\(shown.count) of \(entries.count)\(isCut ? " and more" : "")"
        }
    }

    private func hint(_ app: AppState) -> String {
        switch state {
        case .reading: return "Reading the folder…"
        case .failed(let sentence): return sentence
        case .read:
            if !filter.isEmpty { return "No name contains that text." }
            return entries.isEmpty
                ? "The folder is empty; \(app.key(.folderUp)) goes up." : "All names here are hidden; \(app.key(.toggleHidden)) shows them."
        }
    }

    private var hintStyle: Style {
        if case .failed = state { .error } else { .muted }
    }
}
