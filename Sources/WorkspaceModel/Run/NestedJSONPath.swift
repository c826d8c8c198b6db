package import SortieBase

/// A place in a JSON body, also in the JSON that a string contains: `$.payload | fromjson | $.token`, as in a filter of the body.
package struct NestedJSONPath: Hashable, Sendable, CustomStringConvertible {
    /// The path in the body, and after it those in the JSON of the strings to which the path before leads.
    package let paths: [JSONPath]

    /// Parses a path.
    package init(_ text: String) throws(JSONPathError) {
        var paths: [JSONPath] = []
        for part in text.split(separator: /\s*\|\s*fromjson\s*\|\s*/, omittingEmptySubsequences: false) { paths.append(try JSONPath(String(part))) }
        self.paths = paths
    }

    /// Whether a text leads into the JSON of a string.
    package static func isNested(_ text: String) -> Bool { text.contains(/\|\s*fromjson\s*\|/) }

    /// The only path; nil where it leads into a string.
    package var single: JSONPath? { paths.count == 1 ? paths.first : nil }

    package var description: String { paths.map(\.description).joined(separator: " | fromjson | ") }

    /// The values at the place.
    ///
    /// - Throws: A ``JSONPathLimit``, or a ``NoJSONString`` where a value on the way is not a string with JSON.
    package func values(in root: JSONValue) throws -> [JSONValue] {
        var values = [root]
        for (index, path) in paths.enumerated() {
            if index > 0 { values = try values.map { try Self.content(of: $0, at: paths[index - 1]) } }
            values = try values.flatMap { try path.values(in: $0) }
        }
        return values
    }

    /// The value at a place that is one, a list of the values at one that may be many; nil where the former has none.
    package func result(in root: JSONValue) throws -> JSONValue? {
        let values = try values(in: root)
        return paths.allSatisfy(\.isSingular) ? values.first : .array(values)
    }

    /// The JSON in a string.
    private static func content(of value: JSONValue, at path: JSONPath) throws(NoJSONString) -> JSONValue {
        guard case .string(let text) = value else { throw NoJSONString(description: "the value at \(path) is not a string") }
        do throws(BodyProblem) { return try JSONValue(parsing: text) } catch {
            throw NoJSONString(description: "the string at \(path) is \(error.ofJSON())")
        }
    }
}

/// A value on the way of a ``NestedJSONPath`` is not a string with JSON.
package struct NoJSONString: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
