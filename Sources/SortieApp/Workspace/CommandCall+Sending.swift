internal import ArgumentParser
internal import SortieNetworking

/// Sending and downloading, for the commands and for a replay.
extension CommandCall {
    /// Sends the request, reports its progress, and delivers the response.
    func send(result: ResultOptions, output: OutputOptions) async throws {
        history?.prepare()
        let id = client.makeID()
        // One cancellation for the call and the comparison, so that a signal between them is not lost.
        let cancellation = Cancellation()
        cancellation.whenCancelled { [client] in Task { await client.cancel(id) } }
        let interruption = Interruption(in: program) { cancellation.cancel() }
        let input = InputBody(request, from: program.input) { [program] in cancellation.waitForInput(on: program.input.descriptor) }
        guard !cancellation.isCancelled else { throw CommandFailure(.interrupted, "interrupted before anything was sent") }
        let request = input.request
        let line = TransferLine(output: output, errors: program.errors)
        let reporter = SendReporter(output: output, errors: program.errors, redaction: redaction, line: line)
        let live = LiveBody(request, in: program, options: result, output: output, cancellation: cancellation)
        var exchange: Exchange?
        for await event in client.events(request, id: id, demand: live.demand, inputHead: input.head) {
            // A progress line would interrupt the text on the terminal.
            if case .progressed = event, live.isWriting {} else { reporter.report(event) }
            await live.report(event, clearing: line)
            if case .finished(let finished) = event { exchange = finished }
        }
        var isInterrupted = false
        if let check, let finished = exchange {
            // A task, because cancelling it ends the evaluation of a regular expression.
            let comparison = Task { await check.checked(finished) }
            cancellation.whenCancelled { comparison.cancel() }
            exchange = await comparison.value
            isInterrupted = comparison.isCancelled && finished.error == nil
        }
        if recordsSnapshots {
            let checks = exchange?.expectationResult?.checks.filter(\.isOfSnapshot) ?? []
            for check in checks where check.outcome == .passed { program.errors.line("sortie: the body was \(check.actual)") }
            if checks.isEmpty, exchange?.response != nil {
                program.errors.line("sortie: warning: \(request.target ?? "the request") has no expect: {snapshot: true}, and nothing was recorded")
            }
        }
        try await end {
            guard let exchange else { throw CommandFailure(.network, "the request ended without a result") }
            let rest = await live.finish(exchange)
            if isInterrupted { throw CommandFailure(.interrupted, "interrupted while the response was compared with what is expected") }
            try SendResult(
                program: program, exchange: exchange, options: result, output: output, redaction: redaction.current, liveRest: rest,
                cancellation: cancellation
            ).deliver()
        }
        withExtendedLifetime(interruption) {}
    }

    /// Downloads a file and reports progress and result.
    ///
    /// - Parameter detachment: Moves the download out of the foreground; nil where it stays there.
    func run(
        _ download: Download, to destination: DownloadDestination? = nil, output: OutputOptions, detachment: DownloadDetachment? = nil
    ) async throws {
        let running = client.downloads.start(download, destination: destination)
        let interruption = Interruption(in: program) { running.cancel(keepsPart: true) }
        var reporter = DownloadProgressLine(output: output, errors: program.errors, redaction: redaction.current)
        var problem: CommandFailure?
        for await event in running.events {
            reporter.report(event)
            guard let detachment, problem == nil, detachment.note(event) else { continue }
            reporter.clear()
            do throws(CommandFailure) {
                try detachment.leave()
                // Another one, because standard error is not a terminal any more.
                reporter = DownloadProgressLine(output: output, errors: program.errors, redaction: redaction.current)
            } catch {
                problem = error
                // Without its state, other programs could neither display nor stop a detached download.
                running.cancel(keepsPart: true)
            }
        }
        withExtendedLifetime(interruption) {}
        let result = await running.result
        var failure = problem
        do {
            try await end { try DownloadReport(program: program, result: result, output: output, redaction: redaction.current).deliver() }
        } catch let error as CommandFailure { failure = failure ?? error }
        try detachment?.end(result, failure: failure)
        guard let failure else { return }
        guard detachment?.isDetached == true else { throw failure }
        // Before the lock is released, so that a program that waits for that finds the messages in the log.
        failure.report(to: program.errors)
        throw ExitCode(failure.exitCode)
    }
}
