internal import SortieBase
internal import WorkspaceModel

/// The parts of a description that were read so far.
final class ContractParts {
    /// A schema for values of one direction, which differ by `readOnly` and `writeOnly`.
    private struct Key: Hashable {
        let identity: OpenAPIValue.Identity
        let direction: ContractDirection
        let isIncluded: Bool
        let hidden: Set<String>
    }

    let reader: OpenAPIReader
    let root: OpenAPIValue
    let version: OpenAPIVersion
    private var details: [Int: ContractDetails] = [:]
    /// The number of the last operation of a webhook or a callback.
    private var lastReceived = 0
    private lazy var namesByID = Dictionary(
        operations().compactMap { operation in operation.value["operationId"]?.text.map { ($0, operation.name) } }
    ) { first, _ in first }
    private var numbers: [Key: Int] = [:]
    private var schemas: [(value: OpenAPIValue, key: Key, schema: Result<JSONSchema, JSONSchemaError>?, problems: [Diagnostic])] = []
    /// Finds the mistakes of schemas.
    var keywords: ContractKeyword
    /// The schemas that others refer to by name.
    private lazy var named = (version == .swagger2 ? root["definitions"] : root["components"]?["schemas"])?.members ?? []
    private lazy var namedIdentities = Set(named.map { OpenAPIValue.Identity($0.value) })
    private var subtypes: [OpenAPIValue.Identity: [Subtype]] = [:]
    private lazy var members = DescribedMembers(reader)

    /// Reads a document.
    ///
    /// - Throws: A diagnostic with the place where the document is malformed, or is no description.
    init(_ source: ImportSource) throws(Diagnostic) {
        let reader = OpenAPIReader(source: source)
        guard let root = reader.root(of: source.name, bytes: source.bytes) else {
            throw reader.failure ?? Diagnostic(SourceLocation(file: source.name), "it cannot be read")
        }
        version = try OpenAPIVersion(of: root)
        keywords = ContractKeyword(version)
        if let paths = root["paths"], !paths.isObject { throw Diagnostic(paths.place, "paths must be an object") }
        (self.reader, self.root) = (reader, root)
    }

    // MARK: Operations

    /// All operations in the order of the description; what cannot be read is left out.
    func operations() -> [ContractOperation] {
        var count = 0
        return operations(in: root["paths"].flatMap { reader.resolved($0) }?.members.filter { $0.name.hasPrefix("/") } ?? []) {
            defer { count += 1 }
            return count
        }
    }

    /// The operations of the webhooks, whose requests the server sends.
    func webhooks() -> [ContractOperation] { receivedOperations(in: root["webhooks"]) }

    /// The operations of the callbacks of an operation, by the name of the callback.
    func callbacks(of operation: ContractOperation) -> [(name: String, operations: [ContractOperation])] {
        (operation.value["callbacks"]?.members ?? []).map { ($0.name, receivedOperations(in: $0.value)) }
    }

    private func receivedOperations(in map: OpenAPIValue?) -> [ContractOperation] {
        let members = map.flatMap { reader.resolved($0) }?.members.filter { !$0.name.hasPrefix("x-") } ?? []
        return operations(in: members) {
            lastReceived -= 1
            return lastReceived
        }
    }

    private func operations(in paths: [OpenAPIValue.Member], number: () -> Int) -> [ContractOperation] {
        var result: [ContractOperation] = []
        for path in paths {
            guard case .success(let item) = Result(catching: { () throws(Diagnostic) in try OpenAPIPath(path.value, reader) }) else { continue }
            for operation in item.operations {
                guard let value = reader.resolved(operation.value), value.isObject else { continue }
                result.append(
                    ContractOperation(
                        index: number(), method: operation.name, path: path.name, template: PathTemplate(path.name), value: value,
                        sharedParameters: item["parameters"], servers: value["servers"] ?? item["servers"]))
            }
        }
        return result
    }

