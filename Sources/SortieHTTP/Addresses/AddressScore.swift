internal import SortieBase

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
