/// A JSON value that preserves the order of keys and the text of numbers.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number, in its original text.
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

        /// Creates a member.
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// An integer.
    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

    /// Seconds, rounded to microseconds; 0 for a value that is not finite.
    package static func seconds(_ value: Double) -> JSONValue {
        .number(value.isFinite ? String((value * 1_000_000).rounded() / 1_000_000) : "0.0")
    }

    /// A string, or null for nil.
    package static func optional(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

    /// The value of an object's member, the last one of duplicates; nil where there is none.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object from a literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
    /// Creates a string from a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates null from a literal.
    public init(nilLiteral: ()) { self = .null }
}
