extension JSONQueryValue {
    /// The text of a string, or the JSON text of another value.
    var plainText: String {
        get throws(JSONEvaluationError) {
            let value = try json
            if case .string(let text) = value { return text }
            return value.text
        }
    }
}
