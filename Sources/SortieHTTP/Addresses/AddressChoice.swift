internal import SortieBase

/// Why an attempt used its address, with the scores at that time.
package struct AddressChoice: Hashable, Sendable {
    /// The reason.
    package enum Reason: String, Hashable, Sendable {
        /// There is no other address.
        case only
        /// No address has a score; this one was first in the DNS response.
        case first
        /// The address is in use, and no rule replaces it.
        case inUse
        /// The address is out of use and is probed by a few requests.
        case probe
        /// The attempts at the preceding addresses failed.
        case next
    }

    /// The reason.
    package var reason: Reason
    /// The number of available addresses.
    package var count: Int
    /// The score of the address.
    package var standing: AddressScore

    /// Creates a choice.
    package init(_ reason: Reason, count: Int, standing: AddressScore) {
        (self.reason, self.count, self.standing) = (reason, count, standing)
    }

    /// The choice in JSON, for `--json`.
    package var record: JSONValue { ["reason": .string(reason.rawValue), "of": .integer(count), "standing": standing.record] }

    /// The choice as text for display.
    package var text: String {
        switch reason {
        case .only: "the only address"
        case .first: "the first of \(count)"
        case .inUse: "in use, of \(count); \(standing.text)"
        case .probe: "a probe, of \(count); \(standing.text)"
        case .next: "the next of \(count); \(standing.text)"
        }
    }
}

/// The score of one address with the values behind it.
package struct AddressScore: Hashable, Sendable {
    /// The score from 0 to 1: 0.6 for low latency and 0.4 for success.
    package var score: Double
    /// The average latency in seconds; nil before the first measurement.
    package var latency: Double?
    /// The number of counted requests that succeeded.
    package var successes: Int
    /// The number of recent requests that count, 15 at most.
    package var requests: Int

    /// Creates a score.
    package init(score: Double, latency: Double?, successes: Int, requests: Int) {
        (self.score, self.latency, self.successes, self.requests) = (score, latency, successes, requests)
    }

    /// The values in JSON, for `--json`.
    package var record: JSONValue {
        [
            "score": .number(FixedPoint.text(score, digits: 3)), "latency": latency.map { .seconds($0) } ?? .null,
            "successes": .integer(successes), "requests": .integer(requests),
        ]
    }

    /// The values as text for display.
    package var text: String {
        guard requests > 0 else { return "score \(FixedPoint.text(score, digits: 2)), not tried yet" }
        let way = latency.map { "\(FixedPoint.text($0 * 1000, digits: $0 < 0.01 ? 1 : 0)) ms, " } ?? ""
        return "score \(FixedPoint.text(score, digits: 2)): \(way)\(successes) of the last \(requests) succeeded"
    }
}
