internal import Model

/// Tells on stderr what happens while a request runs: decisions with `-v`, and a line of progress for a person.
final class SendReporter {
    private let output: OutputOptions
    /// Looked at for each line, because plugins use secrets while the request runs.
    private let live: LiveRedaction
    private var redaction: Redaction { live.current }
    private let line: TransferLine

    init(output: OutputOptions, redaction: LiveRedaction, line: TransferLine) {
        self.output = output
        live = redaction
        self.line = line
    }

    func report(_ event: CallEvent) {
        switch event {
        case .decided(let decision):
            if output.verbose { tell("* \(decision.subject.rawValue): \(decision.text)") }
        case .logged(let record):
            // Further in than lines of ours, so that no line of a body can look like one of them.
            guard output.verbose else { return }
            for text in record.text(redaction: redaction).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast() {
                tell("  \(text)")
            }
        case .progressed(let progress):
            show(progress)
        case .queued(let reason):
            if let reason { line.show("queued: \(reason)") } else { line.clear() }
        case .finished(let exchange):
            line.clear()
            if output.verbose { tell(exchange) }
        case .signalled(.authExpired(let text)):
            if output.verbose { tell("* auth: the login has expired: \(text)") }
        case .responded, .grew, .retrying, .parked, .signalled:
            break
        }
    }

    private func show(_ progress: Progress) {
        var parts: [String] = []
        if progress.sent > 0 { parts.append("↑ \(amount(progress.sent, of: progress.sentTotal))") }
        if progress.received > 0 { parts.append("↓ \(amount(progress.received, of: progress.receivedTotal))") }
        guard !parts.isEmpty else { return }
        line.show(parts.joined(separator: "   "))
    }

    private func amount(_ bytes: Int64, of total: Int64?) -> String {
        guard let total, total > 0 else { return ByteCount(bytes).text }
        return "\(min(100, bytes * 100 / total)) %  \(ByteCount(bytes).text) of \(ByteCount(total).text)"
    }

    private func tell(_ exchange: Exchange) {
        tell("> \(exchange.request.method) \(exchange.attempts.last?.url ?? exchange.request.url)")
        for field in redaction.masked(exchange.sentHeaders).fields { tell("> \(field.name): \(field.value)") }
        guard let response = exchange.response else { return }
        tell("< HTTP/\(response.httpVersion) \(response.status) \(response.reason)")
        for field in redaction.masked(response.headers).fields { tell("< \(field.name): \(field.value)") }
    }

    private func tell(_ text: String) {
        line.clear()
        StandardError.line(redaction.masked(text))
    }
}
