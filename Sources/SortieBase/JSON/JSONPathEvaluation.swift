/// Evaluates a path: each found value is passed on as soon as it is found.
final class JSONPathEvaluation<Node: JSONNode> {
    private let start: Node
    private let root: Node
    private let path: JSONPath
    private let budget: JSONPathBudget

    /// The greatest depth of a value whose descendants are visited in the order of the document.
    private static var depthLimit: Int { JSONValue.depthLimit }

    /// - Parameters:
    ///   - start: Where the path begins; the root, or the value that a filter tests.
    ///   - budget: What the evaluation may use, which is shared with the evaluations of its filters.
    init(_ path: JSONPath, from start: Node? = nil, root: Node, budget: JSONPathBudget) {
        self.path = path
        self.start = start ?? root
        (self.root, self.budget) = (root, budget)
    }

    typealias Visit = (Node) throws(JSONEvaluationError) -> Void

    func run(_ found: Visit) throws(JSONEvaluationError) {
        try apply(path.steps[...], to: start, found)
    }

    private func apply(_ steps: ArraySlice<JSONPath.Step>, to node: Node, _ found: Visit) throws(JSONEvaluationError) {
        guard let step = steps.first else { return try found(node) }
        let rest = steps.dropFirst()
        guard step.isRecursive else { return try select(step.selectors, rest, of: node, found) }
        if Node.isStreamed, step.selectors.allSatisfy(\.selectsWhileReading) {
            return try descend(step.selectors, rest, from: node, depth: 0, found)
        }
        // RFC 9535 §2.5.2.2: a value comes before its descendants. Without calls that nest, because a value may be deep.
        var waiting = [node]
        while let next = waiting.popLast() {
            try budget.count()
            try select(step.selectors, rest, of: next, found)
            var children: [Node] = []
            try next.forEachChild { (child) throws(JSONEvaluationError) in
                children.append(child.node)
                return true
            }
            waiting += children.reversed()
        }
    }

    /// Applies selectors to all descendants in one pass.
    private func descend(
        _ selectors: [JSONPath.Selector], _ rest: ArraySlice<JSONPath.Step>, from node: Node, depth: Int, _ found: Visit
    ) throws(JSONEvaluationError) {
        guard depth <= Self.depthLimit else {
            throw .failed("JSON nested deeper than \(Self.depthLimit) levels is shown but not evaluated", position: nil)
        }
        let isArray = try node.kind == .array
        try node.forEachChild { (child) throws(JSONEvaluationError) in
            try budget.count()
            for selector in selectors where try selects(selector, child, isArray: isArray) { try apply(rest, to: child.node, found) }
            switch try child.node.kind {
            case .array, .object: try descend(selectors, rest, from: child.node, depth: depth + 1, found)
            default: break
            }
            return true
        }
    }

    /// Whether a selector selects a child, without knowing the others.
    private func selects(_ selector: JSONPath.Selector, _ child: JSONChild<Node>, isArray: Bool) throws(JSONEvaluationError) -> Bool {
        switch selector {
        case .name(let name): !isArray && child.isNamed(name)
        case .index(let index): isArray && child.index == index
        case .wildcard: true
        case .slice(let slice): isArray && slice.contains(child.index) == true
        case .filter(let filter): try holds(filter, child.node)
        }
    }

    private func select(
        _ selectors: [JSONPath.Selector], _ rest: ArraySlice<JSONPath.Step>, of node: Node, _ found: Visit
    ) throws(JSONEvaluationError) {
        for selector in selectors {
            switch selector {
            case .name(let name):
                guard let member = try node.member(name) else { continue }
                try budget.count()
                try apply(rest, to: member, found)
            case .index(let index):
                guard let item = try node.item(index) else { continue }
                try budget.count()
                try apply(rest, to: item, found)
            case .slice(let slice): try select(slice, rest, of: node, found)
            case .wildcard, .filter:
                try node.forEachChild { (child) throws(JSONEvaluationError) in
                    // A child that a filter rejects takes time all the same.
                    try budget.count()
                    guard try selects(selector, child, isArray: false) else { return true }
                    try apply(rest, to: child.node, found)
                    return true
                }
            }
        }
    }

    private func select(
        _ slice: JSONPathSlice, _ rest: ArraySlice<JSONPath.Step>, of node: Node, _ found: Visit
    ) throws(JSONEvaluationError) {
        guard try node.kind == .array else { return }
        if slice.contains(0) != nil {
            try node.forEachChild { (child) throws(JSONEvaluationError) in
                if let end = slice.end, child.index >= end { return false }
                guard slice.contains(child.index) == true else { return true }
                try budget.count()
                try apply(rest, to: child.node, found)
                return true
            }
            return
        }
        var items: [Node] = []
        try node.forEachChild { (child) throws(JSONEvaluationError) in
            items.append(child.node)
            return true
        }
        for index in slice.indices(of: items.count) {
            try budget.count()
            try apply(rest, to: items[index], found)
        }
    }

    // MARK: Filters

