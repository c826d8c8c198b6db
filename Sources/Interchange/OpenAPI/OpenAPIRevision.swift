internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The description that `contract:` names, with what exported requests change in it.
///
/// The operation of an endpoint is compared with the one that an import of the description gives, so that the description has what a user changed and
/// keeps everything else. Only operations whose endpoints the user deleted are removed, because a description has more than its requests. A description of
/// Swagger 2.0 becomes one of OpenAPI 3.0 (``SwaggerConversion``).
struct OpenAPIRevision {
    /// An operation of the description.
    private struct Known {
        /// The identity in the record of an import.
        let id: String
        let method: String
        let path: String
        let template: PathTemplate
        /// The members of the operation and of its path as they are written.
        let value: JSONValue
        let shared: JSONValue
    }

    private let source: ExportSource
    private let document: OpenAPIRevisionDocument
    private let bases: [[String]]
    private let operations: [Known]
    /// The positions of operations by method and form of the path.
    private let positions: [String: Int]
    private var paths: [JSONValue.Member]
    private var root: [JSONValue.Member]
    /// The requests of operations that the description does not have.
    private var added: [ExportSource.Item] = []
    private var matched: Set<Int> = []
    private var servers: Set<String> = []
    /// What the description does not get of the requests.
    private(set) var notes: [String] = []

    /// Reads the description; nil where the requests have none, and where they have several.
    ///
    /// - Throws: A diagnostic where the description is malformed.
    init?(_ source: ExportSource) throws(Diagnostic) {
        guard case .one(let description) = OpenAPIRevisionBase(source) else { return nil }
        let reader = OpenAPIReader(source: description)
        guard let value = reader.root(of: description.name, bytes: description.bytes) else {
            throw reader.failure ?? Diagnostic(SourceLocation(file: description.name), "it cannot be read")
        }
        let isSwagger = try OpenAPIVersion(of: value) == .swagger2
        let bundle = OpenAPIBundle.document(of: value, reader)
        self.source = source
        document = OpenAPIRevisionDocument(root: isSwagger ? SwaggerConversion.document(of: bundle) : bundle)
        let urls =
            isSwagger
            ? (document.root["servers"]?.elements ?? []).compactMap { $0["url"]?.stringValue }
            : (value["servers"]?.items ?? []).flatMap { OpenAPIServers.urls(of: $0) }
        bases = urls.map { PathTemplate.segments(of: PathTemplate.path(ofURL: $0)) }
        root = document.root.members
        let paths = document.resolved(document.root["paths"] ?? .object([])).members
        var (operations, positions, ids): ([Known], [String: Int], Set<String>) = ([], [:], [])
        for path in paths where path.key.hasPrefix("/") {
            let item = document.path(path.value)
            let template = PathTemplate(path.key)
            for member in item.members + (item["additionalOperations"]?.members ?? []) {
                let isKnown = OpenAPIPath.methods.contains(member.key.lowercased())
                guard isKnown || item["additionalOperations"]?[member.key] != nil else { continue }
                let method = isKnown ? member.key.uppercased() : member.key
                positions["\(method) \(template.text)"] = operations.count
                let value = document.resolved(member.value)
                let name = "\(method) \(path.key)"
                let id = value["operationId"]?.stringValue.flatMap { $0.isEmpty || !ids.insert($0).inserted ? nil : $0 } ?? name
                operations.append(
                    Known(id: id, method: method, path: path.key, template: template, value: value, shared: item["parameters"] ?? .array([])))
            }
        }
        (self.paths, self.operations, self.positions) = (paths, operations, positions)
        try add(importedFrom: description)
        finish(deleted: source.deletedItems[OpenAPIRevisionBase.document(of: source) ?? ""] ?? [])
    }

    /// The description.
    var value: JSONValue { .object(root) }

    /// Whether the description has the operation of a request, and keeps what a request does not say.
    func describes(_ item: ExportSource.Item) -> Bool { position(of: OpenAPIExportOperation(item, source)) != nil }

    // MARK: Operations

    /// The position of the operation of a request.
    private func position(of operation: OpenAPIExportOperation) -> Int? {
        let method = operation.item.endpoint.method.rawValue
        let full = PathTemplate.segments(of: PathTemplate.path(ofURL: operation.server.url) + operation.path)
        let own = PathTemplate.segments(of: operation.path)
        let rests = [own] + bases.filter { full.starts(with: $0) }.map { Array(full.dropFirst($0.count)) }
        for rest in rests {
            if let index = positions["\(method) \(PathTemplate(segments: rest).text)"] { return index }
            let matching = operations.indices.filter { operations[$0].method == method && operations[$0].template.matches(rest) }
            if let best = matching.min(by: { operations[$0].template.precedes(operations[$1].template) }) { return best }
        }
        return nil
    }

