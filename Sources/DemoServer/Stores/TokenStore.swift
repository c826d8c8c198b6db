/// The tokens that `/login` gave out, each with the moment it stops being good.
actor TokenStore {
    private var expiry: [String: ContinuousClock.Instant] = [:]

    func issue(lifetime: Double) -> String {
        let now = ContinuousClock.now
        expiry = expiry.filter { $0.value > now }
        let token = "demo-" + Hex.text((0..<16).map { _ in UInt8.random(in: 0...255) })
        expiry[token] = now.advanced(by: .seconds(lifetime))
        return token
    }

    /// Ends a token before its time; one that is not known stays unknown.
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