    /// The URLs of the servers, with each permitted value of their variables.
    ///
    /// - Parameter list: The servers of an operation; nil for those of the description.
    func servers(_ list: OpenAPIValue? = nil) -> [(url: String, place: SourceLocation)] {
        var servers = ((list ?? root["servers"])?.items ?? []).flatMap { server in
            OpenAPIServers.urls(of: server).map { (url: $0, place: server.place) }
        }
        if version == .swagger2, let value = root["host"] ?? root["basePath"] {
            let path = root["basePath"]?.text ?? ""
            let schemes = root["schemes"]?.texts ?? ["https"]
            servers = root["host"]?.text.map { host in schemes.map { ("\($0)://\(host)\(path)", value.place) } } ?? [(path, value.place)]
        }
        return servers.map { ($0.url.hasSuffix("/") ? String($0.url.dropLast()) : $0.url, $0.place) }
    }

    /// The paths of the servers, in segments.
    var bases: [[String]] { servers().map { PathTemplate.segments(of: PathTemplate.path(ofURL: $0.url)) } }

    /// What the description has for an operation.
    func details(of operation: ContractOperation) -> ContractDetails {
        if let known = details[operation.index] { return known }
        let value = operation.value
        let all = OpenAPIParameters.merged([operation.sharedParameters, value["parameters"]], reader, item: operation.name)
        let parameters = all.filter { ["path", "query", "header", "cookie"].contains($0["in"]?.text) }.map { parameter($0, .request) }
        let isFree = all.contains { parameter in
            guard parameter["in"]?.text == "query" else { return parameter["in"]?.text == "querystring" }
            let style = OpenAPIStyle(parameter, location: "query", isSwagger: version == .swagger2)
            return style.explodes && style.name == "form" && OpenAPISchema(parameter["schema"] ?? parameter, reader).type == "object"
        }
        var result = ContractDetails(
            parameters: parameters, hasFreeQuery: isFree, requiresBody: nil, body: [], responses: responses(of: value),
            credentials: credentials(in: "query"), credentialFields: credentials(in: "header"), credentialSets: credentialSets(of: value),
            place: (value["responses"] ?? value).place)
        if version == .swagger2 {
            let fields = all.filter { $0["in"]?.text == "formData" }
            result.fields = fields.filter { $0["type"]?.text != "file" }.map { parameter($0, .request) }
            result.files = fields.filter { $0["type"]?.text == "file" }.map { parameter($0, .request) }
            (result.requiresBody, result.body) = swaggerBody(all, (value["consumes"] ?? root["consumes"])?.texts ?? [])
        } else if let body = value["requestBody"].flatMap({ reader.resolved($0) }) {
            (result.requiresBody, result.body) = (body["required"]?.bool == true, media(of: body, .request))
        }
        if let parameter = all.first(where: { $0["in"]?.text == "querystring" }) {
            result.query = media(of: parameter, .request).first
            result.query?.isRequired = parameter["required"]?.bool == true
        }
        details[operation.index] = result
        return result
    }

    /// The names of the API keys of the description in the query or in the header.
    private func credentials(in location: String) -> Set<String> {
        let schemes = version == .swagger2 ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
        let keys = (schemes?.members ?? []).compactMap { reader.resolved($0.value) }.filter { $0["in"]?.text == location }
        return Set(keys.compactMap { $0["name"]?.text })
    }

    /// The alternatives of credentials of an operation; an empty requirement among others permits requests without them.
    private func credentialSets(of operation: OpenAPIValue) -> [Set<String>] {
        let schemes = version == .swagger2 ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
        let items = (operation.node["security"].map { OpenAPIValue($0) } ?? root["security"])?.items ?? []
        let sets = items.map { item in
            item.members.reduce(into: Set<String>()) { names, requirement in
                let scheme = schemes?[requirement.name].flatMap { reader.resolved($0) }
                var name = [scheme?["type"], scheme?["scheme"]].compactMap { $0?.text?.lowercased() }.joined(separator: " ")
                // Swagger 2.0 has no `http`.
                if name == "basic" { name = "http basic" }
                if let place = scheme?["in"]?.text { name = "\(place) \(scheme?["name"]?.text ?? "")" }
                if name.isEmpty { name = requirement.name }
                names.insert(name)
                names.formUnion(requirement.value.texts.map { "\(name) scope \($0)" })
            }
        }
        return sets.isEmpty ? [[]] : sets
    }