    /// Changes the operations of the requests.
    private mutating func add(importedFrom description: ImportSource) throws(Diagnostic) {
        var requests: [(position: Int, operation: OpenAPIExportOperation)] = []
        for item in source.items {
            let operation = OpenAPIExportOperation(item, source)
            guard let position = position(of: operation) else {
                added.append(item)
                continue
            }
            servers.insert(operation.server.url)
            // A description has one operation for a method and a path; another request of a run is an example of it.
            if matched.insert(position).inserted { requests.append((position, operation)) }
        }
        guard !requests.isEmpty else { return }
        let imported = try importedOperations(of: description)
        for (position, operation) in requests {
            let known = operations[position]
            var revision = OpenAPIOperationRevision(known.value, shared: known.shared, in: document)
            revision.change(from: imported[position] ?? .object([]), to: Self.value(of: operation))
            notes += revision.notes.map { "\(operation.item.name): \($0)" }
            if revision.value != known.value { set(revision.value, known) }
        }
    }

    private static func value(of operation: OpenAPIExportOperation) -> JSONValue { operation.value(id: "", isOnServer: true, flowKey: nil) }

    /// The operations that an import of the description gives, by position.
    private func importedOperations(of description: ImportSource) throws(Diagnostic) -> [Int: JSONValue] {
        let folder = source.workspace.folder
        let placed = PlacedImport(
            try OpenAPIImport.workspace(from: description), into: nil, folder: folder, sourceFolder: folder, known: [:], taken: [])
        let workspace = placed.workspace
        let environment = workspace.initialEnvironment ?? workspace.environments.first?.name
        let resolver = ExportResolver(workspace: workspace, environment: environment) { _, _ in nil }
        let imported = ExportSource(name: source.name, workspace: workspace, environment: environment, items: [])
        var result: [Int: JSONValue] = [:]
        for endpoint in workspace.endpoints {
            // What cannot be resolved is compared with nothing, so that the values of the request are written.
            guard case .success(let item) = Result(catching: { () throws(Diagnostic) in try resolver.item(for: endpoint) }) else { continue }
            let operation = OpenAPIExportOperation(item, imported)
            guard let position = position(of: operation), matched.contains(position), result[position] == nil else { continue }
            result[position] = Self.value(of: operation)
        }
        return result
    }

    /// Writes an operation at its path.
    private mutating func set(_ value: JSONValue, _ known: Known) {
        guard let index = paths.firstIndex(where: { $0.key == known.path }) else { return }
        let item = document.path(paths[index].value)
        if let member = item.members.first(where: { $0.key.uppercased() == known.method && OpenAPIPath.methods.contains($0.key.lowercased()) }) {
            paths[index].value = item.setting(member.key, to: value)
        } else if let others = item["additionalOperations"] {
            paths[index].value = item.setting("additionalOperations", to: others.setting(known.method, to: value))
        }
    }

    // MARK: Additions

    /// Adds the other operations, and leaves out those that are not exported.
    ///
    /// - Parameter deleted: The identities of the operations whose endpoints the user deleted.
    private mutating func finish(deleted: Set<String>) {
        if OpenAPIRevisionBase.isWhole(source) {
            let removed = operations.indices.filter { !matched.contains($0) && deleted.contains(operations[$0].id) }
            notes += removed.map { "\(operations[$0].method) \(operations[$0].path) is left out, because its endpoint was deleted" }
            if !removed.isEmpty { keep(Set(operations.indices).subtracting(removed)) }
        } else {
            // A part of a service is exported.
            keep(matched)
            paths.removeAll { path in path.key.hasPrefix("/") && !operations.contains { $0.path == path.key } }
            root.removeAll { $0.key == "webhooks" }
        }
        if !added.isEmpty { addOperations() }
        root = JSONValue.object(root).setting("paths", to: .object(paths)).members
    }

    /// Leaves out the other operations, and the paths without one.
    private mutating func keep(_ positions: Set<Int>) {
        let kept = Set(positions.map { "\(operations[$0].method) \(operations[$0].path)" })
        for index in paths.indices where paths[index].key.hasPrefix("/") {
            let path = paths[index].key
            func isKept(_ member: JSONValue.Member) -> Bool {
                let isMethod = OpenAPIPath.methods.contains(member.key.lowercased())
                return kept.contains("\(isMethod ? member.key.uppercased() : member.key) \(path)")
            }
            let all = document.path(paths[index].value).members
            var members = all
            members.removeAll { OpenAPIPath.methods.contains($0.key.lowercased()) && !isKept($0) }
            if let place = members.firstIndex(where: { $0.key == "additionalOperations" }) {
                members[place].value = .object(members[place].value.members.filter(isKept))
            }
            if members != all { paths[index].value = .object(members) }
        }
        paths.removeAll { path in
            let hadOperations = operations.contains { $0.path == path.key }
            return path.key.hasPrefix("/") && hadOperations && !kept.contains { $0.hasSuffix(" \(path.key)") }
        }
    }

