internal import SortieHTTP
internal import Synchronization

/// A running call: its observer, its time limits, and its suspension and cancellation.
///
/// The total time limit runs from the start of the call to its end: in queues, plugins and hooks, and while the response is read. It stops while the call
/// is suspended, and while it waits for a user or, parked, for the network.
final class Call: Sendable {
    /// Processes the response for the caller.
    typealias Reading = @Sendable (Response) throws -> Void

    let id: RequestID
    let request: Request
    /// Runs after all stages of the service, and before the response is stored.
    let reading: Reading?
    /// Whether the call is a download to a file or an upload of files.
    let isTransfer: Bool
    /// Whether the body is written to a file by a download.
    let isDownload: Bool
    /// The total time limit; nil for none.
    let totalLimit: Duration?
    /// The same in nanoseconds.
    private let totalTime: UInt64?
    /// The files that the call sends.
    let files = SentFiles()
    /// The start time in monotonic nanoseconds.
    let startedAt: UInt64
    /// Returns the time in monotonic nanoseconds, with which the deadline is compared.
    private let clock: @Sendable () -> UInt64
    /// The state of a request that waited for the network when an earlier run of the program ended; nil for a new call.
    let parked: ParkingNotice?
    /// Creates the sink for a response body that is streamed to the caller instead of being kept in memory; nil for a normal response.
    let makeSink: (@Sendable (HTTPURL) -> any BodySink)?
    /// The consumer of a streamed response; nil for another call.
    let pipe: ResponsePipe?
    /// The demand of a consumer that takes the body while it arrives; nil for another call.
    let demand: BodyDemand?
    /// The separate connection for HTTP/2 of a response whose consumer may be slow; nil for another call.
    let streamPool: ConnectionPool?
    /// The receiver of the WebSocket connection that the call opens; nil for another call.
    let webSocket: WebSocketChannel?
    /// Performs the attempts in place of the engine; nil for the engine.
    let transport: (any Transport)?
    /// Whether the engine may perform the attempts, so that host names are looked up.
    var usesEngine: Bool { transport?.usesEngine ?? true }
    /// The observer, called in the order of the events.
    private let observer: (@Sendable (CallSignal) -> Void)?
    private let state = Mutex(State())

    /// Whether the exchange may be recorded; false for a token request, whose response is a credential.
    let isRecorded: Bool

    private struct State {
        var abortReason: NetworkError?
        var interrupt: (@Sendable (NetworkError) -> Void)?
        /// The attempt under way, in place of closures that interrupt it and follow the suspension.
        var transfer: TransferHandle?
        var isOver = false
        /// The time of the suspension; nil while the call runs.
        var suspendedSince: UInt64?
        /// The time for which earlier suspensions and excluded waits stopped the limits, in nanoseconds.
        var suspendedBefore: UInt64 = 0
        /// The time in queues since the last attempt, in seconds.
        var queued = 0.0
        /// Whether the observer was informed of the suspension.
        var isSuspensionReported = false
        /// Called at each suspension and at its end.
        var onChange: (@Sendable () -> Void)?
        /// The secrets that plugins added to attempts.
        var addedSecrets = RequestSecrets()
        /// The action of a time limit that expired while the call was suspended.
        var lateAlarm: (@Sendable () -> Void)?

        /// What follows a suspension and its end.
        var changed: (@Sendable () -> Void)? {
            guard let transfer else { return onChange }
            return { transfer.followCall() }
        }

        /// Removes the actions of the wait that has ended.
        mutating func forgetWait() { (interrupt, transfer, onChange, lateAlarm) = (nil, nil, nil, nil) }

        func suspendedTime(at now: UInt64) -> UInt64 { suspendedBefore + (suspendedSince.map { now - min(now, $0) } ?? 0) }

        /// The time since `start` without that of suspensions, in nanoseconds.
        func waited(since start: WaitStart) -> UInt64 {
            let now = MonotonicClock.now
            let (waited, suspended) = (now &- start.time, suspendedTime(at: now) &- start.suspended)
            return waited - min(waited, suspended)
        }
    }

