internal import SortieNetworking

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
            items.map(\.request), with: client, concurrency: options.parallel, stopsAtFailure: !options.keepsGoing,
            removesConfirmedFiles: options.deletesConfirmed
        ) { index, exchange in try await confirm(index, exchange) }
        do throws(BatchError) { try await batch.run { reporter.report($1, of: $0) } } catch {
            return CommandFailure(.usage, error.description)
        }
        reporter.tell { reportFiles(of: batch) }
        return failure(of: batch)
    }

    /// Delivers the end of an upload; throws a `CommandFailure` where it failed.
    private func confirm(_ index: Int, _ exchange: Exchange) async throws {
        let item = items[index]
        var exchange = exchange
        if let check { exchange = await check.checked(exchange) }
        do {
            try reporter.tell { [exchange] in try deliver(item, exchange) }
            if options.keepsGoing || options.deletesConfirmed { try UploadBatch.requireSuccess(exchange) }
        } catch {
            let failure = failure(error, of: index)
            // Several failures are reported one by one; a single request's failure is that of the command.
            if items.count > 1 { reporter.tell { failure.report(to: program.errors) } }
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
        return CommandFailure(
            failure.kind, name: failure.name, "the upload of \(item.name) was cancelled",
            hint: "\(amount) were sent; the server may have processed them")
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
