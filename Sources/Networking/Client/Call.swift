internal import Model
internal import Synchronization

/// One call while it runs: who asked, what it waits for, and how it is suspended and stopped.
///
/// Limits of time stand still while it is suspended: the total one, those of waiting, and the idle one. The total one also stands still while the
/// call waits in a queue or for the network.
final class Call: Sendable {
    /// What the caller makes of the answer.
    typealias Reading = @Sendable (Response) throws -> Void

    let id: RequestID
    let request: Request
    /// Comes after all that the service does with the answer, and before it is kept (X3).
    let reading: Reading?
    /// Whether it is a download into a file or an upload of files.
    let isTransfer: Bool
    /// How long it may take as a whole; nil for no limit.
    let totalLimit: Duration?
    /// The files that it sends.
    let files = SentFiles()
    /// When it began, monotonic nanoseconds.
    let startedAt: UInt64
    /// How it stood when an earlier program ended while it waited for the network; nil for one that begins now.
    let parked: ParkingNotice?
    /// Makes the receiver of what a URL sends, where that is not to be looked at but goes somewhere of its own; nil for an answer as usual.
    let makeSink: (@Sendable (HTTPURL) -> any BodySink)?
    /// The call's observer, called in the order of what happens.
    private let observer: (@Sendable (CallSignal) -> Void)?
    private let state = Mutex(State())

    private struct State {
        var abortReason: NetworkError?
        var interrupt: (@Sendable (NetworkError) -> Void)?
        var isOver = false
        /// When it was suspended; nil while it runs.
        var suspendedSince: UInt64?
        /// How long it was suspended or waited outside its limits before that, nanoseconds.
        var suspendedBefore: UInt64 = 0
        /// How long it waited in queues since its last attempt, in seconds.
        var queued = 0.0
        /// Whether the observer knows that it stands still.
        var isSuspensionTold = false
        /// Told of each suspension and of its end.
        var onChange: (@Sendable () -> Void)?
        /// What is secret in what plugins added to its attempts.
        var addedSecrets = RequestSecrets()
        /// A time limit that ran out while the call was suspended.
        var lateAlarm: (@Sendable () -> Void)?

        func suspendedTime(at now: UInt64) -> UInt64 { suspendedBefore + (suspendedSince.map { now - min(now, $0) } ?? 0) }
    }

    init(
        id: RequestID, request: Request, parked: ParkingNotice? = nil, reading: Reading? = nil,
        makeSink: (@Sendable (HTTPURL) -> any BodySink)? = nil,
        observer: (@Sendable (CallSignal) -> Void)?
    ) {
        self.reading = reading
        self.makeSink = makeSink
        self.id = id
        self.parked = parked
        self.request = request
        self.observer = observer
        isTransfer = makeSink != nil || request.isUpload
        totalLimit = request.options.timeouts.total(ofTransfer: isTransfer)
        startedAt = MonotonicClock.now
    }

    /// When it must be over, monotonic nanoseconds; later when it was suspended.
    var deadline: UInt64? {
        totalLimit.map { limit in
            startedAt &+ limit.nanoseconds
                &+ state.withLock { $0.suspendedSince == nil ? $0.suspendedBefore : $0.suspendedTime(at: MonotonicClock.now) }
        }
    }

    /// The beginning of a wait that does not count against the total limit.
    struct WaitStart {
        fileprivate let time: UInt64
        fileprivate let suspended: UInt64
    }

    /// The beginning of a wait, now.
    var waitStart: WaitStart {
        let now = MonotonicClock.now
        return WaitStart(time: now, suspended: state.withLock { $0.suspendedTime(at: now) })
    }

    /// Takes the time since `start` off the total limit; returns it in seconds.
    ///
    /// Time in which the call was suspended is not part of it.
    @discardableResult
    func exclude(since start: WaitStart) -> Double {
        let now = MonotonicClock.now
        let waited = state.withLock { state -> UInt64 in
            let suspended = state.suspendedTime(at: now) &- start.suspended
            let waited = now &- start.time
            let excluded = waited - min(waited, suspended)
            state.suspendedBefore &+= excluded
            return excluded
        }
        return Double(waited) / 1e9
    }

