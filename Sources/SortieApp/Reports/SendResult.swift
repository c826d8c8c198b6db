internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Delivers the result of a request to stdout, to a file or as a record, and ends the command with the exit status of the contract.
struct SendResult {
    let program: ProgramContext
    let exchange: Exchange
    let options: ResultOptions
    let output: OutputOptions
    /// The masking rules of the output.
    let redaction: Redaction
    /// Additional members of the record.
    var more: [JSONValue.Member] = []
    /// The number of bytes that are not written of a body that was written while it arrived; nil for another body.
    var liveRest: Int?
    /// When the command began its call, whose time limit also limits the wait for the reader of the output file.
    var startedAt = ContinuousClock.now
    /// Ends the output of a body.
    var cancellation = Cancellation()

    func deliver() throws {
        let redaction = redaction.learning(from: exchange)
        let deadline = OutputFile.deadline(of: exchange.request, startedAt: startedAt)
        var error = exchange.error
        var bodyFile: String?
        if let path = options.file, let response = exchange.response {
            if let failure = error {
                error = keep(response.body, of: path, failure, until: deadline)
            } else {
                try OutputFile.write(response.body, to: path, program.folders, program.outputWaits) { deadline.map { $0 <= .now } ?? false }
                bodyFile = path
            }
        }
        for notice in [exchange.undecodedNotice].compactMap(\.self) + exchange.notices {
            program.errors.line("sortie: warning: \(redaction.masked(notice))")
        }
        for warning in exchange.checkWarnings(masked: redaction) { program.errors.line("sortie: warning: \(warning)") }
        if output.verbose { writeUndescribed(redaction) }
        if let template = try options.template(output) {
            program.output.write(template.line { exchange.field($0, redaction) })
        } else if output.json {
            var bodies = RecordBodies(folder: program.temporaryFolder)
            if options.file == nil { bodyFile = try bodies.file(for: exchange.response) }
            program.output.write(record(bodyFile: bodyFile, redaction).text + "\n")
        } else if let response = exchange.response {
            if let liveRest {
                if liveRest > 0 { program.errors.line("sortie: \(ByteCount(liveRest).text) more arrived and are not shown; -o FILE saves a body") }
            } else {
                ResponseOutput(
                    output: program.output, errors: program.errors, response: response, includesHeader: options.include,
                    includesBody: options.file == nil, isCancelled: { cancellation.isCancelled }
                ).write()
            }
            if error == nil, cancellation.isCancelled { throw CommandFailure(.interrupted, "interrupted while the body was written") }
        }
        let expectation = exchange.expectationResult
        if let share = exchange.response?.receivedShare { error?.message += "; \(share) received" }
        if let error, expectation?.coversRefusal != true { throw CommandFailure(redaction.masked(error)) }
        // The statuses that the endpoint accepts are the same with and without --fail.
        let rules = exchange.request.options.answer
        if options.fail, let response = exchange.response, !(rules.accepts(status: response.status) ?? (response.status < 400)) {
            let status = "\(response.status) \(redaction.masked(response.reason))".trimmingEnd
            throw CommandFailure(.response, name: "status", "the server responded with \(status)")
        }
        if let failures = expectation?.failures, let first = failures.first {
            let isPrepared = !failures.contains { $0.kind == .preparation }
            throw CommandFailure(
                isPrepared ? .response : .file, name: first.kind == .preparation ? "workspace" : "expectation",
                failures.map { $0.masked(by: redaction).description }.joined(separator: "; "),
                hint: failures.lazy.compactMap { $0.remedy?.programText }.first)
        }
    }

    /// Writes what the description does not have and what is not compared with it, which is no violation.
    private func writeUndescribed(_ redaction: Redaction) {
        for check in exchange.expectationResult?.checks ?? [] where check.key == .contract && check.outcome == .skipped {
            let check = check.masked(by: redaction)
            program.errors.line("* \(check.key.rawValue): \(check.subject): \(check.actual)")
        }
    }

    /// Saves the received part of an interrupted body; returns the failure with its path as a hint.
    private func keep(
        _ body: BodyBytes, of path: String, _ failure: NetworkError, until deadline: ContinuousClock.Instant?
    ) -> NetworkError {
        guard !body.isEmpty, failure.errorClass == .transport || failure.code == .cancelled else { return failure }
        var failure = failure
        let note: String
        do {
            let file = try OutputFile.writeIncomplete(body, of: path, program.folders, program.outputWaits) {
                deadline.map { $0 <= .now } ?? false
            }
            note = "\(ByteCount(Int64(body.count)).text) are saved in \(file)"
        } catch {
            note = "the received bytes could not be saved: \((error as? CommandFailure)?.message ?? "\(error)")"
        }
        failure.hint = [note, failure.programHint].compactMap(\.self).joined(separator: "; ")
        return failure
    }

    private func record(bodyFile: String?, _ redaction: Redaction) -> JSONValue {
        let record = exchange.record(redaction: redaction, bodyFile: bodyFile, includesBody: options.file == nil)
        var more = more
        if let result = exchange.expectationResult, result.hasExpectations {
            let failures = result.failures.map { $0.masked(by: redaction).json }
            more.append(.init("failures", .array(failures)))
        }
        guard case .object(let members) = record, !more.isEmpty else { return record }
        return .object(members + more)
    }
}

/// Reports a request on stderr while it runs: decisions with `-v`, and a progress line on a terminal.
final class SendReporter {
    private let output: OutputOptions
    private let errors: StandardError
    /// Evaluated for each line, because plugins use secrets while the request runs.
    private let live: LiveRedaction
    private let line: TransferLine
    private var isReceiving = false

    init(output: OutputOptions, errors: StandardError, redaction: LiveRedaction, line: TransferLine) {
        (self.output, self.errors) = (output, errors)
        live = redaction
        self.line = line
    }

    func report(_ event: CallEvent) {
        switch event {
        case .progressed(let progress): show(progress)
        case .changed(.queued(let reason)): line.show("queued: \(reason)")
        case .changed(.sending), .finished: line.clear()
        default: break
        }
        guard output.verbose else { return }
        for text in CallLines(redaction: live.current).lines(of: event) {
            line.clear()
            errors.line(text)
        }
    }

    private func show(_ progress: CallProgress) {
        // A response that arrives at once has one report, at its end, for which no line appears.
        if progress.received > 0, !isReceiving {
            isReceiving = true
            return
        }
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