    private mutating func addOperations() {
        var builder = OpenAPIExportBuilder(source, ids: Set(operations.compactMap { $0.value["operationId"]?.stringValue }))
        for item in added { builder.add(item) }
        let new = document.inVersion(builder.document)
        for path in new["paths"]?.members ?? [] {
            let shape = PathTemplate(path.key).text
            let index = paths.firstIndex { PathTemplate($0.key).text == shape } ?? paths.count
            if index == paths.count { paths.append(.init(path.key, .object([]))) }
            var item = document.path(paths[index].value)
            for member in path.value.members {
                guard member.key != "additionalOperations" else {
                    addOthers(member.value, at: path.key, to: &item)
                    continue
                }
                item = item.setting(member.key, to: renamed(onServer(member.value, new), from: path.key, to: paths[index].key))
            }
            paths[index].value = item
        }
        // A path of which nothing can be written has no operations.
        paths.removeAll { new["paths"]?[$0.key] != nil && $0.value == .object([]) }
        var result = JSONValue.object(root)
        let names = Set((result["tags"]?.elements ?? []).compactMap { $0["name"]?.stringValue })
        let tags = (new["tags"]?.elements ?? []).filter { tag in !names.contains(tag["name"]?.stringValue ?? "") }
        if !tags.isEmpty, !names.isEmpty { result = result.setting("tags", to: .array((result["tags"]?.elements ?? []) + tags)) }
        for scheme in new["components"]?["securitySchemes"]?.members ?? [] {
            let components = result["components"] ?? .object([])
            let schemes = components["securitySchemes"] ?? .object([])
            guard schemes[scheme.key] == nil else { continue }
            result = result.setting("components", to: components.setting("securitySchemes", to: schemes.setting(scheme.key, to: scheme.value)))
        }
        root = result.members
    }

    /// Adds operations of methods that only OpenAPI 3.2 has.
    private mutating func addOthers(_ operations: JSONValue, at path: String, to item: inout JSONValue) {
        guard document.hasAdditionalOperations else {
            for operation in operations.members {
                notes.append("\(operation.key) \(path): only OpenAPI 3.2 describes this method, and the description has another version")
            }
            return
        }
        var all = item["additionalOperations"] ?? .object([])
        for operation in operations.members { all = all.setting(operation.key, to: operation.value) }
        item = item.setting("additionalOperations", to: all)
    }

    /// An operation with its servers, where those of the description are others.
    private func onServer(_ operation: JSONValue, _ new: JSONValue) -> JSONValue {
        let list = operation["servers"] ?? new["servers"]
        let url = list?[0]?["url"]?.stringValue ?? ""
        return operation.setting("servers", to: servers.isEmpty || servers.contains(url) ? nil : list)
    }

    /// An operation whose parameters of the path have the names in the description.
    private func renamed(_ operation: JSONValue, from path: String, to known: String) -> JSONValue {
        func names(_ path: String) -> [String] { path.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) } }
        let pairs = Dictionary(zip(names(path), names(known)).map { ($0, $1) }) { first, _ in first }
        guard path != known, let parameters = operation["parameters"]?.elements else { return operation }
        return operation.setting(
            "parameters",
            to: .array(
                parameters.map { parameter in
                    guard parameter["in"] == "path", let name = pairs[parameter["name"]?.stringValue ?? ""] else { return parameter }
                    return parameter.setting("name", to: .string(name))
                }))
    }
}

/// Which description exported requests have.
enum OpenAPIRevisionBase {
    case none
    case one(ImportSource)
    case several([String])

    init(_ source: ExportSource) {
        var documents: [String] = []
        for item in source.items {
            guard let document = source.workspace.service(item.endpoint.serviceName)?.contract?.document, source.descriptions[document] != nil,
                !documents.contains(document)
            else { continue }
            documents.append(document)
        }
        guard let first = documents.first, let description = source.descriptions[first] else {
            self = .none
            return
        }
        self = documents.count == 1 ? .one(description) : .several(documents.map(FilePath.name(of:)))
    }

    /// The document of `contract:` of the requests; nil where none has a description.
    static func document(of source: ExportSource) -> String? {
        let documents = source.items.lazy.compactMap { source.workspace.service($0.endpoint.serviceName)?.contract?.document }
        return documents.first { source.descriptions[$0] != nil }
    }

    /// What becomes of the description of the requests; nil where it is used as it is, and where there is none.
    static func note(_ source: ExportSource) throws(Diagnostic) -> String? {
        switch OpenAPIRevisionBase(source) {
        case .none: return nil
        case .several(let names):
            return "the schemas of \(names.joined(separator: " and ")), which are not joined; export one service, or one of its endpoints"
        case .one(let description):
            let root = OpenAPIValue(try description.document(description.bytes, file: description.name))
            guard try OpenAPIVersion(of: root) == .swagger2 else { return nil }
            return "the notation Swagger 2.0 of \(description.name), which is OpenAPI 3.0 in the export"
        }
    }

    /// Whether all requests of the services are exported, and not an endpoint, a folder or a run of them.
    static func isWhole(_ source: ExportSource) -> Bool {
        guard source.run == nil else { return false }
        let targets = Set(source.items.map(\.endpoint.target))
        return source.workspace.services.filter { service in source.items.contains { $0.endpoint.serviceName == service.folder } }.allSatisfy {
            $0.endpoints.allSatisfy { targets.contains($0.target) || $0.grpc != nil || $0.opensWebSocket }
        }
    }
}
