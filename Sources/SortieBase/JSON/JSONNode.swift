/// A JSON value that paths and filters can be evaluated on: a ``JSONValue``, or a value in the bytes of a body.
protocol JSONNode {
    /// Whether children are found by reading on, so that a value must not be visited more often than necessary; descendants then come in the order of
    /// the document, and the first of members with the same name is used.
    static var isStreamed: Bool { get }

    /// The kind of the value.
    var kind: JSONKind { get throws(JSONEvaluationError) }

    /// The value.
    ///
    /// - Throws: A limit for a value that is too large for the memory.
    var value: JSONValue { get throws(JSONEvaluationError) }

    /// The value of a member of an object; nil where there is none, and for another value.
    func member(_ name: String) throws(JSONEvaluationError) -> Self?

    /// Calls `visit` with the items of an array or the members of an object until it returns false.
    func forEachChild(_ visit: (JSONChild<Self>) throws(JSONEvaluationError) -> Bool) throws(JSONEvaluationError)
}

/// A child of an array or an object.
struct JSONChild<Node> {
    /// The number of the child, from 0.
    var index: Int
    /// Whether the child is a member with this name.
    var isNamed: (String) -> Bool
    /// The name; empty for an item of an array.
    var name: () -> String
    var node: Node
}

/// The kinds of JSON values, in the order in which values of different kinds are sorted.
package enum JSONKind: Int, Hashable, Sendable {
    case null, bool, number, string, array, object
}

/// Why an evaluation ended early.
package enum JSONEvaluationError: Error, Hashable, Sendable {
    /// The consumer needs no further values, or the work was cancelled.
    case stopped
    /// A limit was exceeded, or the value does not permit the operation. The text is a sentence; the position is that of a character of the query, from 1.
    case failed(String, position: Int?)
}

extension JSONNode {
    /// The number of items or members; nil for another value.
    func childCount() throws(JSONEvaluationError) -> Int? {
        switch try kind {
        case .array, .object:
            var count = 0
            try forEachChild { (_) throws(JSONEvaluationError) in
                count += 1
                return true
            }
            return count
        default: return nil
        }
    }

    /// An item of an array; negative indices count from the end.
    func item(_ index: Int) throws(JSONEvaluationError) -> Self? {
        guard try kind == .array else { return nil }
        var wanted = index
        if index < 0 {
            guard let count = try childCount(), count + index >= 0 else { return nil }
            wanted = count + index
        }
        var found: Self?
        try forEachChild { (child) throws(JSONEvaluationError) in
            if child.index == wanted { found = child.node }
            return found == nil
        }
        return found
    }
}

extension JSONValue: JSONNode {
    static var isStreamed: Bool { false }

    package var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    var value: JSONValue { self }

    func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key.utf8.elementsEqual(name.utf8) }?.value
    }

    func childCount() -> Int? {
        switch self {
        case .array(let items): items.count
        case .object(let members): members.count
        default: nil
        }
    }

    func forEachChild(_ visit: (JSONChild<JSONValue>) throws(JSONEvaluationError) -> Bool) throws(JSONEvaluationError) {
        switch self {
        case .array(let items):
            for (index, item) in items.enumerated() {
                guard try visit(JSONChild(index: index, isNamed: { _ in false }, name: { "" }, node: item)) else { return }
            }
        case .object(let members):
            for (index, member) in members.enumerated() {
                let child = JSONChild(
                    index: index, isNamed: { $0.utf8.elementsEqual(member.key.utf8) }, name: { member.key }, node: member.value)
                guard try visit(child) else { return }
            }
        default: return
        }
    }
}

