internal import SortieHTTP
internal import SortieTerminal

/// The transfers tab: the queue in its order, calls with large bodies, then ended ones.
extension TransfersFeature {
    func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) {
        let rows = state.transferRows
        guard !rows.isEmpty else {
            canvas.writeHint(["There are no transfers. Downloads, uploads and large bodies are shown here."], in: rect)
            return
        }
        let selected = state.states[TransfersState.self].index(in: rows)
        let window = ListWindow(rect, showing: selected, of: rows.count)
        let columns = TransferColumns(rows[window.indices].map { TransferLine($0, state) }, width: rect.width, now: state.now)
        for (offset, index) in window.indices.enumerated() {
            let line = window.line(of: index)
            canvas.write(columns.spans(offset), at: line.origin, width: rect.width)
            if index == selected { canvas.select(row: line.row, in: rect, isFocused: state.isActive(.bottom)) }
        }
        state.drawSearch(.transfers, on: &canvas, in: rect)
    }

    func click(row: Int, height: Int, _ state: inout AppState) {
        let rows = state.transferRows
        let selected = state.states[TransfersState.self].index(in: rows)
        let top = Window.top(showing: selected, count: rows.count, height: height)
        state.states[TransfersState.self].select(top + row, in: rows)
    }
}

extension TransferLine {
    /// The line of a row.
    init(_ row: TransferRow, _ state: AppState) {
        switch row {
        case .transfer(let queued): self.init(queued, state)
        case .call(let call) where call.isInFlight: self.init(call)
        case .call(let call): self.init(ended: call, state)
        case .detached(let row): self.init(row, state)
        }
    }

    /// The line of a queued transfer.
    init(_ queued: QueuedCall, _ app: AppState) {
        let transfer = queued.transfer
        self.init(mark: queued.mark, arrow: transfer.isUpload ? "↑" : "↓", name: transfer.name)
        let progress = transfer.progress
        bar = transfer.bar
        isMoving = queued.isMoving
        if let total = progress.total, total > 0 {
            self[.percent] = NumberText.percent(Double(progress.received) / Double(total))
            self[.bytes] = progress.received == total ? ByteText.amount(total) : ByteText.share(progress.received, of: total)
        } else if progress.received > 0 {
            self[.bytes] = ByteText.amount(progress.received)
        }
        if queued.isMoving {
            if progress.rate >= 1 { self[.rate] = ByteText.rate(progress.rate) }
            if progress.average >= 1 { self[.average] = "⌀ " + ByteText.rate(progress.average) }
            self[.curve] = Sparkline.text(transfer.rates)
            if let remaining = progress.remaining, progress.received != progress.total { self[.left] = NumberText.seconds(remaining) }
        } else if queued.isEnded, transfer.elapsed > 0 {
            self[.left] = "in " + NumberText.seconds(transfer.elapsed)
        }
        state = queued.stateText(app)
        state.text = app.redaction.masked(state.text)
    }

    /// The line of a call in flight.
    init(_ call: Call) {
        let isUp = call.isUploading
        self.init(mark: Span(call.isSuspended ? "⏸" : " ", .warning), arrow: isUp ? "↑" : "↓", name: call.name)
        let (done, total) = isUp ? (call.progress.sent, call.progress.sentTotal) : (call.progress.received, call.progress.receivedTotal)
        isMoving = !call.isSuspended
        if let total, total > 0 {
            bar = ProgressBar(Double(done) / Double(total))
            self[.percent] = NumberText.percent(Double(done) / Double(total))
            self[.bytes] = ByteText.share(done, of: total)
        } else if done > 0 {
            self[.bytes] = ByteText.amount(done)
        }
        if !call.isSuspended, let rate = call.meter.rate, rate >= 1 {
            self[.rate] = ByteText.rate(rate)
            if let total, total > done { self[.left] = NumberText.seconds(Double(total - done) / rate) }
        }
        state =
            call.isCancelling
            ? Span("cancelling", .muted) : call.isSuspended ? Span("paused", .warning) : Span(NumberText.seconds(call.elapsed), .muted)
    }

    /// The line of an ended call with a large body.
    private init(ended call: Call, _ app: AppState) {
        let isUpload = call.isMostlyUpload
        let (mark, words): (Span, Span) =
            if call.isCancelled {
                (Span("–", .muted), Span("cancelled", .muted))
            } else if let error = call.error {
                (Span("✗", .error), Span(app.redaction.masked(error.message), .error))
            } else {
                (Span("✓", .success), Span("done", .success))
            }
        self.init(mark: mark, arrow: isUpload ? "↑" : "↓", name: call.name)
        let bytes = isUpload ? call.progress.sent : call.progress.received
        if call.error == nil { bar = ProgressBar(1) }
        self[.bytes] = ByteText.amount(bytes)
        self[.left] = "in " + NumberText.seconds(call.duration)
        if call.duration > 0 { self[.average] = "⌀ " + ByteText.rate(Double(bytes) / call.duration) }
        state = words
    }
}
