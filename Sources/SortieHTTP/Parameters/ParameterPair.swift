internal import SortieBase

/// A `name=value` item of a query or a form, decoded.
public struct ParameterPair: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value; nil for a name without `=`.
    public var value: String?
    /// The text of the item in a query, where it is not the usual encoding of name and value.
    package var spelling: String?

    /// Creates a pair.
    public init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }

    /// The pairs of a query or form text, decoded as UTF-8, in order.
    ///
    /// - Parameters:
    ///   - text: The query without its `?`, or the form.
    ///   - plusIsSpace: True for a form body; in a query, `+` has no special meaning (RFC 3986).
    public static func pairs(of text: String, plusIsSpace: Bool = false) -> [ParameterPair] {
        text.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { PercentEncoding.decode($0, plusIsSpace: plusIsSpace) }
            return ParameterPair(decoded.first ?? "", decoded.count > 1 ? decoded[1] : nil)
        }
    }

    /// `name=value` without any encoding, or `name`.
    public var text: String { value.map { "\(name)=\($0)" } ?? name }

    /// The order of the legacy scheme: by UTF-16 code units, as NSString compares.
    package static func precedes(_ left: String, _ right: String) -> Bool { left.utf16.lexicographicallyPrecedes(right.utf16) }
}

extension Sequence<ParameterPair> {
    /// The pairs sorted by name; pairs of one name keep their order.
    public var sortedByName: [ParameterPair] { sorted { ParameterPair.precedes($0.name, $1.name) } }
}
