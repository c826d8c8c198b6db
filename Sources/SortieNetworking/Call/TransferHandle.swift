internal import SortieHTTP

/// The handle with which a caller stops a transfer before it starts, while it runs, or after it ended.
final class TransferHandle: Sendable {
    @Engine private var transfer: Transfer?
    @Engine private var abortReason: NetworkError?
    /// The sink until the transfer has it.
    @Engine private var body: (any BodySink)?
    private let call: Call
    private let request: TransferRequest
    private let observer: (@Sendable (Transfer.Event) -> Void)?

    init(call: Call, _ request: TransferRequest, body: any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?) {
        (self.call, self.request, self.observer) = (call, request, observer)
        self.body = body
    }

    /// Runs the attempt on the engine, once.
    func run() async -> TransferOutcome {
        // Unchecked, because a check costs an object for each attempt; the engine ends each transfer once.
        await withUnsafeContinuation { receiver in
            Engine.post { [self] in start(receiver) }
        }
    }

    @Engine private func start(_ receiver: UnsafeContinuation<TransferOutcome, Never>) {
        guard abortReason == nil, let body = body.take() else {
            return CompletionBatch.shared.add(TransferOutcome(error: abortReason ?? .cancelledByCaller), for: receiver)
        }
        do throws(NetworkError) {
            transfer = try TransferQueue.shared.start(request, body: body, observer: observer) { (outcome: consuming TransferOutcome) in
                self.transfer = nil
                CompletionBatch.shared.add(consume outcome, for: receiver)
            }
            if call.isSuspended { followNow() }
        } catch {
            CompletionBatch.shared.add(TransferOutcome(error: error), for: receiver)
        }
    }

    /// Suspends or resumes the attempt according to its call.
    func followCall() {
        Engine.post { [self] in followNow() }
    }

    @Engine private func followNow() {
        guard let transfer else { return }
        let isSuspended = call.isSuspended
        TransferQueue.shared.hold(transfer, isSuspended)
        if isSuspended { call.confirmSuspension() }
    }

    /// Stops the attempt.
    ///
    /// Does nothing when it has ended.
    func abort(_ reason: NetworkError) {
        Engine.post { [self] in
            abortReason = reason
            if let transfer { TransferQueue.shared.abort(transfer, reason: reason) }
        }
    }
}

extension Task where Failure == Never {
    /// Waits for the value of a task for which others may wait, too; nil where the wait is cancelled before, after which the task continues.
    ///
    /// - Parameter cancelling: Receives what ends the wait, beside the cancellation of the waiting task.
    package func valueUnlessCancelled(_ cancelling: (@escaping @Sendable () -> Void) -> Void = { _ in }) async -> Success? {
        let (values, continuation) = AsyncStream<Success>.makeStream()
        Task<Void, Never> {
            continuation.yield(await value)
            continuation.finish()
        }
        cancelling { continuation.finish() }
        for await value in values { return value }
        return nil
    }
}
