internal import Model
internal import Terminal

/// One row of the board of transfers.
struct TransferRow: Hashable, Sendable {
    var id: CallID
    var target: String
    var name: String
    /// Nil while it runs.
    var finished: FinishedTransfer?
}

/// The board of transfers: what runs, then what ended.
extension AppState {
    var transferRows: [TransferRow] {
        let running = calls.values.filter { $0.isInFlight && $0.isTransfer }.sorted { $0.id.number < $1.id.number }
        return running.map { TransferRow(id: $0.id, target: $0.target, name: $0.name) }
            + bottom.finished.map { TransferRow(id: $0.id, target: $0.target, name: $0.name, finished: $0) }
    }

    var selectedTransfer: TransferRow? {
        guard bottom.tab == .transfers else { return nil }
        let rows = transferRows
        return rows.indices.contains(bottom.transfer) ? rows[bottom.transfer] : rows.last
    }

    func transferTop(height: Int) -> Int {
        Window.limited(bottom.transfer - height * 2 / 3, count: transferRows.count, height: height)
    }

    func drawTransfers(on canvas: inout Canvas, in rect: Rect) {
        let rows = transferRows
        guard !rows.isEmpty else {
            canvas.writeHint(["Nothing is being transferred. Downloads, uploads and large bodies are shown here."], in: rect)
            return
        }
        let top = transferTop(height: rect.height)
        let nameWidth = min(rows.reduce(8) { max($0, CellWidth.width(of: $1.name)) }, max(8, rect.width / 4))
        for offset in 0..<rect.height where top + offset < rows.count {
            let row = rows[top + offset]
            let point = Point(column: rect.column, row: rect.row + offset)
            draw(row, nameWidth: nameWidth, on: &canvas, at: point, width: rect.width)
            if row == selectedTransfer { canvas.select(row: point.row, in: rect, isFocused: focus == .bottom && popup == nil) }
        }
        drawSearch(.transfers, on: &canvas, in: rect)
    }

    private func draw(_ row: TransferRow, nameWidth: Int, on canvas: inout Canvas, at point: Point, width: Int) {
        let name = ColumnText.padded(row.name, to: nameWidth)
        if let finished = row.finished {
            let mark: Span
            let words: Span
            switch finished.outcome {
            case .done: (mark, words) = (Span("✓ ", .success), Span("done"))
            case .cancelled: (mark, words) = (Span("– ", .muted), Span("cancelled", .muted))
            case .failed(let sentence): (mark, words) = (Span("✗ ", .error), Span(sentence, .error))
            }
            var facts = "\(ByteText.amount(finished.bytes)) in \(NumberText.seconds(finished.seconds))"
            if finished.seconds > 0 { facts += ", \(ByteText.rate(Double(finished.bytes) / finished.seconds))" }
            let arrow = finished.isUpload ? "↑ " : "↓ "
            canvas.write(
                [mark, Span(arrow, .muted), Span(name), Span("  " + facts + "  ", .muted), words], at: point, width: width)
            return
        }
        guard let call = calls[row.target] else { return }
        let isUp = call.isUploading
        var line =
            progressLines(call).last { $0.mark.text == (isUp ? "↑" : "↓") }
            ?? ProgressLine(mark: Span("↓", .accent), facts: [], now: now)
        line.facts.append(NumberText.seconds(call.elapsed))
        line.mark = Span((isUp ? "↑ " : "↓ ") + name + " ", .text)
        if call.phase == .cancelling { line.facts = ["cancelling"] }
        line.draw(on: &canvas, at: point, width: width)
    }
}
