internal import SortieBase

/// A schema in the form in which versions are compared, which is the same for Swagger 2.0, OpenAPI 3.0 and 3.1.
struct ComparedSchema {
    struct Identity: Hashable {
        let value: OpenAPIValue.Identity
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

    /// The schemas of `oneOf` or `anyOf`.
    struct Alternatives {
        var items: [Alternative]
        var hasNull: Bool
    }

    struct Alternative {
        let position: Int
        let schema: ComparedSchema

        /// The name of the schema, or the position.
        var name: String { schema.name ?? "\(position + 1)" }
        /// The part of a path for the alternative.
        var pathPart: String { schema.name == nil ? "(alternative \(name))" : "(\(name))" }
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

        fileprivate init?(_ json: JSONValue?, isExclusive: Bool) {
            guard case .number(let text)? = json else { return nil }
            (value, self.isExclusive, self.text) = (JSONDecimal(text), isExclusive, isExclusive ? "\(text) (exclusive)" : text)
        }

        static func == (left: Limit, right: Limit) -> Bool { left.value == right.value && left.isExclusive == right.isExclusive }

        func isNarrower(than other: Limit, isLower: Bool) -> Bool {
            value == other.value ? isExclusive && !other.isExclusive : (value > other.value) == isLower
        }
    }

    /// The schema, without references and alternatives that stand for it.
    let value: OpenAPIValue
    /// The last part of the reference that leads to the schema; nil without one.
    private let name: String?
    private let null: Null
    /// The schemas with one alternative that lead to the schema; their defaults and deprecations apply.
    private let outer: [OpenAPIValue]
    private let schema: OpenAPISchema

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
        (self.value, self.name, self.null, self.outer, schema) = (value, name, null, outer, OpenAPISchema(value, reader))
    }

    /// The same schema without null.
    private init(excludingNullFrom other: ComparedSchema) {
        (value, name, null, outer, schema) = (other.value, other.name, .excluded, other.outer, other.schema)
    }

    /// The schema that is the only alternative, or the only one beside null, which OpenAPI 3.0 writes as `nullable`.
    private static func onlyAlternative(of value: OpenAPIValue) -> (value: OpenAPIValue, permitsNull: Bool)? {
        let keywords = value.members.filter { !annotations.contains($0.name) && !$0.name.hasPrefix("x-") }
        guard keywords.count == 1, ["oneOf", "anyOf"].contains(keywords[0].name) else { return nil }
        let all = keywords[0].value.items
        let others = all.filter { !isNull($0) }
        return others.count == 1 ? (others[0], all.count > 1 || isNullable(value["nullable"] ?? value["x-nullable"])) : nil
    }

    private static func isNull(_ value: OpenAPIValue) -> Bool { value["type"]?.texts == ["null"] }
    private static func isNullable(_ value: OpenAPIValue?) -> Bool { value?.bool == true }

    /// The keywords that exclude no value.
    private static let annotations: Set = [
        "title", "description", "default", "example", "examples", "deprecated", "nullable", "readOnly", "writeOnly", "externalDocs", "xml",
        "$comment",
    ]

    /// Whether every value is valid, or a schema says nothing about the bytes.
    var isAny: Bool { value.bool == true || hasOnly([]) || schema.isBinary }

    /// Whether the schema and those that it includes have only some keywords, and annotations.
    private func hasOnly(_ keywords: Set<String>) -> Bool {
        schema.layers.allSatisfy { layer in
            layer.isObject
                && layer.members.allSatisfy {
                    keywords.contains($0.name) || Self.annotations.contains($0.name) || $0.name.hasPrefix("x-")
                        || ["allOf", "$ref"].contains($0.name)
                }
        }
    }

    var identity: Identity { Identity(value: OpenAPIValue.Identity(value), null: null, outer: outer.map { OpenAPIValue.Identity($0) }) }

    /// Whether the schema is a part of one that is compared elsewhere, with its default and its deprecation.
    var isPart: Bool { null == .excluded }

    /// The text of the default; nil for none.
    var defaultText: String? { outside("default")?.node.json.compactText }

    var isDeprecated: Bool { outside("deprecated")?.bool == true }

    private func outside(_ keyword: String) -> OpenAPIValue? { outer.lazy.compactMap { $0[keyword] }.first ?? schema[keyword] }

    subscript(keyword: String) -> OpenAPIValue? { schema[keyword] }

    private var permitsNull: Bool { null == .permitted || Self.isNullable(schema["nullable"] ?? schema["x-nullable"]) }

    private func withNull(_ values: Set<String>) -> Set<String> {
        null == .excluded ? values.subtracting(["null"]) : permitsNull ? values.union(["null"]) : values
    }

    var types: Set<String>? {
        guard let declared = schema["type"]?.texts, !declared.isEmpty else { return schema.isBinary ? ["string"] : nil }
        return withNull(Set(declared + (declared.contains("number") ? ["integer"] : [])))
    }

    var values: Set<String>? {
        let all = schema["enum"]?.node.items.map { Set($0.map(\.json.compactText)) } ?? schema["const"].map { [$0.node.json.compactText] }
        return all.map(withNull)
    }

    // MARK: Alternatives

    /// The alternatives; nil where there are none.
    var alternatives: Alternatives? {
        let all = schema.alternatives
        guard !all.isEmpty else { return nil }
        let others = all.filter { !Self.isNull($0) }.enumerated().map { Alternative(position: $0, schema: ComparedSchema($1, schema.reader)) }
        return Alternatives(items: others, hasNull: others.count < all.count || permitsNull)
    }

