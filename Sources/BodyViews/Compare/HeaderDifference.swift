package import SortieHTTP

/// The fields of one name in two header sections; the order matters only among fields of the same name.
package struct HeaderDifference: Hashable, Sendable {
    /// The kind of a difference.
    package enum Change: String, Hashable, Sendable, CaseIterable {
        case same, changed, onlyLeft, onlyRight
    }

    /// The name in the spelling of the left side, or of the right where the left has none.
    package var name: String
    /// The values on the left.
    package var left: [String]
    /// The values on the right.
    package var right: [String]
    /// Whether a difference makes the responses differ.
    package var counts: Bool

    /// Creates a comparison of the fields of one name.
    package init(name: String, left: [String], right: [String], counts: Bool = true) {
        (self.name, self.left, self.right, self.counts) = (name, left, right, counts)
    }

    /// The kind of the difference.
    package var change: Change {
        if left == right { return .same }
        if left.isEmpty { return .onlyRight }
        return right.isEmpty ? .onlyLeft : .changed
    }

    /// Whether the values differ.
    package var isDifferent: Bool { left != right }

    /// The comparison for all names of two header sections: those of the left in order, then those that only the right has.
    ///
    /// - Parameter counts: Whether a difference in the fields of a name makes the responses differ.
    package static func all(_ left: Headers, _ right: Headers, counts: (String) -> Bool = { _ in true }) -> [HeaderDifference] {
        var seen: Set<String> = []
        return (left.fields + right.fields).compactMap { field in
            guard seen.insert(field.name.lowercased()).inserted else { return nil }
            return HeaderDifference(
                name: field.name, left: left.values(of: field.name), right: right.values(of: field.name), counts: counts(field.name))
        }
    }
}
