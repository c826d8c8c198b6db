internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal

/// A row of the transfers tab.
enum TransferRow: Sendable {
    /// A download or an upload of the queue.
    case transfer(Transfer)
    /// A call with a large body.
    case call(Call)
    /// An ended call with a large body.
    case finished(FinishedTransfer)

    var id: CallID {
        switch self {
        case .transfer(let transfer): transfer.id
        case .call(let call): call.id
        case .finished(let finished): finished.id
        }
    }

    var target: String {
        switch self {
        case .transfer(let transfer): transfer.target
        case .call(let call): call.target
        case .finished(let finished): finished.target
        }
    }

    var name: String {
        switch self {
        case .transfer(let transfer): transfer.name
        case .call(let call): call.name
        case .finished(let finished): finished.name
        }
    }
}

/// The transfers tab: the queue in its order, calls with large bodies, then ended ones.
extension AppState {
    var transferRows: [TransferRow] {
        let plain = calls.values.filter { $0.isInFlight && $0.isTransfer && transfers[$0.id] == nil }.sorted { $0.id.number < $1.id.number }
        return transfers.active.map { .transfer($0) } + plain.map { .call($0) } + transfers.ended.map { .transfer($0) }
            + transfersTab.finished.map { .finished($0) }
    }

    /// The index of the selected row, or the nearest index when it was removed.
    func transferIndex(in rows: [TransferRow]) -> Int {
        rows.firstIndex { $0.id == transfersTab.selected } ?? transfersTab.place.clamped(to: 0...max(0, rows.count - 1))
    }

    var selectedTransfer: TransferRow? {
        guard bottomTab == .transfers else { return nil }
        let rows = transferRows
        return rows.isEmpty ? nil : rows[transferIndex(in: rows)]
    }

    mutating func selectTransfer(_ index: Int) {
        let rows = transferRows
        guard rows.indices.contains(index) else { return }
        transfersTab.place = index
        transfersTab.selected = rows[index].id
    }

    func transferTop(_ rows: [TransferRow], height: Int) -> Int {
        Window.limited(transferIndex(in: rows) - height * 2 / 3, count: rows.count, height: height)
    }

    func drawTransfers(on canvas: inout Canvas, in rect: Rect) {
        let rows = transferRows
        guard !rows.isEmpty else {
            canvas.writeHint(["There are no transfers. Downloads, uploads and large bodies are shown here."], in: rect)
            return
        }
        let top = transferTop(rows, height: rect.height)
        let shown = rows[top..<min(rows.count, top + max(0, rect.height))]
        let columns = TransferColumns(shown.map { line($0) }, width: rect.width, now: now)
        let selected = transferIndex(in: rows) - top
        for offset in columns.lines.indices {
            let point = Point(column: rect.column, row: rect.row + offset)
            canvas.write(columns.spans(offset), at: point, width: rect.width)
            if offset == selected { canvas.select(row: point.row, in: rect, isFocused: isActive(.bottom)) }
        }
        drawSearch(.transfers, on: &canvas, in: rect)
    }

    private func line(_ row: TransferRow) -> TransferLine {
        switch row {
        case .transfer(let transfer): line(transfer)
        case .call(let call): line(call)
        case .finished(let finished): line(finished)
        }
    }

    /// The line of a queued transfer.
    func line(_ transfer: Transfer) -> TransferLine {
        var line = TransferLine(mark: transfer.mark, arrow: transfer.isUpload ? "↑" : "↓", name: transfer.name)
        let progress = transfer.progress
        line.bar = transfer.bar
        line.isMoving = transfer.phase == .running
        if let total = progress.total, total > 0 {
            line[.percent] = NumberText.percent(Double(progress.received) / Double(total))
            line[.bytes] = progress.received == total ? ByteText.amount(total) : ByteText.share(progress.received, of: total)
        } else if progress.received > 0 {
            line[.bytes] = ByteText.amount(progress.received)
        }
        if transfer.phase == .running {
            if progress.rate >= 1 { line[.rate] = ByteText.rate(progress.rate) }
            if progress.average >= 1 { line[.average] = "⌀ " + ByteText.rate(progress.average) }
            line[.curve] = Sparkline.text(transfer.rates)
            if let remaining = progress.remaining, progress.received != progress.total { line[.left] = NumberText.seconds(remaining) }
        } else if transfer.isEnded, transfer.elapsed > 0 {
            line[.left] = "in " + NumberText.seconds(transfer.elapsed)
        }
        line.state = transfer.stateText(self)
        line.state.text = redaction.masked(line.state.text)
        return line
    }

    /// The line of a call.
    func line(_ call: Call) -> TransferLine {
        let isUp = call.isUploading
        var line = TransferLine(mark: Span(call.isSuspended ? "⏸" : " ", .warning), arrow: isUp ? "↑" : "↓", name: call.name)
        let (done, total) = isUp ? (call.progress.sent, call.progress.sentTotal) : (call.progress.received, call.progress.receivedTotal)
        line.isMoving = !call.isSuspended
        if let total, total > 0 {
            line.bar = ProgressBar(Double(done) / Double(total))
            line[.percent] = NumberText.percent(Double(done) / Double(total))
            line[.bytes] = ByteText.share(done, of: total)
        } else if done > 0 {
            line[.bytes] = ByteText.amount(done)
        }
        if !call.isSuspended, let rate = call.meter.rate, rate >= 1 {
            line[.rate] = ByteText.rate(rate)
            if let total, total > done { line[.left] = NumberText.seconds(Double(total - done) / rate) }
        }
        line.state =
            call.phase == .cancelling
            ? Span("cancelling", .muted) : call.isSuspended ? Span("paused", .warning) : Span(NumberText.seconds(call.elapsed), .muted)
        return line
    }

    private func line(_ finished: FinishedTransfer) -> TransferLine {
        let mark: Span
        let words: Span
        switch finished.outcome {
        case .done: (mark, words) = (Span("✓", .success), Span("done", .success))
        case .cancelled: (mark, words) = (Span("–", .muted), Span("cancelled", .muted))
        case .failed(let sentence): (mark, words) = (Span("✗", .error), Span(redaction.masked(sentence), .error))
        }
        var line = TransferLine(mark: mark, arrow: finished.isUpload ? "↑" : "↓", name: finished.name)
        if finished.outcome == .done { line.bar = ProgressBar(1) }
        line[.bytes] = ByteText.amount(finished.bytes)
        line[.left] = "in " + NumberText.seconds(finished.seconds)
        if finished.seconds > 0 { line[.average] = "⌀ " + ByteText.rate(Double(finished.bytes) / finished.seconds) }
        line.state = words
        return line
    }
}