    init(
        id: RequestID, request: Request, parked: ParkingNotice? = nil, reading: Reading? = nil,
        makeSink: (@Sendable (HTTPURL) -> any BodySink)? = nil, pipe: ResponsePipe? = nil,
        demand: BodyDemand? = nil, webSocket: WebSocketChannel? = nil, transport: (any Transport)? = nil, isRecorded: Bool = true,
        clock: @escaping @Sendable () -> UInt64 = { MonotonicClock.now }, observer: (@Sendable (CallSignal) -> Void)?
    ) {
        (self.transport, self.clock, self.webSocket, self.demand, self.isRecorded) = (transport, clock, webSocket, demand, isRecorded)
        self.reading = reading
        self.makeSink = makeSink ?? pipe.map { pipe in { @Sendable url in StreamBody(pipe, of: url) } }
        (self.pipe, self.id, self.parked, self.request, self.observer) = (pipe, id, parked, request, observer)
        streamPool = pipe != nil || demand != nil ? ConnectionPool(limit: 1, isOneStream: true) : nil
        isDownload = makeSink != nil
        isTransfer = isDownload || pipe != nil || request.isUpload
        totalLimit = request.options.timeouts.total(ofTransfer: isTransfer)
        totalTime = totalLimit?.nanoseconds
        startedAt = clock()
    }

    /// The deadline in monotonic nanoseconds, extended by suspensions.
    var deadline: UInt64? {
        totalTime.map { time in
            startedAt &+ time
                &+ state.withLock { $0.suspendedSince == nil ? $0.suspendedBefore : $0.suspendedTime(at: MonotonicClock.now) }
        }
    }

    /// Whether the deadline has passed.
    var isOverdue: Bool { deadline.map { clock() >= $0 } ?? false }

    /// The time until the deadline in seconds; nil without a limit.
    var secondsLeft: Double? { deadline.map { MonotonicClock.seconds(from: clock(), to: $0) } }

    /// The start of a wait.
    struct WaitStart {
        fileprivate let time: UInt64
        fileprivate let suspended: UInt64
    }

    /// The start of a wait that begins now.
    var waitStart: WaitStart {
        let now = MonotonicClock.now
        return WaitStart(time: now, suspended: state.withLock { $0.suspendedTime(at: now) })
    }

    /// Excludes the time since `start` from the total time limit; that of suspensions is excluded already.
    func exclude(since start: WaitStart) {
        state.withLock { $0.suspendedBefore &+= $0.waited(since: start) }
    }

    /// Counts the time since `start` as time in a queue.
    func noteQueued(since start: WaitStart) {
        state.withLock { $0.queued += Double($0.waited(since: start)) / 1e9 }
    }

    /// Returns and clears the time in queues, in seconds.
    func takeQueued() -> Double {
        state.withLock { Swift.exchange(&$0.queued, with: 0) }
    }

    /// The observer that passes events to a closure; nil without one.
    static func observer(
        of onEvent: (@Sendable (CallEvent) -> Void)?, where isReported: @escaping @Sendable (CallEvent) -> Bool = { _ in true }
    ) -> (@Sendable (CallSignal) -> Void)? {
        guard let onEvent else { return nil }
        return { signal in
            if case .event(let event) = signal, isReported(event) { onEvent(event) }
        }
    }

    /// Whether the call has an observer.
    var isObserved: Bool { observer != nil }

    /// The reason of the abort; nil for a call that was not aborted.
    var abortReason: NetworkError? { state.withLock { $0.abortReason } }

    /// Reports an event to the observer.
    func report(_ event: CallEvent) {
        observer?(.event(event))
    }

    /// Reports a decision; the text is evaluated only where the call has an observer.
    func decided(_ subject: Decision.Subject, _ text: @autoclosure () -> String) {
        guard let observer else { return }
        observer(.event(.decided(Decision(subject, text(), time: MonotonicClock.seconds(from: startedAt)))))
    }

