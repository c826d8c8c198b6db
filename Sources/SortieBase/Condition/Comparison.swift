/// A comparison of two values that have an order.
package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="

    /// Whether two values have the order.
    package func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .less: left < right
        case .atMost: left <= right
        case .greater: left > right
        case .atLeast: left >= right
        }
    }

    /// The comparison in words: `at least`.
    package var phrase: String {
        switch self {
        case .less: "less than"
        case .atMost: "at most"
        case .greater: "greater than"
        case .atLeast: "at least"
        }
    }
}

/// An expected size of a body after decoding: `< 10kB`, `>= 1`, `512`.
package struct SizeCondition: Hashable, Sendable {
    /// The comparison; nil for the size itself.
    package let comparison: Comparison?
    /// The size that the body is compared with.
    package let size: ByteCount
    /// The size as the file has it.
    private let amount: String

    /// The remedy in messages about a text that is not a condition.
    package static let form = "write <, <=, >, >= or nothing and a size, as in \"< 10kB\""

    /// Parses a condition; nil for other text.
    package init?(_ text: String) {
        let word = text.prefix { "<>=".contains($0) }
        amount = String(text.dropFirst(word.count).drop { $0 == " " })
        comparison = Comparison(rawValue: String(word))
        guard comparison != nil || word.isEmpty || word == "=", let size = ByteCount(parsing: amount) else { return nil }
        self.size = size
    }

    /// The condition as text, which parses as the same condition.
    package var text: String { comparison.map { "\($0.rawValue) \(amount)" } ?? amount }

    /// Whether a number of bytes satisfies the condition.
    package func holds(for bytes: Int64) -> Bool { comparison?.holds(bytes, size.bytes) ?? (bytes == size.bytes) }
}
