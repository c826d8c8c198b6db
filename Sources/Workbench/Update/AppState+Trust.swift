internal import Model

/// A server that was not trusted, and what it showed.
extension AppState {
    /// The chain of certificates for which the open call failed; empty where it did not.
    var refusedChain: [PresentedCertificate] { openCall?.refusedChain ?? [] }

    /// Copies the pin of the key that was refused, for who has made sure that it is the right one.
    mutating func copyPin() -> [Effect] {
        guard let leaf = refusedChain.first else { return [] }
        return copy(
            leaf.pin, "the pin of \(redaction.masked(leaf.subject))",
            advice: "put it into trust.pins only when you know that the key is right")
    }
}

extension Call {
    /// The chain of certificates for which it failed.
    var refusedChain: [PresentedCertificate] {
        guard let code = error?.code, code == .untrustedCertificate || code == .pinMismatch else { return [] }
        return exchange?.attempts.last?.certificates ?? []
    }
}
