internal import SortieBase

/// A type of JSON values in the keyword `type`.
enum SchemaType: String, CaseIterable, Hashable, Sendable {
    case null, boolean, object, array, number, string, integer

    /// Whether a value has the type; 1.0 is an integer (draft 2020-12, 6.1.1).
    func matches(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.null, .null), (.boolean, .bool), (.object, .object), (.array, .array), (.number, .number), (.string, .string): true
        case (.integer, .number(let text)): JSONDecimal(text).isInteger
        default: false
        }
    }
}
