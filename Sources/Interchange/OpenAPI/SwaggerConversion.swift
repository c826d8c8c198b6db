internal import SortieBase
internal import SortieHTTP

/// A description of Swagger 2.0 as one of OpenAPI 3.0, so that an export keeps what it has.
///
/// References lead into the same document; see ``OpenAPIBundle``.
struct SwaggerConversion {
    /// The members of a parameter that are no part of its schema.
    private static let parts: Set<String> = ["name", "in", "description", "required", "allowEmptyValue", "collectionFormat"]
    /// Where the parts to which references lead are in OpenAPI 3.
    private static let places = [
        ("#/definitions/", "#/components/schemas/"), ("#/parameters/", "#/components/parameters/"), ("#/responses/", "#/components/responses/"),
    ]

    private let source: OpenAPIRevisionDocument

    /// Converts a document.
    static func document(of root: JSONValue) -> JSONValue { SwaggerConversion(source: OpenAPIRevisionDocument(root: root)).document }

    private var root: JSONValue { source.root }

    private var document: JSONValue {
        var members: [JSONValue.Member] = [.init("openapi", "3.0.3")]
        let isOwn = ["info", "tags", "security", "externalDocs"]
        for member in root.members where isOwn.contains(member.key) || member.key.hasPrefix("x-") && member.key != OpenAPIBundle.member {
            members.append(member)
        }
        if let servers = servers(of: root) { members.append(.init("servers", servers)) }
        let paths = source.resolved(root["paths"] ?? .object([]))
        members.append(.init("paths", .object(paths.members.map { .init($0.key, $0.key.hasPrefix("/") ? path($0.value) : $0.value) })))
        var components: [JSONValue.Member] = []
        func add(_ name: String, _ old: String, _ change: (JSONValue) -> JSONValue?) {
            let all = (root[old]?.members ?? []).compactMap { member in change(member.value).map { JSONValue.Member(member.key, $0) } }
            if !all.isEmpty { components.append(.init(name, .object(all))) }
        }
        add("schemas", "definitions") { schema($0) }
        // Bodies and fields of forms are written where they are used.
        add("parameters", "parameters") { isBody($0) ? nil : parameter($0) }
        add("responses", "responses") { response($0, types: texts(root["produces"])) }
        add("securitySchemes", "securityDefinitions") { scheme($0) }
        if !components.isEmpty { members.append(.init("components", .object(components))) }
        if let files = root[OpenAPIBundle.member] { members.append(.init(OpenAPIBundle.member, schema(files))) }
        return .object(members)
    }

    private func texts(_ value: JSONValue?) -> [String] { (value?.elements ?? []).compactMap(\.stringValue) }

    /// The servers of the document, or of an operation with other schemes; nil where there is no host.
    private func servers(of value: JSONValue) -> JSONValue? {
        let base = root["basePath"]?.stringValue ?? ""
        let path = base.isEmpty || base.hasPrefix("/") ? base : "/" + base
        guard let host = root["host"]?.stringValue, !host.isEmpty else { return path.isEmpty ? nil : .array([["url": .string(path)]]) }
        let schemes = texts(value["schemes"]).filter { $0 == "https" || $0 == "http" }
        return .array((schemes.isEmpty ? ["https"] : schemes).map { ["url": .string("\($0)://\(host)\(path)")] })
    }

    /// Whether a value is a reference to a part that ``document`` converts; what is in another file is written where it is used.
    private func isComponent(_ value: JSONValue) -> Bool {
        value["$ref"]?.stringValue.map { text in Self.places.contains { text.hasPrefix($0.0) } } ?? false
    }

    // MARK: Operations

    private func isBody(_ parameter: JSONValue) -> Bool { parameter["in"] == "body" || parameter["in"] == "formData" }

