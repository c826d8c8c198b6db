/// The fields of one name in two lists of header fields; the order of different names makes no difference, that of the same name does.
public struct HeaderDifference: Hashable, Sendable {
    /// How the two lists differ in it.
    public enum Change: String, Hashable, Sendable, CaseIterable {
        case same, changed, onlyLeft, onlyRight
    }

    /// The name as the left has it, or the right where that has none.
    public var name: String
    /// The values on the left.
    public var left: [String]
    /// The values on the right.
    public var right: [String]
    /// Whether a difference makes the answers differ.
    public var counts: Bool

    /// The fields of one name.
    public init(name: String, left: [String], right: [String], counts: Bool = true) {
        self.name = name
        self.left = left
        self.right = right
        self.counts = counts
    }

    /// How they differ.
    public var change: Change {
        if left == right { return .same }
        if left.isEmpty { return .onlyRight }
        return right.isEmpty ? .onlyLeft : .changed
    }

    /// Whether they differ.
    public var isDifferent: Bool { left != right }

    /// All names of two lists: those of the left in their order, then those that only the right has.
    ///
    /// - Parameter counts: whether a difference in the fields of a name makes the answers differ.
    public static func all(_ left: Headers, _ right: Headers, counts: (String) -> Bool = { _ in true }) -> [HeaderDifference] {
        var seen: Set<String> = []
        return (left.fields + right.fields).compactMap { field in
            guard seen.insert(field.name.lowercased()).inserted else { return nil }
            return HeaderDifference(
                name: field.name, left: left.values(of: field.name), right: right.values(of: field.name), counts: counts(field.name))
        }
    }
}