    private func parameter(_ value: OpenAPIValue, name: String? = nil, _ direction: ContractDirection) -> ContractParameter {
        let location = name == nil ? value["in"]?.text ?? "" : "header"
        let content = value["content"]?.members.first
        // In Swagger 2.0 the keywords of the schema are in the parameter itself.
        let schema = content.flatMap { $0.value["schema"] } ?? value["schema"] ?? value
        return ContractParameter(
            location: location, name: name ?? value["name"]?.text ?? "", isRequired: value["required"]?.bool == true,
            allowsEmpty: value["allowEmptyValue"]?.bool == true,
            style: OpenAPIStyle(value, location: location, isSwagger: version == .swagger2),
            isJSON: content.map { OpenAPIMedia.isJSON($0.name) } ?? false,
            shape: shape(of: schema), schema: number(of: schema, direction), value: value, place: value.place)
    }

    private func shape(of value: OpenAPIValue, depth: Int = 2) -> ContractShape {
        let schema = OpenAPISchema(value, reader)
        // No text is null.
        let types = schema["type"]?.texts.filter { $0 != "null" } ?? []
        if types.count > 1 { return choice(among: types.map { shape(of: schema, type: $0, depth: depth) }) }
        if types.isEmpty, !schema.alternatives.isEmpty, !["object", "array"].contains(schema.type) {
            let alternatives = schema.alternatives.filter { OpenAPISchema($0, reader).type != "null" }
            return depth > 0 ? choice(among: alternatives.map { shape(of: $0, depth: depth - 1) }) : .scalar(nil)
        }
        return shape(of: schema, type: schema.type, depth: depth)
    }

    private func shape(of schema: OpenAPISchema, type: String?, depth: Int) -> ContractShape {
        switch type {
        case "array":
            guard let items = schema["items"] else { return .array(nil) }
            if depth > 0, case .scalar(let type) = shape(of: items, depth: depth - 1) { return .array(type) }
            return .array(OpenAPISchema(items, reader).type)
        case "object":
            let properties = depth > 0 ? schema.properties : []
            return .object(Dictionary(properties.map { ($0.name, shape(of: $0.schema, depth: depth - 1)) }) { $1 })
        default: return .scalar(type)
        }
    }

    /// The form of a value that has one of several; scalars of different types are a scalar whose type is not known.
    private func choice(among shapes: [ContractShape]) -> ContractShape {
        let all = shapes.flatMap(\.choices)
        let scalars = all.compactMap { shape -> String?? in if case .scalar(let type) = shape { type } else { nil } }
        var result = all.filter { if case .scalar = $0 { false } else { true } }
        if !scalars.isEmpty { result.insert(.scalar(Set(scalars).count == 1 ? scalars[0] : nil), at: 0) }
        return result.count == 1 ? result[0] : result.isEmpty ? .scalar(nil) : .choice(result)
    }

    // MARK: Bodies

    private func media(of value: OpenAPIValue, _ direction: ContractDirection) -> [ContractMedia] {
        (value["content"]?.members ?? []).map { member in
            let media = reader.resolved(member.value) ?? member.value
            return self.media(member.name, media["schema"], direction, value: media)
        }
    }

    private func media(
        _ type: String, _ schema: OpenAPIValue?, _ direction: ContractDirection, value: OpenAPIValue, isAssumed: Bool = false
    ) -> ContractMedia {
        let encodings = (value["encoding"]?.members ?? []).filter { $0.value["style"] != nil || $0.value["explode"] != nil }
        let styles = encodings.map { ($0.name, OpenAPIStyle($0.value, location: "query", isSwagger: false)) }
        let name = OpenAPIMedia.name(type)
        let form = OpenAPIMedia.isForm(type) || OpenAPIMedia.isMultipart(type) || name == OpenAPIMedia.text ? schema : nil
        var media = ContractMedia(
            type: name, schema: schema.map { number(of: $0, direction) }, shape: form.map { shape(of: $0) } ?? .scalar(nil),
            styles: Dictionary(styles) { $1 }, value: value, isAssumed: isAssumed)
        if OpenAPIMedia.isMultipart(name) {
            let properties = schema.map { OpenAPISchema($0, reader).properties } ?? []
            media.hasTypedParts =
                properties.isEmpty || properties.contains { OpenAPISchema($0.schema, reader).isBinary }
                || (value["encoding"]?.members ?? []).contains { $0.value["contentType"] != nil || $0.value["headers"] != nil }
        }
        return media
    }

