/// A JSON Schema (draft 2020-12, and draft-07 where its keywords mean the same), ready to validate values.
///
/// References lead to places of the same document. `format` and the other annotations are not evaluated. Patterns are regular expressions that are
/// compared with Unicode scalars in linear time; looking around and references to groups are refused.
public struct JSONSchema: Sendable {
    /// The document.
    package let document: JSONValue
    /// The rules of each schema of the document; the first one is the root.
    let nodes: [SchemaNode]
    /// The `$comment` of each schema of a part of a larger document; empty for another document.
    let comments: [String?]

    /// The largest size of a document in bytes.
    package static let documentLimit = 4 << 20

    /// Reads a schema from JSON text.
    ///
    /// - Throws: A ``JSONSchemaError`` with the place for a text that is not JSON, an invalid keyword, and a reference that cannot be resolved.
    public init(parsing text: String) throws(JSONSchemaError) {
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
    public init(_ document: JSONValue) throws(JSONSchemaError) {
        try self.init(document, isPart: false)
    }

    /// Reads a part of a larger document, such as one schema of an API description.
    ///
    /// In addition to JSON Schema, `format` is evaluated, `$comment` is the place that failures name, `x-part: N` applies the part with that number, and
    /// `x-forbidden: WORD` permits no value.
    ///
    /// - Throws: A ``JSONSchemaError`` with the place.
    package init(part document: JSONValue) throws(JSONSchemaError) {
        try self.init(document, isPart: true)
    }

    private init(_ document: JSONValue, isPart: Bool) throws(JSONSchemaError) {
        var reader = JSONSchemaReader(document, isPart: isPart)
        nodes = try reader.read()
        comments = reader.comments
        self.document = document
    }

    /// The most rules and bytes of values that one validation evaluates.
    package static let mostSteps = 20_000_000

    /// The parts of a value that the schema does not permit, in the order of the schema; empty for a valid value.
    ///
    /// - Parameters:
    ///   - limit: the most failures that are returned.
    ///   - patternSteps: the remaining budget of regular expressions, see ``TextPattern/isFound(in:steps:)``.
    ///   - part: returns the part with a number, see ``init(part:)``.
    ///   - stepLimit: the most rules and bytes of values that are evaluated.
    /// - Throws: A ``PatternError`` when the validation exceeds a limit of its cost or depth, and when its task is cancelled.
    package func failures(
        in value: JSONValue, limit: Int, patternSteps: inout Int, part: SchemaParts? = nil, stepLimit: Int = mostSteps
    ) throws(PatternError) -> [JSONSchemaFailure] {
        var validation = JSONSchemaValidation(self, patternSteps: patternSteps, part: part, stepLimit: stepLimit)
        defer { patternSteps = validation.patternSteps }
        var failures: [JSONSchemaFailure] = []
        try validation.validate(value, by: 0, into: &failures, limit: limit)
        return failures
    }

    /// The first parts of a value that the schema does not permit, in the order of the schema; empty for a valid value.
    ///
    /// - Parameters:
    ///   - value: The value to validate.
    ///   - limit: The most failures that are returned.
    /// - Throws: An error with a description when the validation exceeds a limit of its cost or depth, and when its task is cancelled.
    public func failures(in value: JSONValue, limit: Int = 20) throws -> [JSONSchemaFailure] {
        var steps = TextPattern.maximumSteps
        return try failures(in: value, limit: limit, patternSteps: &steps)
    }
}

/// Returns the part of a larger document with a number.
package typealias SchemaParts = (Int) throws(PatternError) -> JSONSchema

extension JSONSchema: Hashable {
    /// Whether two schemas have the same document.
    public static func == (left: JSONSchema, right: JSONSchema) -> Bool { left.document == right.document }
    /// Hashes the document.
    public func hash(into hasher: inout Hasher) { hasher.combine(document) }
}

/// Why a document is not a JSON Schema that can be used.
public struct JSONSchemaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The JSON pointer of the place in the document, as a fragment (`#/properties/id`); nil for a text that is not JSON.
    public let pointer: String?
    /// The mistake and its remedy.
    public let message: String

    /// Creates an error at a place of the document.
    init(_ message: String, at pointer: String?) {
        self.message = message
        self.pointer = pointer.map { "#" + $0 }
    }

    /// The place and the mistake.
    public var description: String { (pointer.map { "\($0): " } ?? "") + message }
}

/// A value that a JSON Schema does not permit.
public struct JSONSchemaFailure: Hashable, Sendable, CustomStringConvertible {
    /// The path of the value.
    public var path: JSONPath
    /// The keyword of the schema: `type`, `required`.
    public var keyword: String
    /// What the keyword requires.
    public var expected: String
    /// What was found.
    public var actual: String
    /// The `$comment` of the schema, or of the nearest one around it; nil for a document that is no part of a larger one.
    package var comment: String?

    /// The complete message: `$.id: type: expected integer, got a string`.
    public var description: String { "\(path): \(keyword): expected \(expected), got \(actual)" }

    /// A value as it is described in a failure.
    static func shown(_ value: JSONValue) -> String {
        switch value {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let text): return text.count > 60 ? text.prefix(60) + "…" : text
        case .string(let text): return "\"\(text.count > 60 ? text.prefix(60) + "…" : text)\""
        case .array(let items): return items.count == 1 ? "an array of 1 item" : "an array of \(items.count) items"
        case .object(let members): return members.count == 1 ? "an object of 1 member" : "an object of \(members.count) members"
        }
    }
}
