internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal

/// Draws the Body tab.
///
/// Only the visible rows are computed, so the size of the body does not matter.
struct BodyTabView {
    private let state: AppState
    /// The area of the tab.
    private let list: Rect
    private let head: [ResponseHead.Row]
    /// The rows of the filter: its text, and what is wrong with it.
    private let filterRows: [[Span]]

    init(_ state: AppState) {
        self.state = state
        list = ResponseView.listRect(state.layout)
        head = state.openCall.map { [list] in ResponseHead(state, $0, width: list.width).rows } ?? []
        filterRows = Self.filterRows(state, width: list.width)
    }

    /// The width of the tab.
    var width: Int { list.width }

    /// The number of visible body rows.
    var height: Int { max(1, list.height - head.count - filterRows.count) }

    /// The width of the text of a body, beside the line numbers.
    func textWidth(_ body: BodyView) -> Int { max(1, list.width - numberWidth(body)) }

    /// The row of the body at a point; nil beside the rows.
    func row(at point: Point, _ body: BodyView) -> Int? {
        let index = point.row - list.row - head.count - filterRows.count
        if let lines = wrappedLines(body) { return list.contains(point) && lines.indices.contains(index) ? lines[index].place.row : nil }
        let row = state.responseState.top + index
        return list.contains(point) && index >= 0 && row < body.rowCount ? row : nil
    }

    /// Whether a visible row is wider than what is shown of it.
    func goesOnRight(_ body: BodyView) -> Bool {
        let end = state.responseState.left + textWidth(body)
        return body.rows(state.responseState.top..<state.responseState.top + height).contains { row in
            var column = 0
            for span in row.spans { _ = ColumnText.expandingTabs(span.text, column: &column) }
            return column > end
        }
    }

    func draw(_ call: Call, on canvas: inout Canvas) {
        guard !list.isEmpty else { return }
        for (offset, row) in head.prefix(list.height).enumerated() {
            let point = Point(column: list.column, row: list.row + offset)
            switch row {
            case .progress(let line): line.draw(on: &canvas, at: point, width: list.width)
            case .text(let spans): canvas.write(spans, at: point, width: list.width)
            }
        }
        var area = list.split(topHeight: head.count).bottom
        drawFilter(on: &canvas, in: area)
        area = area.split(topHeight: filterRows.count).bottom
        guard area.height > 0 else { return }
        if let filter = state.responseState.filter, filter.results?.bytes.isEmpty == true {
            if !filter.isRunning, filter.problem == nil { canvas.writeHint(["The filter finds nothing."], in: area) }
            return
        }
        guard let body = state.openBody, !body.bytes.isEmpty else {
            if call.error == nil, call.exchange != nil { canvas.writeHint([noBodyHint(call)], in: area) }
            return
        }
        if let table = state.shownTable {
            let view = BodyTableView(table, in: area, isActive: state.isActive(.response))
            view.draw(on: &canvas)
            drawBorder(view.position, path: table.path, on: &canvas)
        } else if body.mode == .image {
            BodyPictureView(state, body).draw(on: &canvas, in: area)
        } else {
            draw(body, on: &canvas, in: area)
        }
    }

    /// The area of the body, below its head and the filter.
    var bodyArea: Rect { list.split(topHeight: min(list.height, head.count + filterRows.count)).bottom }

    /// The body with wrapped lines; nil where they are not wrapped.
    func wrapped(_ body: BodyView) -> WrappedBody? {
        let shown = state.responseState
        guard shown.wraps, body.mode == .pretty || body.mode == .raw, state.shownTable == nil else { return nil }
        let search = state.searchTerms[.response].map { BodySearch($0) }
        return WrappedBody(body, width: textWidth(body), height: height, marking: search, match: shown.match, spans(of:))
    }

    private func wrappedLines(_ body: BodyView) -> [WrappedBody.Line]? {
        guard let wrapped = wrapped(body) else { return nil }
        let shown = state.responseState
        let cursor = wrapped.clamped(.init(row: shown.row, piece: shown.piece))
        return wrapped.lines(from: wrapped.clamped(.init(row: shown.top, piece: shown.topPiece)), showing: cursor)
    }

