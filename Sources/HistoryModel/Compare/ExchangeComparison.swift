public import BodyViews

/// The difference between two exchanges of the history, in a form for display.
///
/// Two exchanges are equal when their responses have equal status, header fields and body. Times, sizes and requests are shown but do not count.
/// Masked secrets are equal to each other, because the original values are unknown.
public struct ExchangeComparison: Hashable, Sendable {
    /// One property of both exchanges.
    public struct Fact: Hashable, Sendable {
        /// The name of the property, such as "Status" or "Total".
        public var name: String
        /// The value on the left; nil where there is none.
        public var left: String?
        /// The value on the right; nil where there is none.
        public var right: String?
        /// Whether the values differ; for times and sizes, the exact values and not the rounded texts are compared.
        public var isDifferent: Bool
        /// Whether a difference makes the responses differ.
        public var counts: Bool

        /// Creates a property; by default the values differ where their texts do.
        public init(_ name: String, _ left: String?, _ right: String?, isDifferent: Bool? = nil, counts: Bool = false) {
            self.name = name
            self.left = left
            self.right = right
            self.isDifferent = isDifferent ?? (left != right)
            self.counts = counts
        }
    }

    /// The comparison of the requests.
    public struct RequestPart: Hashable, Sendable {
        /// Method, URL and environment.
        public var facts: [Fact]
        /// The request header fields.
        public var headers: [HeaderDifference]
        /// The request bodies.
        public var body: BodyComparison

        /// Whether the requests are known to be equal.
        public var isSame: Bool {
            facts.allSatisfy { !$0.isDifferent } && headers.allSatisfy { !$0.isDifferent } && !body.isDifferent && !body.isUnknown
        }
    }

    /// The exchange to compare with.
    public var left: HistoryItem
    /// The exchange that may have changed.
    public var right: HistoryItem
    /// Status, times, sizes and origin.
    public var facts: [Fact]
    /// The response header fields: those of the left in order, then those that only the right has.
    public var headers: [HeaderDifference]
    /// The response bodies.
    public var body: BodyComparison
    /// The requests.
    public var request: RequestPart

    /// Whether the responses are equal, apart from ignored differences; false where that is unknown.
    public var areEqual: Bool { !areDifferent && !body.isUnknown }

    /// Whether equality is unknown: a body is missing, and everything else is equal.
    public var isUnknown: Bool { !areDifferent && body.isUnknown }

    /// Whether the responses are known to differ.
    private var areDifferent: Bool {
        body.isDifferent || facts.contains { $0.isDifferent && $0.counts } || headers.contains { $0.isDifferent && $0.counts }
    }
}
