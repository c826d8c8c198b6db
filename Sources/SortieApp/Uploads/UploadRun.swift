internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import Synchronization

/// Sends the requests of an upload concurrently.
///
/// After the first failure no further request starts, unless ``UploadOptions/keepsGoing`` is set.
struct UploadRun: Sendable {
    let program: ProgramContext
    let items: [UploadItem]
    let client: Client
    let reporter: UploadReporter
    let options: UploadOptions
    /// Prints the result of a request; throws the reason of its failure.
    let deliver: @Sendable (UploadItem, Exchange) throws -> Void
    /// Compares a response with what the endpoint expects; nil without an expectation.
    let check: ResponseCheck?

    /// Sends the requests.
    ///
    /// Returns the failure; nil when all succeeded.
    func run() async -> CommandFailure? {
        let batch = UploadBatch(
            items.map(\.prepared.request), with: client, concurrency: options.parallel, stopsAtFailure: !options.keepsGoing,
            removesConfirmedFiles: options.deletesConfirmed
        ) { index, exchange in try await confirm(index, exchange) }
        do throws(BatchError) { try await batch.run { reporter.report($1, of: $0) } } catch {
            return CommandFailure(.usage, error.description)
        }
        reporter.withoutProgress { reportFiles(of: batch) }
        return failure(of: batch)
    }

    /// Delivers the end of an upload; throws a `CommandFailure` where it failed.
    private func confirm(_ index: Int, _ exchange: Exchange) async throws {
        let item = items[index]
        var exchange = exchange
        if let check { exchange = await check.checked(exchange) }
        do {
            try reporter.withoutProgress { [exchange] in try deliver(item, exchange) }
            if options.keepsGoing || options.deletesConfirmed { try UploadBatch.requireSuccess(exchange) }
        } catch {
            let failure = failure(error, of: index)
            // Several failures are reported one by one; a single request's failure is that of the command.
            if items.count > 1 { reporter.withoutProgress { failure.report(to: program.errors) } }
            throw failure
        }
    }

    private func failure(_ error: any Error, of index: Int) -> CommandFailure {
        let item = items[index]
        guard let failure = error as? CommandFailure else {
            guard let error = error as? NetworkError else { return CommandFailure(.file, "\(error)") }
            return error.code == .status ? CommandFailure(.response, name: "status", "\(item.name): \(error.message)") : CommandFailure(error)
        }
        guard failure.kind == .interrupted else { return failure.labelled(items.count > 1 ? item.name : nil) }
        let (bytes, total) = reporter.sent(of: index)
        let amount = total.map { "\(ByteCount(bytes).text) of \(ByteCount($0).text)" } ?? ByteCount(bytes).text
        let name = item.name == "-" ? "standard input" : item.name
        return CommandFailure(
            failure.kind, name: failure.name, "the upload of \(name) was cancelled",
            hint: bytes > 0 ? "\(amount) were sent; the server may have processed them" : "nothing was sent of it")
    }

    /// Reports the local files that were removed, and those that were not.
    private func reportFiles(of batch: UploadBatch) {
        for outcome in batch.outcomes {
            for file in outcome.removedFiles { program.errors.line("sortie: removed \(VisibleLine.of(file))") }
            for (file, reason) in outcome.keptFiles.sorted(by: { $0.key < $1.key }) {
                program.errors.line("sortie: warning: \(VisibleLine.of(file)) was not removed: \(reason)")
            }
        }
    }

    private func failure(of batch: UploadBatch) -> CommandFailure? {
        let outcomes = batch.outcomes
        let failures = outcomes.compactMap { $0.error as? CommandFailure }
        guard items.count > 1 else { return failures.first ?? interruption(batch) }
        guard let first = failures.first ?? interruption(batch) else { return nil }
        let message = "\(outcomes.count(where: \.isConfirmed)) of \(items.count) files were sent"
        func names(_ indices: [Int]) -> String { indices.map { items[$0].name }.joined(separator: ", ") }
        if options.keepsGoing {
            return CommandFailure(
                first.kind, name: first.name, message, hint: "left: \(names(batch.remaining)); run the command again with these files")
        }
        let left = batch.remaining.filter { outcomes[$0].exchange == nil }
        return CommandFailure(first.kind, name: first.name, message, hint: left.isEmpty ? nil : "not started: \(names(left))")
    }

