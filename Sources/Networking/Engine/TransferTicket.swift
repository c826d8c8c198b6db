internal import Model

/// What a caller holds of a transfer that it ordered: the means to stop it, before it begins, while it runs, or after.
final class TransferTicket: Sendable {
    @Engine private var transfer: Transfer?
    @Engine private var abortReason: NetworkError?
    private let call: Call

    init(call: Call) {
        self.call = call
    }

    /// Orders an attempt; `finish` is called exactly once, later, on the engine's thread.
    func start(
        _ spec: TransferSpec, body: any BodySink, observer: (@Sendable (Transfer.Event) -> Void)?,
        finish: @escaping @Sendable (TransferOutcome) -> Void
    ) {
        Engine.post { [self] in
            if let abortReason { return finish(TransferOutcome(error: abortReason)) }
            do throws(NetworkError) {
                transfer = try TransferQueue.shared.start(spec, body: body, observer: observer) { outcome in
                    self.transfer = nil
                    finish(outcome)
                }
                if call.isSuspended { followNow() }
            } catch {
                finish(TransferOutcome(error: error))
            }
        }
    }

    /// Holds the attempt or lets it go on, as its call says.
    func followCall() {
        Engine.post { [self] in followNow() }
    }

    @Engine private func followNow() {
        guard let transfer else { return }
        let isSuspended = call.isSuspended
        TransferQueue.shared.hold(transfer, isSuspended)
        if isSuspended { call.confirmSuspension() }
    }

    /// Stops the attempt; one that has ended is left alone.
    func abort(_ reason: NetworkError) {
        Engine.post { [self] in
            abortReason = reason
            if let transfer { TransferQueue.shared.abort(transfer, reason: reason) }
        }
    }
}
