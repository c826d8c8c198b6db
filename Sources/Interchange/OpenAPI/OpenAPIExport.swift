package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel
internal import Yams

/// Exports requests as a description: that of `contract:` with their changes, else one in OpenAPI 3.1, or 3.2 where methods or flows need that version.
package enum OpenAPIExport: ExportFormat {
    package static let name = "openapi"
    package static let title = "OpenAPI 3.1 as JSON, or as YAML with -o FILE.yaml"
    package static let fileExtension = "json"
    package static let usesDescriptions = true
    package static let keys = Set(["name", "description", "tags", "compression", "expect", "answer", "examples"])

    package static func text(of source: ExportSource) throws(Diagnostic) -> String {
        let text = try document(of: source).text
        return (JSONText.pretty(text) ?? text) + "\n"
    }

    package static func text(of source: ExportSource, forFile name: String) throws(Diagnostic) -> String {
        let name = name.lowercased()
        guard name.hasSuffix(".yaml") || name.hasSuffix(".yml") else { return try text(of: source) }
        return try OpenAPIYAML.text(of: document(of: source))
    }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] {
        let revision = try OpenAPIRevision(source)
        let notes = source.items.flatMap { item in
            var notes = ExportNotes.common(of: item, in: source.workspace, writing: keys, hasPublicParameters: true)
            notes += ExportNotes.parameters(of: item, in: source.workspace)
            // The description has more of its operations than a request says.
            if revision?.describes(item) != true { notes += OpenAPIExportOperation(item, source).notes }
            return notes.map { "\(item.name): \($0)" }
        }
        return try (OpenAPIRevisionBase.note(source).map { [$0] } ?? []) + (revision?.notes ?? []) + notes
    }

    private static func document(of source: ExportSource) throws(Diagnostic) -> JSONValue {
        if let revision = try OpenAPIRevision(source) { return revision.value }
        var builder = OpenAPIExportBuilder(source)
        for item in source.items { builder.add(item) }
        return builder.document
    }
}

/// Collects operations in a description.
struct OpenAPIExportBuilder {
    /// The methods that are members of a path in OpenAPI 3.1.
    private static let methods: Set<String> = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    private let source: ExportSource
    private var server: OpenAPIExportServer?
    private var paths: [(path: String, operations: [JSONValue.Member], additional: [JSONValue.Member])] = []
    private var tags: [String] = []
    private var schemes: [JSONValue.Member] = []
    private var flows: [OpenAPIExportFlow] = []
    private var ids: Set<String>
    private var isNewer = false

    /// - Parameter ids: Identities of operations that are taken.
    init(_ source: ExportSource, ids: Set<String> = []) {
        (self.source, self.ids) = (source, ids)
    }

    mutating func add(_ item: ExportSource.Item) {
        let operation = OpenAPIExportOperation(item, source)
        let position = paths.firstIndex { $0.path == operation.path } ?? paths.count
        if position == paths.count { paths.append((operation.path, [], [])) }
        let method = item.endpoint.method.rawValue
        let key = method.lowercased()
        let isKnown = Self.methods.contains(key) && method == method.uppercased()
        // A description has one operation for a method and a path; another request of a run is an example of it.
        if isKnown, let index = paths[position].operations.firstIndex(where: { $0.key == key }) {
            return paths[position].operations[index].value.addDescription("Also: \(item.name)")
        }
        if !isKnown, let index = paths[position].additional.firstIndex(where: { $0.key == method }) {
            return paths[position].additional[index].value.addDescription("Also: \(item.name)")
        }
        if server == nil { server = operation.server }
        for scheme in operation.schemes where !schemes.contains(where: { $0.key == scheme.key }) { schemes.append(scheme) }
        for tag in operation.tags where !tags.contains(tag) { tags.append(tag) }
        var id = operation.id
        var number = 2
        while !ids.insert(id).inserted {
            id = "\(operation.id)-\(number)"
            number += 1
        }
        let value = operation.value(id: id, isOnServer: operation.server == server, flowKey: operation.flow.map { self.key(of: $0) })
        if isKnown {
            paths[position].operations.append(.init(key, value))
        } else {
            isNewer = true
            paths[position].additional.append(.init(method, value))
        }
    }

    /// The name of the security scheme of a flow, which is added with its scopes.
    private mutating func key(of flow: OpenAPIExportFlow) -> String {
        if flow.isNewer { isNewer = true }
        guard let index = flows.firstIndex(where: { $0.isSame(as: flow) }) else {
            flows.append(flow)
            return Self.key(ofFlow: flows.count - 1)
        }
        let known = flows[index].scopes
        flows[index].scopes = known + flow.scopes.filter { !known.contains($0) }
        return Self.key(ofFlow: index)
    }

