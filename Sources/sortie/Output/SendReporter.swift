internal import Model

/// Tells on stderr what happens while a request runs: decisions with `-v`, and a line of progress for a person.
final class SendReporter {
    private let output: OutputOptions
    private var hasProgress = false

    init(output: OutputOptions) {
        self.output = output
    }

    func report(_ event: CallEvent) {
        switch event {
        case .decided(let decision):
            if output.verbose { StandardError.line("* \(decision.subject.rawValue): \(decision.text)") }
        case .progressed(let progress):
            if StandardError.isTerminal, !output.json { show(progress) }
        case .finished(let exchange):
            clear()
            if output.verbose { tell(exchange) }
        case .responded, .grew:
            break
        }
    }

    private func show(_ progress: Progress) {
        var parts: [String] = []
        if progress.sent > 0 { parts.append("↑ \(amount(progress.sent, of: progress.sentTotal))") }
        if progress.received > 0 { parts.append("↓ \(amount(progress.received, of: progress.receivedTotal))") }
        guard !parts.isEmpty else { return }
        hasProgress = true
        StandardError.raw("\r\u{1b}[K\(parts.joined(separator: "   "))")
    }

    private func amount(_ bytes: Int64, of total: Int64?) -> String {
        guard let total, total > 0 else { return ByteCount(bytes).text }
        return "\(min(100, bytes * 100 / total)) %  \(ByteCount(bytes).text) of \(ByteCount(total).text)"
    }

    private func clear() {
        if hasProgress { StandardError.raw("\r\u{1b}[K") }
        hasProgress = false
    }

    private func tell(_ exchange: Exchange) {
        let sent = output.showSecrets ? exchange.sentHeaders : exchange.sentHeaders.masked
        StandardError.line("> \(exchange.request.method) \(exchange.attempts.last?.url ?? exchange.request.url)")
        for field in sent.fields { StandardError.line("> \(field.name): \(field.value)") }
        guard let response = exchange.response else { return }
        StandardError.line("< HTTP/\(response.httpVersion) \(response.status) \(response.reason)")
        let received = output.showSecrets ? response.headers : response.headers.masked
        for field in received.fields { StandardError.line("< \(field.name): \(field.value)") }
    }
}
