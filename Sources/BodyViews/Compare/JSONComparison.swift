/// A structural comparison of two JSON values.
struct JSONComparison {
    private(set) var lines = ComparisonLines()
    private(set) var changes: [BodyComparison.Change] = []
    private(set) var isDifferent = false

    /// The maximum size of a body compared as JSON, in bytes; a parsed value takes many times the memory of its text.
    static let sizeLimit = 8 << 20

    /// Compares two values; nil represents an empty body.
    init(_ left: JSONCompareNode?, _ right: JSONCompareNode?) {
        let place = JSONCompareNode.Place()
        switch (left, right) {
        case (let left?, let right?): compare(left, right, place, place)
        case (let left?, nil): differ(left, place, nil, nil)
        case (nil, let right?): differ(nil, nil, right, place)
        case (nil, nil): break
        }
        lines.end()
    }

    private typealias Node = JSONCompareNode
    private typealias Place = JSONCompareNode.Place

    private mutating func compare(_ left: Node, _ right: Node, _ leftPlace: Place, _ rightPlace: Place) {
        if left.isIgnored || right.isIgnored { return lines.same(leftPlace.line(.ignored, LongLine.cut(left.shortText))) }
        if left.identity == right.identity { return same(right, rightPlace) }
        switch (left.content, right.content) {
        case (.object(let leftMembers), .object(let rightMembers)):
            lines.same(rightPlace.line(.same, "{"))
            compare(leftMembers, rightMembers, leftPlace, rightPlace)
            lines.same(rightPlace.end(.same, "}"))
        case (.array(let leftItems), .array(let rightItems)):
            lines.same(rightPlace.line(.same, "["))
            compare(leftItems, rightItems, leftPlace, rightPlace)
            lines.same(rightPlace.end(.same, "]"))
        default: differ(left, leftPlace, right, rightPlace)
        }
    }

    // MARK: Lines

    /// Adds a value that is equal on both sides; of a long one only the edges can appear next to a difference.
    private mutating func same(_ node: Node, _ place: Place) {
        if lines.isFull { return }
        let edge = BodyComparison.context + 1
        guard node.lineCount > 2 * edge else { return take(node, 0..<node.lineCount, place) }
        take(node, 0..<edge, place)
        lines.skip(node.lineCount - 2 * edge)
        take(node, node.lineCount - edge..<node.lineCount, place)
    }

    private mutating func take(_ node: Node, _ range: Range<Int>, _ place: Place) {
        node.lines(range, .same, at: place) { lines.same($0) }
    }

    /// Adds a value that exists on one side only, or that differs between the sides.
    private mutating func differ(_ left: Node?, _ leftPlace: Place?, _ right: Node?, _ rightPlace: Place?) {
        isDifferent = true
        if changes.count < BodyComparison.changeLimit, let path = leftPlace?.path ?? rightPlace?.path {
            changes.append(.init(path: path, left: left?.value, right: right?.value))
        }
        if let left, let right, left.lineCount == 1, right.lineCount == 1, let leftPlace, let rightPlace {
            let (leftText, rightText) = (left.shortText, right.shortText)
            lines.differ(leftPlace.line(.removed, LongLine.cut(leftText, differingFrom: rightText)))
            lines.differ(rightPlace.line(.added, LongLine.cut(rightText, differingFrom: leftText)))
            return
        }
        if let left, let leftPlace { whole(left, .removed, leftPlace) }
        if let right, let rightPlace { whole(right, .added, rightPlace) }
    }

    private mutating func whole(_ node: Node, _ kind: BodyComparison.Line.Change, _ place: Place) {
        let count = min(node.lineCount, lines.roomLeft)
        node.lines(0..<count, kind, at: place) { line in
            // A value inside an added or removed container is shown as added or removed, even if a rule ignores it elsewhere.
            var line = line
            line.kind = kind
            lines.differ(line)
        }
        lines.hide(kind, node.lineCount - count)
    }

    // MARK: Objects

