internal import SortieHTTP
internal import Synchronization

/// Translates the events of a download into the stages that its closures and its delegate receive.
final class DownloadDelivery: Sendable {
    private struct State {
        var isRunning = false
    }

    private let delivery: LifecycleDelivery<DownloadProgress, DownloadResult, NetworkError>
    private let state = Mutex(State())

    init(_ id: RequestID, callbacks: DownloadCallbacks?, delegate: (any DownloadDelegate)?, on actor: any Actor) {
        delivery = LifecycleDelivery([callbacks, delegate.map { Self.callbacks(of: $0, id) }].compactMap(\.self), on: actor)
    }

    /// Reports the stages that an event means; returns at once.
    func report(_ event: DownloadEvent) {
        switch event {
        case .changed(.paused):
            state.withLock { $0.isRunning = false }
            delivery.report(.willSuspend)
            delivery.report(.didSuspend)
        case .changed(let next) where !next.isTerminal:
            let starts = state.withLock { state in
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if starts { delivery.report(.willStart) }
        case .progressed(let progress): delivery.report(.progressed(progress))
        case .changed, .placed, .saved, .decided, .finished: break
        }
    }

    /// Reports the end, and waits until every callback has been called.
    func end(_ result: DownloadResult) async {
        if let error = result.error { delivery.report(.failed(error)) } else { delivery.report(.succeeded(result)) }
        await delivery.end()
    }

    /// Closures that call a delegate, which is held weakly.
    private static func callbacks(of delegate: any DownloadDelegate, _ id: RequestID) -> DownloadCallbacks {
        var callbacks = DownloadCallbacks()
        callbacks.willStart = { [weak delegate] in delegate?.downloadWillStart(id) }
        callbacks.willSuspend = { [weak delegate] in delegate?.downloadWillSuspend(id) }
        callbacks.didSuspend = { [weak delegate] in delegate?.downloadDidSuspend(id) }
        callbacks.progress = { [weak delegate] in delegate?.download(id, progressed: $0) }
        callbacks.willStop = { [weak delegate] in delegate?.downloadWillStop(id) }
        callbacks.success = { [weak delegate] in delegate?.download(id, succeeded: $0) }
        callbacks.failure = { [weak delegate] in delegate?.download(id, failed: $0) }
        callbacks.didStop = { [weak delegate] in delegate?.downloadDidStop(id) }
        return callbacks
    }
}
