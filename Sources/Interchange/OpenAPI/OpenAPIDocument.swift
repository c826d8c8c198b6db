internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// One description: OpenAPI 3 or Swagger 2.0.
struct OpenAPIDocument {
    /// The number of characters of a summary that is used as the name although there is an ID.
    private static let longestName = 60

    private let reader: OpenAPIReader
    private let root: OpenAPIValue
    /// The parts that may be in other files.
    private let info: OpenAPIValue?
    private let paths: OpenAPIValue?
    private let isSwagger: Bool
    /// The beginning of all identities, which distinguishes several descriptions of a folder.
    private let prefix: String
    /// Whether the source has no other description, so that the workspace gets a copy of it.
    private let isOnly: Bool
    let title: String
    private var servers: OpenAPIServers
    private var security: OpenAPISecurity
    private var services: [(service: ImportedService, tags: OpenAPITags)] = []
    private var positions: [String: Int] = [:]
    private var operationIDs: [String: Int] = [:]
    private var responses = 0
    /// Whether an operation has other credentials than the description, so that parameters of the service would be wrong for it.
    private let hasOwnSecurity: Bool

    /// Checks a description; nil, with an error, where it is not valid.
    init?(_ root: OpenAPIValue, _ reader: OpenAPIReader, prefix: String, isOnly: Bool) {
        (self.root, self.reader, self.prefix, self.isOnly) = (root, reader, prefix, isOnly)
        let version: OpenAPIVersion
        do throws(Diagnostic) { version = try OpenAPIVersion(of: root) } catch {
            reader.fail(error)
            return nil
        }
        isSwagger = version == .swagger2
        // The report says that a reference cannot be followed.
        info = root["info"].flatMap { reader.resolved($0) }
        if root["info"] == nil {
            reader.add(.changed, "info", "the description has none, which OpenAPI requires; the name is API", at: Self.place(of: "info", in: root))
        }
        // A description without them has everything else.
        for name in ["title", "version"] {
            guard let info, info[name]?.text == nil else { continue }
            let effect = name == "title" ? "; the name is API" : ""
            reader.add(.changed, "info", "it has no \(name), which OpenAPI requires\(effect)", at: Self.place(of: name, in: info))
        }
        paths = root["paths"].map { reader.resolved($0) ?? $0 }
        let hasOther = version == .openAPI31 && (root["webhooks"] != nil || root["components"] != nil)
        guard paths?.isObject ?? hasOther else {
            reader.fail(paths == nil ? "the description has no paths" : "paths must be an object", at: Self.place(of: "paths", in: root))
            return nil
        }
        title = OpenAPIText.line(info?["title"]?.text).map { String($0.prefix(100)) } ?? "API"
        let names = Set((paths?.members ?? []).flatMap { Self.parameters(in: $0.name) })
        servers = OpenAPIServers(reader, taken: names)
        hasOwnSecurity = (paths?.members ?? []).contains { path in
            path.value.node.members?.contains { $0.value["security"] != nil } ?? false
        }
        let schemes = isSwagger ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
        let operations = (paths?.members ?? []).flatMap { path in
            let target = path.value["$ref"] == nil ? path.value : reader.resolved(path.value) ?? path.value
            return OpenAPIPath.methods.compactMap { target[$0]?["security"] }
        }
        security = OpenAPISecurity(
            reader, schemes: schemes, title: title, taken: names, requirements: [root["security"]].compactMap(\.self) + operations)
    }

    /// The member, even where it is null, else the object.
    private static func place(of name: String, in value: OpenAPIValue) -> OpenAPIValue {
        value.node[name].map { OpenAPIValue($0) } ?? value
    }

    /// The names in braces.
    static func parameters(in path: String) -> [String] {
        path.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }

    // MARK: Import

    /// Adds the services, the environments and the secrets of the description to a workspace.
    mutating func add(to workspace: inout ImportedWorkspace) {
        let ring = root["servers"].flatMap { $0.items.isEmpty ? nil : servers.ring($0) }
        let known = ring.flatMap { $0.isEmpty ? nil : $0 }
        let main = service(isSwagger ? servers.swaggerRing(root) : known ?? servers.localRing(at: root), named: title, id: prefix + "service")
        setSecurity(ofService: main)
        for path in paths?.members ?? [] where !path.name.hasPrefix("x-") && path.name != "$ref" {
            addPath(path.name, path.value, to: main)
            if reader.failure != nil { return }
        }
        for webhook in root["webhooks"]?.members ?? [] {
            reader.add(.omitted, "webhook \(webhook.name)", "requests that a server receives are not imported", at: webhook.value)
        }
        if responses > 0, !isOnly {
            reader.add(
                .omitted, title, "the descriptions of \(responses) responses are not imported; contract: of service.yaml names a description",
                at: root)
        }
        reportExtensions()
        workspace.services += services.map { entry in
            var service = entry.service
            service.items = entry.tags.items
            return service
        }
        for environment in servers.environments {
            if let index = workspace.environments.firstIndex(where: { $0.name == environment.name }) {
                workspace.environments[index].variables.merge(environment.variables) { old, _ in old }
            } else {
                workspace.environments.append(environment)
            }
        }
        workspace.variables.merge(servers.variables.merging(security.variables) { old, _ in old }) { old, _ in old }
        workspace.secrets.merge(security.secrets) { old, _ in old }
    }

