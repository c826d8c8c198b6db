/// How the network to a service is made worse on purpose, so that a person sees how their own program bears it.
public struct NetworkConditions: Hashable, Sendable {
    /// How a request fails that is chosen to.
    public enum Failure: Hashable, Sendable {
        /// As if nothing listened.
        case refused
        /// As if the connection broke after the request went out: it may have been processed.
        case reset
        /// As if nothing ever came back, until a limit of time ends it.
        case silence
        /// An answer with this status that no server gave.
        case status(Int)
    }

    /// How long each attempt waits before it goes out, in seconds.
    public var delay: Double
    /// The most bytes a second, in each direction; nil for no limit.
    public var rate: Int64?
    /// The share of attempts that fail, from 0 to 1.
    public var failureShare: Double
    /// How they fail.
    public var failure: Failure

    /// Conditions; nothing is made worse where nothing is said.
    public init(delay: Double = 0, rate: Int64? = nil, failureShare: Double = 0, failure: Failure = .refused) {
        self.delay = delay
        self.rate = rate
        self.failureShare = failureShare
        self.failure = failure
    }

    /// Whether everything is as it is without them.
    public var isPlain: Bool { delay <= 0 && rate == nil && failureShare <= 0 }

    /// `+300 ms, 50 kB/s, 20 % refused`.
    public var text: String {
        var parts: [String] = []
        if delay > 0 { parts.append("+\(Int((delay * 1000).rounded())) ms") }
        if let rate { parts.append("\(ByteCount(rate).text)/s") }
        if failureShare > 0 { parts.append("\(Int((failureShare * 100).rounded())) % \(failure.text)") }
        return parts.isEmpty ? "as it is" : parts.joined(separator: ", ")
    }
}

extension NetworkConditions.Failure {
    /// What becomes of a request, in a word or two.
    public var text: String {
        switch self {
        case .refused: "refused"
        case .reset: "reset"
        case .silence: "without an answer"
        case .status(let status): "status \(status)"
        }
    }
}
