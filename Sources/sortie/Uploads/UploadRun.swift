internal import Model
internal import Networking

/// Sends the requests of an upload concurrently.
///
/// After the first failure no further request starts.
struct UploadRun: Sendable {
    let items: [UploadItem]
    let client: Client
    let reporter: UploadReporter
    /// Prints the result of a request; throws the reason of its failure.
    let deliver: @Sendable (UploadItem, Exchange) throws -> Void
    /// Compares a response with what the endpoint expects; nil without an expectation.
    let check: ResponseCheck?

    /// Sends the requests.
    ///
    /// Returns the failure; nil when all succeeded.
    func run(parallel: Int) async -> CommandFailure? {
        await withTaskGroup(of: CommandFailure?.self) { group in
            var next = 0
            var failures: [CommandFailure] = []
            var running = 0
            while true {
                while running < parallel, next < items.count, failures.isEmpty, !Task.isCancelled {
                    let index = next
                    group.addTask { await send(index) }
                    next += 1
                    running += 1
                }
                guard let ended = await group.next() else { break }
                running -= 1
                if let failure = ended {
                    // Several failures are reported one by one; a single request's failure is that of the command.
                    if items.count > 1 { reporter.tell { failure.report() } }
                    failures.append(failure)
                }
            }
            return end(failures, begun: next)
        }
    }

    private func send(_ index: Int) async -> CommandFailure? {
        let item = items[index]
        var exchange = await client.exchange(item.request) { reporter.report($0, of: index) }
        if let check { exchange = await check.checked(exchange) }
        do {
            try reporter.tell { [exchange] in try deliver(item, exchange) }
            return nil
        } catch let failure as CommandFailure {
            guard failure.kind == .interrupted else { return failure }
            let (bytes, total) = reporter.sent(of: index)
            let amount = total.map { "\(ByteCount(bytes).text) of \(ByteCount($0).text)" } ?? ByteCount(bytes).text
            return CommandFailure(
                failure.kind, name: failure.name, "the upload of \(item.name) was cancelled",
                hint: "\(amount) were sent; the server may have processed them")
        } catch {
            return CommandFailure(.file, "\(error)")
        }
    }

    private func end(_ failures: [CommandFailure], begun: Int) -> CommandFailure? {
        guard items.count > 1 else { return failures.first }
        let left = items.count - begun
        guard let first = failures.first ?? (left > 0 ? CommandFailure(.interrupted, "the upload was cancelled") : nil) else { return nil }
        let sent = begun - failures.count
        let rest = left > 0 ? "not started: \(items[begun...].map(\.name).joined(separator: ", "))" : nil
        return CommandFailure(first.kind, name: first.name, "\(sent) of \(items.count) files were sent", hint: rest)
    }
}
