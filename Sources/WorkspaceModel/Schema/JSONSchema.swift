package import SortieBase

/// A JSON Schema (draft 2020-12, and draft-07 where its keywords mean the same), ready to validate values.
///
/// References lead to places of the same document. `format` and the other annotations are not evaluated. Patterns are those of ``TextPattern``, which
/// compares Unicode scalars in linear time and refuses looking around and references to groups.
package struct JSONSchema: Sendable {
    /// The document.
    package let document: JSONValue
    /// The rules of each schema of the document; the first one is the root.
    let nodes: [[SchemaRule]]

    /// The largest size of a document in bytes.
    package static let documentLimit = 4 << 20

    /// Reads a schema from JSON text.
    ///
    /// - Throws: A ``JSONSchemaError`` with the place for a text that is not JSON, an invalid keyword, and a reference that cannot be resolved.
    package init(parsing text: String) throws(JSONSchemaError) {
        guard text.utf8.count <= Self.documentLimit else {
            throw JSONSchemaError("the schema is larger than \(ByteCount(Int64(Self.documentLimit)).text)", at: nil)
        }
        let document: JSONValue
        do throws(BodyProblem) { document = try JSONValue(parsing: text) } catch { throw JSONSchemaError("\(error)", at: nil) }
        try self.init(document)
    }

    /// Reads a schema from its document.
    ///
    /// - Throws: A ``JSONSchemaError`` with the place.
    package init(_ document: JSONValue) throws(JSONSchemaError) {
        var reader = JSONSchemaReader(document)
        nodes = try reader.read()
        self.document = document
    }

    /// The parts of a value that the schema does not permit, in the order of the schema; empty for a valid value.
    ///
    /// - Parameters:
    ///   - limit: the most failures that are returned.
    ///   - patternSteps: the remaining budget of regular expressions, see ``TextPattern/isFound(in:steps:)``.
    /// - Throws: A ``PatternError`` when the validation exceeds a limit of its cost or depth, and when its task is cancelled.
    package func failures(in value: JSONValue, limit: Int, patternSteps: inout Int) throws(PatternError) -> [JSONSchemaFailure] {
        var validation = JSONSchemaValidation(nodes: nodes, patternSteps: patternSteps)
        defer { patternSteps = validation.patternSteps }
        var failures: [JSONSchemaFailure] = []
        try validation.validate(value, by: 0, into: &failures, limit: limit)
        return failures
    }
}

extension JSONSchema: Hashable {
    /// Whether two schemas have the same document.
    package static func == (left: JSONSchema, right: JSONSchema) -> Bool { left.document == right.document }
    /// Hashes the document.
    package func hash(into hasher: inout Hasher) { hasher.combine(document) }
}
