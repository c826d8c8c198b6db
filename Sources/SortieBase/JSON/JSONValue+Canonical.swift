extension JSONValue {
    /// A text that equal values share, in the sense of JSON Schema (draft 2020-12 core, 4.2.2): numbers by value, objects without the order of members.
    ///
    /// The last one of members with the same name counts.
    package var canonicalText: String {
        var text = ""
        writeCanonical(to: &text)
        return text
    }

    private func writeCanonical(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += JSONDecimal(number).text
        case .string(let string): text += "\"" + JSONText.escaped(string) + "\""
        case .array(let items):
            text += "["
            for item in items {
                item.writeCanonical(to: &text)
                text += ","
            }
            text += "]"
        case .object(let members):
            text += "{"
            let values = Dictionary(members.map { ($0.key, $0.value) }) { $1 }
            for key in values.keys.sorted() {
                text += "\"" + JSONText.escaped(key) + "\":"
                values[key]?.writeCanonical(to: &text)
                text += ","
            }
            text += "}"
        }
    }
}
