internal import SortieBase

/// The value of a parameter in a query, a form or a property list, before it is written.
public enum ParameterValue: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case null
    /// A date, in seconds since 1970-01-01T00:00:00Z.
    case date(Double)
    case array([ParameterValue])
    /// Values without an order; written sorted.
    case set([ParameterValue])
    /// Named values in order.
    case object([Member])

    /// A named value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: ParameterValue

        /// Creates a named value.
        public init(_ name: String, _ value: ParameterValue) {
            self.name = name
            self.value = value
        }
    }

    /// The conversion of a JSON number.
    public enum NumberReading: Hashable, Sendable {
        /// A number whose text would change (`1.10`, twenty digits) becomes a string; for queries and forms.
        case keepingText
        /// Always the nearest number; for property lists.
        case numeric
    }

    /// Converts a JSON value.
    public init(_ json: JSONValue, numbers: NumberReading = .keepingText) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .string(let text): self = .string(text)
        case .array(let items): self = .array(items.map { ParameterValue($0, numbers: numbers) })
        case .object(let members): self = .object(members.map { Member($0.key, ParameterValue($0.value, numbers: numbers)) })
        case .number(let text): self = ParameterValue.number(text, numbers)
        }
    }

    private static func number(_ text: String, _ reading: NumberReading) -> ParameterValue {
        if let integer = Int(text), reading == .numeric || String(integer) == text { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { return .string(text) }
        let value = ParameterValue.number(number)
        return reading == .numeric || self.text(of: number) == text ? value : .string(text)
    }

    /// A number as text, without a fraction where it is integral, so that 3.0 is `3`.
    package static func text(of number: Double) -> String {
        // Every integer up to 2^53 has an exact Double.
        if abs(number) <= 9_007_199_254_740_992, number == number.rounded(), let integer = Int(exactly: number) { return String(integer) }
        return String(number)
    }
}

extension ParameterValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string from a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an integer from a literal.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a number from a literal.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates null from a literal.
    public init(nilLiteral: ()) { self = .null }
    /// Creates an array from a literal.
    public init(arrayLiteral elements: ParameterValue...) { self = .array(elements) }
    /// Creates an object from a literal, in the written order.
    public init(dictionaryLiteral elements: (String, ParameterValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
