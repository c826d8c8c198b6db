internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal

/// The Body tab. Only the visible rows are computed, so the size of the body does not matter.
extension AppState {
    func drawBodyTab(_ call: Call, on canvas: inout Canvas, in list: Rect) {
        guard !list.isEmpty else { return }
        let head = responseHead(call, width: list.width)
        for (offset, row) in head.prefix(list.height).enumerated() {
            let point = Point(column: list.column, row: list.row + offset)
            switch row {
            case .progress(let line): line.draw(on: &canvas, at: point, width: list.width)
            case .text(let spans): canvas.write(spans, at: point, width: list.width)
            }
        }
        let area = list.split(topHeight: head.count).bottom
        guard area.height > 0 else { return }
        guard let body = call.body, !body.bytes.isEmpty else {
            if call.error == nil, call.exchange != nil { canvas.writeHint([noBodyHint(call)], in: area) }
            return
        }
        drawBody(body, on: &canvas, in: area)
    }

    private func noBodyHint(_ call: Call) -> String {
        call.kind == .download
            ? "The body of a download is saved to a file; \(key(.openTransferFolder)) in Transfers opens its folder." : "The response has no body."
    }

    private func drawBody(_ body: BodyView, on canvas: inout Canvas, in area: Rect) {
        let top = responseState.top.clamped(to: 0...max(0, body.rowCount - 1))
        let search = searchTerms[.response].map { BodySearch($0) }
        let rows = body.rows(top..<top + area.height, marking: search, current: responseState.match)
        let numbers = body.mode == .hex ? 0 : numberWidth(body.rowCount, area.width)
        var part = Canvas(size: Size(width: max(0, area.width - numbers), height: area.height))
        for (offset, row) in rows.enumerated() {
            let isCurrent = responseState.match.map { row.sourceRange.contains($0.lowerBound) } ?? false
            part.write(spans(of: row), at: Point(column: -responseState.left, row: offset))
            if numbers > 0, let number = row.number {
                let text = ColumnText.right(String(number), to: numbers - 1)
                canvas.write(text, at: Point(column: area.column, row: area.row + offset), style: isCurrent ? .accent : .muted)
            }
        }
        canvas.paste(part, at: Point(column: area.column + numbers, row: area.row))
        drawPosition(body, top: top, on: &canvas, in: area)
    }

    func numberWidth(_ count: Int, _ width: Int) -> Int {
        let digits = max(3, String(max(1, count)).count) + 1
        return width >= 60 || digits < 5 ? digits : 0
    }

    /// Draws the position in the body and the display mode on the lower border.
    private func drawPosition(_ body: BodyView, top: Int, on canvas: inout Canvas, in area: Rect) {
        let shown = min(body.rowCount, top + area.height)
        var text = " \(body.mode.rawValue) · \(shown)/\(body.rowCount)\(body.isComplete ? "" : "+") "
        if !body.isComplete, body.isFinal { text = " \(NumberText.percent(body.progress)) read ·" + text }
        var width = CellWidth.width(of: text)
        if let matches = matchPosition(in: body) {
            let both = " match \(matches) ·" + text
            // The position of the match is more important than that of the rows.
            text = CellWidth.width(of: both) + 4 < area.width ? both : " match \(matches) "
            width = CellWidth.width(of: text)
        }
        guard width + 4 < area.width else { return }
        let place = Point(column: layout.response.endColumn - 2 - width, row: layout.response.endRow - 1)
        canvas.write(text, at: place, style: .muted)
    }

    private func spans(of row: BodyRow) -> [Span] {
        var column = 0
        return row.spans.map { span in
            let style: Style = span.isCurrent ? .currentMatch : span.isMatch ? .searchMatch : AppState.style(of: span.kind)
            return Span(ColumnText.expandingTabs(span.text, column: &column), style)
        }
    }

    static func style(of kind: BodySpan.Kind) -> Style {
        switch kind {
        case .key: .jsonKey
        case .string, .attribute: .jsonString
        case .number: .jsonNumber
        case .literal: .jsonLiteral
        case .punctuation: .jsonPunctuation
        case .text, .hexByte: .text
        case .tag: .accent
        case .comment, .hexOffset, .notice: .muted
        case .hexASCII: .info
        }
    }

    /// The number of visible body rows.
    var responseBodyHeight: Int {
        let list = responseListRect
        guard let call = openCall else { return max(1, list.height) }
        return max(1, list.height - responseHead(call, width: list.width).count)
    }
}