    /// Draws the lines of a body whose long lines are wrapped.
    private func draw(_ lines: [WrappedBody.Line], of body: BodyView, on canvas: inout Canvas, in area: Rect) {
        let shown = state.responseState
        let numbers = numberWidth(body)
        let cursor = wrapped(body)?.clamped(.init(row: shown.row, piece: shown.piece))
        for (offset, line) in lines.enumerated() {
            let row = Rect(column: area.column + numbers, row: area.row + offset, width: max(0, area.width - numbers), height: 1)
            canvas.write(line.spans, at: row.origin, width: row.width)
            if numbers > 0, line.place.piece == 0, let number = line.source.number {
                let style: Style = line.place.row == shown.row ? .accent : .muted
                canvas.write(ColumnText.right(String(number), to: numbers - 1), at: Point(column: area.column, row: row.row), style: style)
            }
            guard line.place == cursor, state.isActive(.response) else { continue }
            canvas.restyle(row) { if $0.role != .currentMatch { $0.isSelected = true } }
        }
        drawPosition(body, shown, on: &canvas, lastRow: min(body.rowCount, (lines.last?.place.row ?? 0) + 1))
    }

    /// What is shown in place of a body; nothing where the lines above it say where the body is.
    private func noBodyHint(_ call: Call) -> String {
        if let transfer = state.calls[call.id]?.transfer, !transfer.isUpload, case .done? = transfer.result?.state {
            return "\(state.key(.openTransferFolder)) in Transfers opens the folder of the file."
        }
        let past = state.lastResponse(call)?.past ?? state.responses.past?.past
        return past?.bodyNote == nil ? "The response has no body." : ""
    }

    private func draw(_ body: BodyView, on canvas: inout Canvas, in area: Rect) {
        if let lines = wrappedLines(body) {
            draw(lines, of: body, on: &canvas, in: area)
            return
        }
        let shown = state.responseState
        let top = shown.top.clamped(to: 0...max(0, body.rowCount - 1))
        let search = state.bodySearch(.response)
        let rows = body.rows(top..<top + area.height, marking: search, current: shown.match)
        let numbers = numberWidth(body)
        var part = Canvas(size: Size(width: max(0, area.width - numbers), height: area.height))
        for (offset, row) in rows.enumerated() {
            let isCurrent = shown.match.map { row.sourceRange.contains($0.lowerBound) } ?? (top + offset == shown.row)
            part.write(spans(of: row), row: offset, hiding: shown.left)
            if numbers > 0, let number = row.number {
                let text = ColumnText.right(String(number), to: numbers - 1)
                canvas.write(text, at: Point(column: area.column, row: area.row + offset), style: isCurrent ? .accent : .muted)
            }
        }
        if shown.row >= top, shown.row < top + rows.count, state.isActive(.response) {
            let row = Rect(column: 0, row: shown.row - top, width: part.bounds.width, height: 1)
            part.restyle(row) { if $0.role != .currentMatch { $0.isSelected = true } }
        }
        // Results of an earlier text stay visible while another one is typed.
        if shown.filter?.isOutdated == true { part.restyle(part.bounds) { $0.role = .muted } }
        canvas.paste(part, at: Point(column: area.column + numbers, row: area.row))
        drawPosition(body, shown, on: &canvas, lastRow: min(body.rowCount, top + area.height))
    }

    private func numberWidth(_ body: BodyView) -> Int {
        guard body.mode != .hex, !body.foldsShownMessages else { return 0 }
        let digits = max(3, String(max(1, body.lineCount)).count) + 1
        return list.width >= 60 || digits < 5 ? digits : 0
    }

    /// Draws the position in the body and the display mode on the lower border.
    private func drawPosition(_ body: BodyView, _ shown: ResponseState, on canvas: inout Canvas, lastRow: Int) {
        let mode = shown.wraps && wrapped(body) != nil ? "\(body.mode.rawValue), wrapped" : body.mode.rawValue
        var text = " \(mode) · \(lastRow)/\(body.rowCount)\(body.isComplete ? "" : "+") "
        if !body.isComplete, body.isFinal { text = " \(NumberText.percent(body.progress)) read ·" + text }
        if let matches = shown.matchPosition(in: body) {
            let both = " match \(matches) ·" + text
            // The position of the match is more important than that of the rows.
            text = CellWidth.width(of: both) + 4 < list.width ? both : " match \(matches) "
        }
        if let progress = ResponseFeature.searchProgress(state.shownKey, state) {
            text = CellWidth.width(of: text) + CellWidth.width(of: progress) + 6 < list.width ? " \(progress) ·\(text)" : " \(progress) "
        }
        drawBorder(text, path: body.place(inRow: shown.row)?.text, on: &canvas)
    }

