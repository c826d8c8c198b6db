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

    init(_ state: AppState) {
        self.state = state
        list = ResponseView.listRect(state.layout)
        head = state.openCall.map { [list] in ResponseHead(state, $0, width: list.width).rows } ?? []
    }

    /// The number of visible body rows.
    var height: Int { max(1, list.height - head.count) }

    /// The width of the text of a body, beside the line numbers.
    func textWidth(_ body: BodyView) -> Int { max(1, list.width - numberWidth(body)) }

    func draw(_ call: Call, on canvas: inout Canvas) {
        guard !list.isEmpty else { return }
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
        draw(body, on: &canvas, in: area)
    }

    private func noBodyHint(_ call: Call) -> String {
        guard call.kind == .download else { return "The response has no body." }
        return "The body of a download is saved to a file; \(state.key(.openTransferFolder)) in Transfers opens its folder."
    }

    private func draw(_ body: BodyView, on canvas: inout Canvas, in area: Rect) {
        let shown = state.responseState
        let top = shown.top.clamped(to: 0...max(0, body.rowCount - 1))
        let search = state.searchTerms[.response].map { BodySearch($0) }
        let rows = body.rows(top..<top + area.height, marking: search, current: shown.match)
        let numbers = numberWidth(body)
        var part = Canvas(size: Size(width: max(0, area.width - numbers), height: area.height))
        for (offset, row) in rows.enumerated() {
            let isCurrent = shown.match.map { row.sourceRange.contains($0.lowerBound) } ?? false
            part.write(spans(of: row), at: Point(column: -shown.left, row: offset))
            if numbers > 0, let number = row.number {
                let text = ColumnText.right(String(number), to: numbers - 1)
                canvas.write(text, at: Point(column: area.column, row: area.row + offset), style: isCurrent ? .accent : .muted)
            }
        }
        canvas.paste(part, at: Point(column: area.column + numbers, row: area.row))
        drawPosition(body, shown, on: &canvas, lastRow: min(body.rowCount, top + area.height))
    }

    private func numberWidth(_ body: BodyView) -> Int {
        guard body.mode != .hex else { return 0 }
        let digits = max(3, String(max(1, body.rowCount)).count) + 1
        return list.width >= 60 || digits < 5 ? digits : 0
    }

    /// Draws the position in the body and the display mode on the lower border.
    private func drawPosition(_ body: BodyView, _ shown: ResponseState, on canvas: inout Canvas, lastRow: Int) {
        var text = " \(body.mode.rawValue) · \(lastRow)/\(body.rowCount)\(body.isComplete ? "" : "+") "
        if !body.isComplete, body.isFinal { text = " \(NumberText.percent(body.progress)) read ·" + text }
        if let matches = shown.matchPosition(in: body) {
            let both = " match \(matches) ·" + text
            // The position of the match is more important than that of the rows.
            text = CellWidth.width(of: both) + 4 < list.width ? both : " match \(matches) "
        }
        let width = CellWidth.width(of: text)
        guard width + 4 < list.width else { return }
        let pane = state.layout.response
        canvas.write(text, at: Point(column: pane.endColumn - 2 - width, row: pane.endRow - 1), style: .muted)
    }

    private func spans(of row: BodyRow) -> [Span] {
        var column = 0
        return row.spans.map { span in
            let style: Style = span.isCurrent ? .currentMatch : span.isMatch ? .searchMatch : Self.style(of: span.kind)
            return Span(ColumnText.expandingTabs(span.text, column: &column), style)
        }
    }

    private static func style(of kind: BodySpan.Kind) -> Style {
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
}
