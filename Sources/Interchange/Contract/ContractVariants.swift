internal import SortieBase

/// A value that a case sends in place of a sample.
struct ContractVariant {
    var value: JSONValue
    /// Whether the value is meant to be valid; nil where its schema decides.
    var isMeantValid: Bool?
    /// The place in the value, the value, and the keyword that it is about.
    var name: String

    /// What a case with the value is for; nil where its validity is not the intended one.
    func kind(isValid: Bool) -> ContractCase.Kind? {
        isMeantValid == nil || isMeantValid == isValid ? isValid ? .boundary : .invalid : nil
    }
}

/// The values at the limits of schemas, and beyond them.
struct ContractVariants {
    /// The number of variants of an object from which on no further member is varied; each is compared with the whole schema.
    private static let most = 2000
    /// The largest number of items, and of characters of a text, that are generated.
    private static let (mostItems, mostCharacters) = (200, 10_000)
    /// The number of characters of a long text without a limit.
    private static let long = 1000

    let reader: OpenAPIReader
    /// Whether values are written as text, where a number is also a text.
    let isText: Bool

    func variants(of value: OpenAPIValue, _ sample: JSONValue, _ depth: Int) -> [ContractVariant] {
        let schema = OpenAPISchema(value, reader)
        var found: [ContractVariant] = []
        func add(_ isValid: Bool?, _ value: JSONValue, _ note: String = "") {
            found.append(.init(value: value, isMeantValid: isValid, name: "= \(Self.shown(value))\(note.isEmpty ? "" : " (\(note))")"))
        }
        for value in schema["enum"]?.node.items?.prefix(5) ?? [] { add(true, value.json, "enum") }
        if schema["enum"] != nil { add(false, "not-in-the-enum", "enum") }
        switch schema.type {
        case "integer", "number": Self.numbers(schema, add)
        case "boolean":
            for value in [true, false] { add(true, .bool(value)) }
            add(false, "text", "type")
        case "string": texts(schema, add)
        case "array":
            counts(schema, sample, add)
            if !isText { add(false, "text", "type") }
            guard depth > 0, case .array(let items) = sample, let first = items.first, let schema = schema["items"] else { break }
            found += variants(of: schema, first, depth - 1).map {
                .init(value: .array([$0.value] + items.dropFirst()), isMeantValid: $0.isMeantValid, name: "[0] \($0.name)")
            }
        case "object" where depth > 0: found += members(of: schema, sample, depth)
        default: break
        }
        if depth > 0 { found += alternatives(of: schema, depth) }
        if !isText { add(nil, .null, "null") }
        return found
    }

    private typealias Add = (_ isValid: Bool?, _ value: JSONValue, _ note: String) -> Void

    private static func numbers(_ schema: OpenAPISchema, _ add: Add) {
        let multiple = schema["multipleOf"]?.text.flatMap { Double($0) }
        let step = multiple.flatMap { $0.isFinite ? $0 : nil } ?? 1
        for (keyword, sign) in [("minimum", -1.0), ("maximum", 1.0)] {
            let exclusive = "exclusive" + keyword.prefix(1).uppercased() + keyword.dropFirst()
            guard let limit = (schema[keyword] ?? schema[exclusive])?.text.flatMap({ Double($0) }), limit.isFinite else { continue }
            let isExclusive = schema[exclusive]?.bool == true || schema[keyword] == nil
            add(true, number(isExclusive ? limit - sign * step : limit), keyword)
            add(false, number(isExclusive ? limit : limit + sign * step), keyword)
        }
        for text in ["0", "-1"] { add(true, .number(text), "") }
        switch schema["format"]?.text {
        case "int32": for text in ["2147483647", "2147483648"] { add(nil, .number(text), "format") }
        case "int64": for text in ["9223372036854775807", "9223372036854775808"] { add(nil, .number(text), "format") }
        default: for text in ["9007199254740991", "9223372036854775808"] { add(true, .number(text), "") }
        }
        if schema.type == "integer" { add(false, .number("1.5"), "type") } else { add(true, .number("0.5"), "") }
        add(false, "text", "type")
    }