    private static func key(ofFlow index: Int) -> String { index == 0 ? "oauth2" : "oauth2-\(index + 1)" }

    /// The description.
    var document: JSONValue {
        let service = source.workspace.services.first { $0.name == source.name }
        var info: [JSONValue.Member] = [.init("title", .string(source.name))]
        if let summary = service?.summary, !summary.isEmpty { info.append(.init("description", .string(summary))) }
        info.append(.init("version", "1.0.0"))
        var members: [JSONValue.Member] = [.init("openapi", isNewer ? "3.2.0" : "3.1.0"), .init("info", .object(info))]
        if let server { members.append(.init("servers", .array([server.value]))) }
        if !tags.isEmpty { members.append(.init("tags", .array(tags.map { ["name": .string($0)] }))) }
        members.append(
            .init(
                "paths",
                .object(
                    paths.map { path in
                        let additional = path.additional.isEmpty ? [] : [JSONValue.Member("additionalOperations", .object(path.additional))]
                        return .init(path.path, .object(path.operations + additional))
                    })))
        let all = schemes + flows.enumerated().map { JSONValue.Member(Self.key(ofFlow: $0), $1.scheme) }
        if !all.isEmpty { members.append(.init("components", ["securitySchemes": .object(all)])) }
        return .object(members)
    }
}

extension JSONValue {
    /// Adds a line to the `description` of an object.
    fileprivate mutating func addDescription(_ line: String) {
        guard case .object(var members) = self else { return }
        if let index = members.firstIndex(where: { $0.key == "description" }), case .string(let text) = members[index].value {
            members[index].value = .string("\(text)\n\(line)")
        } else {
            members.insert(.init("description", .string(line)), at: 0)
        }
        self = .object(members)
    }
}

/// A flow of OAuth 2 in an exported description.
struct OpenAPIExportFlow {
    /// The name of the flow in `flows`.
    private let name: String
    /// The URLs by their names.
    private let urls: [JSONValue.Member]
    /// The requested scopes.
    var scopes: [String]
    /// Whether only OpenAPI 3.2 has the flow.
    let isNewer: Bool

    /// - Returns: nil where the value of a part of a URL is not known.
    init?(_ settings: OAuth2, _ values: OpenAPIExportValues) {
        var names = [("tokenUrl", settings.tokenURL)]
        switch settings.grant {
        // The specification has no flow of exchanged tokens.
        case .clientCredentials, .tokenExchange: name = "clientCredentials"
        case .password: name = "password"
        case .authorizationCode:
            name = "authorizationCode"
            names.insert(("authorizationUrl", settings.authorizationURL), at: 0)
        case .deviceCode:
            name = "deviceAuthorization"
            names.insert(("deviceAuthorizationUrl", settings.deviceURL), at: 0)
        }
        isNewer = settings.grant == .deviceCode
        var urls: [JSONValue.Member] = []
        for (name, template) in names {
            guard let url = values.text(template) else { return nil }
            urls.append(.init(name, .string(url)))
        }
        self.urls = urls
        scopes = (values.text(settings.scope) ?? "").split(separator: " ").map { String($0) }
    }

    /// Whether both are one flow with other scopes.
    func isSame(as other: OpenAPIExportFlow) -> Bool { name == other.name && urls == other.urls }

    /// The security scheme.
    var scheme: JSONValue {
        let scopes = JSONValue.Member("scopes", .object(scopes.map { .init($0, "") }))
        return ["type": "oauth2", "flows": .object([.init(name, .object(urls + [scopes]))])]
    }
}

/// The server of exported requests: the origin, and the part of the path that the service adds.
struct OpenAPIExportServer: Hashable {
    /// The URL with `{NAME}` for variables.
    var url: String
    var variables: [String]

    /// - Parameter path: The path of the operation, which is the end of the path of the request.
    init(_ item: ExportSource.Item, path: String) {
        let parts = item.request.url.path.split(separator: "/", omittingEmptySubsequences: false)
        let count = path.count { $0 == "/" }
        let base = parts.dropLast(count).joined(separator: "/")
        url = ""
        variables = []
        for piece in item.placeholders.pieces(of: item.request.url.origin + base) {
            switch piece {
            case .text(let text): url += text
            case .variable(let name), .captured(let name), .generated(let name):
                url += "{\(name)}"
                if !variables.contains(name) { variables.append(name) }
            }
        }
    }