    /// The secrets that plugins added to attempts.
    var addedSecrets: RequestSecrets { state.withLock { $0.addedSecrets } }

    /// Adds secrets that a plugin added to an attempt.
    func addSecrets(_ secrets: RequestSecrets) {
        state.withLock { $0.addedSecrets.formUnion(secrets) }
    }

    // MARK: Suspension

    /// The state of the call.
    var phase: CallState {
        state.withLock { state in
            if state.isOver { return .completed }
            if state.abortReason != nil { return .cancelling }
            return state.suspendedSince == nil ? .running : .suspended
        }
    }

    /// Whether the call is suspended, or will be at its next step.
    var isSuspended: Bool { state.withLock { $0.suspendedSince != nil } }

    /// Marks the call as ended; later commands have no effect.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.forgetWait()
        }
    }

    /// Suspends the call; has no effect on one that is suspended, cancelled or ended.
    func suspend() {
        let onChange = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isOver, state.abortReason == nil, state.suspendedSince == nil else { return nil }
            state.suspendedSince = MonotonicClock.now
            state.isSuspensionReported = false
            // Reported under the lock, so that the reports have the order of the commands; the observer only enqueues them.
            observer?(.willSuspend)
            return state.changed ?? { [self] in confirmSuspension() }
        }
        onChange?()
    }

    /// Reports the suspension, once for each.
    func confirmSuspension() {
        let isUnreported = state.withLock { state in
            guard state.suspendedSince != nil, !state.isSuspensionReported, !state.isOver else { return false }
            state.isSuspensionReported = true
            observer?(.didSuspend)
            return true
        }
        if isUnreported { decided(.lifecycle, "suspended; time limits are paused") }
    }

    /// Resumes the call; has no effect on one that runs.
    func resume() {
        let (wasSuspended, alarm, onChange) = state.withLock { state -> (Bool, (@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            guard state.suspendedSince != nil, !state.isOver, state.abortReason == nil else { return (false, nil, nil) }
            state.suspendedBefore = state.suspendedTime(at: MonotonicClock.now)
            state.suspendedSince = nil
            observer?(.willStart)
            defer { state.lateAlarm = nil }
            return (true, state.lateAlarm, state.changed)
        }
        guard wasSuspended else { return }
        decided(.lifecycle, "resumed")
        alarm?()
        onChange?()
    }

    /// Waits while the call is suspended; called before each step.
    func passSuspension() async throws(NetworkError) {
        guard isSuspended else { return }
        let _: Void = try await wait(until: nil, timeout: .cancelledByCaller) { completion in
            whileWaiting { [self] in
                if isSuspended { confirmSuspension() } else { completion(.success(())) }
            }
        }
    }

    /// Sets the action of suspensions for the current wait, and calls it once.
    func whileWaiting(_ change: @escaping @Sendable () -> Void) {
        state.withLock { $0.onChange = change }
        change()
    }

    /// Ends the call with `reason`; only the first reason has an effect.
    func abort(_ reason: NetworkError) {
        Call.abort([self], reason)
    }

    /// Ends several calls.
    ///
    /// All of them are marked before the first one releases its place in a queue, so that no other one takes that place.
    static func abort(_ calls: [Call], _ reason: NetworkError) {
        let interrupts = calls.compactMap { $0.noteAbort(reason) }
        // Called outside the lock, because the interrupted code may use its call.
        for interrupt in interrupts { interrupt(reason) }
    }

    /// Stores the reason; returns the action that interrupts the current wait, nil for none and for a call that was already aborted.
    private func noteAbort(_ reason: NetworkError) -> (@Sendable (NetworkError) -> Void)? {
        state.withLock { state in
            guard state.abortReason == nil else { return nil }
            state.abortReason = reason
            if let transfer = state.transfer { return { transfer.abort($0) } }
            return state.interrupt
        }
    }

    /// Sets the actions of an abort and of suspensions; returns the reason where the call is already aborted.
    private func onAbort(_ interrupt: @escaping @Sendable (NetworkError) -> Void) -> NetworkError? {
        state.withLock { state in
            state.interrupt = interrupt
            state.onChange = nil
            return state.abortReason
        }
    }

    /// Runs one attempt; a suspension pauses it, an abort ends it.
    ///
    /// - Parameter body: The sink, which the transfer alone refers to, so that its bytes need not be copied.
    func transfer(
        _ transferRequest: TransferRequest, body: consuming any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?
    ) async -> TransferOutcome {
        // What came before the attempt may have taken all the time.
        if let deadline = transferRequest.deadline, clock() >= deadline { return TransferOutcome(error: .total(transferRequest.totalLimit)) }
        if let transport { return await transfer(transferRequest, body: body, observer: observer, by: transport) }
        let handle = TransferHandle(call: self, transferRequest, body: body, observer: observer)
        let reason = state.withLock { state in
            state.transfer = handle
            return state.abortReason
        }
        if let reason { return TransferOutcome(error: reason) }
        let outcome = await handle.run()
        forgetWait()
        return outcome
    }

    /// Runs one attempt by a transport other than the engine.
    private func transfer(
        _ transferRequest: TransferRequest, body: any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?, by transport: any Transport
    ) async -> TransferOutcome {
        let attempt = TransportAttempt(transferRequest, usesEngine: usesEngine, body: body, observer: observer)
        var failure: NetworkError?
        var task: Task<Void, Never>?
        do throws(NetworkError) {
            let request = try TransportRequest(transferRequest) { sent in Engine.post { attempt.note(sent: sent) } }
            decided(.connection, "performed by the transport \(type(of: transport))")
            let _: Void = try await wait(until: transferRequest.deadline, timeout: .total(transferRequest.totalLimit)) { completion in
                task = Task { completion(await attempt.run(transport, request)) }
                Engine.post { attempt.watch { completion(.failure($0)) } }
                whileWaiting { [self] in
                    let isSuspended = isSuspended
                    Engine.post { attempt.hold(isSuspended) }
                    if isSuspended { confirmSuspension() }
                }
            }
        } catch { failure = error }
        // The call does not wait for a transport that ignores its cancellation.
        task?.cancel()
        return await attempt.end(failure)
    }

    /// Waits for a result that arrives by callback; the deadline and an abort end the wait.
    ///
    /// - Parameter begin: Starts the wait; its argument may be called on any thread, and only its first call has an effect.
    func wait<Value: Sendable>(
        until deadline: UInt64?, timeout: @autoclosure @escaping @Sendable () -> NetworkError,
        _ begin: (@escaping @Sendable (Result<Value, NetworkError>) -> Void) -> Void
    ) async throws(NetworkError) -> Value {
        let alarm = TimerQueue.ID()
        let result: Result<Value, NetworkError> = await withCheckedContinuation { continuation in
            let first = FirstResponse(continuation)
            if let reason = onAbort({ first.give(.failure($0)) }) { return first.give(.failure(reason)) }
            if let deadline {
                guard clock() < deadline else { return first.give(.failure(timeout())) }
                setAlarm(alarm, at: deadline) { first.give(.failure(timeout())) }
            }
            begin { first.give($0) }
        }
        forgetWait()
        if deadline != nil { Engine.post { TimerQueue.shared.cancel(alarm) } }
        return try result.get()
    }

    /// Waits for a time in seconds; the deadline and an abort end the wait.
    func pause(seconds: Double) async throws(NetworkError) {
        let alarm = TimerQueue.ID()
        defer { Engine.post { TimerQueue.shared.cancel(alarm) } }
        let _: Void = try await wait(until: deadline, timeout: .total(self.totalLimit, waitingFor: "its next attempt")) { completion in
            let time = MonotonicClock.now &+ UInt64(min(max(0, seconds), 4_600_000_000) * 1e9)
            Engine.post { TimerQueue.shared.set(alarm, at: time) { completion(.success(())) } }
            whileWaiting { [self] in if isSuspended { confirmSuspension() } }
        }
    }

    /// The time that code of the program has after the result of the call is known, in nanoseconds: to note the error, for example.
    private static let graceAfterEnd: UInt64 = 5_000_000_000

    /// Runs code of the program, such as a plugin, in a task that an abort and the deadline cancel.
    ///
    /// The call does not wait for code that ignores its cancellation.
    ///
    /// - Parameters:
    ///   - isLimited: Whether the deadline ends it; false for work that excludes the time of a user from the limit.
    ///   - name: What the call waits for, for the error at the deadline.
    func stage<Value: Sendable>(
        isLimited: Bool = true, _ name: @autoclosure @escaping @Sendable () -> String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        var task: Task<Void, Never>?
        let result: Result<Value, any Error>
        do throws(NetworkError) {
            result = try await wait(until: isLimited ? deadline : nil, timeout: .total(self.totalLimit, waitingFor: name())) { completion in
                task = Task { completion(.success(await Result(of: work))) }
            }
        } catch {
            task?.cancel()
            throw error
        }
        // The abort is the cause, whatever error the work threw.
        if case .failure = result, let abortReason { throw abortReason }
        return try result.get()
    }

    /// Runs code of the program after the result of the call is known, which neither the abort nor the deadline prevents, for at most five seconds.
    ///
    /// - Parameter isLimited: Whether the call waits no longer than until its deadline; false after a failure, which may be that of the deadline.
    /// - Throws: The error of the code, or `CancellationError` where it takes longer; its task is cancelled then.
    func lastStage<Value: Sendable>(isLimited: Bool, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let alarm = TimerQueue.ID()
        var task: Task<Void, Never>?
        let result: Result<Value, any Error>? = await withCheckedContinuation { continuation in
            let first = FirstResponse(continuation)
            var end = MonotonicClock.now &+ Self.graceAfterEnd
            if isLimited, let deadline { end = min(end, deadline) }
            Engine.post { [end] in TimerQueue.shared.set(alarm, at: end) { first.give(nil) } }
            task = Task { first.give(await Result(of: work)) }
        }
        Engine.post { TimerQueue.shared.cancel(alarm) }
        guard let result else {
            task?.cancel()
            throw CancellationError()
        }
        return try result.get()
    }

    /// Removes the actions of the wait that has ended.
    private func forgetWait() { state.withLock { $0.forgetWait() } }

    /// Calls `action` at `time`, later by the time for which the call is suspended from now on.
    private func setAlarm(_ alarm: TimerQueue.ID, at time: UInt64, action: @escaping @Sendable () -> Void) {
        let before = state.withLock { $0.suspendedTime(at: MonotonicClock.now) }
        Engine.post { [self] in
            TimerQueue.shared.set(alarm, at: time) { [self] in
                let isDue = state.withLock { state in
                    let added = state.suspendedTime(at: MonotonicClock.now) - before
                    guard state.suspendedSince != nil || added > 0 else { return true }
                    let again: @Sendable () -> Void = { [self] in setAlarm(alarm, at: time &+ suspendedTime(since: before), action: action) }
                    if state.suspendedSince == nil { Engine.post { again() } } else { state.lateAlarm = again }
                    return false
                }
                if isDue { action() }
            }
        }
    }

    private func suspendedTime(since before: UInt64) -> UInt64 {
        state.withLock { $0.suspendedTime(at: MonotonicClock.now) } - before
    }
}

extension Result where Failure == any Error, Success: Sendable {
    /// The result of asynchronous work.
    fileprivate init(of work: @Sendable () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}

/// Resumes a continuation with the first of several values.
final class FirstResponse<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ value: Value) {
        continuation.withLock { $0.take() }?.resume(returning: value)
    }
}