    /// The last part of a reference.
    private static func name(ofReference text: String) -> String? { text.split { $0 == "/" || $0 == "#" }.last.map(String.init) }

    /// The alternatives of two schemas; nil where they are not comparable.
    ///
    /// A schema without alternatives is the only one, where the other schema has nothing but alternatives.
    static func alternatives(_ left: ComparedSchema, _ right: ComparedSchema) -> (before: Alternatives, after: Alternatives)? {
        let (before, after) = (left.alternatives, right.alternatives)
        guard let one = before ?? after else { return nil }
        if let before, let after { return (before, after) }
        guard (before == nil ? right : left).hasOnly(["oneOf", "anyOf", "discriminator"]) else { return nil }
        let other = before == nil ? left : right
        guard !other.isAny else { return nil }
        let item = Alternative(position: 0, schema: ComparedSchema(excludingNullFrom: other))
        let single = Alternatives(items: [item], hasNull: other.permitsNull || other.schema["type"]?.texts.contains("null") ?? false)
        return before == nil ? (single, one) : (one, single)
    }

    /// The alternatives that are the same ones: by their names, by their texts, or one that has no name by its type.
    static func matching(
        _ before: [Alternative], _ after: [Alternative]
    ) -> (common: [(Alternative, Alternative)], removed: [Alternative], added: [Alternative]) {
        func text(_ item: Alternative) -> String { item.schema.value.node.json.compactText }
        var (removed, added, common): ([Alternative], [Alternative], [(Alternative, Alternative)]) = (before, after, [])
        func match(_ isSame: (Alternative, Alternative) -> Bool) {
            removed = removed.filter { old in
                guard let index = added.firstIndex(where: { isSame(old, $0) }) else { return true }
                common.append((old, added.remove(at: index)))
                return false
            }
        }
        match { $0.schema.name != nil && $0.schema.name == $1.schema.name }
        if !removed.isEmpty, !added.isEmpty {
            let texts = Dictionary(added.map { ($0.position, text($0)) }) { $1 }
            match { texts[$1.position] == text($0) }
            match { ($0.schema.name == nil || $1.schema.name == nil) && $0.schema.schema.type == $1.schema.schema.type }
        }
        return (common.sorted { $0.1.position < $1.1.position }, removed, added)
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
        ("minimum", true), ("minLength", true), ("minItems", true), ("minProperties", true), ("maximum", false), ("maxLength", false),
        ("maxItems", false), ("maxProperties", false),
    ]

    /// A limit; nil for none, and for one that every value meets.
    func limit(_ keyword: String, isLower: Bool) -> Limit? {
        let exclusive = keyword.hasSuffix("imum") ? schema["exclusive" + keyword.prefix(1).uppercased() + keyword.dropFirst()] : nil
        let limits = [
            Limit(schema[keyword]?.node.json, isExclusive: exclusive?.bool == true), Limit(exclusive?.node.json, isExclusive: true),
        ].compactMap(\.self)
        let narrowest = limits.max { $1.isNarrower(than: $0, isLower: isLower) }
        return isLower && keyword != "minimum" && narrowest?.value.isZero == true ? nil : narrowest
    }

    /// The value of `pattern`, `format` or `multipleOf`.
    func text(_ keyword: String) -> String? {
        guard keyword == "format" else { return schema[keyword]?.text }
        let format = schema["format"]?.text
        if format == "base64" || format == nil && schema["contentEncoding"]?.text == "base64" { return "byte" }
        // The format of a password says how it is shown.
        return schema.isBinary ? "binary" : format == "password" ? nil : format
    }

    /// Whether a value of `pattern`, `format` or `multipleOf` permits everything that another one permits.
    static func includes(_ wide: String?, _ keyword: String, _ narrow: String?) -> Bool {
        guard let wide else { return true }
        guard let narrow else { return false }
        if keyword == "multipleOf" { return JSONDecimal(narrow).isMultiple(of: JSONDecimal(wide)) }
        return keyword == "format" && ["int32": "int64", "float": "double"][narrow] == wide
    }

    // MARK: Parts

    private func part(_ value: OpenAPIValue?) -> ComparedSchema? {
        let part = value.map { ComparedSchema($0, schema.reader) }
        return part?.isAny == true ? nil : part
    }

    var items: ComparedSchema? { part(schema["items"]) }

    var prefixItems: [ComparedSchema] { (schema["prefixItems"]?.items ?? []).map { ComparedSchema($0, schema.reader) } }

    var otherMembers: OtherMembers {
        guard let other = part(schema["additionalProperties"] ?? schema["unevaluatedProperties"]) else { return .any }
        return other.value.bool == false ? .none : .of(other)
    }

    /// The properties that values of a direction have, by name in order, and the names of those that they do not have.
    func properties(
        _ direction: ContractDirection
    ) -> (visible: [OpenAPISchema.Property], byName: [String: OpenAPISchema.Property], hidden: Set<String>) {
        let all = schema.properties
        let hidden = Set(all.filter { OpenAPISchema($0.schema, schema.reader)[direction.hidingKeyword]?.bool == true }.map(\.name))
        let visible = all.filter { !hidden.contains($0.name) }
        return (visible, Dictionary(visible.map { ($0.name, $0) }) { $1 }, hidden)
    }

    /// The schema of a property.
    func schema(of property: OpenAPISchema.Property) -> ComparedSchema { ComparedSchema(property.schema, schema.reader) }

    /// The names of the members that are required and have no schema.
    var requiredWithoutSchema: Set<String> {
        let required = schema.layers.compactMap { $0["required"] }.filter { $0.node.items != nil }.flatMap(\.texts)
        return Set(required).subtracting(schema.properties.map(\.name))
    }
}