    private func interruption(_ batch: UploadBatch) -> CommandFailure? {
        batch.remaining.isEmpty ? nil : CommandFailure(.interrupted, "the upload was cancelled")
    }
}

/// Reports uploads on stderr: decisions with `-v`, and on a terminal one progress bar for all files together.
final class UploadReporter: Sendable {
    private struct State {
        let line: TransferLine
        let reporter: SendReporter
        /// The sent bytes of each file, and their total number.
        var sent: [Int64]
        var totals: [Int64?]
        var done = 0
        var rate: TransferRate?
        var shownAt = 0.0
    }

    private let state: Mutex<State>
    private let names: [String]
    private let beganAt = ContinuousClock.now

    /// The minimum display time of one state of the line, in seconds.
    private static let interval = 0.1

    init(_ items: [UploadItem], in program: ProgramContext, output: OutputOptions, redaction: LiveRedaction) {
        names = items.map(\.name)
        let line = TransferLine(output: output, errors: program.errors)
        state = Mutex(
            State(
                line: line,
                reporter: SendReporter(output: output, errors: program.errors, redaction: redaction, line: line),
                sent: items.map { _ in 0 }, totals: items.map(\.count)))
    }

    /// Processes an event of one file.
    func report(_ event: CallEvent, of index: Int) {
        let time = (ContinuousClock.now - beganAt) / .seconds(1)
        state.withLock { state in
            switch event {
            case .progressed(let progress):
                state.sent[index] = progress.sent
                state.totals[index] = progress.sentTotal
                // The following time belongs to the response.
                note(&state, at: time)
            case .changed(.waiting(let seconds, _)):
                state.sent[index] = 0
                state.line.show("\(names[index]): retrying in \(Int(seconds.rounded(.up))) s")
            case .finished:
                state.done += 1
                state.reporter.report(event)
            default: state.reporter.report(event)
            }
        }
    }

    /// The number of sent bytes of one file, and their total.
    func sent(of index: Int) -> (bytes: Int64, total: Int64?) {
        state.withLock { ($0.sent[index], $0.totals[index]) }
    }

    /// Writes permanent output while the progress line is removed.
    func withoutProgress(_ write: () throws -> Void) rethrows {
        try state.withLock { state in
            state.line.clear()
            try write()
        }
    }

    private func note(_ state: inout State, at time: Double) {
        let bytes = state.sent.reduce(0, +)
        let totals = state.totals.compactMap { $0 }
        let total = totals.count == state.totals.count ? totals.reduce(0, +) : nil
        if state.rate == nil { state.rate = TransferRate(bytes: 0, time: 0) }
        state.rate?.note(bytes: bytes, time: time)
        guard time - state.shownAt >= Self.interval || bytes == total else { return }
        state.shownAt = time
        let label = names.count > 1 ? "\(min(names.count, state.done + 1)) of \(names.count)" : ""
        let amount = TransferAmount(
            label: label, bytes: bytes, total: total, rate: state.rate?.now ?? 0, average: state.rate?.average ?? 0,
            remaining: state.rate?.remaining(of: total))
        state.line.show(amount)
    }
}

/// Prints the result of an upload request as `send` does, and a confirmation on a terminal.
struct UploadResult {
    let program: ProgramContext
    let item: UploadItem
    let exchange: Exchange
    let options: ResultOptions
    let output: OutputOptions
    /// The masking rules of the output.
    let redaction: Redaction
    /// When the command began its uploads.
    let startedAt: ContinuousClock.Instant

    func deliver() throws {
        let more: [JSONValue.Member] = [
            .init("upload", ["file": .optional(item.file), "bytes": .integer(exchange.sentBodyBytes)])
        ]
        try SendResult(
            program: program, exchange: exchange, options: options, output: output, redaction: redaction, more: more, startedAt: startedAt
        ).deliver()
        guard program.errors.isTerminal, !output.json, let response = exchange.response else { return }
        let status = "\(response.status) \(redaction.learning(from: exchange).masked(response.reason))".trimmingEnd
        program.errors.line("\(item.name): \(ByteCount(exchange.sentBodyBytes).text) sent, \(status)")
    }
}
