import SortieBase

/// The nonces of Digest authentication with the last used count of each, so that credentials cannot be replayed.
actor NonceStore {
    private var lastCount: [String: Int] = [:]
    private var order: [String] = []
    nonisolated let opaque = HexDigits.text((0..<8).map { _ in UInt8.random(in: 0...255) })

    func issue() -> String {
        let nonce = HexDigits.text((0..<16).map { _ in UInt8.random(in: 0...255) })
        lastCount[nonce] = 0
        order.append(nonce)
        if order.count > 1000 { lastCount[order.removeFirst()] = nil }
        return nonce
    }

    /// Records a use of a nonce.
    ///
    /// Returns false when the nonce is unknown or the count was used before (RFC 7616 §3.3, `stale`).
    func use(_ nonce: String, count: Int) -> Bool {
        guard let last = lastCount[nonce], count > last else { return false }
        lastCount[nonce] = count
        return true
    }
}
