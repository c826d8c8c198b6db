/// The tokens that `/login` issued, with their expiry times.
actor TokenStore {
    private var expiry: [String: ContinuousClock.Instant] = [:]

    func issue(lifetime: Double) -> String {
        let now = ContinuousClock.now
        expiry = expiry.filter { $0.value > now }
        let token = "demo-" + Hex.text((0..<16).map { _ in UInt8.random(in: 0...255) })
        expiry[token] = now.advanced(by: .seconds(lifetime))
        return token
    }

    /// Expires a token early.
    ///
    /// Does nothing for an unknown token.
    func end(_ token: String) {
        guard expiry[token] != nil else { return }
        expiry[token] = .now
    }

    enum Verdict { case good, expired, unknown }

    func verdict(_ token: String) -> Verdict {
        guard let end = expiry[token] else { return .unknown }
        return ContinuousClock.now < end ? .good : .expired
    }
}
