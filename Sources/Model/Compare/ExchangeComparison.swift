/// What differs between two exchanges of the history, ready to be shown.
///
/// Equal are two whose answers are: status, header fields and body. Times, sizes and what was asked are told beside that and decide nothing.
/// Masked secrets are equal to each other, because nobody knows what stood there.
public struct ExchangeComparison: Hashable, Sendable {
    /// One thing side by side.
    public struct Fact: Hashable, Sendable {
        /// What it is: "Status", "Total".
        public var name: String
        /// What it is on the left; nil where there is none.
        public var left: String?
        /// What it is on the right; nil where there is none.
        public var right: String?
        /// Whether the two differ; of times and sizes what is measured does, not its rounded text.
        public var isDifferent: Bool
        /// Whether a difference makes the answers differ.
        public var counts: Bool

        /// One thing side by side; it differs where its texts do, unless something else is said.
        public init(_ name: String, _ left: String?, _ right: String?, isDifferent: Bool? = nil, counts: Bool = false) {
            self.name = name
            self.left = left
            self.right = right
            self.isDifferent = isDifferent ?? (left != right)
            self.counts = counts
        }
    }

    /// What was asked, side by side.
    public struct RequestPart: Hashable, Sendable {
        /// Method, URL and environment.
        public var facts: [Fact]
        /// The fields that went out.
        public var headers: [HeaderDifference]
        /// The bodies that went out.
        public var body: BodyComparison

        /// Whether the same was asked, as far as that is known for certain.
        public var isSame: Bool {
            facts.allSatisfy { !$0.isDifferent } && headers.allSatisfy { !$0.isDifferent } && !body.isDifferent && !body.isUnknown
        }
    }

    /// The one that is compared with.
    public var left: HistoryItem
    /// The one that may have changed.
    public var right: HistoryItem
    /// Status, times, sizes and where it came from.
    public var facts: [Fact]
    /// The fields of the answers: those of the left in their order, then those that only the right has.
    public var headers: [HeaderDifference]
    /// The bodies of the answers.
    public var body: BodyComparison
    /// What was asked.
    public var request: RequestPart

    /// Whether the answers are equal, but for what the rules ignore; false where nobody knows.
    public var areEqual: Bool { !areDifferent && !body.isUnknown }

    /// Whether nobody knows if the answers are equal: what is there of them is, and a body is not there.
    public var isUnknown: Bool { !areDifferent && body.isUnknown }

    /// Whether the answers are known to differ.
    private var areDifferent: Bool {
        body.isDifferent || facts.contains { $0.isDifferent && $0.counts } || headers.contains { $0.isDifferent && $0.counts }
    }
}
