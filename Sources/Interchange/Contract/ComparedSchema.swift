internal import SortieBase

/// A schema in the form in which versions are compared, which is the same for Swagger 2.0, OpenAPI 3.0 and 3.1.
struct ComparedSchema {
    struct Identity: Hashable {
        let values: [OpenAPIValue.Identity]
        let null: Null
        let outer: [OpenAPIValue.Identity]
    }

    /// Whether null is valid.
    enum Null: Hashable {
        /// As the schema says.
        case written
        /// It is, as an alternative beside the schema says.
        case permitted
        /// It is compared elsewhere.
        case excluded
    }

    /// The members of an object that no property describes.
    enum OtherMembers {
        case any, none
        case of(ComparedSchema)
    }

    /// A limit; before OpenAPI 3.1, `exclusiveMinimum: true` says that `minimum` is exclusive.
    struct Limit: Equatable {
        let value: JSONDecimal
        let isExclusive: Bool
        let text: String

        /// - Parameter next: What is added to an exclusive limit of integers to make it inclusive; nil for other numbers.
        fileprivate init?(_ json: JSONValue?, isExclusive: Bool, next: Int? = nil) {
            guard case .number(let text)? = json else { return nil }
            let number = JSONDecimal(text)
            self.text = isExclusive ? "\(text) (exclusive)" : text
            if isExclusive, let next, let integer = number.integer {
                (value, self.isExclusive) = (JSONDecimal(String(integer + next)), false)
            } else {
                (value, self.isExclusive) = (number, isExclusive)
            }
        }

        static func == (left: Limit, right: Limit) -> Bool { left.value == right.value && left.isExclusive == right.isExclusive }

        func isNarrower(than other: Limit, isLower: Bool) -> Bool {
            value == other.value ? isExclusive && !other.isExclusive : (value > other.value) == isLower
        }
    }

    /// A property of an object.
    struct Property {
        let name: String
        /// The schemas that apply to it, one for each schema that has the property.
        let values: [OpenAPIValue]
        let isRequired: Bool
    }

    /// The schemas that apply together, without references and alternatives that stand for them; never empty.
    private let all: [OpenAPIValue]
    /// The last part of the reference that leads to the schema; nil without one.
    let name: String?
    private let null: Null
    /// The schemas with one alternative that lead to the schema; their defaults and deprecations apply.
    private let outer: [OpenAPIValue]
    let schema: OpenAPISchema
    /// Whether alternatives that only have a type, or only have values, are the types or the values of the schema.
    private(set) var isUnited = false

    init(_ value: OpenAPIValue, _ reader: OpenAPIReader) {
        var (value, name, null, outer): (OpenAPIValue, String?, Null, [OpenAPIValue]) = (value, nil, .written, [])
        // References and alternatives may lead in a circle.
        for _ in 0..<32 {
            if let reference = value.reference, value.node.members?.count == 1, let target = reader.target(ofSchema: value) {
                (value, name) = (target, Self.name(ofReference: reference))
            } else if let only = Self.onlyAlternative(of: value) {
                if value["default"] != nil || value["deprecated"] != nil { outer.append(value) }
                value = only.value
                if only.permitsNull { null = .permitted }
            } else {
                break
            }
        }
        self.init(all: [value], name: name, null: null, outer: outer, OpenAPISchema(value, reader))
    }

    private init(all: [OpenAPIValue], name: String? = nil, null: Null, outer: [OpenAPIValue], _ schema: OpenAPISchema) {
        (self.all, self.name, self.null, self.outer, self.schema) = (all, name, null, outer, schema)
    }

    /// Schemas that apply together.
    private init(_ values: [OpenAPIValue], _ reader: OpenAPIReader) {
        guard values.count > 1 else {
            self.init(values[0], reader)
            return
        }
        self.init(all: values, null: .written, outer: [], OpenAPISchema(values, reader))
    }

    /// The same schema without null.
    init(excludingNullFrom other: ComparedSchema) {
        self.init(all: other.all, name: other.name, null: .excluded, outer: other.outer, other.schema)
    }

    /// The schema, the first one of several.
    var value: OpenAPIValue { all[0] }

