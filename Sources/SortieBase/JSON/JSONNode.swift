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

    func item(_ index: Int) -> JSONValue? { self[index < 0 ? (childCount() ?? 0) + index : index] }

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
