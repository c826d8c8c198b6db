internal import SortieHTTP

extension Call {
    /// The rejected certificate chain; empty when the call did not fail for that reason.
    var refusedChain: [PresentedCertificate] {
        guard let code = error?.code, code == .untrustedCertificate || code == .pinMismatch else { return [] }
        return exchange?.attempts.last?.certificates ?? []
    }
}
