internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal

/// Draws the comparison.
extension ComparePopup {
    func draw(on canvas: inout Canvas, _ state: AppState) {
        let rect = state.readingRect
        let inner = rect.inset(columns: 2, rows: 1)
        let top = Window.limited(top, count: rows.count, height: inner.height - 1)
        var trailing = [Span(state.key(.close, in: .comparing), .key), Span(" closes", .muted)]
        if rows.count > inner.height - 1 { trailing.append(Span("  \(min(rows.count, top + inner.height - 1))/\(rows.count)", .muted)) }
        let result =
            comparison.areEqual
            ? Span("  equal", .success) : Span(comparison.isUnknown ? "  unknown: a body is missing" : "  they differ", .warning)
        let numbers = Span("  #\(comparison.left.number) with #\(comparison.right.number)", .muted)
        _ = canvas.popup(rect, title: [Span("Compare", .titleFocused), numbers, result], trailing: trailing)
        guard inner.height > 1 else { return }
        canvas.write(heading(width: inner.width, moment), at: inner.origin, width: inner.width)
        for offset in 0..<(inner.height - 1) where top + offset < rows.count {
            let point = inner.origin.moved(rows: offset + 1)
            var part = Canvas(size: Size(width: inner.width, height: 1))
            part.fill(part.bounds, style: .overlay)
            let isFixed = if case .fact = rows[top + offset] { true } else { false }
            part.write(spans(of: rows[top + offset], width: inner.width, state.redaction), at: Point(column: isFixed ? 0 : -left, row: 0))
            canvas.paste(part, at: point)
        }
    }

    private func heading(width: Int, _ moment: HistoryMoment?) -> [Span] {
        let room = Self.factRoom(width)
        func words(_ item: HistoryItem) -> String {
            "#\(item.number)  \(moment?.long(item.startedAt) ?? "")  \(item.shownMethod) \(item.target ?? item.url)"
        }
        return [
            Span(String(repeating: " ", count: Self.factName)), Span(ColumnText.padded(words(comparison.left), to: room) + "  ", .strong),
            Span(CellWidth.truncated(words(comparison.right), to: room), .strong),
        ]
    }

    private static let factName = 18

    private static func factRoom(_ width: Int) -> Int { max(8, (width - factName - 2) / 2) }

    private func spans(of row: Row, width: Int, _ redaction: Redaction) -> [Span] {
        func plain(_ text: String) -> String {
            var column = 2
            return ColumnText.expandingTabs(redaction.masked(text), column: &column)
        }
        switch row {
        case .heading(let text): return [Span(text, .title)]
        case .fact(let fact):
            let room = Self.factRoom(width)
            // A difference that disappears by rounding is not shown as one.
            let isDifferent = fact.isDifferent && (fact.counts || fact.left != fact.right)
            let style: (Style, Style) = isDifferent ? (fact.counts ? (.error, .success) : (.info, .info)) : (.text, .text)
            return [
                Span(isDifferent ? "≠ " : "  ", fact.counts ? .warning : .muted),
                Span(ColumnText.padded(CellWidth.truncated(fact.name, to: Self.factName - 3), to: Self.factName - 2), .muted),
                Span(ColumnText.padded(redaction.masked(fact.left ?? "–"), to: room) + "  ", style.0),
                Span(CellWidth.truncated(redaction.masked(fact.right ?? "–"), to: room), style.1),
            ]
        case .removed(let text): return [Span("- " + plain(text), .error)]
        case .added(let text): return [Span("+ " + plain(text), .success)]
        case .same(let text): return [Span("  " + plain(text))]
        case .ignored(let text): return [Span("  " + plain(text), .muted)]
        case .folded(let text): return [Span("  ⋯ " + text, .muted)]
        case .note(let text): return [Span(redaction.masked(text), .info)]
        case .blank: return []
        }
    }
}