    private func path(_ value: JSONValue) -> JSONValue {
        let item = source.path(value)
        let shared = item["parameters"]?.elements ?? []
        return .object(
            item.members.compactMap { member in
                let isMethod = OpenAPIPath.methods.contains(member.key.lowercased())
                if isMethod { return .init(member.key, operation(source.resolved(member.value), shared)) }
                guard member.key == "parameters" else { return member }
                let others = shared.filter { !isBody(source.resolved($0)) }
                return others.isEmpty ? nil : .init("parameters", .array(others.map(parameter)))
            })
    }

    private func operation(_ value: JSONValue, _ shared: [JSONValue]) -> JSONValue {
        let own = value["parameters"]?.elements ?? []
        let sent = (shared + own).map(source.resolved).filter(isBody)
        let types = (value["consumes"] ?? root["consumes"]).map { texts($0) } ?? []
        let body = sent.last { $0["in"] == "body" }.map { self.body($0, types: types) } ?? form(sent, types: types)
        var members: [JSONValue.Member] = []
        for member in value.members where !["consumes", "produces", "schemes"].contains(member.key) {
            switch member.key {
            case "parameters":
                let others = own.filter { !isBody(source.resolved($0)) }
                if !others.isEmpty { members.append(.init("parameters", .array(others.map(parameter)))) }
            case "responses":
                if let body { members.append(.init("requestBody", body)) }
                let types = texts(value["produces"] ?? root["produces"])
                let all = member.value.members.map { JSONValue.Member($0.key, $0.key.hasPrefix("x-") ? $0.value : response($0.value, types: types)) }
                members.append(.init("responses", .object(all)))
            default: members.append(member)
            }
        }
        if let body, value["responses"] == nil { members.append(.init("requestBody", body)) }
        if value["schemes"] != nil, root["host"] != nil, let servers = servers(of: value) { members.append(.init("servers", servers)) }
        return .object(members)
    }

    /// A parameter of the path, the query or the header.
    private func parameter(_ value: JSONValue) -> JSONValue {
        guard !isComponent(value) else { return schema(value) }
        let value = source.resolved(value)
        let kept = value.members.filter { Self.parts.contains($0.key) && $0.key != "collectionFormat" || $0.key.hasPrefix("x-") }
        let style = style(of: value).map { JSONValue.Member($0.key, $0.value) }
        return .object(kept + style + [.init("schema", schema(ofParameter: value))])
    }

    private func schema(ofParameter value: JSONValue) -> JSONValue {
        let members = value.members.filter { !Self.parts.contains($0.key) && !$0.key.hasPrefix("x-") }
        return schema(.object(members))
    }

    /// How an array is written, where OpenAPI 3 writes it otherwise without that.
    private func style(of value: JSONValue) -> [JSONValue.Member] {
        guard value["type"] == "array" else { return [] }
        switch value["collectionFormat"]?.stringValue {
        case "multi": return [.init("style", "form"), .init("explode", true)]
        case "ssv": return [.init("style", "spaceDelimited"), .init("explode", false)]
        case "pipes": return [.init("style", "pipeDelimited"), .init("explode", false)]
        default: return value["in"] == "path" || value["in"] == "header" ? [] : [.init("style", "form"), .init("explode", false)]
        }
    }

    // MARK: Bodies

    private func body(_ value: JSONValue, types: [String]) -> JSONValue {
        let media: JSONValue = value["schema"].map { ["schema": schema($0)] } ?? .object([])
        let content = (types.isEmpty ? ["application/json"] : types).map { JSONValue.Member($0, media) }
        return .object(value.members.filter { $0.key == "description" || $0.key == "required" } + [.init("content", .object(content))])
    }

