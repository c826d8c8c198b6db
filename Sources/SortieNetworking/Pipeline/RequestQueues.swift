internal import Synchronization

/// The request queues of a client, each made at its first use.
///
/// A client that sends requests to many origins needs bounded memory: where there are many queues, those that no call uses are removed, with their
/// retry budget and the HTTP versions of their origins. Queues with connections stay open, because their number is that of the configured limits.
final class RequestQueues: Sendable {
    /// The number of queues from which unused ones are removed.
    static let mostUnused = 256

    fileprivate struct State {
        var queues: [RequestQueueKey: RequestQueue] = [:]
        /// The queue of the last request, which most requests share.
        var latest: (key: RequestQueueKey, queue: RequestQueue)?
        /// The number of queues at which unused ones are removed the next time, so that many queues in use are not examined for each new one.
        var nextRemoval = RequestQueues.mostUnused
    }

    private let state = Mutex(State())

    /// The number of queues.
    var count: Int { state.withLock { $0.queues.count } }

    /// The queue of a key; a new one where there is none.
    func queue(_ key: RequestQueueKey, make: () -> RequestQueue) -> RequestQueue {
        state.withLock { state in
            if let latest = state.latest, latest.key == key { return latest.queue }
            if let queue = state.queues[key] {
                state.latest = (key, queue)
                return queue
            }
            if state.queues.count >= state.nextRemoval { state.removeUnused() }
            let queue = make()
            state.queues[key] = queue
            return queue
        }
    }
}

extension RequestQueues.State {
    fileprivate mutating func removeUnused() {
        latest = nil
        for key in Array(queues.keys) where queues[key]?.pool == nil {
            // A call that may use the queue has a reference, which it can get only under the lock.
            if isKnownUniquelyReferenced(&queues[key]) { queues[key] = nil }
        }
        nextRemoval = max(RequestQueues.mostUnused, 2 * queues.count)
    }
}
