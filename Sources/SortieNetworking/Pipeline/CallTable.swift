internal import SortieHTTP
internal import Synchronization

/// The calls and downloads of a client that are under way.
final class CallTable: Sendable {
    private let state = Mutex(State())

    private struct State {
        var calls: [RequestID: Call] = [:]
        /// The downloads under way, with what cancels each; between two attempts and while it is paused, a download has no call.
        var downloads: [RequestID: @Sendable () -> Void] = [:]
        var isShutDown = false
        /// Resumed when no call and no download is left.
        var idleWaiters: [CheckedContinuation<Void, Never>] = []

        var isIdle: Bool { calls.isEmpty && downloads.isEmpty }

        mutating func takeIdleWaiters() -> [CheckedContinuation<Void, Never>] {
            guard isIdle, !idleWaiters.isEmpty else { return [] }
            return Swift.exchange(&idleWaiters, with: [])
        }
    }

    /// Adds a call before anything of it starts, so that it can be cancelled from its first moment.
    ///
    /// - Returns: Whether the client still accepts calls.
    func insert(_ call: Call) -> Bool {
        state.withLock { state in
            state.calls[call.id] = call
            return !state.isShutDown
        }
    }

    /// Removes a call; returns the waiters to resume when the call has ended.
    func remove(_ call: Call) -> [CheckedContinuation<Void, Never>] {
        state.withLock { state in
            state.calls[call.id] = nil
            return state.takeIdleWaiters()
        }
    }

    /// Adds a download before anything of it starts.
    func insertDownload(_ id: RequestID, cancel: @escaping @Sendable () -> Void) {
        state.withLock { $0.downloads[id] = cancel }
    }

    /// Removes a download that has ended.
    func removeDownload(_ id: RequestID) {
        let waiters = state.withLock { state in
            state.downloads[id] = nil
            return state.takeIdleWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The call with an identity; nil for one that has ended or never started.
    subscript(id: RequestID) -> Call? { state.withLock { $0.calls[id] } }

    /// Ends a call or a download with `reason`; one that has ended is not affected.
    func abort(_ id: RequestID, reason: NetworkError) {
        let (call, cancelDownload) = state.withLock { ($0.calls[id], $0.downloads[id]) }
        cancelDownload?()
        call?.abort(reason)
    }

    /// Ends several calls with `reason`.
    func abort(_ ids: Set<RequestID>, reason: NetworkError) {
        Call.abort(state.withLock { state in ids.compactMap { state.calls[$0] } }, reason)
    }

    /// Ends every call and every download, including paused ones; downloads keep the received bytes.
    func abortAll(reason: NetworkError) {
        let (calls, downloads) = state.withLock { (Array($0.calls.values), Array($0.downloads.values)) }
        for cancel in downloads { cancel() }
        Call.abort(calls, reason)
    }

    /// Ends every call and refuses further ones.
    func shutDown() {
        state.withLock { $0.isShutDown = true }
        abortAll(reason: .clientShutDown)
    }

    /// Waits until no call and no download is left.
    func waitUntilIdle() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { state in
                if !state.isIdle { state.idleWaiters.append(waiter) }
                return state.isIdle
            }
            if isIdle { waiter.resume() }
        }
    }
}
