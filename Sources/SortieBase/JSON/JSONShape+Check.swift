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