    /// Compares members by key, in the order of the left; members that only the right has keep their position there.
    private mutating func compare(_ left: [Node.Member], _ right: [Node.Member], _ leftPlace: Place, _ rightPlace: Place) {
        struct Name: Hashable {
            let key: String
            let turn: Int
        }
        var places: [Name: Int] = [:]
        for (index, member) in right.enumerated() { places[Name(key: member.key, turn: member.turn)] = index }
        let known = Set(left.map { Name(key: $0.key, turn: $0.turn) })
        /// The members that only the right has, from an index up to the next common one.
        func onlyRight(from index: Int) -> ArraySlice<Node.Member> {
            right[index...].prefix { !known.contains(Name(key: $0.key, turn: $0.turn)) }
        }
        for member in onlyRight(from: 0) { self.onlyRight(member.node, rightPlace.member(member.key)) }
        for member in left {
            guard let index = places[Name(key: member.key, turn: member.turn)] else {
                onlyLeft(member.node, leftPlace.member(member.key))
                continue
            }
            compare(member.node, right[index].node, leftPlace.member(member.key), rightPlace.member(member.key))
            for member in onlyRight(from: index + 1) { self.onlyRight(member.node, rightPlace.member(member.key)) }
        }
    }

    private mutating func onlyLeft(_ node: Node, _ place: Place) {
        if node.isIgnored { return lines.same(place.line(.ignored, LongLine.cut(node.shortText))) }
        differ(node, place, nil, nil)
    }

    private mutating func onlyRight(_ node: Node, _ place: Place) {
        if node.isIgnored { return lines.same(place.line(.ignored, LongLine.cut(node.shortText))) }
        differ(nil, nil, node, place)
    }

    // MARK: Arrays

    /// Compares items independently of their index: pairs equal items first, then similar items between them.
    private mutating func compare(_ left: [Node], _ right: [Node], _ leftPlace: Place, _ rightPlace: Place) {
        let leftItems = left.indices.filter { !left[$0].isIgnored }
        let rightItems = right.indices.filter { !right[$0].isIgnored }
        let matches = SequenceAlignment.matches(leftItems.map { left[$0].identity }, rightItems.map { right[$0].identity })
        let pairs = ItemPairing.pairs(matches, leftItems.map { left[$0] }, rightItems.map { right[$0] })
        var (nextLeft, nextRight) = (0, 0)
        var index = 0
        while index < pairs.count {
            let pair = pairs[index]
            for item in leftItems[nextLeft..<pair.left] { differ(left[item], leftPlace.item(item), nil, nil) }
            for item in rightItems[nextRight..<pair.right] { differ(nil, nil, right[item], rightPlace.item(item)) }
            // A run of equal items is added in one step.
            var end = index
            while end < pairs.count, pairs[end].isEqual, pairs[end].left - pair.left == end - index, pairs[end].right - pair.right == end - index {
                end += 1
            }
            if end > index {
                same(rightItems[pair.right..<pair.right + end - index].map { (right[$0], $0) }, rightPlace)
            } else {
                let (leftItem, rightItem) = (leftItems[pair.left], rightItems[pair.right])
                compare(left[leftItem], right[rightItem], leftPlace.item(leftItem), rightPlace.item(rightItem))
                end = index + 1
            }
            (nextLeft, nextRight) = (pair.left + end - index, pair.right + end - index)
            index = end
        }
        for item in leftItems[nextLeft...] { differ(left[item], leftPlace.item(item), nil, nil) }
        for item in rightItems[nextRight...] { differ(nil, nil, right[item], rightPlace.item(item)) }
    }

    /// Adds items that are equal on both sides; of many only the first and the last can appear next to a difference.
    private mutating func same(_ items: [(node: Node, index: Int)], _ place: Place) {
        let edge = BodyComparison.context + 1
        guard items.count > 2 * edge, !lines.isFull else {
            for item in items { same(item.node, place.item(item.index)) }
            return
        }
        for item in items.prefix(edge) { same(item.node, place.item(item.index)) }
        lines.skip(items.dropFirst(edge).dropLast(edge).reduce(0) { $0 + $1.node.lineCount })
        for item in items.suffix(edge) { same(item.node, place.item(item.index)) }
    }
}

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
