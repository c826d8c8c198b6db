internal import SortieBase

/// Translates one schema of a description into JSON Schema; what it refers to are other parts (`JSONSchema/init(part:)`).
///
/// A keyword with a mistake, and a pattern that cannot be compared in linear time, are left out, so that everything else is compared.
struct ContractSchema {
    private static let depthLimit = 90

    private let parts: ContractParts
    private let direction: ContractDirection
    /// Whether the translated schema is included by another one, whose discriminator has chosen.
    private var isIncluded: Bool
    /// The properties of the value that schemas around this one forbid in this direction.
    private var hidden: Set<String>
    private var depth = 0
    /// Why parts of the schema are not compared.
    private(set) var problems: [Diagnostic] = []

    init(_ parts: ContractParts, _ direction: ContractDirection, isIncluded: Bool = false, hidden: Set<String> = []) {
        (self.parts, self.direction, self.isIncluded, self.hidden) = (parts, direction, isIncluded, hidden)
    }

    private var reader: OpenAPIReader { parts.reader }
    private var isJSONSchema: Bool { parts.version == .openAPI31 }

    /// The JSON Schema of a schema.
    mutating func schema(_ value: OpenAPIValue) -> JSONValue {
        guard value.isObject, depth < Self.depthLimit else { return .bool(value.bool ?? true) }
        depth += 1
        defer { depth -= 1 }
        var result: [JSONValue.Member] = [.init("$comment", .string("\(value.file):\(value.node.line)"))]
        let anchors = isJSONSchema ? reader.dynamicAnchors(around: value) : [:]
        // The evaluation enters the resource at the first schema, or at the one with the name of the resource.
        if !anchors.isEmpty, depth == 1 || value["$id"] != nil {
            let members = anchors.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .integer(parts.number(of: $0.value, direction))) }
            result.append(.init("x-scope", .object(members)))
        }
        if value.reference != nil {
            result += reference(of: value)
            guard isJSONSchema else { return .object(result) }
        }
        let isNullable = !isJSONSchema && (value["nullable"] ?? value["x-nullable"]).map { $0.bool ?? true } ?? false
        let isCombined = ["allOf", "anyOf", "oneOf", "not"].contains { value[$0] != nil }
        let before = (isIncluded, hidden)
        defer { hidden = before.1 }
        if isCombined { hidden.formUnion(hiddenNames(in: value)) }
        let around = hidden
        for member in value.members {
            // The values of members and items are others.
            if SubschemaKeyword(rawValue: member.name)?.subject == .parts { (isIncluded, hidden) = (false, []) }
            defer { (isIncluded, hidden) = (before.0, around) }
            if let translated = keyword(member.name, member.value, of: value, isNullable: isNullable && !isCombined) {
                result.append(.init(member.name, translated))
            }
        }
        var all: [JSONValue] = []
        if let choice = choice(of: value) {
            result.removeAll { $0.key == choice.keyword }
            all = choice.schemas
        }
        all += subtypes(of: value)
        // A reference that cannot be followed permits any value, and describes all of it.
        if value.reference != nil, reader.target(ofSchema: value) == nil { all.append(["additionalProperties": true, "items": true]) }
        if !all.isEmpty {
            if let index = result.firstIndex(where: { $0.key == "allOf" }), case .array(let own) = result.remove(at: index).value { all = own + all }
            result.append(.init("allOf", .array(all)))
        }
        guard isNullable, isCombined else { return .object(result) }
        return ["anyOf": .array([["type": "null"], .object(result)])]
    }

    /// The members for `$ref` and `$dynamicRef`.
    private mutating func reference(of value: OpenAPIValue) -> [JSONValue.Member] {
        if let dynamic = reader.dynamicTarget(of: value) {
            return [.init("x-dynamic", .object([.init(dynamic.name, .integer(parts.number(of: dynamic.schema, direction)))]))]
                + (value["$ref"] == nil ? [] : part(of: value))
        }
        return part(of: value)
    }

    private mutating func part(of value: OpenAPIValue) -> [JSONValue.Member] {
        guard let target = reader.target(ofSchema: value) else {
            if let text = value.reference, case .failure(let problem) = reader.targetOrProblem(of: text, in: value) {
                problems.append(Diagnostic(value.place, "the reference \(text) cannot be followed: \(problem.message)"))
            }
            return []
        }
        let names = hidden.isEmpty ? [] : hidden.intersection(OpenAPISchema(target, reader).layers.flatMap { $0["required"]?.texts ?? [] })
        return [.init("x-part", .integer(parts.number(of: target, direction, isIncluded: isIncluded, hidden: names)))]
    }

    /// The value of a keyword; nil for one that is not evaluated.
    private mutating func keyword(_ name: String, _ value: OpenAPIValue, of schema: OpenAPIValue, isNullable: Bool) -> JSONValue? {
        if let problem = parts.keywords.problem(of: name, value, in: schema) {
            problems.append(problem)
            // The other patterns describe members.
            guard name == "patternProperties", value.isObject else { return nil }
        }
        let json = value.node.json
        switch name {
        case "type":
            guard value.text != "file" else { return nil }
            return .array((value.texts + (isNullable ? ["null"] : [])).map(JSONValue.string))
        case "enum": return value.node.items.map { .array($0.map(\.json) + (isNullable ? [.null] : [])) }
        case "const": return json
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum": return bound(name, json, of: schema)
        case "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains",
            "pattern", "format", "uniqueItems":
            return json
        case "required": return required(value, of: schema)
        case "properties": return properties(value)
        case "patternProperties":
            let known = value.members.filter { parts.keywords.problem(ofPattern: $0.name) == nil }
            // A pattern that cannot be compared may describe any member.
            let others: [JSONValue.Member] = known.count == value.members.count ? [] : [.init("", true)]
            return .object(known.map { .init($0.name, self.schema($0.value)) } + others)
        case "dependentRequired":
            return .object(value.members.map { .init($0.name, .array($0.value.texts.map(JSONValue.string))) })
        case "allOf": return .array(included(value.items, by: schema))
        default:
            guard let keyword = SubschemaKeyword(rawValue: name), keyword.subject != .none else { return nil }
            switch keyword.content {
            case .schema: return self.schema(value)
            case .list: return .array(value.items.map { self.schema($0) })
            case .map: return .object(value.members.map { .init($0.name, self.schema($0.value)) })
            }
        }
    }

    /// A limit; before OpenAPI 3.1, `exclusiveMinimum` says whether `minimum` is exclusive.
    private func bound(_ name: String, _ json: JSONValue, of schema: OpenAPIValue) -> JSONValue? {
        let isExclusive = name.hasPrefix("exclusive")
        if case .bool(true) = json, isExclusive { return schema[name == "exclusiveMinimum" ? "minimum" : "maximum"]?.node.json }
        if !isExclusive, schema[name == "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"]?.bool == true { return nil }
        if case .number = json { return json }
        return nil
    }

    // MARK: Objects

    /// The keyword that forbids a property in this direction; nil for a permitted property.
    private func forbidding(_ property: OpenAPIValue) -> String? {
        OpenAPISchema(property, reader)[direction.hidingKeyword]?.bool == true ? direction.hidingKeyword : nil
    }

    private mutating func properties(_ value: OpenAPIValue) -> JSONValue {
        .object(
            value.members.map { member in
                guard let keyword = forbidding(member.value) else { return .init(member.name, self.schema(member.value)) }
                return .init(
                    member.name, ["$comment": .string("\(member.value.file):\(member.value.node.line)"), "x-forbidden": .string(keyword)])
            })
    }

    /// The required properties, without those that only the other side writes.
    private func required(_ value: OpenAPIValue, of schema: OpenAPIValue) -> JSONValue? {
        // The older form `required: true` belongs to a parameter.
        guard value.node.items != nil else { return nil }
        let forbidden = hidden.union(hiddenNames(in: schema))
        return .array(value.texts.filter { !forbidden.contains($0) }.map(JSONValue.string))
    }

    /// The properties that a schema forbids in this direction, also in one of its alternatives.
    private func hiddenNames(in schema: OpenAPIValue) -> Set<String> {
        let alternatives = ["oneOf", "anyOf"].flatMap { schema[$0]?.items ?? [] }
        return Set(([schema] + alternatives).flatMap { OpenAPISchema($0, reader).properties }.filter { forbidding($0.schema) != nil }.map(\.name))
    }

    // MARK: Alternatives

    /// The schemas of `allOf`.
    ///
    /// One alone, in a schema without a name, is the notation of a reference with other keywords, whose discriminator chooses.
    private mutating func included(_ items: [OpenAPIValue], by schema: OpenAPIValue) -> [JSONValue] {
        let before = isIncluded
        defer { isIncluded = before }
        isIncluded = isIncluded || items.count > 1 || schema["properties"] != nil || parts.isNamed(schema)
        return items.map { self.schema($0) }
    }

    /// The choice by a discriminator among the schemas that include this one; empty where there are none.
    private func subtypes(of value: OpenAPIValue) -> [JSONValue] {
        guard !isIncluded, let discriminator = value["discriminator"], ["oneOf", "anyOf"].allSatisfy({ value[$0] == nil }),
            // In Swagger 2.0 it is the name of the property.
            let property = discriminator["propertyName"]?.text ?? discriminator.text
        else { return [] }
        let subtypes = parts.subtypes(of: value)
        var result = subtypes.map { subtype -> JSONValue in
            [
                "if": ["properties": .object([.init(property, ["const": .string(subtype.name)])]), "required": .array([.string(property)])],
                "then": ["x-part": .integer(parts.number(of: subtype.schema, direction))],
            ]
        }
        // Without a mapping, many descriptions have values that are not the names of schemas.
        if let mapping = discriminator["mapping"]?.members, !subtypes.isEmpty {
            let names = Set(mapping.map(\.name) + subtypes.map(\.name)).sorted()
            let own = parts.name(of: value).map { [$0] } ?? []
            result.append(["properties": .object([.init(property, ["enum": .array((names + own).map(JSONValue.string))])])])
        }
        return result
    }

    /// The choice by a discriminator among alternatives that are references; nil without one.
    private func choice(of value: OpenAPIValue) -> (keyword: String, schemas: [JSONValue])? {
        guard let discriminator = value["discriminator"], let property = discriminator["propertyName"]?.text,
            let keyword = ["oneOf", "anyOf"].first(where: { value[$0] != nil }), let alternatives = value[keyword]?.items, !alternatives.isEmpty
        else { return nil }
        var names: [String] = []
        var branches: [JSONValue] = []
        let mapping = discriminator["mapping"]?.members ?? []
        for alternative in alternatives {
            guard let reference = alternative["$ref"]?.string, let target = reader.target(ofSchema: alternative) else { return nil }
            let name = reference.split { $0 == "/" || $0 == "#" }.last.map(String.init) ?? reference
            let mapped = mapping.filter { entry in
                entry.value.text == reference || entry.value.text == name
                    || parts.mapped(entry.value).map { OpenAPIValue.Identity($0) } == OpenAPIValue.Identity(target)
            }.map(\.name)
            let own = mapped + (mapped.contains(name) ? [] : [name])
            names += own
            branches.append([
                "if": [
                    "properties": .object([.init(property, ["enum": .array(own.map(JSONValue.string))])]), "required": .array([.string(property)]),
                ],
                "then": ["x-part": .integer(parts.number(of: target, direction))],
            ])
        }
        let known: JSONValue = ["enum": .array(names.map(JSONValue.string))]
        let first: JSONValue = ["type": "object", "required": .array([.string(property)]), "properties": .object([.init(property, known)])]
        return (keyword, [first] + branches)
    }
}
