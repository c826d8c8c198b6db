internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

internal import struct FoundationEssentials.Date

/// Draws the cached responses.
extension CachePopup {
    private static func frame(in whole: Rect) -> Rect {
        whole.width < 110 ? whole : whole.inset(columns: 4, rows: min(2, whole.height / 12))
    }

    /// The area of the entries, below the heading and above the details of the selected one.
    private static func rows(in frame: Rect) -> Rect { frame.inset(columns: 2, rows: 1).split(topHeight: 1).bottom.split(bottomHeight: 3).top }

    /// The number of visible entries.
    static func page(_ state: AppState) -> Int { rows(in: frame(in: state.popupArea)).height }

    private func top(height: Int) -> Int { Window.limited(selected - height * 2 / 3, count: entries.count, height: height) }

    /// The index of the entry at a point; nil outside the rows.
    func index(at point: Point, _ state: AppState) -> Int? {
        let rows = Self.rows(in: Self.frame(in: state.popupArea))
        let index = point.row - rows.row + top(height: rows.height)
        return rows.contains(point) && entries.indices.contains(index) ? index : nil
    }

    static func contains(_ point: Point, _ state: AppState) -> Bool { frame(in: state.popupArea).contains(point) }

    func draw(on canvas: inout Canvas, _ state: AppState) {
        let frame = Self.frame(in: state.popupArea)
        canvas.fill(frame, style: .overlay)
        let content = isRead ? "\(NumberText.count(entries.count, "response")) · \(ByteText.amount(Int64(size)))" + limit(state) : "reading…"
        canvas.box(
            frame, title: [Span("Cache", .titleFocused), Span("  \(content)", .muted)], trailing: state.closingHint, style: .borderFocused)
        let inner = frame.inset(columns: 2, rows: 1)
        let rows = Self.rows(in: frame)
        if isRead, entries.isEmpty {
            canvas.writeHint(["No response is cached. An endpoint with cache: keeps its responses."], in: rows)
        } else {
            canvas.write([Span(Self.columns("method", "status", "size", "age", "state", "on") + "URL", .muted)], at: inner.origin, width: inner.width)
        }
        let top = top(height: rows.height)
        for offset in 0..<max(0, rows.height) where top + offset < entries.count {
            let point = Point(column: rows.column, row: rows.row + offset)
            canvas.write(spans(of: entries[top + offset], state), at: point, width: rows.width)
            if top + offset == selected { canvas.select(row: point.row, in: rows, isFocused: true) }
        }
        drawFoot(on: &canvas, in: inner.split(bottomHeight: 3).bottom, state)
    }

    /// The limit of the cache, where the workspace sets one.
    private func limit(_ state: AppState) -> String {
        state.workspace.cacheLimit.map { " of \(ByteText.amount(Int64($0))), on disk and in memory each" } ?? ""
    }

    private static func columns(_ method: String, _ status: String, _ size: String, _ age: String, _ state: String, _ place: String) -> String {
        ColumnText.padded(method, to: 7) + ColumnText.padded(status, to: 7) + ColumnText.right(size, to: 7) + " " + ColumnText.right(age, to: 11)
            + "  " + ColumnText.padded(state, to: 8) + ColumnText.padded(place, to: 7)
    }

    private func spans(of entry: CacheEntry, _ state: AppState) -> [Span] {
        let text = Self.columns(
            StatusText.short(entry.method), String(entry.response.status), ByteText.amount(Int64(entry.response.body.count)),
            NumberText.seconds(entry.age(at: readAt).rounded(.down)), entry.isFresh(at: readAt) ? "fresh" : "expired",
            entry.isOnDisk ? "disk" : "memory")
        return [Span(text, .muted), Span(state.redaction.maskedURL(entry.url.description), entry.isFresh(at: readAt) ? .text : .muted)]
    }

    /// The full URL and the facts of the selected entry.
    private func drawFoot(on canvas: inout Canvas, in foot: Rect, _ state: AppState) {
        guard let chosen else { return }
        let urls = ColumnText.pieces(state.redaction.maskedURL(chosen.url.description), width: max(10, foot.width)).prefix(2)
        for (offset, line) in urls.enumerated() { canvas.write(line, at: foot.origin.moved(rows: offset), style: .muted, width: foot.width) }
        canvas.write(CachedResponsePopup.facts(of: chosen), at: foot.origin.moved(rows: 2), style: .muted, width: foot.width)
    }
}
