internal import SortieBase

/// Why an attempt used its address, with the scores at that time.
public struct AddressChoice: Hashable, Sendable {
    /// The reason.
    public enum Reason: String, Hashable, Sendable {
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
    public var reason: Reason
    /// The number of available addresses.
    public var count: Int
    /// The score of the address.
    public var standing: AddressScore

    /// Creates a choice.
    package init(_ reason: Reason, count: Int, standing: AddressScore) {
        self.reason = reason
        self.count = count
        self.standing = standing
    }

    /// The choice in JSON, for `--json`.
    package var record: JSONValue { ["reason": .string(reason.rawValue), "of": .integer(count), "standing": standing.record] }

    /// The choice as text for display.
    public var text: String {
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
public struct AddressScore: Hashable, Sendable {
    /// The score from 0 to 1: 0.6 for low latency and 0.4 for success.
    public var score: Double
    /// The average latency in seconds; nil before the first measurement.
    public var latency: Double?
    /// The number of counted requests that succeeded.
    public var successes: Int
    /// The number of recent requests that count, 15 at most.
    public var requests: Int

    /// Creates a score.
    package init(score: Double, latency: Double?, successes: Int, requests: Int) {
        self.score = score
        self.latency = latency
        self.successes = successes
        self.requests = requests
    }

    /// The values in JSON, for `--json`.
    package var record: JSONValue {
        [
            "score": .number(FixedPoint.text(score, digits: 3)), "latency": latency.map { .seconds($0) } ?? .null,
            "successes": .integer(successes), "requests": .integer(requests),
        ]
    }

    /// The values as text for display.
    public var text: String {
        guard requests > 0 else { return "score \(FixedPoint.text(score, digits: 2)), not tried yet" }
        let way = latency.map { "\(FixedPoint.text($0 * 1000, digits: $0 < 0.01 ? 1 : 0)) ms, " } ?? ""
        return "score \(FixedPoint.text(score, digits: 2)): \(way)\(successes) of the last \(requests) succeeded"
    }
}
