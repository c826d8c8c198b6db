internal import Synchronization

/// The events of a batch or a chain, for any number of consumers.
final class EventStreams<Event: Sendable>: Sendable {
    private struct State {
        var continuations: [AsyncStream<Event>.Continuation] = []
        var isOver = false
    }

    private let state = Mutex(State())

    /// The events from now on, for one consumer; ends at once where no further ones follow.
    func stream() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        let isOver = state.withLock { state in
            if !state.isOver { state.continuations.append(continuation) }
            return state.isOver
        }
        if isOver { continuation.finish() }
        return stream
    }

    /// Passes the events from now on to a consumer, in a task of its own; nil without one.
    func deliver(_ consume: (@Sendable (AsyncStream<Event>) async -> Void)?) -> Task<Void, Never>? {
        consume.map { consume in
            let events = stream()
            return Task { await consume(events) }
        }
    }

    /// Reports an event to all consumers.
    func report(_ event: Event) {
        for continuation in state.withLock({ $0.continuations }) { continuation.yield(event) }
    }

    /// Reports the last event of a run, and ends the streams.
    ///
    /// - Parameter isOver: Whether no further run follows.
    func end(_ event: Event, isOver: Bool) {
        let continuations = state.withLock { state in
            // A chain can be stopped while the end of a failed run is reported.
            state.isOver = state.isOver || isOver
            defer { state.continuations = [] }
            return state.continuations
        }
        for continuation in continuations {
            continuation.yield(event)
            continuation.finish()
        }
    }
}
