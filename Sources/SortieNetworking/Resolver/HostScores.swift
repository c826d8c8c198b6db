internal import SortieHTTP

/// The addresses of one host and port, one of which is in use (`EngineFacts.md` 4.2).
///
/// A value type; the caller passes the current time in monotonic nanoseconds.
struct HostScores {
    /// An address to try.
    struct Candidate: Hashable {
        var address: IPAddress
        var choice: AddressChoice
    }

    /// A change of the address in use.
    struct Switch: Hashable {
        var from: IPAddress
        var to: IPAddress
        /// Both addresses, the reason and the scores.
        var text: String
    }

    private static let second: UInt64 = 1_000_000_000
    /// An average latency above this value, in seconds, is a reason to use another address.
    static let slow = 0.2
    /// A score that is better by at least this value is a reason to switch.
    static let gap = 0.1
    /// A success rate below this value is a reason to switch, after ``leastRequests`` requests.
    static let leastSuccess = 0.8
    /// The number of requests from which the success rate counts.
    static let leastRequests = 3
    /// The shortest time between two switches.
    static let hysteresis = 5 * second
    /// An address without requests for this time is probed again.
    static let silence = 60 * second
    /// One in this many requests probes such an address.
    static let probeShare = 20
    /// The largest number of addresses with scores.
    private static let mostAddresses = 64

    private var scores: [IPAddress: AddressStatistics] = [:]
    /// The addresses of the last request, in the order of the DNS answer.
    private var candidates: [IPAddress] = []
    /// Why an address came into use or went out of use.
    private var reasons: [IPAddress: String] = [:]
    private var switched: UInt64?
    private var choices = 0
    /// The address in use; nil before the first request.
    private(set) var current: IPAddress?

    /// The score of an address.
    func score(of address: IPAddress) -> AddressStatistics { scores[address] ?? AddressStatistics() }

    /// Why an address came into use or went out of use; nil where no switch concerned it.
    func reason(of address: IPAddress) -> String? { reasons[address] }

    /// The order in which `addresses` are tried: the one in use, then the others by score.
    ///
    /// At times an address that is long out of use comes first.
    mutating func order(_ addresses: [IPAddress], mayProbe: Bool, at now: UInt64) -> [Candidate] {
        if addresses != candidates { replace(addresses) }
        choices += 1
        let isNew = scores.isEmpty
        guard let current else { return [] }
        var order: [(address: IPAddress, reason: AddressChoice.Reason)] = [(current, isNew ? .first : .inUse)]
        // The sort is stable, so the alternation of the address families is kept.
        let others = candidates.filter { $0 != current }.map { ($0, score(of: $0).score) }.sorted { $0.1 > $1.1 }
        order += others.map { ($0.0, .next) }
        if mayProbe, choices.isMultiple(of: Self.probeShare),
            let index = order.indices.dropFirst().first(where: { isForgotten(order[$0].address, at: now) })
        {
            var probe = order.remove(at: index)
            probe.reason = .probe
            order[0].reason = .next
            order.insert(probe, at: 0)
        }
        return order.map {
            Candidate(address: $0.address, choice: AddressChoice($0.reason, count: order.count, standing: score(of: $0.address).standing))
        }
    }

    /// Whether an address was tried, but so long ago that its score is outdated.
    private func isForgotten(_ address: IPAddress, at now: UInt64) -> Bool {
        let score = score(of: address)
        return score.requests > 0 && now >= score.heard + Self.silence
    }

    private mutating func replace(_ addresses: [IPAddress]) {
        candidates = addresses
        if scores.count > Self.mostAddresses {
            scores = scores.filter { addresses.contains($0.key) }
            reasons = reasons.filter { addresses.contains($0.key) }
        }
        if let current, addresses.contains(current) { return }
        // The first address of the DNS answer, unless another one has a better score.
        current = best(of: addresses)
    }

    /// The address with the best score, the first one of several.
    private func best(of addresses: [IPAddress]) -> IPAddress? {
        addresses.reduce(nil) { best, address in
            guard let best else { return address }
            return score(of: address).score > score(of: best).score ? address : best
        }
    }

    /// Records the result of a request to an address.
    ///
    /// Returns the switch that it causes.
    mutating func note(_ address: IPAddress, _ outcome: AddressStatistics.Outcome, at now: UInt64) -> Switch? {
        guard candidates.contains(address) else { return nil }
        var isDue = false
        if address != current, isForgotten(address, at: now), case .success = outcome {
            // The address works again, so its old score is discarded.
            scores[address] = AddressStatistics()
            isDue = true
        }
        if scores[address, default: AddressStatistics()].note(outcome, at: now) { isDue = true }
        return isDue ? judge(at: now) : nil
    }

    private mutating func judge(at now: UInt64) -> Switch? {
        guard let current, switched.map({ now >= $0 + Self.hysteresis }) ?? true, let (best, reason) = replacement(of: current) else { return nil }
        let (left, taken) = (score(of: current).standing.text, score(of: best).standing.text)
        let text = "switched from \(current) (\(left)) to \(best) (\(taken)): \(reason)"
        reasons[current] = "replaced: \(reason); at that time \(left)"
        reasons[best] = "used instead of \(current) (\(left)): \(reason)"
        switched = now
        self.current = best
        return Switch(from: current, to: best, text: text)
    }

    /// The address that replaces the one in use, and the reason; nil where no rule applies.
    private func replacement(of current: IPAddress) -> (IPAddress, String)? {
        let own = score(of: current)
        let others = candidates.filter { $0 != current }
        guard let other = best(of: others) else { return nil }
        let lead = score(of: other).score - own.score
        if let latency = own.latency, latency > Self.slow, lead > 0 {
            return (other, "its average latency of \(Int((latency * 1000).rounded())) ms is above 200 ms")
        }
        // Scores are shown with two decimals; the tolerance keeps the comparison consistent with the displayed
        // values.
        if lead >= Self.gap - 1e-9 { return (other, "the score of the other address is better by 0.1 or more") }
        guard own.success < Self.leastSuccess, own.requests >= Self.leastRequests else { return nil }
        let steadier = others.filter { score(of: $0).requests == 0 || score(of: $0).success > own.success }
        return best(of: steadier).map { ($0, "only \(own.successes) of its last \(own.requests) requests succeeded") }
    }
}
