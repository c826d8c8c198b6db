internal import SortieHTTP
internal import Synchronization

/// Reports the events of a download in order, and measures its rate.
final class DownloadReporter: Sendable {
    private struct State {
        var rate: TransferRate?
        var last: DownloadProgress?
        /// Returns the current progress.
        var measure: (@Sendable () -> DownloadProgress?)?
        /// The time of the last progress event, in monotonic nanoseconds.
        var toldAt: UInt64 = 0
        var isAlarmSet = false
    }

    private let control: DownloadControl
    private let report: @Sendable (DownloadEvent) -> Void
    private let beganAt = MonotonicClock.now
    private let state = Mutex(State())

    /// The minimum time between progress events, in nanoseconds.
    private static let interval: UInt64 = 60_000_000

    init(_ control: DownloadControl, _ report: @escaping @Sendable (DownloadEvent) -> Void) {
        (self.control, self.report) = (control, report)
    }

    /// Sets the source of the progress.
    func follow(_ measure: @escaping @Sendable () -> DownloadProgress?) {
        state.withLock { $0.measure = measure }
    }

    /// Changes the state and reports it; returns false where a command that has to be obeyed first keeps the file from being renamed.
    @discardableResult
    func move(to next: TransferState) -> Bool { change(to: next, isCertain: true) }

    /// Changes the state to receiving.
    func receives() {
        change(to: .receiving, isCertain: true)
    }

    /// Changes the state and reports it, where `next` may follow the current one.
    func moveWherePossible(to next: TransferState) {
        change(to: next, isCertain: false)
    }

    @discardableResult
    private func change(to next: TransferState, isCertain: Bool) -> Bool {
        state.withLock { state in
            if control.current == .receiving {
                // Several connections receive at the same time.
                if next == .receiving { return false }
                // The last progress is reported before the change.
                tellProgress(&state)
            }
            guard control.enter(next, isCertain: isCertain) else { return false }
            // A rate exists only while bytes arrive.
            if next != .receiving { state.rate = nil }
            report(.changed(next))
            return true
        }
    }

    /// Reports a decision.
    func decided(_ subject: Decision.Subject, _ text: String) {
        decided(Decision(subject, text, time: MonotonicClock.seconds(from: beganAt)))
    }

    /// Reports a decision of an attempt.
    func decided(_ decision: Decision) {
        report(.decided(decision))
    }

    /// Reports the path of the file; the part is next to it.
    func placed(_ file: String) {
        report(.placed(file))
    }

    /// Reports the number of bytes that are safe on the disk.
    func saved(_ bytes: Int64) {
        report(.saved(bytes))
    }

    // MARK: Progress

    /// Reports progress now, or after the minimum interval together with later bytes.
    func bytesCame() {
        let alarm = state.withLock { state -> UInt64? in
            guard control.current == .receiving else { return nil }
            let due = state.toldAt + Self.interval
            if MonotonicClock.now >= due {
                tellProgress(&state)
                return nil
            }
            guard !state.isAlarmSet else { return nil }
            state.isAlarmSet = true
            return due
        }
        guard let alarm else { return }
        Engine.post { [self] in TimerQueue.shared.set(TimerQueue.ID(), at: alarm) { self.alarmRang() } }
    }

    private func alarmRang() {
        state.withLock { state in
            state.isAlarmSet = false
            if control.current == .receiving { tellProgress(&state) }
        }
    }

    /// Reports the progress when it has changed.
    private func tellProgress(_ state: inout State) {
        guard var progress = state.measure?() else { return }
        let now = MonotonicClock.now
        state.toldAt = now
        let time = MonotonicClock.seconds(from: beganAt, to: now)
        state.rate?.note(bytes: progress.received, time: time)
        if state.rate == nil { state.rate = TransferRate(bytes: progress.received, time: time) }
        progress.rate = state.rate?.now ?? 0
        progress.average = state.rate?.average ?? 0
        progress.remaining = state.rate?.remaining(of: progress.total)
        guard progress != state.last else { return }
        state.last = progress
        report(.progressed(progress))
    }
}