    private func holds(_ filter: JSONPathFilter, _ current: Node) throws(JSONEvaluationError) -> Bool {
        switch filter {
        case .or(let left, let right):
            if try holds(left, current) { return true }
            return try holds(right, current)
        case .and(let left, let right):
            guard try holds(left, current) else { return false }
            return try holds(right, current)
        case .not(let inner): return try !holds(inner, current)
        case .exists(let query):
            var isFound = false
            do throws(JSONEvaluationError) {
                try forEach(query, current) { (_) throws(JSONEvaluationError) in
                    isFound = true
                    throw .stopped
                }
            } catch {
                guard isFound else { throw error }
            }
            return isFound
        case .compare(let left, let comparison, let right):
            return comparison.holds(try value(of: left, current), try value(of: right, current))
        case .matches(let text, let pattern, let isWhole):
            guard case .string(let text)? = try value(of: text, current), case .string(let pattern)? = try value(of: pattern, current) else {
                return false
            }
            return try budget.isFound(isWhole ? "\\A(?:\(pattern))\\z" : pattern, in: text)
        }
    }

    private func forEach(_ query: JSONPathFilter.Query, _ current: Node, _ visit: Visit) throws(JSONEvaluationError) {
        let evaluation = JSONPathEvaluation(query.path, from: query.isRelative ? current : root, root: root, budget: budget)
        try evaluation.run(visit)
    }

    /// The value of an operand; nil for *nothing*.
    private func value(of operand: JSONPathFilter.Operand, _ current: Node) throws(JSONEvaluationError) -> JSONValue? {
        switch operand {
        case .literal(let value): return value
        case .query(let query), .value(let query):
            var found: JSONValue?
            var isSingle = true
            try forEach(query, current) { (node) throws(JSONEvaluationError) in
                isSingle = found == nil
                if isSingle { found = try node.value }
            }
            return isSingle ? found : nil
        case .length(let operand):
            switch try value(of: operand, current) {
            case .string(let text): return .integer(text.unicodeScalars.count)
            case let value?: return value.childCount().map { .integer($0) }
            case nil: return nil
            }
        case .count(let query):
            var count = 0
            try forEach(query, current) { (_) throws(JSONEvaluationError) in count += 1 }
            return .integer(count)
        }
    }
}

extension JSONPathFilter.ComparisonOperator {
    /// The result for two values, of which each may be nothing (RFC 9535 §2.3.5.2.2).
    func holds(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        let isEqual =
            switch (left, right) {
            case (nil, nil): true
            case (let left?, let right?): JSONOrder.areEqual(left, right)
            default: false
            }
        guard let left, let right else {
            return self == .unequal ? !isEqual : isEqual && self != .less && self != .greater
        }
        switch self {
        case .equal: return isEqual
        case .unequal: return !isEqual
        case .less: return JSONOrder.isLess(left, right)
        case .greater: return JSONOrder.isLess(right, left)
        case .lessOrEqual: return isEqual || JSONOrder.isLess(left, right)
        case .greaterOrEqual: return isEqual || JSONOrder.isLess(right, left)
        }
    }
}

extension JSONPath.Selector {
    /// Whether the selected children are known while the children are read.
    fileprivate var selectsWhileReading: Bool {
        switch self {
        case .name, .wildcard, .filter: true
        case .index(let index): index >= 0
        case .slice(let slice): slice.contains(0) != nil
        }
    }
}

/// A filter expression of a JSON path (RFC 9535 §2.3.5): `@.price > 10 && !@.sold`, `length(@.tags) == 2`, `match(@.id, 'a.*')`.
package indirect enum JSONPathFilter: Hashable, Sendable {
    case or(JSONPathFilter, JSONPathFilter)
    case and(JSONPathFilter, JSONPathFilter)
    case not(JSONPathFilter)
    /// Whether a query finds a value.
    case exists(Query)
    case compare(Operand, ComparisonOperator, Operand)
    /// Whether a text matches a regular expression (RFC 9485) as a whole (`match`), or contains a match (`search`).
    case matches(Operand, Operand, isWhole: Bool)

    /// A path from the tested value or from the root.
    package struct Query: Hashable, Sendable {
        package var isRelative: Bool
        package var path: JSONPath
    }

    /// What is compared.
    package indirect enum Operand: Hashable, Sendable {
        case literal(JSONValue)
        /// A query that finds at most one value.
        case query(Query)
        /// The number of characters, items or members.
        case length(Operand)
        /// The number of values that a query finds.
        case count(Query)
        /// The value of a query that finds one.
        case value(Query)
    }

    package enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
        case equal = "=="
        case unequal = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
    }
}

extension JSONPathFilter: CustomStringConvertible {
    package var description: String {
        switch self {
        case .or(let left, let right): "\(left) || \(right)"
        case .and(let left, let right): "\(left.inAnd) && \(right.inAnd)"
        case .not(.exists(let query)): "!\(query)"
        case .not(.matches(let text, let pattern, let isWhole)): "!\(JSONPathFilter.matches(text, pattern, isWhole: isWhole))"
        case .not(let inner): "!(\(inner))"
        case .exists(let query): "\(query)"
        case .compare(let left, let comparison, let right): "\(left) \(comparison.rawValue) \(right)"
        case .matches(let text, let pattern, let isWhole): "\(isWhole ? "match" : "search")(\(text), \(pattern))"
        }
    }

    private var inAnd: String { if case .or = self { "(\(self))" } else { "\(self)" } }
}

extension JSONPathFilter.Query: CustomStringConvertible {
    package var description: String { path.text(root: isRelative ? "@" : "$") }
}

extension JSONPathFilter.Operand: CustomStringConvertible {
    package var description: String {
        switch self {
        case .literal(.string(let text)): JSONPath.Selector.name(text).text
        case .literal(let value): value.text
        case .query(let query): "\(query)"
        case .length(let operand): "length(\(operand))"
        case .count(let query): "count(\(query))"
        case .value(let query): "value(\(query))"
        }
    }
}
