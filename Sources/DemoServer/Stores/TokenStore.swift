import SortieBase

/// The tokens that `/login` issued, with their expiry times.
///
/// Expired tokens stay known, so that a client that presents one learns that it expired.
actor TokenStore {
    /// The maximum number of tokens; beyond it the token that expired first is dropped.
    private static let limit = 1000

    private var expiry: [String: ContinuousClock.Instant] = [:]

    func issue(lifetime: Double) -> String {
        if expiry.count >= Self.limit, let first = expiry.min(by: { $0.value < $1.value }) { expiry[first.key] = nil }
        let token = "demo-" + HexDigits.text((0..<16).map { _ in UInt8.random(in: 0...255) })
        expiry[token] = ContinuousClock.now.advanced(by: .seconds(lifetime))
        return token
    }

    /// Expires a token early.
    ///
    /// Does nothing for an unknown token.
    func end(_ token: String) {
        guard expiry[token] != nil else { return }
        expiry[token] = .now
    }

    enum Validity { case good, expired, unknown }

    func validity(of token: String) -> Validity {
        guard let end = expiry[token] else { return .unknown }
        return ContinuousClock.now < end ? .good : .expired
    }
}
