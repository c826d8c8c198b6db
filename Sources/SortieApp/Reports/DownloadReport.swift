internal import SortieHTTP
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
        case .failed(_, let isResumable): isResumable
        case .cancelled(let keepsPart): keepsPart && result.bytes > 0 && result.canResume
        default: false
        }
    }

    private var summary: String {
        var words = "\(result.file): \(ByteCount(result.bytes).text)"
        if result.resumedAt > 0 { words += ", resumed at \(ByteCount(result.resumedAt).text)" }
        if result.restarts > 0 { words += ", restarted \(result.restarts == 1 ? "once" : "\(result.restarts) times")" }
        if result.isLengthUnverified { words += "; the server sent no length" }
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
