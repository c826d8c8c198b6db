internal import Model
internal import Synchronization

/// Tells on stderr what happens while files are sent: decisions with `-v`, and for a person a line with a bar for all of them together.
final class UploadReporter: Sendable {
    private struct State {
        let line: TransferLine
        let reporter: SendReporter
        /// What the kernel took of each, and how much there is of it.
        var sent: [Int64]
        var totals: [Int64?]
        var done = 0
        var rate: TransferRate?
        var shownAt = 0.0
    }

    private let state: Mutex<State>
    private let names: [String]
    private let beganAt = ContinuousClock.now

    /// How long a person can read one state of the line, in seconds.
    private static let interval = 0.1

    init(_ items: [UploadItem], output: OutputOptions, redaction: LiveRedaction, showsBlocks: Bool) {
        names = items.map(\.name)
        let line = TransferLine(output: output)
        state = Mutex(
            State(
                line: line, reporter: SendReporter(output: output, redaction: redaction, line: line, showsBlocks: showsBlocks),
                sent: items.map { _ in 0 }, totals: items.map(\.count)))
    }

    /// Takes note of what happens to one file.
    func report(_ event: CallEvent, of index: Int) {
        let time = (ContinuousClock.now - beganAt) / .seconds(1)
        state.withLock { state in
            switch event {
            case .progressed(let progress):
                state.sent[index] = progress.sent
                state.totals[index] = progress.sentTotal
                // What follows then is the answer.
                note(&state, at: time)
            case .retrying(let seconds) where seconds > 0:
                state.sent[index] = 0
                state.line.show("\(names[index]): tried again in \(Int(seconds.rounded(.up))) s")
            case .finished:
                state.done += 1
                state.reporter.report(event)
            default: state.reporter.report(event)
            }
        }
    }

    /// How much of one file went out, and of how much.
    func sent(of index: Int) -> (bytes: Int64, total: Int64?) {
        state.withLock { ($0.sent[index], $0.totals[index]) }
    }

    /// Writes what stays, with the line out of the way.
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
