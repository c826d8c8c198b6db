extension JSONPath {
    /// All values at the path, in the order of the document; empty where there are none.
    public func values(in root: JSONValue) -> [JSONValue] {
        var values = [root]
        for step in steps {
            let sources = step.isRecursive ? values.flatMap(Self.withDescendants) : values
            values = sources.flatMap { Self.select(step.selector, of: $0) }
            if values.isEmpty { break }
        }
        return values
    }

    /// The first value at the path; nil where there is none.
    public func first(in root: JSONValue) -> JSONValue? { values(in: root).first }

    /// For a singular path its value, or nil where there is none; for any other path an array of its values.
    public func result(in root: JSONValue) -> JSONValue? { isSingular ? first(in: root) : .array(values(in: root)) }

    private static func select(_ selector: Selector, of value: JSONValue) -> [JSONValue] {
        switch (selector, value) {
        case (.name(let name), .object): return value[name].map { [$0] } ?? []
        case (.index(let index), .array(let items)):
            let position = index < 0 ? items.count + index : index
            return items.indices.contains(position) ? [items[position]] : []
        case (.wildcard, _): return children(of: value)
        default: return []
        }
    }

    private static func children(of value: JSONValue) -> [JSONValue] {
        switch value {
        case .array(let items): items
        case .object(let members): members.map(\.value)
        default: []
        }
    }

    /// The value and all of its descendants, parents before children; iterative, because a value may be deep.
    private static func withDescendants(_ value: JSONValue) -> [JSONValue] {
        var found: [JSONValue] = []
        var waiting = [value]
        while let next = waiting.popLast() {
            found.append(next)
            waiting += children(of: next).reversed()
        }
        return found
    }
}