    /// The schema that is the only alternative, or the only one beside null, which OpenAPI 3.0 writes as `nullable`.
    private static func onlyAlternative(of value: OpenAPIValue) -> (value: OpenAPIValue, permitsNull: Bool)? {
        let keywords = value.members.filter { !annotations.contains($0.name) && !$0.name.hasPrefix("x-") }
        guard keywords.count == 1, ["oneOf", "anyOf"].contains(keywords[0].name) else { return nil }
        let all = keywords[0].value.items
        let others = all.filter { !isNull($0) }
        return others.count == 1 ? (others[0], all.count > 1 || isNullable(value["nullable"] ?? value["x-nullable"])) : nil
    }

    static func isNull(_ value: OpenAPIValue) -> Bool { value["type"]?.texts == ["null"] }
    private static func isNullable(_ value: OpenAPIValue?) -> Bool { value?.bool == true }

    /// The last part of a reference.
    static func name(ofReference text: String) -> String? { text.split { $0 == "/" || $0 == "#" }.last.map(String.init) }

    /// The keywords that exclude no value.
    private static let annotations: Set = [
        "title", "description", "default", "example", "examples", "deprecated", "nullable", "readOnly", "writeOnly", "externalDocs", "xml",
        "$comment",
    ]

    /// Whether every value is valid, or a schema says nothing about the bytes.
    var isAny: Bool { hasOnly([]) || schema.isBinary }

    /// Whether no value is valid.
    var isNever: Bool { schema.layers.contains { $0.bool == false } }

    /// Whether the schema and those that it includes have only some keywords, and annotations.
    func hasOnly(_ keywords: Set<String>) -> Bool {
        schema.layers.allSatisfy { layer in
            layer.bool == true
                || layer.isObject
                    && layer.members.allSatisfy {
                        keywords.contains($0.name) || Self.annotations.contains($0.name) || $0.name.hasPrefix("x-")
                            || ["allOf", "$ref"].contains($0.name)
                    }
        }
    }

    var identity: Identity {
        Identity(values: all.map { OpenAPIValue.Identity($0) }, null: null, outer: outer.map { OpenAPIValue.Identity($0) })
    }

    /// Whether the schema is a part of one that is compared elsewhere, with its default and its deprecation.
    var isPart: Bool { null == .excluded }

    /// The default; nil for none.
    var standard: JSONValue? { outside("default")?.node.json }

    var isDeprecated: Bool { outside("deprecated")?.bool == true }

    private func outside(_ keyword: String) -> OpenAPIValue? { outer.lazy.compactMap { $0[keyword] }.first ?? schema[keyword] }

    /// The values of a keyword in all schemas that apply.
    private func each(_ keyword: String) -> [OpenAPIValue] { schema.layers.compactMap { $0[keyword] } }

    var permitsNull: Bool { null == .permitted || Self.isNullable(schema["nullable"] ?? schema["x-nullable"]) }

    // MARK: Types and values

    /// The types that are written; nil where none are.
    var types: Set<String>? {
        var sets = each("type").map(\.texts).filter { !$0.isEmpty }.map { texts in
            // A file of Swagger 2.0 is a text in a binary format later.
            Set(texts.map { $0 == "file" ? "string" : $0 } + (texts.contains("number") ? ["integer"] : []))
        }
        if isUnited, let united = alternatives, united.items.allSatisfy({ $0.schema.types != nil }) {
            sets.append(Set(united.items.flatMap { $0.schema.types ?? [] } + (united.hasNull ? ["null"] : [])))
        }
        guard let first = sets.first else { return schema.isBinary ? ["string"] : nil }
        let types = sets.dropFirst().reduce(first) { $0.intersection($1) }
        return null == .excluded ? types.subtracting(["null"]) : permitsNull ? types.union(["null"]) : types
    }

