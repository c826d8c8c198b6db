internal import SortieHTTP

/// Reports a download on stderr: decisions with `-v`, and a progress bar on a terminal.
final class DownloadProgressLine {
    private let output: OutputOptions
    private let redaction: Redaction
    private let line: TransferLine

    init(output: OutputOptions, redaction: Redaction) {
        self.output = output
        self.redaction = redaction
        line = TransferLine(output: output)
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
        case .finished: line.clear()
        }
    }

    private func tell(_ text: String) {
        guard output.verbose else { return }
        line.clear()
        StandardError.line(redaction.masked(text))
    }
}

extension TransferAmount {
    fileprivate init(_ progress: DownloadProgress) {
        self.init(bytes: progress.received, total: progress.total, rate: progress.rate, average: progress.average, remaining: progress.remaining)
    }
}
