internal import BodyViews
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The lines above a body: progress, errors and notices.
extension AppState {
    /// A row above the body.
    enum HeadRow: Hashable, Sendable {
        case progress(ProgressLine)
        case text([Span])
    }

    /// The rows above the body, wrapped to a width.
    func responseHead(_ call: Call, width: Int) -> [HeadRow] {
        var rows: [HeadRow] = []
        for line in past?.origin ?? [] { rows += wrapped(redaction.masked(line.text), line.isWarning ? .warning : .muted, width) }
        switch call.phase {
        case .sending where calls.isWaiting(call.id):
            let reason = calls[call.id]?.parking?.reason ?? ""
            rows += wrapped("Waits for the network: \(redaction.masked(reason))", .warning, width)
            rows += wrapped(
                "It is stored, also after the program ends, and sent when the server is reachable. \(key(.back)) cancels it.", .muted, width)
        case .sending, .cancelling:
            if let reason = call.queuedBecause {
                rows += wrapped("In the queue of the service: \(redaction.masked(reason))", .muted, width)
                rows += wrapped("This time does not count towards the total timeout. \(key(.back)) cancels it.", .muted, width)
            } else if let transfer = calls[call.id]?.transfer, !transfer.isUpload || transfer.phase == .queued {
                rows += transferHead(transfer, width)
            } else {
                rows += progressLines(call).map { .progress($0) }
            }
        case .notSent(let problem):
            rows += wrapped("Not sent: \(redaction.masked(problem.message))", .error, width)
            rows += wrapped(
                "In \(problem.location). Correct it there (\(key(.editOutside)) opens the file) or in Request, then send it with \(key(.send)).",
                .muted,
                width)
        case .finished(let exchange):
            if let error = exchange.error.map({ redaction.masked($0) }) {
                rows += wrapped(
                    call.isCancelled ? "Cancelled: \(error.message)" : error.message, call.isCancelled ? .warning : .error, width)
                if let hint = error.hint { rows += wrapped(hint, .muted, width) }
                rows += chainRows(call, width)
                if call.isCancelled { rows += wrapped("\(key(.send)) sends it again.", .muted, width) }
                // A response that was rejected because of its content is still complete.
                let isWhole = exchange.response.map { $0.truncation == nil } ?? false
                if let body = call.body, !body.bytes.isEmpty, !isWhole {
                    rows += wrapped("Received before that (\(ByteText.amount(Int64(body.bytes.count)))):", .muted, width)
                }
            }
            for failure in exchange.expectationResult?.failures ?? [] {
                rows += wrapped("Not as expected: \(redaction.masked(failure.description))", .error, width)
            }
            if let transfer = calls[call.id]?.transfer, let result = transfer.result {
                switch transfer.phase {
                case .ended(.done): rows += wrapped("Saved to \(result.file)", .success, width)
                case .ended(.failed(_, isResumable: true)), .ended(.cancelled(keepsPart: true)):
                    guard result.bytes > 0 else { break }
                    rows += wrapped(
                        "\(ByteText.amount(result.bytes)) are saved in \(transfer.order.file ?? result.file).part; \(key(.send)) resumes.", .muted,
                        width)
                default: break
                }
                if let digest = result.digest { rows += wrapped("sha256 \(digest.hexadecimal)", .muted, width) }
            }
            for notice in exchange.notices {
                let text = redaction.masked(notice)
                rows += wrapped(text.prefix(1).uppercased() + text.dropFirst(), .warning, width)
            }
            if let notice = exchange.undecodedNotice { rows += wrapped(notice.prefix(1).uppercased() + notice.dropFirst(), .warning, width) }
            if let truncation = exchange.response?.truncation, exchange.error == nil {
                rows += wrapped("The body is incomplete: \(truncation)", .warning, width)
            }
        }
        if let notice = call.body?.notice, call.body?.bytes.isEmpty == false { rows += wrapped(notice, .warning, width) }
        return rows
    }

    /// The certificates of an untrusted server, and what the user can do.
    private func chainRows(_ call: Call, _ width: Int) -> [HeadRow] {
        let chain = call.refusedChain
        guard !chain.isEmpty else { return [] }
        let lines = chain.enumerated().flatMap { index, certificate in
            wrapped("\(index + 1)  \(redaction.masked(certificate.text))", .text, width)
        }
        return wrapped("Certificates of the server:", .muted, width) + lines
            + wrapped("T copies the pin of the first one; trust it only after verifying it independently.", .muted, width)
    }

    /// The progress of a transfer, and the destination of a download.
    private func transferHead(_ transfer: Transfer, _ width: Int) -> [HeadRow] {
        let state = transfer.stateText(self)
        let line = TransferLine(transfer, self)
        let facts = [line[.percent], line[.bytes], line[.rate], line[.left].isEmpty ? "" : line[.left] + " left"].filter { !$0.isEmpty }
        var rows: [HeadRow] = [
            .progress(
                ProgressLine(
                    mark: Span(line.arrow, .accent), bar: transfer.bar ?? (transfer.phase == .running ? nil : ProgressBar(0)), facts: facts, now: now)
            )
        ]
        if !state.text.isEmpty { rows += wrapped(redaction.masked(state.text), state.style, width) }
        if let place = transfer.file ?? transfer.order.destination { rows += wrapped("To \(place)", .muted, width) }
        return rows
    }

    private func wrapped(_ text: String, _ style: Style, _ width: Int) -> [HeadRow] {
        WrappedText.lines(text, width: width).map { .text([Span($0, style)]) }
    }

    /// One progress bar for each direction of transfer.
    func progressLines(_ call: Call) -> [ProgressLine] {
        var lines: [ProgressLine] = []
        let progress = call.progress
        if progress.sent > 0 || (progress.sentTotal ?? 0) > 0 || call.kind == .upload {
            lines.append(progressLine("↑", progress.sent, progress.sentTotal, call, isActive: call.isUploading))
        }
        if !call.isUploading || progress.received > 0 {
            lines.append(progressLine("↓", progress.received, progress.receivedTotal, call, isActive: !call.isUploading))
        }
        return lines
    }

    private func progressLine(_ arrow: String, _ done: Int64, _ total: Int64?, _ call: Call, isActive: Bool) -> ProgressLine {
        var facts: [String] = []
        var fraction: Double?
        if let total, total > 0 {
            fraction = min(1, Double(done) / Double(total))
            facts = [NumberText.percent(fraction ?? 0), ByteText.share(done, of: total)]
        } else {
            facts = [done > 0 ? ByteText.amount(done) : call.response == nil ? "waiting for the response" : "waiting for the body"]
        }
        if isActive, let rate = call.meter.rate, rate >= 1 {
            facts.append(ByteText.rate(rate))
            if let total, total > done { facts.append(NumberText.seconds(Double(total - done) / rate) + " left") }
        }
        return ProgressLine(mark: Span(arrow, .accent), bar: fraction.map { ProgressBar($0) }, facts: facts, now: now)
    }
}
