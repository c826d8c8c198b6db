/// A JSON value that keeps the order of keys and the text of numbers.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number as its text.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// One member of an object.
    public struct Member: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The value.
        public var value: JSONValue

        /// A member.
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

    /// Seconds, to the microsecond.
    public static func seconds(_ value: Double) -> JSONValue {
        .number(value.isFinite ? String((value * 1_000_000).rounded() / 1_000_000) : "0.0")
    }

    /// A string, or null for nil.
    public static func optional(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

    /// The member of an object, nil where there is none.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// A value of a literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
    /// A value of a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A value of a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A value of a literal.
    public init(nilLiteral: ()) { self = .null }
}