    /// The permitted values, by a text that equal values share; nil where all are.
    var values: [String: JSONValue]? {
        var sets = schema.layers.flatMap { layer in
            [layer["enum"]?.node.items?.map(\.json), layer.node["const"].map { [$0.json] }].compactMap(\.self)
        }
        if isUnited, let united = alternatives {
            let all = united.items.map(\.schema.values)
            if all.allSatisfy({ $0 != nil }) { sets.append(all.flatMap { Array(($0 ?? [:]).values) } + (united.hasNull ? [.null] : [])) }
        }
        let keyed = sets.map { Dictionary($0.map { ($0.canonicalText, $0) }) { first, _ in first } }
        guard var result = keyed.first else { return nil }
        for other in keyed.dropFirst() { result = result.filter { other[$0.key] != nil } }
        let text = JSONValue.null.canonicalText
        if null == .excluded { result[text] = nil } else if permitsNull { result[text] = .null }
        return result
    }

    /// The types of two schemas; where one has only values, and they are of the types of the other one, the types are equal.
    static func types(_ left: ComparedSchema, _ right: ComparedSchema) -> (Set<String>?, Set<String>?) {
        func isImplied(_ types: Set<String>?, by schema: ComparedSchema) -> Bool {
            guard let types, schema.types == nil, let values = schema.values?.values else { return false }
            return values.allSatisfy { value in types.contains { ValueType(rawValue: $0)?.accepts(value) ?? false } }
        }
        let (before, after) = (left.types, right.types)
        return isImplied(before, by: right) || isImplied(after, by: left) ? (nil, nil) : (before, after)
    }

    // MARK: Alternatives

    /// The schema in which alternatives that only have a type, or only have values, are its types or its values; nil where it has other ones.
    var united: ComparedSchema? {
        guard let alternatives else { return self }
        let items = alternatives.items.map(\.schema)
        guard discriminator == nil,
            items.allSatisfy({ $0.hasOnly(["type"]) && $0.types != nil })
                || items.allSatisfy({ $0.hasOnly(["type", "enum", "const"]) && $0.values != nil })
        else { return nil }
        var result = self
        result.isUnited = true
        return result
    }

    /// The property that chooses an alternative, and the names that its values have for the alternatives; nil without one.
    var discriminator: (property: String, names: [String: String])? {
        guard let value = schema["discriminator"], let property = value["propertyName"]?.text ?? value.text else { return nil }
        let mapping = (value["mapping"]?.members ?? []).compactMap { member in
            member.value.text.flatMap(Self.name).map { (member.name, $0) }
        }
        // Each alternative has its own name without a mapping.
        return (property, Dictionary(mapping.filter { $0 != $1 }) { $1 })
    }

    // MARK: Values

    /// The keywords of limits, and whether they are lower ones.
    static let limits = [
        ("minimum", true), ("minLength", true), ("minItems", true), ("minProperties", true), ("minContains", true), ("maximum", false),
        ("maxLength", false), ("maxItems", false), ("maxProperties", false), ("maxContains", false),
    ]

    /// A limit, the narrowest one of all schemas; nil for none, and for one that every value meets.
    func limit(_ keyword: String, isLower: Bool) -> Limit? {
        let exclusive = "exclusive" + keyword.prefix(1).uppercased() + keyword.dropFirst()
        let next = types?.subtracting(["null"]) == ["integer"] ? isLower ? 1 : -1 : nil
        var limits = schema.layers.flatMap { layer -> [Limit] in
            if keyword.hasSuffix("Contains"), layer["contains"] == nil { return [] }
            guard keyword.hasSuffix("imum") else { return [Limit(layer[keyword]?.node.json, isExclusive: false)].compactMap(\.self) }
            let word = layer[exclusive]
            return [
                Limit(layer[keyword]?.node.json, isExclusive: word?.bool == true, next: next),
                Limit(word?.node.json, isExclusive: true, next: next),
            ].compactMap(\.self)
        }
        if keyword == "minContains", !each("contains").isEmpty, limits.isEmpty {
            limits = [Limit(.number("1"), isExclusive: false)].compactMap(\.self)
        }
        let narrowest = limits.max { $1.isNarrower(than: $0, isLower: isLower) }
        return isLower && keyword != "minimum" && narrowest?.value.isZero == true ? nil : narrowest
    }

