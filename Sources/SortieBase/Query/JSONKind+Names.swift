/// The names of kinds of values.
extension JSONKind {
    /// The name that `type` gives.
    var word: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The name for messages.
    var name: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(word)"
        default: "a \(word)"
        }
    }
}
