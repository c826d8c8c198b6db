internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The details of a transfer in a popup, which are updated while it is open.
struct TransferPopup: ReadingPopup {
    var id: CallID
    var position = ReadingPosition()

    var guideAddress: String? { "transfers#the-queue" }
    var name: String { "the details of the transfer" }

    func plainText(_ state: AppState) -> String {
        text(width: 10_000, state).lines.map { $0.reduce("") { $0 + $1.text } }.joined(separator: "\n")
    }

    func text(width: Int, _ state: AppState) -> ReadingText {
        guard let queued = QueuedCall(state.calls[id]) else {
            return ReadingText(title: "Transfer", subtitle: "", lines: [[Span("The transfer is no longer in the list.", .muted)]])
        }
        let (call, transfer) = (queued.call, queued.transfer)
        var lines: [[Span]] = []
        func add(_ name: String, _ text: String, _ style: Style = .text) {
            guard !text.isEmpty else { return }
            let head = ColumnText.padded(name, to: 12)
            for (index, piece) in WrappedText.lines(state.redaction.masked(text), width: max(10, width - 12)).enumerated() {
                lines.append([Span(index == 0 ? head : String(repeating: " ", count: 12), .info), Span(piece, style)])
            }
        }
        let status = queued.stateText(state)
        add("state", status.text.isEmpty ? "running" : status.text, status.style)
        if let bar = transfer.bar { lines.append([Span(ColumnText.padded("", to: 12))] + bar.spans(width: min(60, max(8, width - 12)))) }
        let preview = RequestPreview(state, transfer.order.endpoint)
        add("URL", transfer.result.map { $0.exchange.request.url.description } ?? preview.text)
        add("environment", transfer.order.environment ?? "")
        if !transfer.isUpload {
            add("destination", transfer.order.destination ?? "")
            add("file", transfer.file ?? "")
            add("options", transfer.order.endpoint.download?.optionText ?? "")
            add("expected", transfer.order.endpoint.download?.digest.map { "sha256 \($0.hexadecimal)" } ?? "")
            if let file = transfer.order.file, queued.state != .done { add("part", DownloadName.part(of: file)) }
        }
        addProgress(of: queued, add)
        for (number, segment) in transfer.progress.segments.enumerated() {
            add("segment \(number + 1)", "\(segment.start)–\(segment.end): \(segment.received) received, \(segment.remaining) missing", .text)
        }
        if let result = transfer.result {
            let last = result.exchange.response.map { StatusText.line($0) } ?? ""
            add("attempts", "\(result.exchange.attempts.count)\(last.isEmpty ? "" : ", the last response: \(last)")")
            add("sha256", result.digest.map(\.hexadecimal) ?? "")
            if let error = result.error { add("error", [error.message, error.workbenchHint].compactMap { $0 }.joined(separator: "; "), .error) }
        }
        if transfer.isUpload, let response = call.exchange?.response { add("response", StatusText.line(response)) }
        lines.append([Span("")])
        lines.append([Span(call.decisions.isEmpty ? "No decisions yet." : "Decisions", .muted)])
        for decision in call.decisions {
            let head = ColumnText.right(NumberText.moment(decision.time), to: 7) + "  "
            for (index, piece) in WrappedText.lines(
                state.redaction.masked("\(decision.subject.rawValue): \(decision.text)"), width: max(10, width - 9)
            ).enumerated() {
                lines.append([Span(index == 0 ? head : String(repeating: " ", count: 9), .muted), Span(piece)])
            }
        }
        return ReadingText(title: transfer.name, subtitle: transfer.endpoint.path, lines: lines)
    }

    private func addProgress(of queued: QueuedCall, _ add: (String, String, Style) -> Void) {
        let transfer = queued.transfer
        let progress = transfer.progress
        var bytes = "\(progress.received)"
        if let total = progress.total { bytes += " of \(total)" }
        if transfer.saved > 0, queued.state != .done { bytes += ", \(transfer.saved) saved on the disk" }
        add("bytes", bytes, .text)
        if progress.average >= 1 {
            add("rate", "\(ByteText.rate(progress.rate)) now, \(ByteText.rate(progress.average)) on average", .text)
        }
        if transfer.elapsed > 0 { add("time", NumberText.seconds(transfer.elapsed), .text) }
        if transfer.resumedAt > 0 { add("resumed at", "\(transfer.resumedAt)", .text) }
        if transfer.restarts > 0 { add("restarts", "\(transfer.restarts)\(transfer.restart.map { ": \($0.text)" } ?? "")", .warning) }
    }
}
