package import SortieBase

/// A value that a JSON Schema does not permit.
package struct JSONSchemaFailure: Hashable, Sendable, CustomStringConvertible {
    /// The path of the value.
    package var path: JSONPath
    /// The keyword of the schema: `type`, `required`.
    package var keyword: String
    /// What the keyword requires.
    package var expected: String
    /// What was found.
    package var actual: String

    /// The complete message: `$.id: type: expected integer, got a string`.
    package var description: String { "\(path): \(keyword): expected \(expected), got \(actual)" }

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