    var value: JSONValue {
        var members: [JSONValue.Member] = [.init("url", .string(url))]
        if !variables.isEmpty {
            members.append(.init("variables", .object(variables.map { .init($0, ["default": .string($0.lowercased())]) })))
        }
        return .object(members)
    }
}

/// The values that an exported description shows as examples: those of variables that are not credentials.
struct OpenAPIExportValues {
    private let item: ExportSource.Item
    private let secrets: Set<String>
    private let variables: [String: String]

    init(_ item: ExportSource.Item, _ source: ExportSource) {
        self.item = item
        let ofEnvironment = source.workspace.variables(of: source.environment)
        variables = source.workspace.variables.merging(ofEnvironment) { $1 }.merging(item.endpoint.variables) { $1 }
        secrets = Set(source.workspace.secrets.keys).union(variables.keys.filter { source.workspace.hidesValue(of: $0) })
    }

    func isDefined(_ name: String) -> Bool { variables[name] != nil || secrets.contains(name) }

    /// The value of a variable; nil for a credential, and where it is not known.
    func value(of name: String) -> String? {
        guard !secrets.contains(name), !CredentialNames.contains(name), let value = variables[name] else { return nil }
        return text(value, depth: 1)
    }

    /// The text of a template; nil where a part of it is not known.
    func text(_ template: String) -> String? { text(template, depth: 0) }

    private func text(_ template: String, depth: Int) -> String? {
        var result = ""
        for segment in Template(template).segments {
            switch segment {
            case .text(let text), .unclosed(let text): result += text
            case .builtin("braces", _, _): result += "{{"
            case .builtin: return nil
            case .variable(let name, _):
                guard depth < 8, !secrets.contains(name), !CredentialNames.contains(name), let value = variables[name],
                    let inner = text(value, depth: depth + 1)
                else { return nil }
                result += inner
            }
        }
        return result
    }

    /// The name of a row; unknown parts are written as in the template.
    func name(_ template: String) -> String { text(template) ?? template }

    /// Whether a template uses a secret or a credential.
    func isSecret(_ template: String) -> Bool {
        Template(template).segments.contains { segment in
            switch segment {
            case .variable(let name, _): secrets.contains(name) || CredentialNames.contains(name) || variables[name] == nil
            case .builtin(let name, _, _): name == "env" || name == "prompt"
            case .text, .unclosed: false
            }
        }
    }

    func isCredential(_ row: Parameter) -> Bool {
        CredentialNames.contains(row.name) && isSecret(row.value) || isSecret(row.value) && !row.value.isEmpty
    }

    /// A text of the resolved request with the names of variables in place of unknown values.
    func shown(_ text: String) -> String {
        item.placeholders.pieces(of: text).map { piece in
            switch piece {
            case .text(let text): text
            case .variable(let name), .captured(let name), .generated(let name): "$\(name)"
            }
        }.joined()
    }
}

/// A description as YAML.
enum OpenAPIYAML {
    /// The text of a value.
    ///
    /// - Throws: A diagnostic where the YAML library reports an error.
    static func text(of value: JSONValue) throws(Diagnostic) -> String {
        do { return try Yams.serialize(node: node(value), width: -1, allowUnicode: true) } catch {
            throw Diagnostic(SourceLocation(file: "openapi"), "the description cannot be written as YAML: \(error)")
        }
    }

    private static func node(_ value: JSONValue) -> Node {
        switch value {
        case .null: Node("null", Tag(.null))
        case .bool(let value): Node(value ? "true" : "false", Tag(.bool))
        case .number(let text): Node(text, Tag(text.contains { ".eE".contains($0) } ? .float : .int))
        case .string(let text): Node(text, Tag(.str), style(of: text))
        case .array(let items): Node(items.map(node), Tag(.seq), items.isEmpty ? .flow : .block)
        case .object(let members): Node(members.map { (node(.string($0.key)), node($0.value)) }, Tag(.map), members.isEmpty ? .flow : .block)
        }
    }

    /// Quotes for every text that a version of YAML could read as another type.
    private static func style(of text: String) -> Node.Scalar.Style {
        if text.contains("\n") { return .literal }
        let isWord = text.utf8.allSatisfy { byte in
            (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || " /{}_-".utf8.contains(byte)
        }
        let first = text.utf8.first.map { (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "/") } ?? false
        let isType = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"].contains(text.lowercased())
        return isWord && first && !isType && !text.hasSuffix(" ") ? .plain : .doubleQuoted
    }
}