    /// Reports extensions and descriptions of tags, which a workspace cannot express.
    private func reportExtensions() {
        var names: Set<String> = []
        func add(_ value: OpenAPIValue?) { names.formUnion((value?.members ?? []).map(\.name).filter { $0.hasPrefix("x-") }) }
        add(root)
        add(info)
        add(paths)
        for path in paths?.members ?? [] where !path.name.hasPrefix("x-") {
            add(path.value)
            for operation in OpenAPIPath.methods.compactMap({ path.value[$0] }) {
                add(operation)
                add(operation["responses"])
            }
        }
        if !names.isEmpty {
            let list = names.sorted().prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
            reader.add(.omitted, title, "extensions are not imported: \(list)", at: root)
        }
        guard let tags = root["tags"] else { return }
        let described = tags.items.count { $0["description"]?.text != nil }
        if described > 0 { reader.add(.omitted, title, "the descriptions of \(described) tags are not imported", at: tags) }
    }

    /// The position of the service with these servers, which is created where it is missing.
    private mutating func service(_ ring: [String: [String]], named name: String, id: String) -> Int {
        if let position = positions[id] { return position }
        var service = Service(folder: "", name: name)
        service.servers = ring
        if services.isEmpty { service.summary = summary }
        if let first = services.first {
            service.auth = first.service.service.auth
            service.headers = first.service.service.headers
            service.publicParameters = first.service.service.publicParameters
        }
        positions[id] = services.count
        services.append((ImportedService(id: id, service), OpenAPITags(root["tags"])))
        return services.count - 1
    }

    private var summary: String? {
        let contact = ["name", "email", "url"].compactMap { info?["contact"]?[$0]?.text }.joined(separator: " ")
        let license = ["name", "identifier", "url"].compactMap { info?["license"]?[$0]?.text }.joined(separator: " ")
        let lines = [
            OpenAPIText.paragraphs(info?["description"]?.text ?? info?["summary"]?.text), info?["version"]?.text.map { "Version: \($0)" },
            contact.isEmpty ? nil : "Contact: \(contact)", license.isEmpty ? nil : "License: \(license)",
            info?["termsOfService"]?.text.map { "Terms of service: \($0)" }, root["externalDocs"]?["url"]?.text.map { "See \($0)" },
        ]
        return lines.compactMap(\.self).joined(separator: "\n")
    }

    // MARK: Security

    /// Sets the credentials that all operations share.
    private mutating func setSecurity(ofService index: Int) {
        guard let shared = root["security"], let credentials = security.credentials(shared) else { return }
        services[index].service.service.auth = credentials.auth ?? .none
        services[index].service.service.headers += credentials.headers
        if !credentials.cookies.isEmpty {
            services[index].service.service.headers.append(Parameter("Cookie", credentials.cookies.joined(separator: "; ")))
        }
        if !hasOwnSecurity { services[index].service.service.publicParameters += credentials.query }
    }

    private mutating func setSecurity(of endpoint: inout Endpoint, _ operation: OpenAPIValue, service: Service) {
        guard let own = operation.node["security"] else {
            // The credentials of the service are described as a parameter, too.
            for header in service.headers {
                if header.name == "Cookie" {
                    Self.add(cookies: header.value, to: &endpoint, isInherited: true)
                    continue
                }
                guard let index = endpoint.headers.firstIndex(where: { $0.name.lowercased() == header.name.lowercased() }) else { continue }
                (endpoint.headers[index].value, endpoint.headers[index].isEnabled) = (header.value, true)
            }
            if let shared = root["security"], hasOwnSecurity, let credentials = security.credentials(shared) { endpoint.query += credentials.query }
            return
        }
        let shared = root["security"].flatMap { security.credentials($0) }
        let credentials = security.credentials(OpenAPIValue(own))
        if let shared, shared.schemes == credentials?.schemes {
            endpoint.query += credentials?.query ?? []
            return
        }
        endpoint.auth = credentials?.auth ?? .none
        for header in credentials?.headers ?? [] {
            if let index = endpoint.headers.firstIndex(where: { $0.name.lowercased() == header.name.lowercased() }) {
                // The credentials are described as a parameter, too.
                (endpoint.headers[index].value, endpoint.headers[index].isEnabled) = (header.value, true)
            } else {
                endpoint.headers.append(header)
            }
        }
        if let cookies = credentials?.cookies, !cookies.isEmpty { Self.add(cookies: cookies.joined(separator: "; "), to: &endpoint) }
        for row in credentials?.query ?? [] {
            if let index = endpoint.query.firstIndex(where: { $0.name == row.name }) {
                (endpoint.query[index].value, endpoint.query[index].isEnabled) = (row.value, true)
            } else {
                endpoint.query.append(row)
            }
        }
        let given = Set(endpoint.headers.filter(\.isEnabled).map { $0.name.lowercased() })
        let removed = service.headers.map(\.name).filter { !given.contains($0.lowercased()) }
        if !removed.isEmpty { endpoint.removedHeaders = removed }
    }