    /// Takes the time since `start` off the total limit, as time in a queue.
    func noteQueued(since start: WaitStart) {
        let seconds = exclude(since: start)
        state.withLock { $0.queued += seconds }
    }

    /// Takes time off the total limit that the call spent in a queue and that is noted elsewhere.
    func exclude(seconds: Double) {
        state.withLock { $0.suspendedBefore &+= UInt64(max(0, seconds) * 1e9) }
    }

    /// How long the call waited in queues since this was asked for last, in seconds.
    func takeQueued() -> Double {
        state.withLock { state in
            defer { state.queued = 0 }
            return state.queued
        }
    }

    /// Whether anybody is told what happens.
    var isObserved: Bool { observer != nil }

    /// Why it was stopped from outside.
    var abortReason: NetworkError? { state.withLock { $0.abortReason } }

    /// Tells the observer.
    func tell(_ event: CallEvent) {
        observer?(.event(event))
    }

    /// Tells the observer of a decision; the text is only made where there is one.
    func decided(_ subject: Decision.Subject, _ text: @autoclosure () -> String) {
        guard let observer else { return }
        observer(.event(.decided(Decision(subject, text(), time: MonotonicClock.seconds(from: startedAt)))))
    }

    /// What is secret in what plugins added to its attempts.
    var addedSecrets: RequestSecrets { state.withLock { $0.addedSecrets } }

    /// Adds what is secret in what a plugin adds to an attempt.
    func addSecrets(_ secrets: RequestSecrets) {
        state.withLock { $0.addedSecrets.formUnion(secrets) }
    }

    // MARK: Suspension (S2.1, S2.22, S2.26)

    /// Where it is in its life.
    var phase: CallState {
        state.withLock { state in
            if state.isOver { return .completed }
            if state.abortReason != nil { return .cancelling }
            return state.suspendedSince == nil ? .running : .suspended
        }
    }

    /// Whether it stands still, or will at its next step.
    var isSuspended: Bool { state.withLock { $0.suspendedSince != nil } }

