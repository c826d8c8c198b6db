internal import Model
internal import Synchronization

/// One call while it runs: who asked, what it waits for, and how it is stopped.
final class Call: Sendable {
    let id: RequestID
    let request: Request
    /// When it began, monotonic nanoseconds.
    let startedAt: UInt64
    /// When it must be over.
    let deadline: UInt64?
    private let observer: (@Sendable (CallEvent) -> Void)?
    private let state = Mutex(State())

    private struct State {
        var abortReason: NetworkError?
        var interrupt: (@Sendable (NetworkError) -> Void)?
    }

    init(id: RequestID, request: Request, observer: (@Sendable (CallEvent) -> Void)?) {
        self.id = id
        self.request = request
        self.observer = observer
        let now = MonotonicClock.now
        startedAt = now
        deadline = request.options.timeouts.total.map { now &+ $0.nanoseconds }
    }

    /// Whether anybody is told what happens.
    var isObserved: Bool { observer != nil }

    /// Why it was stopped from outside.
    var abortReason: NetworkError? { state.withLock { $0.abortReason } }

    /// Tells the observer.
    func tell(_ event: CallEvent) {
        observer?(event)
    }

    /// Tells the observer of a decision; the text is only made where there is one.
    func decided(_ subject: Decision.Subject, _ text: @autoclosure () -> String) {
        guard let observer else { return }
        observer(.decided(Decision(subject, text(), time: MonotonicClock.seconds(from: startedAt))))
    }

    /// Ends the call with `reason`, whatever it waits for; the first reason counts.
    func abort(_ reason: NetworkError) {
        Call.abort([self], reason)
    }

    /// Ends several calls.
    ///
    /// Each knows of it before the first one gives up its place in a channel, so that none begins in that place.
    static func abort(_ calls: [Call], _ reason: NetworkError) {
        let interrupts = calls.compactMap { $0.noteAbort(reason) }
        // Never under the lock: who is interrupted may ask its call something (S0.8).
        for interrupt in interrupts { interrupt(reason) }
    }

    /// Notes the reason; returns what is to be interrupted, nil when nothing is or the call was stopped before.
    private func noteAbort(_ reason: NetworkError) -> (@Sendable (NetworkError) -> Void)? {
        state.withLock { state in
            guard state.abortReason == nil else { return nil }
            state.abortReason = reason
            return state.interrupt
        }
    }

    /// Says what an abort does from now on; returns the reason when it has happened already.
    private func onAbort(_ interrupt: (@Sendable (NetworkError) -> Void)?) -> NetworkError? {
        state.withLock { state in
            state.interrupt = interrupt
            return state.abortReason
        }
    }

    /// Runs one libcurl transfer to its end; an abort stops it.
    func transfer(_ spec: TransferSpec, body: BodyBuffer, observer: (@Sendable (Transfer.Event) -> Void)?) async -> TransferOutcome {
        let ticket = TransferTicket()
        if let reason = onAbort({ ticket.abort($0) }) { return TransferOutcome(error: reason) }
        let outcome = await withCheckedContinuation { continuation in
            ticket.start(spec, body: body, observer: observer) { outcome in
                Engine.assumeIsolated { Answers.shared.add { continuation.resume(returning: outcome) } }
            }
        }
        _ = onAbort(nil)
        return outcome
    }

    /// Waits for an answer that comes by callback; the deadline and an abort end the wait.
    ///
    /// - Parameter begin: starts the wait; what it is given takes the answer, from any thread, and only the first one counts.
    func wait<Value: Sendable>(
        until deadline: UInt64?, timeout: NetworkError, _ begin: (@escaping @Sendable (Result<Value, NetworkError>) -> Void) -> Void
    ) async throws(NetworkError) -> Value {
        let alarm = Alarms.ID()
        let result: Result<Value, NetworkError> = await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            if let reason = onAbort({ answer.give(.failure($0)) }) { return answer.give(.failure(reason)) }
            if let deadline { Engine.post { Alarms.shared.set(alarm, at: deadline) { answer.give(.failure(timeout)) } } }
            begin { answer.give($0) }
        }
        _ = onAbort(nil)
        if deadline != nil { Engine.post { Alarms.shared.cancel(alarm) } }
        return try result.get()
    }
}

/// Resumes a continuation with the first of several answers.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ value: Value) {
        continuation.withLock { $0.take() }?.resume(returning: value)
    }
}