    /// Adds the cookies of credentials to those of parameters; what is described as a parameter, too, has the value of the credential.
    ///
    /// - Parameter isInherited: Whether the service has the cookies, which a field of the endpoint replaces.
    private static func add(cookies: String, to endpoint: inout Endpoint, isInherited: Bool = false) {
        func pairs(_ text: String) -> [Substring] { text.split(separator: "; ") }
        func name(_ pair: Substring) -> Substring { pair.prefix { $0 != "=" } }
        let names = Set(pairs(cookies).map(name))
        for index in endpoint.headers.indices.reversed() where endpoint.headers[index].name == "Cookie" {
            let others = pairs(endpoint.headers[index].value).filter { !names.contains(name($0)) }
            if others.isEmpty { endpoint.headers.remove(at: index) } else { endpoint.headers[index].value = others.joined(separator: "; ") }
        }
        if let index = endpoint.headers.firstIndex(where: { $0.name == "Cookie" && $0.isEnabled }) {
            endpoint.headers[index].value += "; " + cookies
        } else if !isInherited {
            endpoint.headers.append(Parameter("Cookie", cookies))
        }
    }

    // MARK: Paths

    private mutating func addPath(_ path: String, _ value: OpenAPIValue, to main: Int) {
        let item: OpenAPIPath
        do throws(Diagnostic) { item = try OpenAPIPath(value, reader) } catch { return reader.add(.omitted, path, error) }
        for operation in item.operations {
            guard let target = reader.resolved(operation.value) else { continue }
            guard target.isObject else {
                reader.add(.omitted, "\(operation.name) \(path)", "an operation must be an object", at: target)
                continue
            }
            add(target, method: operation.name, path: path, in: item, to: main)
        }
    }

    private mutating func add(_ operation: OpenAPIValue, method word: String, path: String, in shared: OpenAPIPath, to main: Int) {
        let item = "\(word) \(path)"
        guard let method = HTTPMethod(word) else { return reader.add(.omitted, item, "“\(word)” is not a method", at: operation) }
        let id = identity(of: operation, item: item)
        let summary = OpenAPIText.line(operation["summary"]?.text)
        let operationID = OpenAPIText.line(operation["operationId"]?.text)
        // A long summary makes a long file name.
        let isLong = summary.map { $0.count > Self.longestName } ?? false && operationID != nil
        let name = (isLong ? nil : summary) ?? operationID ?? item
        let pathText = Template.quoting(path.hasPrefix("/") ? path : "/" + path)
        var endpoint = Endpoint(target: "", name: String(name.prefix(120)), method: method, path: pathText)
        reader.add(.imported, item, at: operation, id: id)
        if let mark = path.firstIndex(of: "#") {
            reader.add(.changed, item, "\(path[mark...]) of the path is a fragment, which is never sent", at: operation, id: id)
        }
        let isDeprecated = operation["deprecated"]?.bool == true
        let lines = [
            isDeprecated ? "Deprecated." : nil,
            OpenAPIText.paragraphs((operation["description"] ?? shared["description"] ?? shared["summary"])?.text),
            operation["externalDocs"]?["url"]?.text.map { "See \($0)" },
        ].compactMap(\.self)
        endpoint.summary = lines.isEmpty ? nil : lines.joined(separator: "\n")
        let tags = (operation["tags"]?.texts ?? []).filter { !$0.isEmpty }
        endpoint.tags = Self.tags(tags.dropFirst(), isDeprecated: isDeprecated)

        var parameters = OpenAPIParameters(endpoint, reader: reader, isSwagger: isSwagger, item: item, id: id)
        let merged = OpenAPIParameters.merged([shared["parameters"], operation["parameters"]], reader, item: item)
        parameters.add(merged, of: operation)
        endpoint = parameters.endpoint
        var body = OpenAPIBody(reader, item: item, id: id)
        if isSwagger {
            body.read(parameters.bodyParameters, consumes: (operation["consumes"] ?? root["consumes"])?.texts ?? [])
        } else if let request = operation["requestBody"] {
            body.read(request)
        }
        endpoint.body = body.body
        if let type = body.contentType { endpoint.headers.append(Parameter("Content-Type", type)) }

        var position = main
        if let list = [operation["servers"], shared["servers"]].compactMap(\.self).first(where: { !$0.items.isEmpty }) {
            let ring = servers.ring(list)
            if let url = ring[ImportedService.everywhere]?.first {
                position = service(ring, named: "\(title) \(OpenAPIServers.host(of: list))", id: "\(prefix)service \(url)")
            }
        } else if isSwagger, let schemes = operation["schemes"]?.texts, let first = schemes.first {
            reader.add(.changed, item, "schemes: the scheme of the servers is used instead of \(first)", at: operation, id: id)
        }
        setSecurity(of: &endpoint, operation, service: services[position].service.service)
        reportParts(of: operation, item: item, id: id)
        let names = Set(endpoint.pathParameters.map { "{\($0.name)}" })
        let produces = (operation["produces"] ?? root["produces"])?.texts ?? []
        endpoint.examples = OpenAPIResponses(
            reader: reader, isSwagger: isSwagger, produces: produces, parameters: merged, body: operation["requestBody"]
        ).examples(of: operation)
        services[position].tags.add(ImportedEndpoint(id: id, endpoint, pathParameters: names), tag: tags.first)
    }

