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

extension JSONCompareNode {
    /// The position of a value in the printed text.
    struct Place {
        /// The key before the value.
        var key: String?
        var depth = 0
        var path = JSONPath()

        /// The place of an array item.
        func item(_ index: Int) -> Place { Place(depth: depth + 1, path: path.appending(.index(index))) }

        /// The place of an object member.
        func member(_ key: String) -> Place { Place(key: key, depth: depth + 1, path: path.appending(.name(key))) }

        /// A line at this place.
        func line(_ kind: BodyComparison.Line.Change, _ text: String) -> BodyComparison.Line {
            .init(kind, JSONText.indentation(depth) + start + text, path: path)
        }

        /// The text before the value.
        private var start: String { key.map { LongLine.cut(JSONValue.string($0).text) + ": " } ?? "" }

        /// The closing line of a container at this place.
        func end(_ kind: BodyComparison.Line.Change, _ bracket: String) -> BodyComparison.Line {
            .init(kind, JSONText.indentation(depth) + bracket, path: path)
        }
    }

    /// The brackets of a container.
    var brackets: (open: String, close: String) {
        if case .array = content { return ("[", "]") }
        return ("{", "}")
    }

    /// The value on one line; a non-empty container is abbreviated.
    var shortText: String {
        switch content {
        case .scalar(let value): value.text
        case .array(let items): items.isEmpty ? "[]" : "[…]"
        case .object(let members): members.isEmpty ? "{}" : "{…}"
        }
    }

    /// Passes some lines of the value to `take`; the range counts from the value's first line.
    func lines(_ range: Range<Int>, _ kind: BodyComparison.Line.Change, at place: Place, to take: (BodyComparison.Line) -> Void) {
        guard range.overlaps(0..<lineCount) else { return }
        if isIgnored { return take(place.line(.ignored, LongLine.cut(shortText))) }
        guard lineCount > 1 else { return take(place.line(kind, LongLine.cut(shortText))) }
        if range.contains(0) { take(place.line(kind, brackets.open)) }
        var first = 1
        func pass(_ node: JSONCompareNode, _ place: @autoclosure () -> Place) {
            let inner = range.lowerBound - first..<range.upperBound - first
            if inner.overlaps(0..<node.lineCount) { node.lines(inner, kind, at: place(), to: take) }
            first += node.lineCount
        }
        switch content {
        case .scalar: break
        case .array(let items): for (index, item) in items.enumerated() { pass(item, place.item(index)) }
        case .object(let members): for member in members { pass(member.node, place.member(member.key)) }
        }
        if range.contains(lineCount - 1) { take(place.end(kind, brackets.close)) }
    }
}

/// JSON numbers compared by value.
enum JSONNumber {
    /// A text that numbers of equal value share, such as 1, 1.0 and 10e-1; exact for any number of digits.
    ///
    /// A number whose exponent has a magnitude of 2⁴⁰ or more is returned unchanged.
    static func canonical(_ text: String) -> String {
        var digits: [UInt8] = []
        var exponent = 0
        var isFraction = false
        let parts = text.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        if parts.count == 2 {
            let written = String(decoding: parts[1], as: UTF8.self)
            guard let value = Int(written), value.magnitude < 1 << 40 else { return text }
            exponent = value
        }
        for byte in parts.first ?? text.utf8[...] {
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if ASCII.isDigit(byte) {
                if isFraction { exponent -= 1 }
                if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
            }
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { return "0" }
        return (text.utf8.first == UInt8(ascii: "-") ? "-" : "") + String(decoding: digits, as: UTF8.self) + "e\(exponent)"
    }
}
