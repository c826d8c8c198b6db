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
        try node(parsing: bytes, file: file, inPiecesOf: 1 << 17)
    }

    /// The root of a document, which is read in parts where it is longer than `size` bytes and its form permits it.
    static func node(parsing bytes: [UInt8], file: String, inPiecesOf size: Int) throws(Diagnostic) -> SourceNode {
        let limits = YAMLLimits.source
        if bytes.count > size, bytes.count <= limits.bytes,
            let node = YAMLPieces.node(parsing: bytes, file: file, limits: limits, longest: size)
        {
            return node
        }
        var document = SourceDocument.Builder(file: file, size: bytes.count)
        if let root = try YAMLDocument(bytes: bytes, file: file, limits: limits).root { try document.add(root, file: file) }
        return document.root()
    }
}

extension SourceDocument.Builder {
    /// Adds a value, of which merge keys are followed.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - file: The name in diagnostics.
    ///   - lines: The number of lines before the parsed text.
    /// - Throws: A diagnostic for a key that is no scalar.
    mutating func add(_ value: YAMLNode, file: String, after lines: Int = 0) throws(Diagnostic) {
        let (line, column) = (value.line + lines, value.column)
        switch value.content {
        case .scalar(let scalar): add(scalar, line: line, column: column)
        case .sequence(let items):
            let list = begin(isObject: false, line: line, column: column)
            for item in items { try add(item, file: file, after: lines) }
            end(list, children: items.count)
        case .mapping:
            let mapping = begin(isObject: true, line: line, column: column)
            let entries = value.entries ?? []
            for entry in entries {
                guard let name = entry.key.text else {
                    let place = SourceLocation(file: file, line: entry.key.line + lines, column: entry.key.column)
                    throw Diagnostic(place, "a key must be a text, not a collection")
                }
                add(name: name.utf8)
                try add(entry.value, file: file, after: lines)
            }
            end(mapping, children: entries.count)
        }
    }

    private mutating func add(_ scalar: YAMLScalar, line: Int, column: Int) {
        switch scalar.type {
        case .null: add(nil, line: line, column: column)
        case .bool: add(scalar.text.lowercased() == "true", line: line, column: column)
        case .integer, .float: add(scalar.text.utf8, isNumber: true, line: line, column: column)
        case .string: add(scalar.text.utf8, line: line, column: column)
        }
    }
}
