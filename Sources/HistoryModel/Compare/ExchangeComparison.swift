package import BodyViews

/// The difference between two exchanges of the history, in a form for display.
///
/// Two exchanges are equal when their responses have equal status, header fields and body. Times, sizes and requests are shown but do not count.
/// Masked secrets are equal to each other, because the original values are unknown.
package struct ExchangeComparison: Hashable, Sendable {
    /// One property of both exchanges.
    package struct Fact: Hashable, Sendable {
        /// The name of the property, such as "Status" or "Total".
        package var name: String
        /// The value on the left; nil where there is none.
        package var left: String?
        /// The value on the right; nil where there is none.
        package var right: String?
        /// Whether the values differ; for times and sizes, the exact values and not the rounded texts are compared.
        package var isDifferent: Bool
        /// Whether a difference makes the responses differ.
        package var counts: Bool

        /// Creates a property; by default the values differ where their texts do.
        package init(_ name: String, _ left: String?, _ right: String?, isDifferent: Bool? = nil, counts: Bool = false) {
            self.name = name
            self.left = left
            self.right = right
            self.isDifferent = isDifferent ?? (left != right)
            self.counts = counts
        }
    }

    /// The comparison of the requests.
    package struct RequestPart: Hashable, Sendable {
        /// Method, URL and environment.
        package var facts: [Fact]
        /// The request header fields.
        package var headers: [HeaderDifference]
        /// The request bodies.
        package var body: BodyComparison

        /// Whether the requests are known to be equal.
        package var isSame: Bool {
            facts.allSatisfy { !$0.isDifferent } && headers.allSatisfy { !$0.isDifferent } && !body.isDifferent && !body.isUnknown
        }
    }

    /// The exchange to compare with.
    package var left: HistoryItem
    /// The exchange that may have changed.
    package var right: HistoryItem
    /// Status, times, sizes and origin.
    package var facts: [Fact]
    /// The response header fields: those of the left in order, then those that only the right has.
    package var headers: [HeaderDifference]
    /// The response bodies.
    package var body: BodyComparison
    /// The requests.
    package var request: RequestPart

    /// Whether the responses are equal, apart from ignored differences; false where that is unknown.
    package var areEqual: Bool { !areDifferent && !body.isUnknown }

    /// Whether equality is unknown: a body is missing, and everything else is equal.
    package var isUnknown: Bool { !areDifferent && body.isUnknown }

    /// Whether the responses are known to differ.
    private var areDifferent: Bool {
        body.isDifferent || facts.contains { $0.isDifferent && $0.counts } || headers.contains { $0.isDifferent && $0.counts }
    }
}
