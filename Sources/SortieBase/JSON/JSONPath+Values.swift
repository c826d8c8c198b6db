extension JSONPath {
    /// The default of the most values that a path may visit after its first `..`.
    public static let maximumValues = 10_000_000

    /// Every value that the path names, in the order of the document; empty where there is none.
    ///
    /// - Parameters:
    ///   - root: The document.
    ///   - limit: The maximum number of values that the steps may give together; each `..` may give one value as often as it is nested, so a short
    ///     path and a small body can mean billions.
    /// - Throws: a ``JSONPathLimit`` that names the limit.
    public func values(in root: JSONValue, limit: Int = maximumValues) throws(JSONPathLimit) -> [JSONValue] {
        var values = [root]
        var left = limit
        func count(_ more: Int) throws(JSONPathLimit) {
            left -= more
            guard left >= 0 else {
                throw JSONPathLimit(path: description, limit: limit)
            }
        }
        for step in steps {
            if step.isRecursive {
                var all: [JSONValue] = []
                for value in values { try Self.appendDescendants(of: value, to: &all, count) }
                values = all
            }
            var selected: [JSONValue] = []
            for value in values {
                let found = Self.select(step.selector, of: value)
                try count(found.count)
                selected += found
            }
            values = selected
            if values.isEmpty { break }
        }
        return values
    }

    /// The first value that the path names; nil where there is none, and where the path exceeds the limit of ``values(in:limit:)``.
    public func first(in root: JSONValue) -> JSONValue? {
        do throws(JSONPathLimit) { return try values(in: root).first } catch { return nil }
    }

    /// The value of a path that names one, a list of the values of one that may name many; nil where the former names none.
    public func result(in root: JSONValue) throws(JSONPathLimit) -> JSONValue? {
        isSingular ? first(in: root) : .array(try values(in: root))
    }

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

    /// Appends a value and all below it, parents before children; without calls that nest, because a value may be deep.
    private static func appendDescendants(
        of value: JSONValue, to found: inout [JSONValue], _ count: (Int) throws(JSONPathLimit) -> Void
    ) throws(JSONPathLimit) {
        var waiting = [value]
        while let next = waiting.popLast() {
            try count(1)
            found.append(next)
            waiting += children(of: next).reversed()
        }
    }
}
