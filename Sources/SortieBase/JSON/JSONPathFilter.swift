/// A filter expression of a JSON path (RFC 9535 §2.3.5): `@.price > 10 && !@.sold`, `length(@.tags) == 2`, `match(@.id, 'a.*')`.
package indirect enum JSONPathFilter: Hashable, Sendable {
    case or(JSONPathFilter, JSONPathFilter)
    case and(JSONPathFilter, JSONPathFilter)
    case not(JSONPathFilter)
    /// Whether a query finds a value.
    case exists(Query)
    case compare(Operand, Comparison, Operand)
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

    package enum Comparison: String, Hashable, Sendable, CaseIterable {
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
