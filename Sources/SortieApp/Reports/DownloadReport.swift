internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Reports the result of a download and ends the command with the exit status of the contract.
struct DownloadReport {
    let program: ProgramContext
    let result: DownloadResult
    let output: OutputOptions
    /// The masking rules of the report.
    let redaction: Redaction

    func deliver() throws {
        for notice in result.exchange.notices { program.errors.line("sortie: warning: \(redaction.masked(notice))") }
        if output.json { program.output.write(record.text + "\n") }
        guard let error = result.error else {
            if program.errors.isTerminal, !output.json { program.errors.line(summary) }
            return
        }
        var masked = redaction.masked(error)
        // The hint of a storage error already contains this advice.
        if isResumable, masked.code != .storage || masked.hint == nil {
            let note = "\(ByteCount(result.bytes).text) are saved; run the same command again to resume"
            masked.hint = [note, masked.programHint].compactMap(\.self).joined(separator: "; ")
        }
        throw CommandFailure(masked)
    }

    private var isResumable: Bool {
        switch result.state {
        case .failed(_, let isResumable): isResumable && result.canResume
        case .cancelled(let keepsPart): keepsPart && result.bytes > 0 && result.canResume
        default: false
        }
    }

    private var summary: String {
        var words = "\(result.file): \(ByteCount(result.bytes).text)"
        if result.resumedAt > 0 { words += ", resumed at \(ByteCount(result.resumedAt).text)" }
        if result.restarts > 0 { words += ", restarted \(result.restarts == 1 ? "once" : "\(result.restarts) times")" }
        return words
    }

    /// The record of `--json`.
    private var record: JSONValue {
        // Only a response that is not saved as a file has a body to include.
        let exchange = result.exchange.record(redaction: redaction, includesBody: result.error != nil)
        guard case .object(let members) = exchange else { return exchange }
        let download: JSONValue = [
            "file": .string(result.file), "bytes": .integer(result.bytes), "resumedAt": .integer(result.resumedAt),
            "restarts": .integer(result.restarts), "sha256": .optional(result.digest?.hexadecimal),
        ]
        return .object(members + [.init("download", download)])
    }
}

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
            writeLine("* download: \(state.text)")
            if !state.isTerminal, state != .receiving { line.show(state.text) }
        case .decided(let decision): writeLine("* \(decision.subject.rawValue): \(decision.text)")
        case .placed(let file): writeLine("* download: \(file).part")
        case .saved(let bytes): writeLine("* download: \(ByteCount(bytes).text) are saved")
        case .progressed(let progress): line.show(TransferAmount(progress))
        case .finished: clear()
        }
    }

    /// Removes the line, before other output.
    func clear() { line.clear() }

    private func writeLine(_ text: String) {
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

/// The progress line on stderr, displayed only on a terminal that can replace a line.
final class TransferLine {
    private let errors: StandardError
    private let isShown: Bool
    private var isThere = false

    init(output: OutputOptions, errors: StandardError) {
        self.errors = errors
        isShown = errors.takesControlSequences && !output.json
    }

    /// Replaces the line by a text.
    func show(_ text: String) {
        guard isShown else { return }
        isThere = true
        errors.raw("\r\u{1b}[K" + CellWidth.truncated(VisibleText.of(text), to: errors.columns - 1))
    }

    /// Replaces the line by the progress of a transfer, in the width of the terminal.
    func show(_ amount: TransferAmount) {
        if isShown { show(amount.text(columns: errors.columns)) }
    }

    /// Removes the line, before permanent output.
    func clear() {
        if isThere { errors.raw("\r\u{1b}[K") }
        isThere = false
    }
}
