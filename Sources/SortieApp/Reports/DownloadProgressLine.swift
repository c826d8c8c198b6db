internal import SortieHTTP

/// Reports a download on stderr: decisions with `-v`, and a progress bar on a terminal.
final class DownloadProgressLine {
    private let output: OutputOptions
    private let errors: StandardError
    private let redaction: Redaction
    private let line: TransferLine

    init(output: OutputOptions, errors: StandardError, redaction: Redaction) {
        (self.output, self.errors) = (output, errors)
        self.redaction = redaction
        line = TransferLine(output: output, errors: errors)
    }

    func report(_ event: DownloadEvent) {
        switch event {
        case .changed(let state):
            tell("* download: \(state.text)")
            if !state.isTerminal, state != .receiving { line.show(state.text) }
        case .decided(let decision): tell("* \(decision.subject.rawValue): \(decision.text)")
        case .placed(let file): tell("* download: \(file).part")
        case .saved(let bytes): tell("* download: \(ByteCount(bytes).text) are saved")
        case .progressed(let progress): line.show(TransferAmount(progress))
        case .finished: clear()
        }
    }

    /// Removes the line, before other output.
    func clear() { line.clear() }

    private func tell(_ text: String) {
        guard output.verbose else { return }
        line.clear()
        errors.line(redaction.masked(text))
    }
}

extension TransferAmount {
    fileprivate init(_ progress: DownloadProgress) {
        self.init(bytes: progress.received, total: progress.total, rate: progress.rate, average: progress.average, remaining: progress.remaining)
    }
}
