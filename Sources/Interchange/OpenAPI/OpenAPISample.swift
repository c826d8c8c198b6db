internal import SortieBase

/// Makes a value from a schema: its example or default, else one that the schema describes.
///
/// A schema within itself is left out, and the number of values is limited, because schemas that refer to each other describe values of any size.
struct OpenAPISample {
    /// The largest number of values of one example.
    private static let maximumValues = 400
    private static let maximumDepth = 12

    private let reader: OpenAPIReader
    /// The keyword of properties that are left out: servers do not accept what only they write, and do not send what only clients write.
    private let hidden: String
    private var remaining = maximumValues
    private var open: Set<OpenAPIValue.Identity> = []
    /// Whether optional parts are missing because of the limit.
    private(set) var isShortened = false

    /// - Parameter isResponse: Whether the value is that of a response; otherwise of a request.
    init(_ reader: OpenAPIReader, isResponse: Bool = false) {
        self.reader = reader
        hidden = isResponse ? "writeOnly" : "readOnly"
    }

    /// The example that stands beside a schema: that of a parameter, a media type or a schema; nil where there is none.
    static func example(in value: OpenAPIValue, _ reader: OpenAPIReader) -> JSONValue? {
        if let example = value.node["example"], !(example.isNull && value["examples"] != nil) { return example.json }
        guard let examples = value["examples"] else { return nil }
        // JSON Schema has a list of values, OpenAPI named objects.
        if let first = examples.node.items?.first { return first.json }
        for member in examples.members {
            guard let example = reader.resolved(member.value) else { continue }
            if let found = example.node["dataValue"] ?? example.node["value"] { return found.json }
            if let text = example["serializedValue"]?.string { return .string(text) }
            if let url = example["externalValue"]?.text {
                reader.addOnce(.omitted, member.name, "the example \(url) is not fetched", at: example, key: "external \(example.place)")
            }
        }
        return nil
    }

    /// A value for a schema; nil where it allows any value or contains itself.
    mutating func value(for schema: OpenAPIValue) -> JSONValue? {
        let target = reader.resolved(schema) ?? schema
        let identity = OpenAPIValue.Identity(target)
        guard open.count < Self.maximumDepth, !open.contains(identity) else { return nil }
        guard remaining > 0 else {
            isShortened = true
            return nil
        }
        remaining -= 1
        open.insert(identity)
        defer { open.remove(identity) }
        if let example = Self.example(in: schema, reader) ?? Self.example(in: target, reader) {
            // Versions and codes are often written without quotes.
            if case .number(let text) = example, OpenAPISchema(schema, reader).type == "string" { return .string(text) }
            return example
        }
        return made(from: OpenAPISchema(schema, reader))
    }

    private mutating func made(from schema: OpenAPISchema) -> JSONValue? {
        // The example of an included schema; that of an object shows a part of the object.
        if schema.type != "object" { for layer in schema.layers { if let example = Self.example(in: layer, reader) { return example } } }
        if let constant = schema["const"] ?? schema["default"] { return constant.node.json }
        if let first = schema["enum"]?.node.items?.first(where: { !$0.isNull }) { return first.json }
        let own = ofType(schema)
        for alternative in schema.alternatives {
            guard let value = value(for: alternative) else { continue }
            return schema.properties.isEmpty ? discriminated(value, schema, alternative) : discriminated(merged(own, value), schema, alternative)
        }
        return own
    }

    private func merged(_ first: JSONValue?, _ second: JSONValue) -> JSONValue {
        guard case .object(let own)? = first, case .object(let others) = second else { return second }
        let names = Set(own.map(\.key))
        return .object(own + others.filter { !names.contains($0.key) })
    }

    /// The value with the property that names the alternative.
    private func discriminated(_ value: JSONValue, _ schema: OpenAPISchema, _ alternative: OpenAPIValue) -> JSONValue {
        guard let discriminator = schema["discriminator"], let property = discriminator["propertyName"]?.text, case .object(var members) = value,
            let reference = alternative["$ref"]?.string
        else { return value }
        let mapped = discriminator["mapping"]?.members.first { $0.value.text == reference }?.name
        let name = mapped ?? reference.split { $0 == "/" || $0 == "#" }.last.map(String.init) ?? reference
        if let index = members.firstIndex(where: { $0.key == property }) {
            members[index].value = .string(name)
        } else {
            members.insert(.init(property, .string(name)), at: 0)
        }
        return .object(members)
    }