    /// Draws the position and the path of the cursor on the lower border.
    private func drawBorder(_ text: String, path: String?, on canvas: inout Canvas) {
        let width = CellWidth.width(of: text)
        guard width + 4 < list.width else { return }
        let pane = state.layout.response
        canvas.write(text, at: Point(column: pane.endColumn - 2 - width, row: pane.endRow - 1), style: .muted)
        drawPath(path, on: &canvas, room: pane.width - width - 6)
    }

    /// Draws the path of the value at the cursor on the lower border; of a long path, the end.
    private func drawPath(_ path: String?, on canvas: inout Canvas, room: Int) {
        guard state.isActive(.response), room > 8, let path else { return }
        let text = CellWidth.truncatedAtStart(VisibleText.of(path), to: room - 2)
        let pane = state.layout.response
        canvas.write(" \(text) ", at: Point(column: pane.column + 2, row: pane.endRow - 1), style: .muted)
    }

    private static func filterRows(_ state: AppState, width: Int) -> [[Span]] {
        let field = state.responses.filterField
        guard state.responseState.filter != nil || field != nil else { return [] }
        let filter = state.responseState.filter
        var rows: [[Span]] = []
        let status = filter.map { $0.status.isEmpty ? "" : " · \($0.status)" } ?? ""
        // In the order in which the key goes back.
        let next = state.searchTerms[.response] != nil ? "ends the search" : state.shownTable != nil ? "shows the tree" : "shows the whole body"
        var hint = " · \(state.key(.back)) \(next)"
        let text = filter?.text ?? ""
        // The number of results is more important than the end of the text.
        if CellWidth.width(of: text) + CellWidth.width(of: status + hint) + 7 > width { hint = "" }
        let room = max(8, width - 7 - CellWidth.width(of: status))
        rows.append([Span("Filter ", .muted), Span(CellWidth.truncated(text, to: room), .accent), Span(status + hint, .muted)])
        if let problem = filter?.problem { rows += WrappedText.lines(problem, width: width).prefix(3).map { [Span($0, .error)] } }
        return rows
    }

    private func drawFilter(on canvas: inout Canvas, in area: Rect) {
        for (offset, row) in filterRows.prefix(area.height).enumerated() {
            let point = area.origin.moved(rows: offset)
            guard offset == 0, let field = state.responses.filterField else {
                canvas.write(row, at: point, width: area.width)
                continue
            }
            canvas.write("Filter ", at: point, style: .muted, width: area.width)
            let status = state.responseState.filter.map { $0.status.isEmpty ? "" : " " + $0.status } ?? ""
            let room = CellWidth.width(of: status)
            let width = max(1, area.width - 7 - (room < area.width / 2 ? room : 0))
            field.draw(on: &canvas, at: point.moved(columns: 7), width: width, placeholder: "$.items[*].id   or   .items[] | {id}")
            if room < area.width / 2 { canvas.write(status, at: point.moved(columns: 7 + width), style: .muted, width: room) }
        }
    }

    private func spans(of row: BodyRow) -> [Span] {
        var column = 0
        // Messages that were sent may have secrets, unlike the body of a response.
        let isRecord = state.openBody?.showsRecords == true
        let redaction = isRecord ? state.redaction : nil
        return (isRecord && list.width < Self.recordWidth ? Self.short(row.spans) : row.spans).map { span in
            let style: Style = span.isCurrent ? .currentMatch : span.isMatch ? .searchMatch : Style(span.kind)
            return Span(ColumnText.expandingTabs(redaction?.masked(span.text) ?? span.text, column: &column), style)
        }
    }

    /// The width below which a message of a WebSocket connection is shown with its direction and content only.
    private static let recordWidth = 50

    /// The row of a folded message without its time and size, which precede its content; other rows are unchanged.
    private static func short(_ spans: [BodySpan]) -> [BodySpan] {
        guard spans.count > 1, ["↑ ", "↓ ", "↻ "].contains(spans[0].text), spans[1].kind == .notice,
            let facts = spans[1].text.firstRange(of: " B  ")
        else { return spans }
        var spans = spans
        spans[1].text.removeSubrange(..<facts.upperBound)
        return spans
    }
}
