internal import SortieHTTP

/// The certificates of an untrusted server.
extension AppState {
    /// The rejected certificate chain of the open call; empty when it did not fail for that reason.
    var refusedChain: [PresentedCertificate] { openCall?.refusedChain ?? [] }

    /// Copies the pin of the rejected key, for a user who has verified the key.
    mutating func copyPin() -> [Effect] {
        guard let leaf = refusedChain.first else { return [] }
        return copy(
            leaf.pin, "the pin of \(redaction.masked(leaf.subject))",
            advice: "add it to trust.pins only after verifying the key")
    }
}

extension Call {
    /// The rejected certificate chain.
    var refusedChain: [PresentedCertificate] {
        guard let code = error?.code, code == .untrustedCertificate || code == .pinMismatch else { return [] }
        return exchange?.attempts.last?.certificates ?? []
    }
}
