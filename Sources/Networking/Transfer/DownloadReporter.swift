internal import Model
internal import Synchronization

/// Tells what happens during a download, in order, and keeps its state and its rate.
final class DownloadReporter: Sendable {
    private struct State {
        var state = DownloadState.idle
        var rate: TransferRate?
        var last: DownloadProgress?
        var hasEnded = false
    }

    private let tell: @Sendable (DownloadEvent) -> Void
    private let beganAt = MonotonicClock.now
    private let state = Mutex(State())

    init(_ tell: @escaping @Sendable (DownloadEvent) -> Void) {
        self.tell = tell
    }

    /// Where the download is.
    var current: DownloadState { state.withLock { $0.state } }

    /// The next state.
    func move(to next: DownloadState) {
        state.withLock { state in
            assert(state.state.mayBecome(next), "a download that is \(state.state) became \(next)")
            state.state = next
            // Only while bytes come is there a rate.
            if next != .receiving { state.rate = nil }
            tell(.changed(next))
        }
    }

    /// Something was decided.
    func decided(_ subject: Decision.Subject, _ text: String) {
        decided(Decision(subject, text, time: MonotonicClock.seconds(from: beganAt)))
    }

    /// Something was decided on the road of an attempt.
    func decided(_ decision: Decision) {
        tell(.decided(decision))
    }

    /// So many bytes are safe.
    func saved(_ bytes: Int64) {
        tell(.saved(bytes))
    }

    /// So many bytes are here; told where it is news.
    func progressed(_ received: Int64, of total: Int64?) {
        state.withLock { state in
            let now = MonotonicClock.seconds(from: beganAt)
            if state.state == .receiving {
                state.rate?.note(bytes: received, time: now)
                if state.rate == nil { state.rate = TransferRate(bytes: received, time: now) }
            }
            let progress = DownloadProgress(
                received: received, total: total, rate: state.rate?.now ?? 0, average: state.rate?.average ?? 0,
                remaining: state.rate?.remaining(of: total))
            guard progress != state.last else { return }
            state.last = progress
            tell(.progressed(progress))
        }
    }
}
