extension JSONSchema {
    /// Reads a shape: JSON in which a string names a type, `{"code": "integer", "result": {"items": [{"id": "integer", "note": "string?"}]}}`.
    ///
    /// The types are `string`, `integer` (a number without a fraction, such as `3`, `3.0` and `3e2`), `number`, `boolean` (or `bool`), `null` and `any`.
    /// An array has one item that represents all items. A `?` after a type, or after a key, permits null and a missing member. Other members than those
    /// of the shape are permitted.
    ///
    /// - Throws: A ``JSONSchemaError`` with the place for an unknown type, and for a value that describes no type.
    public init(shape: JSONValue) throws(JSONSchemaError) {
        try self.init(ShapeReader.schema(of: shape, at: ""))
    }
}

/// Writes the schema that a shape stands for.
private enum ShapeReader {
    /// The types that a word can name; arrays and objects are written as such.
    private static let types = ValueType.json.filter { $0 != .array && $0 != .object }

    static func schema(of shape: JSONValue, at pointer: String, isOptional: Bool = false) throws(JSONSchemaError) -> JSONValue {
        switch shape {
        case .null: return typed(.null, isOptional)
        case .string(let word):
            let name = Self.name(word)
            if name == "any" { return [:] }
            guard let type = ValueType(word: name), types.contains(type) else {
                let known = types.map(\.rawValue) + ["any"]
                let way = Suggestion.nearest(to: name, in: known).map { "did you mean \($0)?" } ?? "there are \(known.joined(separator: ", "))"
                throw JSONSchemaError("“\(word)” is not a type; \(way)", at: pointer)
            }
            return typed(type, isOptional || name != word)
        case .array(let items):
            guard items.count < 2 else {
                throw JSONSchemaError("an array is described by one item that represents all items, not by \(items.count)", at: pointer)
            }
            guard let item = items.first else { return typed(.array, isOptional) }
            return typed(.array, isOptional, [.init("items", try schema(of: item, at: pointer + "/0"))])
        case .object(let members):
            var properties: [JSONValue.Member] = []
            var required: [JSONValue] = []
            for member in members {
                let key = name(member.key)
                let mayBeMissing = key != member.key
                let place = pointer + "/" + JSONPointer.escaped(member.key)
                properties.append(.init(key, try schema(of: member.value, at: place, isOptional: mayBeMissing)))
                if !mayBeMissing, !isOptionalType(member.value) { required.append(.string(key)) }
            }
            return typed(.object, isOptional, [.init("properties", .object(properties)), .init("required", .array(required))])
        case .number(let text): throw JSONSchemaError("the number \(text) is not a type; write \"integer\" or \"number\"", at: pointer)
        case .bool(let value): throw JSONSchemaError("\(value) is not a type; write \"boolean\"", at: pointer)
        }
    }

    /// A name without the `?` at its end.
    private static func name(_ text: String) -> String { text.hasSuffix("?") ? String(text.dropLast()) : text }

    private static func isOptionalType(_ shape: JSONValue) -> Bool {
        if case .string(let word) = shape { return word.hasSuffix("?") }
        return false
    }

    private static func typed(_ type: ValueType, _ isOptional: Bool, _ keywords: [JSONValue.Member] = []) -> JSONValue {
        let name = JSONValue.string(type.rawValue)
        return .object([.init("type", isOptional && type != .null ? .array([name, "null"]) : name)] + keywords)
    }
}
