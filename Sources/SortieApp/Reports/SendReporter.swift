internal import SortieHTTP

/// Reports a request on stderr while it runs: decisions with `-v`, and a progress line on a terminal.
final class SendReporter {
    private let output: OutputOptions
    private let errors: StandardError
    /// Evaluated for each line, because plugins use secrets while the request runs.
    private let live: LiveRedaction
    private let line: TransferLine

    init(output: OutputOptions, errors: StandardError, redaction: LiveRedaction, line: TransferLine) {
        (self.output, self.errors) = (output, errors)
        live = redaction
        self.line = line
    }

    func report(_ event: CallEvent) {
        switch event {
        case .progressed(let progress): show(progress)
        case .queued(let reason): if let reason { line.show("queued: \(reason)") } else { line.clear() }
        case .finished: line.clear()
        default: break
        }
        guard output.verbose else { return }
        for text in CallLines(redaction: live.current).lines(of: event) {
            line.clear()
            errors.line(text)
        }
    }

    private func show(_ progress: CallProgress) {
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
}
