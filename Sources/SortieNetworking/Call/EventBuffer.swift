internal import DequeModule
internal import SortieHTTP
internal import Synchronization

/// Events on their way to one consumer, in bounded memory however slow it is.
///
/// A newer event replaces waiting ones that it supersedes, such as earlier progress, unless another event came between them. Beyond a limit the oldest
/// event that is not essential is dropped. The end of a call is always delivered.
final class EventBuffer<Event: Sendable>: Sendable {
    private struct State {
        var events = Deque<Event>()
        var waiters = Deque<CheckedContinuation<Event?, Never>>()
        var isFinished = false
        var onAbandon: (@Sendable () -> Void)?
    }

    private let limit: Int
    /// The kind of an event of which only the latest matters; nil for one that is never replaced.
    private let kind: @Sendable (Event) -> Int?
    private let isEssential: @Sendable (Event) -> Bool
    private let state = Mutex(State())

    /// A buffer.
    ///
    /// - Parameters:
    ///   - limit: how many events wait at most, essential ones not counted.
    ///   - kind: the kind of an event of which only the latest matters; nil for one that is never replaced.
    ///   - isEssential: whether an event is never dropped.
    init(limit: Int = 1024, kind: @escaping @Sendable (Event) -> Int?, isEssential: @escaping @Sendable (Event) -> Bool) {
        (self.limit, self.kind, self.isEssential) = (limit, kind, isEssential)
    }

    /// How many events wait.
    var count: Int { state.withLock { $0.events.count } }

    /// Adds an event; ignored after the end.
    func yield(_ event: Event) {
        let waiter = state.withLock { state -> CheckedContinuation<Event?, Never>? in
            guard !state.isFinished else { return nil }
            if let waiter = state.waiters.popFirst() { return waiter }
            removeSuperseded(by: event, &state)
            state.events.append(event)
            if state.events.count > limit, let index = state.events.firstIndex(where: { !isEssential($0) }) { state.events.remove(at: index) }
            return nil
        }
        waiter?.resume(returning: event)
    }

    private func removeSuperseded(by event: Event, _ state: inout State) {
        guard let new = kind(event) else { return }
        var index = state.events.endIndex
        while index > state.events.startIndex {
            index -= 1
            guard let old = kind(state.events[index]) else { return }
            if old == new {
                state.events.remove(at: index)
                return
            }
        }
    }

    /// Ends the stream after the events that wait.
    func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            state.onAbandon = nil
            return Swift.exchange(&state.waiters, with: [])
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    /// The next event; nil after the end.
    private func next() async -> Event? {
        await withCheckedContinuation { continuation in
            let next = state.withLock { state -> Event?? in
                if let event = state.events.popFirst() { return .some(event) }
                if state.isFinished { return .some(nil) }
                state.waiters.append(continuation)
                return nil
            }
            if let next { continuation.resume(returning: next) }
        }
    }

    /// The events as a stream for one consumer.
    ///
    /// - Parameter onAbandon: called once when the consumer's task is cancelled, or when it lets go of the stream, before the end.
    func stream(onAbandon: (@Sendable () -> Void)? = nil) -> AsyncStream<Event> {
        state.withLock { $0.onAbandon = onAbandon }
        let consumer = Consumer(self)
        return AsyncStream(unfolding: { await consumer.buffer.next() }, onCancel: { consumer.buffer.abandon() })
    }

    private func abandon() {
        let onAbandon = state.withLock { state in
            state.events = []
            return state.onAbandon.take()
        }
        finish()
        onAbandon?()
    }

    /// Held by the stream and its iterator alone, so that its end is theirs.
    private final class Consumer: Sendable {
        let buffer: EventBuffer<Event>

        init(_ buffer: EventBuffer<Event>) {
            self.buffer = buffer
        }

        deinit { buffer.abandon() }
    }
}

extension EventBuffer<CallEvent> {
    /// A buffer for the events of one call.
    static func ofCall() -> EventBuffer<CallEvent> {
        EventBuffer(kind: \.supersedingKind, isEssential: \.isEnd)
    }
}

extension EventBuffer<CallSignal> {
    /// A buffer for the signals of one call.
    static func ofSignals() -> EventBuffer<CallSignal> {
        EventBuffer(
            kind: { if case .event(let event) = $0 { event.supersedingKind } else { nil } },
            isEssential: { if case .event(let event) = $0 { event.isEnd } else { true } })
    }
}

extension EventBuffer<DownloadEvent> {
    /// A buffer for the events of one download.
    ///
    /// - Parameter dropsStates: Whether a slow consumer may miss changes of the state; false only where the events are certainly consumed.
    static func ofDownload(dropsStates: Bool = true) -> EventBuffer<DownloadEvent> {
        EventBuffer {
            switch $0 {
            case .progressed: 0
            case .saved: 1
            case .changed, .placed, .decided, .finished: nil
            }
        } isEssential: {
            switch $0 {
            case .finished, .placed: true
            case .changed: !dropsStates
            case .progressed, .saved, .decided: false
            }
        }
    }
}

extension CallEvent {
    /// Distinguishes the kinds of which only the latest event matters.
    fileprivate var supersedingKind: Int? {
        switch self {
        case .progressed: 0
        case .grew: 1
        case .decided, .reported, .responded, .changed, .parked, .finished: nil
        }
    }

    fileprivate var isEnd: Bool {
        if case .finished = self { true } else { false }
    }
}