    /// The body of Swagger 2.0, a parameter in `body`; parameters in `formData` have no common schema.
    private func swaggerBody(_ parameters: [OpenAPIValue], _ consumes: [String]) -> (isRequired: Bool?, media: [ContractMedia]) {
        if let body = parameters.first(where: { $0["in"]?.text == "body" }) {
            let types = consumes.isEmpty ? ["application/json"] : consumes
            let media = types.map { self.media($0, body["schema"], .request, value: body, isAssumed: consumes.isEmpty) }
            return (body["required"]?.bool == true, media)
        }
        let fields = parameters.filter { $0["in"]?.text == "formData" }
        guard !fields.isEmpty else { return (nil, []) }
        // Other types have no fields; the root may name them for all operations.
        let (types, isAssumed) = OpenAPIMedia.forms(consumes, hasFile: fields.contains { $0["type"]?.text == "file" })
        let media = types.map { ContractMedia(type: OpenAPIMedia.name($0), shape: .scalar(nil), isAssumed: isAssumed) }
        return (fields.contains { $0["required"]?.bool == true }, media)
    }

    /// The fields of a form as Swagger 2.0 has them: the properties of its schema.
    func fields(of media: ContractMedia) -> [ContractParameter] {
        guard let schema = media.schema.map({ self.value($0) }) else { return [] }
        return OpenAPISchema(schema, reader).properties.map { property in
            let style = media.styles[property.name] ?? OpenAPIStyle(property.schema, location: "formData", isSwagger: false)
            return ContractParameter(
                location: "formData", name: property.name, isRequired: property.isRequired, allowsEmpty: false, style: style, isJSON: false,
                shape: shape(of: property.schema), schema: number(of: property.schema, .request), value: property.schema,
                place: property.schema.place)
        }
    }

    private func responses(of operation: OpenAPIValue) -> [ContractResponse] {
        let produces = (operation["produces"] ?? root["produces"])?.texts ?? []
        return (operation["responses"]?.members ?? []).compactMap { member in
            guard let statuses = OpenAPIResponses.statuses(member.name), let value = reader.resolved(member.value) else { return nil }
            var media = media(of: value, .response)
            if version == .swagger2, let schema = value["schema"] {
                media = (produces.isEmpty ? ["application/json"] : produces).map {
                    self.media($0, schema, .response, value: value, isAssumed: produces.isEmpty)
                }
            } else if version == .swagger2 {
                // Only examples show that the response has content.
                media = (value["examples"]?.members ?? []).map { self.media($0.name, nil, .response, value: value, isAssumed: true) }
            }
            let headers = (value["headers"]?.members ?? []).compactMap { header -> ContractParameter? in
                // Content-Type is described by the media types (OpenAPI 3.1 §4.8.17.1).
                guard header.name.lowercased() != "content-type" else { return nil }
                return reader.resolved(header.value).map { parameter($0, name: header.name, .response) }
            }
            let links = (value["links"]?.members ?? []).compactMap { link -> ContractResponseLink? in
                guard let target = reader.resolved(link.value) else { return nil }
                return ContractResponseLink(name: link.name, text: text(ofLink: target), place: target.place)
            }
            return ContractResponse(key: member.name, statuses: statuses.range, media: media, headers: headers, links: links, place: value.place)
        }
    }

    /// The operation to which a link leads, whatever it is called, and the values that it gives.
    private func text(ofLink link: OpenAPIValue) -> String {
        var target = link["operationId"]?.text.map { namesByID[$0] ?? $0 } ?? ""
        if let reference = link["operationRef"]?.text {
            // The braces of a path are encoded in a URI.
            let parts = PercentEncoding.decode(reference).split(separator: "/").map { JSONPointer.unescaped($0) }
            target = parts.count == 4 && parts.prefix(2) == ["#", "paths"] ? "\(parts[3].uppercased()) \(parts[2])" : reference
        }
        return ([target] + ["parameters", "requestBody", "server"].map { link[$0]?.node.json.compactText ?? "" }).joined(separator: " ")
    }

    // MARK: Schemas

    /// The number of a schema.
    ///
    /// - Parameters:
    ///   - isIncluded: Whether another schema includes it, so that its discriminator chooses nothing.
    ///   - hidden: The properties that it requires and a schema around it forbids in this direction.
    func number(of value: OpenAPIValue, _ direction: ContractDirection, isIncluded: Bool = false, hidden: Set<String> = []) -> Int {
        let key = Key(identity: OpenAPIValue.Identity(value), direction: direction, isIncluded: isIncluded, hidden: hidden)
        if let known = numbers[key] { return known }
        numbers[key] = schemas.count
        schemas.append((value, key, nil, []))
        return schemas.count - 1
    }