    /// Notes that it is over: nothing can be asked of it any more.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.interrupt = nil
            state.onChange = nil
            state.lateAlarm = nil
        }
    }

    /// Lets it stand still, wherever it is; one that stands still, was cancelled or is over is left alone.
    func suspend() {
        let onChange = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isOver, state.abortReason == nil, state.suspendedSince == nil else { return nil }
            state.suspendedSince = MonotonicClock.now
            state.isSuspensionTold = false
            // Under the lock, so that the order of several callers is that of what is told; the observer only passes it on.
            observer?(.willSuspend)
            return state.onChange ?? { [self] in confirmSuspension() }
        }
        onChange?()
    }

    /// Tells that it stands still, once for each suspension.
    func confirmSuspension() {
        let isNews = state.withLock { state in
            guard state.suspendedSince != nil, !state.isSuspensionTold, !state.isOver else { return false }
            state.isSuspensionTold = true
            observer?(.didSuspend)
            return true
        }
        if isNews { decided(.lifecycle, "suspended; time limits are paused") }
    }

    /// Lets it go on; one that runs is left alone.
    func resume() {
        let (isNews, alarm, onChange) = state.withLock { state -> (Bool, (@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            guard state.suspendedSince != nil, !state.isOver, state.abortReason == nil else { return (false, nil, nil) }
            state.suspendedBefore = state.suspendedTime(at: MonotonicClock.now)
            state.suspendedSince = nil
            observer?(.willStart)
            defer { state.lateAlarm = nil }
            return (true, state.lateAlarm, state.onChange)
        }
        guard isNews else { return }
        decided(.lifecycle, "resumed")
        alarm?()
        onChange?()
    }

    /// Waits while the call is suspended: a step that is about to begin asks for it.
    func passSuspension() async throws(NetworkError) {
        guard isSuspended else { return }
        let _: Void = try await wait(until: nil, timeout: .cancelledByCaller) { answer in
            whileWaiting { [self] in
                if isSuspended { confirmSuspension() } else { answer(.success(())) }
            }
        }
    }

    /// Says what a suspension does until the wait that has begun is over; called at once when the call is suspended or changed meanwhile.
    func whileWaiting(_ change: @escaping @Sendable () -> Void) {
        state.withLock { $0.onChange = change }
        change()
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

    /// Says what an abort, a suspension and the end of one do from now on; returns the reason when an abort has happened already.
    private func onAbort(_ interrupt: @escaping @Sendable (NetworkError) -> Void, onSuspension: (@Sendable () -> Void)? = nil) -> NetworkError? {
        state.withLock { state in
            state.interrupt = interrupt
            state.onChange = onSuspension
            return state.abortReason
        }
    }

    /// Runs one libcurl transfer to its end; a suspension holds it, an abort stops it.
    func transfer(_ spec: TransferSpec, body: any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?) async -> TransferOutcome {
        let ticket = TransferTicket(call: self)
        if let reason = onAbort({ ticket.abort($0) }, onSuspension: { ticket.followCall() }) { return TransferOutcome(error: reason) }
        let outcome = await withCheckedContinuation { continuation in
            ticket.start(spec, body: body, observer: observer) { outcome in
                Engine.assumeIsolated { Answers.shared.add { continuation.resume(returning: outcome) } }
            }
        }
        forgetWait()
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
            if let deadline { setAlarm(alarm, at: deadline) { answer.give(.failure(timeout)) } }
            begin { answer.give($0) }
        }
        forgetWait()
        if deadline != nil { Engine.post { Alarms.shared.cancel(alarm) } }
        return try result.get()
    }

    /// Waits so many seconds; the deadline and an abort end the wait.
    func pause(seconds: Double) async throws(NetworkError) {
        let alarm = Alarms.ID()
        defer { Engine.post { Alarms.shared.cancel(alarm) } }
        let _: Void = try await wait(until: deadline, timeout: .total(totalLimit)) { answer in
            let time = MonotonicClock.now &+ UInt64(min(max(0, seconds), 4_600_000_000) * 1e9)
            Engine.post { Alarms.shared.set(alarm, at: time) { answer(.success(())) } }
            whileWaiting { [self] in if isSuspended { confirmSuspension() } }
        }
    }

    /// Runs work of the app that belongs to the call, in a task that an abort cancels, and waits for its end.
    func stage<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        if onAbort({ _ in task.cancel() }) != nil { task.cancel() }
        let result = await task.result
        forgetWait()
        // What ended the work is the abort, whatever it threw.
        if case .failure = result, let abortReason { throw abortReason }
        return try result.get()
    }

    /// The encryptor of a request; an abort ends the wait for its key.
    func encryptor(_ encryption: @escaping ServiceConfiguration.Encryption, of request: Request) async throws(NetworkError) -> any BodyEncryptor {
        do { return try await stage { try await encryption(request) } } catch {
            throw error as? NetworkError ?? .cancelledByCaller
        }
    }

    /// What was waited for is there: an abort and a suspension have nothing to do with it any more.
    private func forgetWait() {
        state.withLock { state in
            state.interrupt = nil
            state.onChange = nil
            state.lateAlarm = nil
        }
    }

    /// Calls `action` when the call has run until `time`; the time for which it is suspended from now on is added.
    private func setAlarm(_ alarm: Alarms.ID, at time: UInt64, action: @escaping @Sendable () -> Void) {
        let before = state.withLock { $0.suspendedTime(at: MonotonicClock.now) }
        Engine.post { [self] in
            Alarms.shared.set(alarm, at: time) { [self] in
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

/// Resumes a continuation with the first of several answers.
final class FirstAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ value: Value) {
        continuation.withLock { $0.take() }?.resume(returning: value)
    }
}
