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
    /// Chooses among the values that a schema permits; nil takes the simplest one.
    private var generator: SplitMix64?
    private var remaining = maximumValues
    private var open: Set<OpenAPIValue.Identity> = []
    /// The schemas of `$dynamicAnchor` in the resources around the current schema, of each name the outermost one.
    private var scope: [String: OpenAPIValue] = [:]
    /// Whether optional parts are missing because of the limit.
    private(set) var isShortened = false

    /// - Parameters:
    ///   - isResponse: Whether the value is that of a response; otherwise of a request.
    ///   - seed: The start of random values; nil for the simplest ones.
    init(_ reader: OpenAPIReader, isResponse: Bool = false, seed: UInt64? = nil) {
        self.reader = reader
        generator = seed.map(SplitMix64.init)
        hidden = isResponse ? "writeOnly" : "readOnly"
    }

    /// The example that stands beside a schema: that of a parameter, a media type or a schema; nil where there is none.
    static func example(in value: OpenAPIValue, _ reader: OpenAPIReader) -> JSONValue? {
        if let example = value.node["example"], !(example.isNull && value["examples"] != nil) { return example.json }
        // Parameters of Swagger 2.0 have no `example`; tools agreed on `x-example`, and on `x-examples` by media type for bodies.
        if let example = value.node["x-example"] ?? value.node["x-examples"]?.members?.first(where: { $0.name.contains("/") })?.value {
            return example.json
        }
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

    /// All values of `example` and `examples` that are in the document.
    static func examples(in value: OpenAPIValue, _ reader: OpenAPIReader) -> [JSONValue] {
        let named = (value["examples"]?.members ?? []).compactMap { member -> JSONValue? in
            guard let example = reader.resolved(member.value) else { return nil }
            return (example.node["dataValue"] ?? example.node["value"])?.json
        }
        return [example(in: value, reader)].compactMap(\.self) + (value["examples"]?.node.items ?? []).map(\.json) + named
    }

    /// A value for a schema; nil where it allows any value or contains itself.
    mutating func value(for schema: OpenAPIValue) -> JSONValue? {
        let (outer, schema) = (scope, reader.hasDynamicAnchors ? enter(schema) : schema)
        defer { scope = outer }
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

    /// The schema that applies in place of one, whose dynamic anchors apply to the schemas in it.
    private mutating func enter(_ schema: OpenAPIValue) -> OpenAPIValue {
        func add(_ value: OpenAPIValue) { scope.merge(reader.dynamicAnchors(around: value)) { outer, _ in outer } }
        add(schema)
        let schema = reader.dynamicTarget(of: schema).map { scope[$0.name] ?? $0.schema } ?? schema
        for layer in OpenAPISchema(schema, reader).layers { add(layer) }
        return schema
    }

    /// A value of one of the alternatives of a schema, with the properties that all of them have; nil where there is none.
    mutating func value(for schema: OpenAPISchema, choosing alternative: OpenAPIValue) -> JSONValue? {
        guard let value = value(for: alternative) else { return nil }
        return schema.properties.isEmpty
            ? discriminated(value, schema, alternative) : discriminated(merged(ofType(schema), value), schema, alternative)
    }

    private mutating func made(from schema: OpenAPISchema) -> JSONValue? {
        // The example of an included schema; that of an object shows a part of the object.
        if schema.type != "object" { for layer in schema.layers { if let example = Self.example(in: layer, reader) { return example } } }
        if let constant = schema["const"] ?? schema["default"] { return constant.node.json }
        let words = schema["enum"]?.node.items?.filter { !$0.isNull } ?? []
        if !words.isEmpty { return words[random(0...words.count - 1) ?? 0].json }
        for alternative in schema.alternatives { if let value = value(for: schema, choosing: alternative) { return value } }
        return ofType(schema)
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
        let last = reference.split { $0 == "/" || $0 == "#" }.last.map(String.init) ?? reference
        let name = discriminator["mapping"]?.members.first { [reference, last].contains($0.value.text) }?.name ?? last
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
        case "string": .string(randomText(for: schema) ?? Self.text(for: schema))
        case "integer": .number(number(schema, isInteger: true))
        case "number": .number(number(schema, isInteger: false))
        case "boolean": .bool(random(0...1) != 0)
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
        let least = max(1, min(5, schema["minItems"]?.text.flatMap { Int($0) } ?? 1))
        let most = max(least, min(5, schema["maxItems"]?.text.flatMap { Int($0) } ?? 5))
        let count = random(least...most) ?? least
        if items.isEmpty, count > 1, schema["uniqueItems"]?.bool == true {
            return .array(Self.distinct(item, reader, isResponse: hidden == "writeOnly", first: value, count: count))
        }
        if items.isEmpty { items = [value] + (1..<max(1, count)).map { _ in generator == nil ? value : self.value(for: item) ?? value } }
        return .array(items)
    }

    /// Values of a schema that differ from each other; fewer where there are not as many.
    static func distinct(_ schema: OpenAPIValue, _ reader: OpenAPIReader, isResponse: Bool, first: JSONValue, count: Int) -> [JSONValue] {
        var (items, known): ([JSONValue], Set<String>) = ([first], [first.compactText])
        let values = OpenAPISchema(schema, reader)["enum"]?.node.items?.map(\.json) ?? []
        for value in values where items.count < count && known.insert(value.compactText).inserted { items.append(value) }
        for seed in 0..<UInt64(max(0, count) * 4) where items.count < count && values.isEmpty {
            var sample = OpenAPISample(reader, isResponse: isResponse, seed: seed)
            if let item = sample.value(for: schema), known.insert(item.compactText).inserted { items.append(item) }
        }
        return items
    }

    private mutating func random(_ range: ClosedRange<Int>) -> Int? {
        guard var generator else { return nil }
        defer { self.generator = generator }
        return Int.random(in: range, using: &generator)
    }

    /// A random text of a schema; nil without a seed, and for other formats.
    private mutating func randomText(for schema: OpenAPISchema) -> String? {
        guard generator != nil else { return nil }
        if schema["pattern"] != nil { return Self.ofPattern(schema, variant: random(0...1000) ?? 0) }
        func limit(_ name: String) -> Int? { schema[name]?.text.flatMap { Int($0) }.flatMap { (0...1000).contains($0) ? $0 : nil } }
        let least = limit("minLength") ?? min(4, limit("maxLength") ?? 4)
        let count = random(least...max(least, min(least + 8, limit("maxLength") ?? least + 8))) ?? least
        let word = String((0..<count).map { _ in Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(random(0...25) ?? 0))) })
        let day = (random(1...28) ?? 1).padded(to: 2)
        switch schema["format"]?.text {
        case nil: return word
        case "date": return "2026-01-\(day)"
        case "date-time": return "2026-01-\(day)T12:00:00Z"
        case "email", "idn-email": return "\(word)@example.com"
        case "uuid":
            let digits = (0..<32).map { index in index == 12 ? "4" : index == 16 ? "a" : String(random(0...15) ?? 0, radix: 16) }
            return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0].joined() }.joined(separator: "-")
        default: return nil
        }
    }

    private mutating func number(_ schema: OpenAPISchema, isInteger: Bool) -> String {
        let least = leastNumber(schema, isInteger: isInteger)
        guard generator != nil, schema["multipleOf"] == nil, let first = Int(least), abs(first) < 1_000_000_000_000 else { return least }
        let exclusive = schema["exclusiveMaximum"]?.text.flatMap { Double($0) }
        let inclusive = schema["maximum"]?.text.flatMap { Double($0) }
        let bound = [exclusive.map { $0 - 1 }, inclusive.map { schema["exclusiveMaximum"]?.bool == true ? $0 - 1 : $0 }].compactMap(\.self).min()
        let last = min(first + 999, bound.flatMap { Int(exactly: $0.rounded(.down)) } ?? first + 999)
        return last > first ? String(random(first...last) ?? first) : least
    }

    private func leastNumber(_ schema: OpenAPISchema, isInteger: Bool) -> String {
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

    /// A text that the pattern of a schema describes; nil where there is none.
    private static func ofPattern(_ schema: OpenAPISchema, variant: Int) -> String? {
        guard let pattern = schema["pattern"]?.string else { return nil }
        let least = max(0, schema["minLength"]?.text.flatMap { Int($0) } ?? 0)
        let most = schema["maxLength"]?.text.flatMap { Int($0) } ?? 1000
        return least <= most ? TextPattern.sample(of: pattern, length: least...most, variant: variant) : nil
    }

    private static func sized(_ schema: OpenAPISchema) -> String {
        let text = "string"
        if let sample = ofPattern(schema, variant: 0) { return sample }
        if let least = schema["minLength"]?.text.flatMap({ Int($0) }), least > text.count, least <= 1000 {
            return String(String(repeating: text, count: least / text.count + 1).prefix(least))
        }
        if let most = schema["maxLength"]?.text.flatMap({ Int($0) }), most >= 0 { return String(text.prefix(most)) }
        return text
    }
}