    private mutating func ofType(_ schema: OpenAPISchema) -> JSONValue? {
        switch schema.type {
        case "object": object(schema)
        case "array": array(schema)
        case "string": .string(Self.text(for: schema))
        case "integer": .number(number(schema, isInteger: true))
        case "number": .number(number(schema, isInteger: false))
        case "boolean": .bool(true)
        case "null": .null
        case "file": .string("")
        default: nil
        }
    }

    private mutating func object(_ schema: OpenAPISchema) -> JSONValue {
        var members: [JSONValue.Member] = []
        for property in schema.properties {
            if OpenAPISchema(property.schema, reader)[hidden]?.bool == true { continue }
            if let value = value(for: property.schema) {
                members.append(.init(property.name, value))
            } else if property.isRequired {
                members.append(.init(property.name, .null))
            }
        }
        if members.isEmpty, let additional = schema["additionalProperties"], additional.isObject, let value = value(for: additional) {
            members.append(.init("key", value))
        }
        // The example of an included schema shows a part of the object.
        for layer in schema.layers {
            guard case .object(let shown)? = Self.example(in: layer, reader) else { continue }
            for index in members.indices { members[index].value = shown.last { $0.key == members[index].key }?.value ?? members[index].value }
        }
        return .object(members)
    }

    private mutating func array(_ schema: OpenAPISchema) -> JSONValue {
        var items: [JSONValue] = []
        for item in schema["prefixItems"]?.items ?? [] { items.append(value(for: item) ?? .null) }
        guard let item = schema["items"], item.isObject, let value = value(for: item) else { return .array(items) }
        let count = max(1, min(5, schema["minItems"]?.text.flatMap { Int($0) } ?? 1))
        if items.isEmpty { items = Array(repeating: value, count: count) }
        return .array(items)
    }

    private func number(_ schema: OpenAPISchema, isInteger: Bool) -> String {
        func bound(_ name: String) -> Double? { schema[name]?.text.flatMap { Double($0) } }
        let isOpen = schema["exclusiveMinimum"]?.bool == true
        let step = bound("multipleOf").map { $0 > 0 ? $0 : 1 } ?? 1
        var value = 1.0
        if let least = bound("exclusiveMinimum") ?? (isOpen ? bound("minimum") : nil) {
            value = least + step
        } else if let least = bound("minimum") {
            if !isOpen, step == 1, case .number(let text)? = schema["minimum"]?.node.json, !isInteger || Int(text) != nil { return text }
            value = least
        } else if let most = bound("maximum") ?? bound("exclusiveMaximum"), most <= 1 {
            value = most - (schema["exclusiveMaximum"] == nil ? 0 : step)
        } else {
            value = step
        }
        value = (value / step).rounded(.up) * step
        guard value.isFinite, abs(value) < 1e15 else {
            if case .number(let text)? = schema["minimum"]?.node.json { return text }
            return "1"
        }
        return value == value.rounded() ? String(Int64(value)) : String(value)
    }

    private static func text(for schema: OpenAPISchema) -> String {
        switch schema["format"]?.text {
        case "date": "2026-01-31"
        case "date-time": "2026-01-31T12:00:00Z"
        case "time": "12:00:00Z"
        case "duration": "P1D"
        case "uuid": "3fa85f64-5717-4562-b3fc-2c963f66afa6"
        case "email", "idn-email": "user@example.com"
        case "uri", "url", "iri", "uri-reference", "iri-reference": "https://example.com"
        case "hostname", "idn-hostname": "example.com"
        case "ipv4": "192.0.2.1"
        case "ipv6": "2001:db8::1"
        case "byte": "c3RyaW5n"
        case "binary", "base64": ""
        default: sized(schema)
        }
    }

    private static func sized(_ schema: OpenAPISchema) -> String {
        let text = "string"
        if let least = schema["minLength"]?.text.flatMap({ Int($0) }), least > text.count, least <= 1000 {
            return String(String(repeating: text, count: least / text.count + 1).prefix(least))
        }
        if let most = schema["maxLength"]?.text.flatMap({ Int($0) }), most >= 0 { return String(text.prefix(most)) }
        return text
    }
}
