/// Pairs the items of two arrays that correspond to each other, including unequal ones.
struct ItemPairing {
    /// Two corresponding items.
    struct Pair: Hashable {
        let left: Int
        let right: Int
        let isEqual: Bool
    }

    /// The maximum number of item pairs to score in one gap; in a larger gap items are paired in order.
    private static let gapLimit = 10_000
    /// The number of item pairs that may still be scored in total.
    private var budget = 1_000_000
    private var pairs: [Pair] = []

    private init() {}

    /// The equal pairs and, in the gaps between them, pairs of similar items.
    static func pairs(_ matches: [SequenceAlignment.Match], _ left: [JSONCompareNode], _ right: [JSONCompareNode]) -> [Pair] {
        var pairing = ItemPairing()
        var (nextLeft, nextRight) = (0, 0)
        for match in matches {
            pairing.fill(left[nextLeft..<match.left], right[nextRight..<match.right])
            pairing.pairs.append(Pair(left: match.left, right: match.right, isEqual: true))
            (nextLeft, nextRight) = (match.left + 1, match.right + 1)
        }
        pairing.fill(left[nextLeft...], right[nextRight...])
        return pairing.pairs
    }

    private mutating func fill(_ left: ArraySlice<JSONCompareNode>, _ right: ArraySlice<JSONCompareNode>) {
        if left.isEmpty || right.isEmpty { return }
        let work = left.count * right.count
        if left.count == right.count, work == 1 || work > Self.gapLimit || left.allSatisfy(\.isScalar) && right.allSatisfy(\.isScalar) {
            return fillInOrder(left, right)
        }
        guard work <= Self.gapLimit, work <= budget else { return fillInOrder(left, right) }
        budget -= work
        fillByLikeness(left.map(ItemTraits.init), right.map(ItemTraits.init), left.startIndex, right.startIndex)
    }

    private mutating func fillInOrder(_ left: ArraySlice<JSONCompareNode>, _ right: ArraySlice<JSONCompareNode>) {
        for (one, other) in zip(left.indices, right.indices) { pairs.append(Pair(left: one, right: other, isEqual: false)) }
    }

    /// Adds the sequence of pairs with the highest total similarity.
    private mutating func fillByLikeness(_ left: [ItemTraits], _ right: [ItemTraits], _ firstLeft: Int, _ firstRight: Int) {
        let width = right.count + 1
        var best = [Float](repeating: 0, count: (left.count + 1) * width)
        var likeness = best
        for row in left.indices.reversed() {
            for column in right.indices.reversed() {
                let alike = left[row].likeness(to: right[column])
                likeness[row * width + column] = alike
                let together = alike > 0 ? alike + best[(row + 1) * width + column + 1] : 0
                best[row * width + column] = max(together, best[(row + 1) * width + column], best[row * width + column + 1])
            }
        }
        var (row, column) = (0, 0)
        while row < left.count, column < right.count {
            let here = best[row * width + column]
            let alike = likeness[row * width + column]
            if alike > 0, here == alike + best[(row + 1) * width + column + 1] {
                pairs.append(Pair(left: firstLeft + row, right: firstRight + column, isEqual: false))
                (row, column) = (row + 1, column + 1)
            } else if here == best[(row + 1) * width + column] {
                row += 1
            } else {
                column += 1
            }
        }
    }
}

extension JSONCompareNode {
    /// Whether the value contains no other values.
    fileprivate var isScalar: Bool {
        if case .scalar = content { return true }
        return false
    }
}

/// The features by which items are scored.
private struct ItemTraits {
    private enum Shape { case scalar, array, object }

    private let shape: Shape
    /// The members of an object by key, or the identities of an array's items.
    private var members: [String: Int] = [:]
    private var items: Set<Int> = []
    private let count: Int

    /// Keys whose values usually identify an object.
    private static let names = ["id", "_id", "uuid", "guid", "key", "code", "sku", "slug", "name"]

    init(_ node: JSONCompareNode) {
        switch node.content {
        case .scalar:
            shape = .scalar
            count = 0
        case .array(let nodes):
            shape = .array
            items = Set(nodes.map(\.identity))
            count = nodes.count
        case .object(let nodes):
            shape = .object
            for member in nodes where !member.node.isIgnored { members[member.key] = member.node.identity }
            count = members.count
        }
    }

    /// The similarity: 0 for items without common features, above 1 for objects with the same identifying value.
    func likeness(to other: ItemTraits) -> Float {
        guard shape == other.shape else { return 0 }
        switch shape {
        case .scalar: return 0
        case .array: return (Float(items.intersection(other.items).count) + 0.2) / Float(max(count, other.count) + 1)
        case .object:
            var (equal, common): (Float, Float) = (0, 0)
            for (key, identity) in members {
                guard let found = other.members[key] else { continue }
                common += 1
                if found == identity { equal += 1 }
            }
            if common == 0 { return 0 }
            let share = (equal + 0.2 * (common - equal)) / (Float(count + other.count) - common)
            let name = Self.names.first { members[$0] != nil && other.members[$0] != nil }
            guard let name else { return share }
            return members[name] == other.members[name] ? share + 1 : share * 0.2
        }
    }
}
