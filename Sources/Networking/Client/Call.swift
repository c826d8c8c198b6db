internal import Model

/// One call while it runs: who asked, what it waits for, and how it is stopped.
@Engine
final class Call {
    nonisolated let id: RequestID
    nonisolated let request: Request
    /// When it began, monotonic nanoseconds.
    let startedAt = MonotonicClock.now
    /// When it must be over.
    let deadline: UInt64?
    /// Whether it has a place in its channel.
    var isAdmitted = false
    private let observer: (@Sendable (CallEvent) -> Void)?
    private(set) var abortReason: NetworkError?
    private var interrupt: ((NetworkError) -> Void)?

    init(id: RequestID, request: Request, observer: (@Sendable (CallEvent) -> Void)?) {
        self.id = id
        self.request = request
        self.observer = observer
        deadline = request.options.timeouts.total.map { MonotonicClock.now &+ $0.nanoseconds }
    }

    /// Whether anybody is told what happens.
    var isObserved: Bool { observer != nil }

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
        guard abortReason == nil else { return }
        abortReason = reason
        interrupt?(reason)
    }

    /// Runs one libcurl transfer to its end; an abort stops it.
    func transfer(_ spec: TransferSpec, body: BodyBuffer, observer: ((Transfer.Event) -> Void)?) async -> TransferOutcome {
        if let abortReason { return TransferOutcome(error: abortReason) }
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<TransferOutcome, Never>) in
            do throws(NetworkError) {
                let transfer = try TransferQueue.shared.start(spec, body: body, observer: observer) {
                    continuation.resume(returning: $0)
                }
                interrupt = { TransferQueue.shared.abort(transfer, reason: $0) }
            } catch {
                continuation.resume(returning: TransferOutcome(error: error))
            }
        }
        interrupt = nil
        return outcome
    }

    /// Waits for an answer that comes by callback; the call's deadline and an abort end the wait.
    ///
    /// - Parameter begin: starts the wait and returns what forgets it.
    func wait<Value: Sendable>(
        until deadline: UInt64?, timeout: @autoclosure () -> NetworkError,
        _ begin: (@escaping (Result<Value, NetworkError>) -> Void) -> () -> Void
    ) async throws(NetworkError) -> Value {
        if let abortReason { throw abortReason }
        let timeout = timeout()
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, NetworkError>, Never>) in
            var isOver = false
            var alarm: Alarms.ID?
            var forget: (() -> Void)?
            let end = { (result: Result<Value, NetworkError>) in
                guard !isOver else { return }
                isOver = true
                if let alarm { Alarms.shared.cancel(alarm) }
                forget?()
                continuation.resume(returning: result)
            }
            interrupt = { end(.failure($0)) }
            if let deadline { alarm = Alarms.shared.set(at: deadline) { end(.failure(timeout)) } }
            forget = begin(end)
        }
        interrupt = nil
        return try result.get()
    }
}
