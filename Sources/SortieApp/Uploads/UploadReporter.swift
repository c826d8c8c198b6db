internal import SortieHTTP
internal import Synchronization

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
            case .retrying(let seconds) where seconds > 0:
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
    func tell(_ write: () throws -> Void) rethrows {
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