    /// The values of `pattern`, `format` or `multipleOf`, in order.
    func texts(_ keyword: String) -> [String] {
        guard keyword == "format" else { return Set(each(keyword).compactMap(\.text)).sorted() }
        // The format of a password says how it is shown.
        let formats = each("format").compactMap(\.text).filter { $0 != "password" }.map { $0 == "base64" ? "byte" : $0 }
        if formats.isEmpty, schema["contentEncoding"]?.text == "base64" { return ["byte"] }
        return schema.isBinary && !formats.contains("byte") ? ["binary"] : Set(formats).sorted()
    }

    /// Whether values of `pattern`, `format` or `multipleOf` permit everything that other ones permit.
    static func includes(_ wide: [String], _ keyword: String, _ narrow: [String]) -> Bool {
        wide.allSatisfy { wide in
            narrow.contains { narrow in
                if wide == narrow { return true }
                if keyword == "multipleOf" { return JSONDecimal(narrow).isMultiple(of: JSONDecimal(wide)) }
                return keyword == "format" && ["int32": "int64", "float": "double"][narrow] == wide
            }
        }
    }

    var hasUniqueItems: Bool { each("uniqueItems").contains { $0.bool == true } }

    /// The texts of keywords that are compared as such; a value has to meet all of them.
    var conditions: Set<String> {
        let used = ["oneOf", "anyOf"].lazy.compactMap { schema[$0] }.first.map { OpenAPIValue.Identity($0) }
        var result: Set<String> = []
        for layer in schema.layers {
            for keyword in ["not", "oneOf", "anyOf"] {
                guard let value = layer[keyword], OpenAPIValue.Identity(value) != used else { continue }
                result.insert("\(keyword) \(value.node.json.canonicalText)")
            }
            if let condition = layer["if"] {
                let parts = [condition, layer["then"], layer["else"]].map { $0?.node.json.canonicalText ?? "" }
                result.insert("if \(parts.joined(separator: " "))")
            }
            for member in layer["dependentRequired"]?.members ?? [] {
                for name in member.value.texts { result.insert("dependentRequired \(member.name) \(name)") }
            }
        }
        return result
    }

    // MARK: Parts

    private func part(_ values: [OpenAPIValue]) -> ComparedSchema? {
        guard !values.isEmpty else { return nil }
        let part = ComparedSchema(values, schema.reader)
        return part.isAny ? nil : part
    }

    /// The schema of `items`, `contains` or another keyword; nil where it permits everything.
    func part(_ keyword: String) -> ComparedSchema? { part(each(keyword)) }

    var prefixItems: [ComparedSchema] { (schema["prefixItems"]?.items ?? []).map { ComparedSchema($0, schema.reader) } }

    var otherMembers: OtherMembers {
        guard let other = part("additionalProperties") ?? (each("additionalProperties").isEmpty ? part("unevaluatedProperties") : nil) else {
            return .any
        }
        return other.isNever ? .none : .of(other)
    }

    /// The schemas of `patternProperties` or `dependentSchemas` by their names.
    func named(_ keyword: String) -> [String: ComparedSchema] {
        let members = each(keyword).flatMap(\.members)
        return Dictionary(grouping: members, by: \.name).compactMapValues { part($0.map(\.value)) }
    }

    /// The properties that values of a direction have, by name in order, and the names of those that they do not have.
    func properties(_ direction: ContractDirection) -> (visible: [Property], byName: [String: Property], hidden: Set<String>) {
        let values = Dictionary(grouping: each("properties").flatMap(\.members), by: \.name).mapValues { $0.map(\.value) }
        let all = schema.properties.map { Property(name: $0.name, values: values[$0.name] ?? [$0.schema], isRequired: $0.isRequired) }
        let hidden = Set(
            all.filter { property in property.values.contains { OpenAPISchema($0, schema.reader)[direction.hidingKeyword]?.bool == true } }.map(
                \.name))
        let visible = all.filter { !hidden.contains($0.name) }
        return (visible, Dictionary(visible.map { ($0.name, $0) }) { $1 }, hidden)
    }

    /// The schema of a property.
    func schema(of property: Property) -> ComparedSchema { ComparedSchema(property.values, schema.reader) }

    /// The names of the members that are required and have no schema.
    var requiredWithoutSchema: Set<String> {
        let required = each("required").filter { $0.node.items != nil }.flatMap(\.texts)
        return Set(required).subtracting(schema.properties.map(\.name))
    }
}
