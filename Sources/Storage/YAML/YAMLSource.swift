package import SortieBase

/// Reads YAML documents of other tools into nodes with places, for importers.
package enum YAMLSource {
    /// The root of a document; null for a document without content.
    ///
    /// Aliases and merge keys (`<<`) are followed. Scalars have the types of the core schema (YAML 1.2 §10.3.2); names of members are texts.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8.
    ///   - file: The name in diagnostics.
    /// - Throws: A diagnostic with the place where the document is not YAML, exceeds a limit, or has a key that is no scalar.
    package static func node(parsing bytes: [UInt8], file: String) throws(Diagnostic) -> SourceNode {
        guard let root = try YAMLDocument(bytes: bytes, file: file, limits: .source).root else { return SourceNode(.null, line: 1, column: 1) }
        return try node(root, file)
    }

    private static func node(_ value: YAMLNode, _ file: String) throws(Diagnostic) -> SourceNode {
        var result = SourceNode(.null, line: value.line, column: value.column)
        switch value.content {
        case .scalar(let scalar): result.content = content(of: scalar)
        case .sequence(let items):
            var nodes: [SourceNode] = []
            nodes.reserveCapacity(items.count)
            for item in items { nodes.append(try node(item, file)) }
            result.content = .array(nodes)
        case .mapping:
            var members: [SourceNode.Member] = []
            for entry in value.entries ?? [] {
                guard let name = entry.key.text else {
                    let place = SourceLocation(file: file, line: entry.key.line, column: entry.key.column)
                    throw Diagnostic(place, "a key must be a text, not a collection")
                }
                members.append(.init(name, try node(entry.value, file)))
            }
            result.content = .object(members)
        }
        return result
    }

    private static func content(of scalar: YAMLScalar) -> SourceNode.Content {
        switch scalar.type {
        case .null: .null
        case .bool: .bool(scalar.text.lowercased() == "true")
        case .integer, .float: .number(scalar.text)
        case .string: .string(scalar.text)
        }
    }
}
