internal import SortieHTTP

internal import struct FoundationEssentials.Date

extension RecordedHop {
    /// What an attempt came to that is noted in the exchange already, as its last one.
    init(_ outcome: TransferOutcome, of spec: TransferSpec, call: Call, in exchange: Exchange, startedAt: Date) {
        self.init(call: call.id, attempt: exchange.attempts.count, startedAt: startedAt, request: spec.request)
        sentHeaders = outcome.sentHeaders
        sentBodyBytes = outcome.sentBodyBytes
        response = outcome.response
        isBodyElsewhere = call.makeSink != nil
        timing = exchange.attempts.last?.timing ?? outcome.timing
        address = outcome.address ?? spec.address?.description
        localPort = outcome.localPort
        isConnectionReused = outcome.isConnectionReused
        error = outcome.error
        if timing.queued > 0 { queued = timing.queued }
    }
}