    /// The body of the fields of a form; nil without fields.
    private func form(_ fields: [JSONValue], types: [String]) -> JSONValue? {
        guard !fields.isEmpty else { return nil }
        let forms = OpenAPIMedia.forms(types, hasFile: fields.contains { $0["type"] == "file" }).types
        var (properties, required, encodings): ([JSONValue.Member], [JSONValue], [JSONValue.Member]) = ([], [], [])
        for field in fields {
            guard let name = field["name"]?.stringValue, !properties.contains(where: { $0.key == name }) else { continue }
            let text = field.members.filter { $0.key == "description" }
            properties.append(.init(name, .object(schema(ofParameter: field).members + text)))
            if field["required"] == true { required.append(.string(name)) }
            let style = style(of: field)
            if !style.isEmpty { encodings.append(.init(name, .object(style))) }
        }
        let names: [JSONValue.Member] = required.isEmpty ? [] : [.init("required", .array(required))]
        let schema = JSONValue.object([.init("type", "object")] + names + [.init("properties", .object(properties))])
        let encoding: [JSONValue.Member] = encodings.isEmpty ? [] : [.init("encoding", .object(encodings))]
        let content = forms.map { JSONValue.Member($0, .object([.init("schema", schema)] + encoding)) }
        return .object((required.isEmpty ? [] : [.init("required", true)]) + [.init("content", .object(content))])
    }

    private func response(_ value: JSONValue, types: [String]) -> JSONValue {
        guard !isComponent(value) else { return schema(value) }
        let value = source.resolved(value)
        var members = value.members.filter { !["schema", "examples", "headers"].contains($0.key) }
        if let headers = value["headers"]?.members {
            members.append(.init("headers", .object(headers.map { .init($0.key, header($0.value)) })))
        }
        let examples = value["examples"]?.members ?? []
        let described = value["schema"] == nil ? [] : types.isEmpty ? ["application/json"] : types
        let content = (described + examples.map(\.key).filter { !described.contains($0) }).map { type -> JSONValue.Member in
            let schema: [JSONValue.Member] = described.contains(type) ? value["schema"].map { [.init("schema", self.schema($0))] } ?? [] : []
            let example = examples.filter { $0.key == type }.map { JSONValue.Member("example", $0.value) }
            return .init(type, .object(schema + example))
        }
        if !content.isEmpty { members.append(.init("content", .object(content))) }
        return .object(members)
    }

    private func header(_ value: JSONValue) -> JSONValue {
        .object(value.members.filter { $0.key == "description" || $0.key.hasPrefix("x-") } + [.init("schema", schema(ofParameter: value))])
    }

    // MARK: Components

    /// A schema, with the references, the discriminators and the types of OpenAPI 3.
    private func schema(_ value: JSONValue) -> JSONValue {
        let result = value.mapChildren { key, child in
            switch (key, child) {
            case ("$ref", .string(let text)): .string(Self.reference(text))
            case ("example", _), ("default", _), ("enum", _): child
            case ("discriminator", .string): ["propertyName": child]
            // The names of properties are no keywords.
            case ("properties", .object): child.mapChildren { schema($1) }
            default: schema(child)
            }
        }.setting("collectionFormat", to: nil)
        return result["type"] == "file" ? result.setting("type", to: "string").setting("format", to: "binary") : result
    }

    private static func reference(_ text: String) -> String {
        places.first { text.hasPrefix($0.0) }.map { $0.1 + text.dropFirst($0.0.count) } ?? text
    }

    private func scheme(_ value: JSONValue) -> JSONValue {
        switch value["type"]?.stringValue {
        case "basic": return value.setting("type", to: "http").setting("scheme", to: "basic")
        case "oauth2":
            let flow = value["flow"]?.stringValue ?? ""
            let name = ["application": "clientCredentials", "accessCode": "authorizationCode"][flow] ?? flow
            let parts = ["authorizationUrl", "tokenUrl", "scopes"]
            let members = value.members.filter { parts.contains($0.key) }
            let scopes: [JSONValue.Member] = value["scopes"] == nil ? [.init("scopes", .object([]))] : []
            return .object(
                value.members.filter { !parts.contains($0.key) && $0.key != "flow" }
                    + [.init("flows", .object([.init(name, .object(members + scopes))]))])
        default: return value
        }
    }
}
