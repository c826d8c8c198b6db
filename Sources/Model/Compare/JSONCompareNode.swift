/// A JSON value prepared for comparing: with a number that equal values share, and without what is to be ignored.
struct JSONCompareNode {
    /// What the value is.
    enum Content {
        case scalar(JSONValue)
        case array([JSONCompareNode])
        case object([Member])
    }

    /// A member of an object.
    struct Member {
        let key: String
        let node: JSONCompareNode
        /// How many members with this key come before it.
        let turn: Int
    }

    let content: Content
    /// Values are equal when this is: the order of keys, the spelling of numbers and what is ignored make no difference.
    let identity: Int
    /// How many lines it takes.
    let lineCount: Int
    /// Whether it is not looked at.
    let isIgnored: Bool

    /// Prepares a value.
    init(_ value: JSONValue, ignoring paths: [JSONPath]) {
        self.init(value, paths.map { $0.steps[...] })
    }

    /// - Parameter rests: of each path that leads here, the steps that are left.
    private init(_ value: JSONValue, _ rests: [ArraySlice<JSONPath.Step>]) {
        isIgnored = rests.contains { $0.isEmpty }
        var hasher = Hasher()
        switch value {
        case .array(let items):
            let nodes = items.enumerated().map { index, item in
                JSONCompareNode(item, rests.isEmpty ? [] : Self.rests(rests) { $0 == .index(index) || $0 == .index(index - items.count) })
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
            // By its scalars: composed and decomposed letters are different texts.
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

    /// The same for members in any order.
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

    /// What is left of the paths below a child that a selector may take.
    private static func rests(_ rests: [ArraySlice<JSONPath.Step>], takes: (JSONPath.Selector) -> Bool) -> [ArraySlice<JSONPath.Step>] {
        rests.flatMap { rest -> [ArraySlice<JSONPath.Step>] in
            guard let step = rest.first else { return [] }
            let isTaken = step.selector == .wildcard || takes(step.selector)
            return (isTaken ? [rest.dropFirst()] : []) + (step.isRecursive ? [rest] : [])
        }
    }

    /// The value as it came.
    var value: JSONValue {
        switch content {
        case .scalar(let value): value
        case .array(let items): .array(items.map(\.value))
        case .object(let members): .object(members.map { JSONValue.Member($0.key, $0.node.value) })
        }
    }
}
