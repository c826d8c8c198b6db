internal import SortieBase

/// A JSON value prepared for comparison, with a hash that ignores excluded values.
struct JSONCompareNode {
    /// The kind of the value and its children.
    enum Content {
        case scalar(JSONValue)
        case array([JSONCompareNode])
        case object([Member])
    }

    /// A member of an object.
    struct Member {
        let key: String
        let node: JSONCompareNode
        /// The number of earlier members with the same key.
        let turn: Int
    }

    let content: Content
    /// A hash that ignores the order of keys, the spelling of numbers, and excluded values; values with equal hashes count as equal.
    let identity: Int
    /// The number of printed lines.
    let lineCount: Int
    /// Whether a rule excludes the value.
    let isIgnored: Bool

    /// Prepares a value.
    init(_ value: JSONValue, ignoring paths: [JSONPath]) {
        self.init(value, paths.map { $0.steps[...] })
    }

    /// - Parameter rests: The remaining steps of each path that leads here.
    private init(_ value: JSONValue, _ rests: [ArraySlice<JSONPath.Step>]) {
        isIgnored = rests.contains { $0.isEmpty }
        var hasher = Hasher()
        switch value {
        case .array(let items):
            let nodes = items.enumerated().map { index, item in
                JSONCompareNode(item, rests.isEmpty ? [] : Self.rests(rests) { $0.selects(index, of: items.count) })
            }
            hasher.combine(1)
            for node in nodes where !node.isIgnored { hasher.combine(node.identity) }
            content = .array(nodes)
            lineCount = isIgnored || nodes.isEmpty ? 1 : nodes.reduce(2) { $0 + $1.lineCount }
        case .object(let members):
            let nodes = Self.members(members, rests)
            hasher.combine(2)
            hasher.combine(Self.identity(of: nodes))
            content = .object(nodes)
            lineCount = isIgnored || nodes.isEmpty ? 1 : nodes.reduce(2) { $0 + $1.node.lineCount }
        case .number(let text):
            hasher.combine(3)
            hasher.combine(JSONNumber.canonical(text))
            content = .scalar(value)
            lineCount = 1
        case .string(let text):
            hasher.combine(4)
            // Hashed by UTF-8 bytes, because composed and decomposed characters are different texts.
            for byte in text.utf8 { hasher.combine(byte) }
            content = .scalar(value)
            lineCount = 1
        case .null, .bool:
            hasher.combine(value)
            content = .scalar(value)
            lineCount = 1
        }
        identity = hasher.finalize()
    }

    private static func members(_ members: [JSONValue.Member], _ rests: [ArraySlice<JSONPath.Step>]) -> [Member] {
        var turns: [String: Int] = [:]
        return members.map { member in
            let turn = turns[member.key, default: 0]
            turns[member.key] = turn + 1
            let node = JSONCompareNode(member.value, rests.isEmpty ? [] : Self.rests(rests) { $0 == .name(member.key) })
            return Member(key: member.key, node: node, turn: turn)
        }
    }

    /// A hash of members that is independent of their order.
    private static func identity(of members: [Member]) -> Int {
        members.reduce(0) { sum, member in
            if member.node.isIgnored { return sum }
            var hasher = Hasher()
            hasher.combine(member.key)
            hasher.combine(member.turn)
            hasher.combine(member.node.identity)
            return sum &+ hasher.finalize()
        }
    }

    /// The remaining steps of the paths below a child.
    ///
    /// - Parameter takes: Whether a selector matches the child.
    private static func rests(_ rests: [ArraySlice<JSONPath.Step>], takes: (JSONPath.Selector) -> Bool) -> [ArraySlice<JSONPath.Step>] {
        rests.flatMap { rest -> [ArraySlice<JSONPath.Step>] in
            guard let step = rest.first else { return [] }
            let isTaken = step.selectors.contains { $0 == .wildcard || takes($0) }
            return (isTaken ? [rest.dropFirst()] : []) + (step.isRecursive ? [rest] : [])
        }
    }

    /// The original value.
    var value: JSONValue {
        switch content {
        case .scalar(let value): value
        case .array(let items): .array(items.map(\.value))
        case .object(let members): .object(members.map { JSONValue.Member($0.key, $0.node.value) })
        }
    }
}
