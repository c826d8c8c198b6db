internal import Model
internal import Synchronization

/// Tells what happens during a download, in order, and keeps its state and its rate.
final class DownloadReporter: Sendable {
    private struct State {
        var state = DownloadState.idle
        var rate: TransferRate?
        var last: DownloadProgress?
        /// Who knows how far the download is.
        var measure: (@Sendable () -> DownloadProgress?)?
        /// When progress was told last, monotonic nanoseconds.
        var toldAt: UInt64 = 0
        var isAlarmSet = false
    }

    private let tell: @Sendable (DownloadEvent) -> Void
    private let beganAt = MonotonicClock.now
    private let state = Mutex(State())

    /// How long news of bytes are collected before they are told.
    private static let interval: UInt64 = 60_000_000

    init(_ tell: @escaping @Sendable (DownloadEvent) -> Void) {
        self.tell = tell
    }

    /// Where the download is.
    var current: DownloadState { state.withLock { $0.state } }

    /// Where progress is asked for from now on.
    func follow(_ measure: @escaping @Sendable () -> DownloadProgress?) {
        state.withLock { $0.measure = measure }
    }

    /// The next state.
    func move(to next: DownloadState) {
        state.withLock { state in
            assert(state.state.mayBecome(next), "a download that is \(state.state) became \(next)")
            // What came before is told before.
            if state.state == .receiving { tellProgress(&state) }
            state.state = next
            // Only while bytes come is there a rate.
            if next != .receiving { state.rate = nil }
            tell(.changed(next))
        }
    }

    /// Bytes come, unless that is known.
    func receives() {
        if current != .receiving { move(to: .receiving) }
    }

    /// The request waits in the queue of its service, or goes out where the reason is nil.
    func queued(because reason: String?, offset: Int64) {
        let next = reason.map { DownloadState.queued(because: $0) } ?? .requesting(offset: offset)
        if current.mayBecome(next) { move(to: next) }
    }

    /// Something was decided.
    func decided(_ subject: Decision.Subject, _ text: String) {
        decided(Decision(subject, text, time: MonotonicClock.seconds(from: beganAt)))
    }

    /// Something was decided on the road of an attempt.
    func decided(_ decision: Decision) {
        tell(.decided(decision))
    }

    /// The part is beside this file.
    func placed(_ file: String) {
        tell(.placed(file))
    }

    /// So many bytes are safe.
    func saved(_ bytes: Int64) {
        tell(.saved(bytes))
    }

    // MARK: Progress

    /// Bytes were written: told now, or in a moment together with those that follow.
    func bytesCame() {
        let alarm = state.withLock { state -> UInt64? in
            guard state.state == .receiving else { return nil }
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
        Engine.post { [self] in Alarms.shared.set(Alarms.ID(), at: alarm) { self.alarmRang() } }
    }

    private func alarmRang() {
        state.withLock { state in
            state.isAlarmSet = false
            if state.state == .receiving { tellProgress(&state) }
        }
    }

    /// Tells how far it is, where that is news.
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
        tell(.progressed(progress))
    }
}
