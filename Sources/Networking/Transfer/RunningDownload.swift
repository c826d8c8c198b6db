public import Model
internal import Synchronization

/// A download under way: what happens, and how it is paused and ended.
public final class RunningDownload: Sendable {
    /// Its identity, the one of its requests.
    public let id: RequestID
    /// What happens, in order; exactly one `finished` ends it.
    ///
    /// For one listener. Progress that it has not taken is replaced by newer.
    public let events: AsyncStream<DownloadEvent>
    let control = DownloadControl()
    let reporter: DownloadReporter
    private let buffer: EventBuffer<DownloadEvent>
    private let state = Mutex(State())

    private struct State {
        var result: DownloadResult?
        var waiting: [CheckedContinuation<DownloadResult, Never>] = []
    }

    init(id: RequestID) {
        self.id = id
        let buffer = EventBuffer.ofDownload()
        self.buffer = buffer
        events = buffer.stream()
        reporter = DownloadReporter { buffer.yield($0) }
    }

    /// Where it is.
    public var current: DownloadState { reporter.current }

    /// Stops it for now: what came is made safe, the connection is given up.
    public func pause() { control.want(.pause) }

    /// Goes on after a pause, or at once instead of waiting for the next attempt.
    public func resume() {
        control.want(.run)
        control.wake()
    }

    /// Ends it, unless the file is getting its name already.
    ///
    /// - Parameter keepsPart: whether a later download goes on where this one was.
    public func cancel(keepsPart: Bool = true) { control.want(.cancel(keepsPart: keepsPart)) }

    /// Lets a newer download take over.
    func giveWay() { control.want(.giveWay) }

    /// What came of it; waits for the end.
    public var result: DownloadResult {
        get async {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state in
                    if state.result == nil { state.waiting.append(continuation) }
                    return state.result
                }
                if let result { continuation.resume(returning: result) }
            }
        }
    }

    /// Tells the end, once.
    func end(_ result: DownloadResult) {
        let waiting = state.withLock { state in
            state.result = result
            defer { state.waiting = [] }
            return state.waiting
        }
        buffer.yield(.finished(result))
        buffer.finish()
        for waiter in waiting { waiter.resume(returning: result) }
    }
}
