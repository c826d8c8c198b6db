/// The required structure of a JSON value: nested types by key.
///
/// A shape is written as JSON in which a string names a type: `{"code": "integer", "result": {"items": [{"id": "integer", "note": "string?"}]}}`.
/// A `?` after a type, or after a key, allows the value to be absent or null. Keys that the shape does not name are ignored.
public indirect enum JSONShape: Hashable, Sendable {
    /// Any value, including null.
    case any
    case string
    /// A number without a fraction, such as `3`, `3.0` and `3e2`.
    case integer
    case number
    case bool
    case null
    /// An array whose items all have a shape.
    case array(of: JSONShape)
    /// An object with these members.
    case object([Field])
    /// A value of the shape, null, or no value.
    case optional(JSONShape)

    /// One member of an object.
    public struct Field: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The shape of the value.
        public var shape: JSONShape

        /// Creates a member.
        public init(_ key: String, _ shape: JSONShape) {
            self.key = key
            self.shape = shape
        }
    }

    /// Parses the description of a shape.
    ///
    /// - Throws: A ``JSONShapeError`` for an unknown type name, or a value that describes no type.
    public init(_ description: JSONValue) throws(JSONShapeError) {
        self = try JSONShape.read(description, at: JSONPath())
    }

    /// The name for messages: "an integer".
    public var name: String {
        switch self {
        case .any: "a value"
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .bool: "a bool"
        case .null: "null"
        case .array: "an array"
        case .object: "an object"
        case .optional(let shape): shape.name + " or null"
        }
    }

    private static let words: [(String, JSONShape)] = [
        ("any", .any), ("string", .string), ("integer", .integer), ("number", .number), ("bool", .bool), ("null", .null),
    ]

    private static func read(_ description: JSONValue, at path: JSONPath) throws(JSONShapeError) -> JSONShape {
        switch description {
        case .null: return .null
        case .string(let word):
            let name = word.hasSuffix("?") ? String(word.dropLast()) : word
            guard let shape = words.first(where: { $0.0 == name })?.1 else {
                let known = words.map(\.0)
                let way = Suggestion.nearest(to: name, in: known).map { "did you mean \($0)?" } ?? "there are \(known.joined(separator: ", "))"
                throw JSONShapeError(path: path, message: "“\(word)” is not a type; \(way)")
            }
            return name == word ? shape : .optional(shape)
        case .array(let items):
            guard items.count < 2 else {
                throw JSONShapeError(path: path, message: "an array is described by one item that represents all items, not by \(items.count)")
            }
            guard let item = items.first else { return .array(of: .any) }
            return .array(of: try read(item, at: path.appending(.wildcard)))
        case .object(let members):
            var fields: [Field] = []
            for member in members {
                let isOptional = member.key.hasSuffix("?")
                let key = isOptional ? String(member.key.dropLast()) : member.key
                let shape = try read(member.value, at: path.appending(.name(key)))
                fields.append(Field(key, isOptional ? .optional(shape) : shape))
            }
            return .object(fields)
        case .number(let text):
            throw JSONShapeError(path: path, message: "the number \(text) is not a type; write \"integer\" or \"number\"")
        case .bool(let value):
            throw JSONShapeError(path: path, message: "\(value) is not a type; write \"bool\"")
        }
    }
}

/// The error for an invalid description of a shape.
public struct JSONShapeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path in the description.
    public var path: JSONPath
    /// The description of the problem and its remedy.
    public var message: String

    /// The complete message.
    public var description: String { "the shape is invalid at \(path): \(message)" }
}

extension JSONShape {
    /// The first difference between a value and its shape.
    public struct Mismatch: Error, Hashable, Sendable, CustomStringConvertible {
        /// The path in the value.
        public var path: JSONPath
        /// The expected kind: "an integer".
        public var expected: String
        /// The actual kind: "a string", "absent".
        public var actual: String

        /// The complete message: "$.result.items[2].id is a string, expected an integer".
        public var description: String { "\(path) is \(actual), expected \(expected)" }
    }

    /// The first difference, in the order of the shape; nil when `value` has the shape.
    public func mismatch(in value: JSONValue) -> Mismatch? { mismatch(in: value, at: JSONPath()) }

    private func mismatch(in value: JSONValue, at path: JSONPath) -> Mismatch? {
        switch (self, value) {
        case (.any, _), (.string, .string), (.number, .number), (.bool, .bool), (.null, .null), (.optional, .null): return nil
        case (.integer, .number(let text)) where Self.isInteger(text): return nil
        case (.integer, .number(let text)): return Mismatch(path: path, expected: name, actual: "the number \(text.prefix(40))")
        case (.optional(let shape), _): return shape.mismatch(in: value, at: path)
        case (.array(let shape), .array(let items)):
            for (index, item) in items.enumerated() {
                if let mismatch = shape.mismatch(in: item, at: path.appending(.index(index))) { return mismatch }
            }
            return nil
        case (.object(let fields), .object):
            for field in fields {
                let place = path.appending(.name(field.key))
                if let member = value[field.key] {
                    if let mismatch = field.shape.mismatch(in: member, at: place) { return mismatch }
                } else if !field.shape.mayBeAbsent {
                    return Mismatch(path: place, expected: field.shape.name, actual: "absent")
                }
            }
            return nil
        default: return Mismatch(path: path, expected: name, actual: Self.name(of: value))
        }
    }

    private var mayBeAbsent: Bool {
        if case .optional = self { return true }
        return false
    }

    private static func isInteger(_ text: String) -> Bool {
        if Int(text) != nil { return true }
        if !text.contains(where: { ".eE".contains($0) }) { return true }
        return Double(text).map { $0.isFinite && $0 == $0.rounded(.towardZero) } ?? false
    }

    private static func name(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "a bool"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
