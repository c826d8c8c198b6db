package import SortieBase

/// An expected size of a body after decoding: `< 10kB`, `>= 1`, `512`.
package struct SizeCondition: Hashable, Sendable {
    /// A comparison of two sizes.
    package enum Order: String, Hashable, Sendable, CaseIterable {
        case equal = "="
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="
    }

    /// The comparison.
    package let order: Order
    /// The size that the body is compared with.
    package let size: ByteCount
    /// The size as the file has it.
    private let amount: String

    /// The remedy in messages about a text that is not a condition.
    package static let form = "write <, <=, >, >= or nothing and a size, as in \"< 10kB\""

    /// Parses a condition; nil for other text.
    package init?(_ text: String) {
        let word = text.prefix { "<>=".contains($0) }
        let amount = String(text.dropFirst(word.count).drop { $0 == " " })
        guard let order = word.isEmpty ? .equal : Order(rawValue: String(word)), let size = ByteCount(parsing: amount) else { return nil }
        (self.order, self.size, self.amount) = (order, size, amount)
    }

    /// The condition as text, which parses as the same condition.
    package var text: String { order == .equal ? amount : "\(order.rawValue) \(amount)" }

    /// Whether a number of bytes satisfies the condition.
    package func holds(for bytes: Int64) -> Bool {
        switch order {
        case .equal: bytes == size.bytes
        case .less: bytes < size.bytes
        case .atMost: bytes <= size.bytes
        case .greater: bytes > size.bytes
        case .atLeast: bytes >= size.bytes
        }
    }
}
