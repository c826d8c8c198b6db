internal import SortieHTTP

internal import struct FoundationEssentials.Date

extension Attempt {
    /// The result of a transfer.
    init(_ outcome: TransferOutcome, of spec: TransferRequest, startedAt: Date) {
        self.init(url: spec.url, method: spec.method, startedAt: startedAt)
        sentHeaders = outcome.sentHeaders
        body = spec.body
        sentBodyBytes = outcome.sentBodyBytes
        address = outcome.address ?? spec.address?.description
        localPort = outcome.localPort
        isConnectionReused = outcome.isConnectionReused
        error = outcome.error
        certificates = outcome.certificates
        isUnverified = spec.url.scheme == .https && spec.options.trust.isInsecure
        timing = outcome.timing
    }
}