    private func texts(_ schema: OpenAPISchema, _ add: Add) {
        for keyword in ["minLength", "maxLength"] {
            guard let count = schema[keyword]?.text.flatMap({ Int($0) }), (0...Self.mostCharacters).contains(count) else { continue }
            add(true, .string(text(schema, count)), keyword)
            let other = keyword == "minLength" ? count - 1 : count + 1
            if other >= 0 { add(false, .string(text(schema, other)), keyword) }
        }
        add(true, "", "empty")
        add(true, "ä €😀", "Unicode")
        if schema["maxLength"] == nil { add(true, .string(text(schema, Self.long)), "long") }
        switch schema["format"]?.text {
        case nil: break
        case "date": for (isValid, text) in [(true, "2024-02-29"), (false, "2023-02-29")] { add(isValid, .string(text), "format") }
        case "date-time":
            for (isValid, text) in [(true, "2024-02-29T23:59:59.999+14:00"), (false, "2023-02-29T00:00:00Z")] {
                add(isValid, .string(text), "format")
            }
        default: break
        }
        if schema["format"] != nil { add(false, "not-of-the-format", "format") }
        if schema["pattern"] != nil { add(false, "€", "pattern") }
        if !isText { add(false, .number("1"), "type") }
    }

    /// A text of a length, which the pattern of the schema describes where there is one.
    private func text(_ schema: OpenAPISchema, _ count: Int) -> String {
        schema["pattern"]?.string.flatMap { TextPattern.sample(of: $0, length: count...count) } ?? String(repeating: "a", count: count)
    }

    /// Arrays of other numbers of items.
    private func counts(_ schema: OpenAPISchema, _ sample: JSONValue, _ add: Add) {
        add(true, .array([]), "empty")
        guard case .array(let items) = sample, let first = items.first else { return }
        let isUnique = schema["uniqueItems"]?.bool == true
        func array(_ count: Int) -> JSONValue? {
            guard (0...Self.mostItems).contains(count) else { return nil }
            guard isUnique, count > 1, let schema = schema["items"] else { return .array(Array(repeating: first, count: count)) }
            let items = OpenAPISample.distinct(schema, reader, isResponse: false, first: first, count: count)
            return items.count == count ? .array(items) : nil
        }
        for keyword in ["minItems", "maxItems"] {
            guard let count = schema[keyword]?.text.flatMap({ Int($0) }), (0...Self.mostItems).contains(count) else { continue }
            if let items = array(count) { add(true, items, keyword) }
            if let items = array(keyword == "minItems" ? count - 1 : count + 1) { add(false, items, keyword) }
        }
        add(!isUnique, .array([first, first]), isUnique ? "uniqueItems" : "repeated")
    }

    /// The values of the alternatives, and the variants of each.
    private func alternatives(of schema: OpenAPISchema, _ depth: Int) -> [ContractVariant] {
        var found: [ContractVariant] = []
        for (index, alternative) in schema.alternatives.enumerated().prefix(10) where found.count < Self.most {
            var sample = OpenAPISample(reader)
            guard let value = sample.value(for: schema, choosing: alternative), value != .null else { continue }
            found.append(.init(value: value, isMeantValid: true, name: "= \(Self.shown(value)) (alternative \(index + 1))"))
            found += variants(of: alternative, value, depth - 1)
        }
        return found
    }

    private func members(of schema: OpenAPISchema, _ sample: JSONValue, _ depth: Int) -> [ContractVariant] {
        guard case .object(let members) = sample else { return [] }
        var found: [ContractVariant] = isText ? [] : [.init(value: .array([]), isMeantValid: false, name: "= [] (type)")]
        for property in schema.properties where found.count < Self.most {
            let index = members.firstIndex { $0.key == property.name }
            if let index {
                var rest = members
                rest.remove(at: index)
                found.append(.init(value: .object(rest), isMeantValid: !property.isRequired, name: ".\(property.name) is missing"))
            }
            for variant in variants(of: property.schema, index.map { members[$0].value } ?? .null, depth - 1) {
                var changed = members
                if let index { changed[index].value = variant.value } else { changed.append(.init(property.name, variant.value)) }
                found.append(.init(value: .object(changed), isMeantValid: variant.isMeantValid, name: ".\(property.name) \(variant.name)"))
            }
        }
        if schema["additionalProperties"]?.bool == false || schema["unevaluatedProperties"]?.bool == false {
            found.append(.init(value: .object(members + [.init("undescribed", true)]), isMeantValid: false, name: ".undescribed = true"))
        }
        return found
    }

    /// The text of a value in names.
    static func shown(_ value: JSONValue) -> String {
        let text = value.compactText
        return text.count > 40 ? text.prefix(40) + "…" : text
    }

    private static func number(_ value: Double) -> JSONValue {
        // A sum may exceed the largest number.
        let value = min(max(value, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
        return .number(value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value))
    }
}