    /// Whether a schema has a name to which others refer.
    func isNamed(_ value: OpenAPIValue) -> Bool { namedIdentities.contains(OpenAPIValue.Identity(value)) }

    /// The name of a schema to which others refer.
    func name(of value: OpenAPIValue) -> String? {
        let identity = OpenAPIValue.Identity(value)
        return isNamed(value) ? named.first { OpenAPIValue.Identity($0.value) == identity }?.name : nil
    }

    /// A schema that includes one with a discriminator, by the value that chooses it.
    struct Subtype {
        var name: String
        var schema: OpenAPIValue
    }

    /// The schemas among which the discriminator of a schema without alternatives chooses: those of its mapping, and those that include it.
    func subtypes(of value: OpenAPIValue) -> [Subtype] {
        let identity = OpenAPIValue.Identity(value)
        if let known = subtypes[identity] { return known }
        var result: [Subtype] = []
        for entry in value["discriminator"]?["mapping"]?.members ?? [] {
            let target = mapped(entry.value)
            if let target, OpenAPIValue.Identity(target) != identity { result.append(Subtype(name: entry.name, schema: target)) }
        }
        let mapped = Set(result.map { OpenAPIValue.Identity($0.schema) })
        for (name, schema) in named.map({ ($0.name, $0.value) }) where OpenAPIValue.Identity(schema) != identity {
            guard !mapped.contains(OpenAPIValue.Identity(schema)) else { continue }
            let includes = OpenAPISchema(schema, reader).layers.contains { OpenAPIValue.Identity($0) == identity }
            if includes { result.append(Subtype(name: name, schema: schema)) }
        }
        subtypes[identity] = result
        return result
    }

    /// The schema of an entry of the mapping of a discriminator: the name of a schema, or a reference, also to another file.
    func mapped(_ entry: OpenAPIValue) -> OpenAPIValue? {
        guard let text = entry.text else { return nil }
        if let known = named.first(where: { $0.name == text })?.value { return known }
        guard text.contains(where: { "#/.".contains($0) }), case .success(let target) = reader.targetOrProblem(of: text, in: entry) else {
            return nil
        }
        return target.reference == nil ? target : reader.target(ofSchema: target)
    }

    /// The number of schemas that were found so far.
    var schemaCount: Int { schemas.count }

    /// The schema with a number as the description has it.
    func value(_ number: Int) -> OpenAPIValue { schemas[number].value }

    /// The schema with a number, translated at its first use.
    func schema(_ number: Int) throws(PatternError) -> JSONSchema {
        let entry = schemas[number]
        let result: Result<JSONSchema, JSONSchemaError>
        if let known = entry.schema {
            result = known
        } else {
            var translation = ContractSchema(self, entry.key.direction, isIncluded: entry.key.isIncluded, hidden: entry.key.hidden)
            let document = translation.schema(entry.value)
            result = Result { () throws(JSONSchemaError) in try JSONSchema(part: document) }
            (schemas[number].schema, schemas[number].problems) = (result, translation.problems)
        }
        do throws(JSONSchemaError) { return try result.get() } catch {
            throw PatternError("the schema at \(entry.value.place) cannot be read: \(error)")
        }
    }

    /// Why parts of schemas are not compared.
    func problems(ofSchemas numbers: Set<Int>) -> [Diagnostic] {
        var seen: Set<SourceLocation> = []
        return numbers.sorted().flatMap { schemas[$0].problems }.filter { seen.insert($0.location).inserted }
    }

    /// The mistakes of the document, and of the documents to which it refers: references that cannot be followed, and keywords that are not compared.
    func problems(limit: Int) -> [Diagnostic] { DescriptionProblems.all(in: root, version, reader, limit: limit) }

    // MARK: Members

    /// The paths of the members of a value that its schema does not have.
    func undescribedMembers(of value: JSONValue, by number: Int, limit: Int) -> [JSONPath] {
        members.undescribed(in: value, by: schemas[number].value, limit: limit)
    }
}