    /// The identity of an operation: its ID where that is unique, else method and path.
    private mutating func identity(of operation: OpenAPIValue, item: String) -> String {
        guard let name = operation["operationId"]?.text, !name.isEmpty else { return prefix + item }
        operationIDs[name, default: 0] += 1
        return operationIDs[name] == 1 ? prefix + name : prefix + item
    }

    private static func tags(_ names: some Sequence<String>, isDeprecated: Bool) -> [String] {
        let result = ForeignText.tags(names)
        return isDeprecated && !result.contains("deprecated") ? result + ["deprecated"] : result
    }

    /// Reports what an endpoint cannot express.
    private mutating func reportParts(of operation: OpenAPIValue, item: String, id: String) {
        let callbacks = operation["callbacks"]?.members.map(\.name) ?? []
        if !callbacks.isEmpty {
            reader.add(
                .omitted, item, "the callbacks \(callbacks.joined(separator: ", ")) are requests that a server receives", at: operation, id: id)
        }
        for response in operation["responses"]?.members ?? [] where !response.name.hasPrefix("x-") {
            responses += 1
            let links = reader.resolved(response.value)?["links"]?.members.map(\.name) ?? []
            if !links.isEmpty {
                reader.add(
                    .omitted, item,
                    "the links \(links.joined(separator: ", ")) of the response \(response.name); capture: in a run has the same purpose",
                    at: response.value, id: id)
            }
        }
    }
}

/// Puts endpoints into folders for their tags.
struct OpenAPITags {
    /// The content of a folder.
    private struct Folder {
        private var folders: [(name: String, content: Folder)] = []
        /// The index of a folder by its name, because a description may have a tag for each operation.
        private var indices: [String: Int] = [:]
        private var endpoints: [ImportedItem] = []

        mutating func add(_ endpoint: ImportedEndpoint, at path: ArraySlice<String>) {
            guard let first = path.first else { return endpoints.append(.endpoint(endpoint)) }
            let index = indices[first] ?? folders.count
            if index == folders.count {
                indices[first] = index
                folders.append((first, Folder()))
            }
            folders[index].content.add(endpoint, at: path.dropFirst())
        }

        var items: [ImportedItem] {
            folders.map { .folder(name: $0.name, $0.content.items) } + endpoints
        }
    }

    /// How deep tags nest at most.
    private static let maximumDepth = 6

    private let parents: [String: String]
    private var root = Folder()

    /// - Parameter tags: The declared tags.
    init(_ tags: OpenAPIValue?) {
        let pairs = (tags?.items ?? []).compactMap { tag in tag["name"]?.text.map { ($0, tag["parent"]?.text) } }
        parents = Dictionary(pairs.compactMap { name, parent in parent.map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// The folders for a tag: those of its parents (OpenAPI 3.2), then its own.
    private func path(of tag: String) -> [String] {
        var path = [tag]
        while path.count < Self.maximumDepth, let first = path.first, let parent = parents[first], !path.contains(parent) {
            path.insert(parent, at: 0)
        }
        return path
    }

    mutating func add(_ endpoint: ImportedEndpoint, tag: String?) {
        root.add(endpoint, at: (tag.map(path) ?? [])[...])
    }

    var items: [ImportedItem] { root.items }
}
