/// A type of values: of JSON, and of texts of header fields and parameters.
package enum ValueType: String, Hashable, Sendable, CaseIterable {
    case string
    /// A number without a fraction, such as `3`, `3.0` and `3e2`; in texts decimal digits with an optional sign.
    case integer
    /// A number; in texts a finite decimal number.
    case number
    /// True or false; in texts also `1` and `0`.
    case boolean
    case null, array, object
    /// A text with a day or a time in ISO 8601: `2027-01-31` or `2027-01-31T12:00:00Z`.
    case date

    /// The types of JSON values, which JSON Schema has.
    package static let json = allCases.filter { $0 != .date }

    /// The type with a name; `bool` is another name of ``boolean``.
    package init?(word: String) {
        guard let type = word == "bool" ? .boolean : ValueType(rawValue: word) else { return nil }
        self = type
    }

    /// The type of a JSON value; that of a number is ``number``.
    package init(of value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .boolean
            case .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
    }

    /// Whether a JSON value has the type.
    package func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        // 1.0 is an integer (JSON Schema 2020-12 validation, 6.1.1).
        case (.integer, .number(let text)): JSONDecimal(text).isInteger
        case (.date, .string(let text)): CalendarTime.seconds(ofISO8601: text) != nil
        default: self == ValueType(of: value)
        }
    }

    /// Whether a text stands for a value of the type.
    package func accepts(text: String) -> Bool {
        switch self {
        case .string: return true
        case .integer:
            let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.utf8.dropFirst() : text.utf8[...]
            return !digits.isEmpty && digits.allSatisfy(ASCII.isDigit)
        case .number: return JSONDecimal(parsing: text) != nil
        case .boolean: return ["true", "false", "1", "0"].contains(text)
        case .date: return CalendarTime.seconds(ofISO8601: text) != nil
        case .null, .array, .object: return false
        }
    }

    /// The type with its article: `a whole number`.
    package var phrase: String {
        switch self {
        case .string: "a string"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .null: "null"
        case .array: "an array"
        case .object: "an object"
        case .date: "a date such as 2027-01-31"
        }
    }
}