/// The kinds of the open containers: one bit per level, sixty-four levels per word.
///
/// Full words move to an immutable list, so checkpoints at the same depths share them.
package struct JSONContainerStack: Sendable {
    /// The maximum nesting depth.
    package static let depthLimit = 10_000

    @usableFromInline final class Spill: Sendable {
        let word: UInt64
        let below: Spill?

        init(_ word: UInt64, below: Spill?) {
            self.word = word
            self.below = below
        }
    }

    /// The size in bytes of a spilled word: the object with its header, as the allocator rounds it.
    package static let spillCost = 48

    package init() {}

    @usableFromInline var levels: UInt32 = 0
    /// The number of words spilled since the start; the difference of two values limits the number of words that two copies do not share.
    package private(set) var spills: UInt32 = 0
    @usableFromInline var top: UInt64 = 0
    @usableFromInline var below: Spill?

    @inlinable package var depth: Int { Int(levels) }

    @inlinable package var isEmpty: Bool { levels == 0 }

    /// Whether the innermost container is an object; false without a container.
    @inline(__always)
    @inlinable package var isInObject: Bool { top & 1 == 1 && levels > 0 }

    @inline(__always)
    @inlinable package mutating func push(isObject: Bool) {
        if levels > 0, levels % 64 == 0 { spill() }
        top = top << 1 | (isObject ? 1 : 0)
        levels += 1
    }

    @inline(__always)
    @inlinable package mutating func pop() {
        guard levels > 0 else { return }
        levels -= 1
        top >>= 1
        if levels > 0, levels % 64 == 0 { unspill() }
    }

    @inline(never)
    @usableFromInline mutating func spill() {
        below = Spill(top, below: below)
        top = 0
        spills &+= 1
    }

    @inline(never)
    @usableFromInline mutating func unspill() {
        guard let spilled = below else { return }
        top = spilled.word
        below = spilled.below
    }
}

extension JSONContainerStack: Equatable {
    /// Whether the same containers are open.
    package static func == (one: JSONContainerStack, other: JSONContainerStack) -> Bool {
        guard one.levels == other.levels, one.top == other.top else { return false }
        var (left, right) = (one.below, other.below)
        while let word = left, let otherWord = right, word !== otherWord {
            guard word.word == otherWord.word else { return false }
            (left, right) = (word.below, otherWord.below)
        }
        return true
    }
}

/// Equality and order of JSON values.
package enum JSONOrder {
    /// Whether values are equal (RFC 9535 §2.3.5.2.2): numbers by value, texts by characters, objects without regard to the order of members.
    package static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right || compare(numbers: left, right) == 0
        case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1) }
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            let others = JSONValue.object(right)
            return left.allSatisfy { member in others.member(member.key).map { areEqual(member.value, $0) } ?? false }
        default: return false
        }
    }

    /// Whether a value is less than another of the same kind; only numbers and texts have an order (RFC 9535 §2.3.5.2.2).
    static func isLess(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): compare(numbers: left, right) < 0
        case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: false
        }
    }

    /// The order of any two values for sorting: null, false, true, numbers, texts, arrays, objects; negative when the first one is less.
    package static func compare(_ left: JSONValue, _ right: JSONValue) -> Int {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.number(let left), .number(let right)): return compare(numbers: left, right)
        case (.string(let left), .string(let right)):
            if left.utf8.elementsEqual(right.utf8) { return 0 }
            return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        case (.array(let left), .array(let right)):
            for (left, right) in zip(left, right) {
                let order = compare(left, right)
                if order != 0 { return order }
            }
            return left.count - right.count
        case (.object(let left), .object(let right)):
            let (left, right) = (sorted(left), sorted(right))
            let names = compare(.array(left.map { .string($0.key) }), .array(right.map { .string($0.key) }))
            return names != 0 ? names : compare(.array(left.map(\.value)), .array(right.map(\.value)))
        default: return left.kind.rawValue - right.kind.rawValue
        }
    }

    /// Members in the order of their names.
    static func sorted(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private static func compare(numbers left: String, _ right: String) -> Int {
        if let left = Int(left), let right = Int(right) { return left < right ? -1 : left > right ? 1 : 0 }
        guard let left = Double(left), let right = Double(right) else { return 0 }
        return left < right ? -1 : left > right ? 1 : 0
    }
}
