/// Simulated network conditions for the requests of a service, for testing how a program copes with them.
package struct NetworkConditions: Hashable, Sendable {
    /// The failure of a request that is selected to fail.
    package enum Failure: Hashable, Sendable {
        /// The connection is refused.
        case refused
        /// The connection breaks after the request was sent, so the request may have been processed.
        case reset
        /// No response arrives until a time limit ends the attempt.
        case silence
        /// A generated response with this status.
        case status(Int)
    }

    /// The delay before each attempt, in seconds.
    package var delay: Double
    /// The maximum number of bytes per second in each direction; nil for no limit.
    package var rate: Int64?
    /// The share of attempts that fail, from 0 to 1.
    package var failureShare: Double
    /// The kind of failure.
    package var failure: Failure

    /// Creates conditions; the defaults change nothing.
    package init(delay: Double = 0, rate: Int64? = nil, failureShare: Double = 0, failure: Failure = .refused) {
        (self.delay, self.rate, self.failureShare, self.failure) = (delay, rate, failureShare, failure)
    }

    /// Whether the conditions change nothing.
    package var isPlain: Bool { delay <= 0 && rate == nil && failureShare <= 0 }

    /// The conditions for display, such as `+300 ms, 50 kB/s, 20 % refused`.
    package var text: String {
        var parts: [String] = []
        if delay > 0 { parts.append("+\(Int((delay * 1000).rounded())) ms") }
        if let rate { parts.append("\(ByteCount(rate).text)/s") }
        if failureShare > 0 { parts.append("\(Int((failureShare * 100).rounded())) % \(failure.text)") }
        return parts.isEmpty ? "unchanged" : parts.joined(separator: ", ")
    }
}

extension NetworkConditions.Failure {
    /// The failure in a word or two.
    public var text: String {
        switch self {
        case .refused: "refused"
        case .reset: "reset"
        case .silence: "without a response"
        case .status(let status): "status \(status)"
        }
    }
}
