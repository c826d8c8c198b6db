internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Reads the parts of an export of Insomnia: collections, environments, cookie jars.
struct InsomniaReader {
    private var shared: CollectionImport
    private var services: [ImportedService] = []
    private var environments: [WorkspaceEnvironment] = []
    /// The name of the first base environment.
    private var baseName: String?
    private var secrets: Set<String> = []
    private var summary: String?
    /// The names of requests by their identities, for templates.
    private var requests: [String: String] = [:]
    /// What templates take from responses, by the identities of requests.
    private var captures: [String: [Capture]] = [:]
    /// The variables that differ from those of another collection, by the identities of collections of version 4.
    private var ownVariables: [String: [String: String]] = [:]

    init(file: String) {
        shared = CollectionImport(file: file)
    }

    // MARK: Version 4

    mutating func addResources(_ list: SourceNode) {
        let resources = list.items ?? []
        var known: Set<String> = []
        var children: [String: [SourceNode]] = [:]
        for node in resources {
            if let id = node["_id"]?.text { known.insert(id) }
            children[node["parentId"]?.text ?? "", default: []].append(node)
        }
        /// The folders whose items have a place.
        var placed: Set<String> = []
        func item(_ node: SourceNode, depth: Int) -> InsomniaItem? {
            let id = node["_id"]?.text ?? ""
            let key = node["metaSortKey"]?.text.flatMap { Double($0) } ?? 0
            switch node["_type"]?.string {
            case "request": return InsomniaItem(kind: .request, id: id, node: node, sortKey: key)
            case "request_group":
                return InsomniaItem(kind: .folder, id: id, node: node, sortKey: key, children: items(of: id, depth: depth + 1))
            case "websocket_request": return InsomniaItem(kind: .webSocket, id: id, node: node, sortKey: key)
            case "grpc_request": return InsomniaItem(kind: .grpc, id: id, node: node, sortKey: key)
            case "socketio_request": return InsomniaItem(kind: .other("Socket.IO"), id: id, node: node, sortKey: key)
            default: return nil
            }
        }
        func items(of parent: String, depth: Int) -> [InsomniaItem] {
            guard depth < 100 else { return [] }
            placed.insert(parent)
            return (children[parent] ?? []).compactMap { item($0, depth: depth) }
        }
        name(resources.filter { $0["_type"]?.string == "request" }.map { ($0["_id"]?.text ?? "", $0["name"]?.text ?? "") })
        let environments = resources.filter { $0["_type"]?.string == "environment" }
        let bases = Set(environments.compactMap { $0["_id"]?.text })
        // The parent of a sub environment is an environment, that of a base environment a workspace.
        for node in environments { if bases.contains(node["parentId"]?.text ?? "") { addSub(node) } else { addBase(node) } }
        for node in resources { addOther(node) }
        let workspaces = resources.filter { $0["_type"]?.string == "workspace" }
        for workspace in workspaces {
            let id = workspace["_id"]?.text ?? ""
            add(items(of: id, depth: 0), node: workspace, id: id, isOnly: workspaces.count == 1)
        }
        // Requests without a workspace, as in exports of single requests.
        var orphans = children.keys.filter { !known.contains($0) }.sorted().flatMap { items(of: $0, depth: 0) }
        // Folders that contain each other, or are nested too deeply.
        for node in resources where !placed.contains(node["parentId"]?.text ?? "") && node["_type"]?.string != "request_group" {
            guard let lost = item(node, depth: 0) else { continue }
            shared.note(.changed, lost.name, "its folder is in none of the collections, or too deep; it is imported without the folder", node)
            orphans.append(lost)
        }
        if !orphans.isEmpty { add(orphans, node: list, id: "requests", isOnly: workspaces.isEmpty) }
    }

    /// Reports the resources that are no requests.
    private mutating func addOther(_ node: SourceNode) {
        let name = node["name"]?.text ?? node["fileName"]?.text ?? ""
        switch node["_type"]?.string {
        case "request", "request_group", "websocket_request", "grpc_request", "socketio_request", "environment", "workspace": break
        case "cookie_jar": addCookies(node)
        case "api_spec":
            guard node["contents"]?.string?.isEmpty == false else { return }
            shared.note(.omitted, "API document \(name)", "import the OpenAPI document itself", node)
        case "request_meta", "request_group_meta", "workspace_meta", "settings", "response", "request_version": break
        case let type?: shared.note(.omitted, "\(type) \(name)", "resources of this kind are not imported", node)
        case nil: shared.note(.omitted, name.isEmpty ? "resource" : name, "the resource has no _type", node)
        }
    }

    // MARK: Version 5

    mutating func addNested(_ root: SourceNode, type: String) throws(Diagnostic) {
        let kind = type.prefix { $0 != "." }
        guard kind == "collection" || kind == "spec" || kind == "environment" else {
            throw Diagnostic(
                (root["type"] ?? root).place(in: shared.file), "files of the kind \(type) have no requests; export the collection of Insomnia")
        }
        let items = InsomniaItem.nested(root["collection"])
        name(items.flatMap(\.requests).map { ($0.id, $0.name) })
        // A global environment has its base at the top.
        let base = root["environments"]
        if let base {
            addBase(base)
            let subs = base["subEnvironments"]
            for node in subs?.items ?? subs?.members?.map(\.value) ?? [] { addSub(node) }
        }
        if let jar = root["cookieJar"] { addCookies(jar) }
        if let spec = root["spec"], spec["contents"] != nil || spec["file"] != nil {
            shared.note(.omitted, "API document", "import the OpenAPI document itself", spec)
        }
        for name in ["testSuites", "certificates", "clientCertificates"] where root[name]?.items?.isEmpty == false {
            shared.note(.omitted, name, "this part of the collection is not imported", root[name])
        }
        guard kind != "environment" else { return }
        if let list = root["collection"], list.items == nil, !list.isNull {
            throw Diagnostic(list.place(in: shared.file), "“collection” must be a list")
        }
        add(items, node: root, id: root["meta"]?["id"]?.text ?? "collection", isOnly: true)
    }

    // MARK: Parts

    /// Gives each request a name that no other one has.
    private mutating func name(_ list: [(id: String, name: String)]) {
        var counts: [String: Int] = [:]
        for (id, name) in list where !id.isEmpty && requests[id] == nil {
            let key = SecretName.variable(name)
            counts[key, default: 0] += 1
            requests[id] = counts[key] == 1 ? name : "\(name) \(counts[key] ?? 0)"
        }
    }

    private mutating func add(_ items: [InsomniaItem], node: SourceNode, id: String, isOnly: Bool) {
        let name = node["name"]?.text ?? ""
        var collection = InsomniaCollection(id: id, name: name.isEmpty ? "Insomnia" : name, shared: shared, requests: requests)
        let summary = node["description"]?.string ?? node["meta"]?["description"]?.string
        if summary?.isEmpty == false { if isOnly { self.summary = summary } else { collection.service.service.summary = summary } }
        collection.read(InsomniaItem.sorted(items), variables: ownVariables[id] ?? [:])
        shared = collection.shared
        shared.reportUnusedVariables()
        secrets.formUnion(collection.secrets)
        captures.add(collection.captures)
        if !collection.service.items.isEmpty { services.append(collection.service) }
    }

    private mutating func addBase(_ node: SourceNode) {
        let name = node["name"]?.text ?? ""
        baseName = baseName ?? (name.isEmpty ? "Base Environment" : name)
        for (name, value) in variables(of: node).sorted(by: { $0.key < $1.key }) where !shared.add(variable: name, value) {
            guard let parent = node["parentId"]?.text else {
                shared.note(.omitted, "variable \(name)", "another environment has another value, which is used", node)
                continue
            }
            ownVariables[parent, default: [:]][name] = value
            shared.note(.changed, "variable \(name)", "another collection has another value; each request of this one has its value", node)
        }
    }

    private mutating func addSub(_ node: SourceNode) {
        let name = node["name"]?.text ?? "environment \(environments.count + 1)"
        let variables = variables(of: node)
        if let index = environments.firstIndex(where: { $0.name == name }) {
            environments[index].variables.merge(variables) { known, _ in known }
        } else {
            environments.append(WorkspaceEnvironment(name: name, variables: variables))
        }
        shared.note(.imported, "environment \(name)", "", node)
    }

    private mutating func variables(of node: SourceNode) -> [String: String] {
        var template = InsomniaTemplate(requests: requests)
        let result = InsomniaVariables.flattened(node["data"], &template)
        captures.add(template.captures)
        for problem in template.problems { shared.note(.changed, node["name"]?.text ?? "environment", problem, node) }
        for (name, value) in template.samples { _ = shared.add(variable: name, value) }
        secrets.formUnion(template.secrets)
        return result
    }

    private mutating func addCookies(_ node: SourceNode) {
        guard let cookies = node["cookies"]?.items, !cookies.isEmpty else { return }
        let names = cookies.compactMap { $0["key"]?.text ?? $0["name"]?.text }.joined(separator: ", ")
        shared.note(.omitted, "cookies", "stored cookies are not imported, because they are credentials: \(names)", node)
    }

    func workspace(named name: String) -> ImportedWorkspace {
        var workspace = ImportedWorkspace(name: services.count == 1 ? services[0].service.name : name)
        workspace.summary = summary
        workspace.services = services
        workspace.environments = environments
        if var base = baseName, !environments.isEmpty {
            // A sub environment, such as production, is never used without a choice.
            while environments.contains(where: { $0.name == base }) { base += " (base)" }
            workspace.environments.insert(WorkspaceEnvironment(name: base), at: 0)
            workspace.initialEnvironment = base
        }
        workspace.variables = shared.variables
        workspace.secretVariables = secrets
        for secret in secrets where workspace.variables[secret] == nil { workspace.variables[secret] = "" }
        workspace.report = shared.report
        workspace.keepsOrder = true
        for index in workspace.services.indices {
            workspace.services[index].items.mapEndpoints { $0.endpoint.captures += captures[$0.id] ?? [] }
        }
        CapturedRun.add(to: &workspace, sending: Set(captures.keys))
        workspace.defineMissingVariables()
        // Where the base lacks values that the only sub environment has, as after an import of OpenAPI in Insomnia, only that one can send.
        if environments.count == 1, let only = environments.first,
            only.variables.keys.contains(where: { workspace.variables[$0] == ImportedWorkspace.prompt($0) })
        {
            workspace.initialEnvironment = only.name
        }
        return TextualValues.applied(to: workspace, insertsInQueries: false)
    }
}

/// Makes a service from the items of a collection.
struct InsomniaCollection {
    /// What a folder gives to its items.
    private struct Parent {
        var names: [String] = []
        var auth: SourceNode?
        var headers: [Parameter] = []
        var variables: [String: String] = [:]
        var scripts: [TestScript] = []
    }

    private(set) var shared: CollectionImport
    private(set) var secrets: Set<String> = []
    /// What templates take from responses, by the identities of requests.
    private(set) var captures: [String: [Capture]] = [:]
    private let requests: [String: String]
    var service: ImportedService
    /// The texts for the first endpoint of a folder.
    private var pending: [String] = []

    init(id: String, name: String, shared: CollectionImport, requests: [String: String]) {
        (self.shared, self.requests) = (shared, requests)
        service = ImportedService(id: self.shared.identity("collection \(id)"), Service(folder: "", name: name))
    }

    /// - Parameter variables: The variables that each request gets, because another collection has other values.
    mutating func read(_ items: [InsomniaItem], variables: [String: String]) {
        service.items = converted(items, Parent(variables: variables))
        service.useCommonServer()
    }

    private mutating func converted(_ items: [InsomniaItem], _ parent: Parent) -> [ImportedItem] {
        var result: [ImportedItem] = []
        for item in items {
            switch item.kind {
            case .folder: result.append(.folder(name: item.name, folder(item, parent)))
            case .grpc where InsomniaRequest.method(of: item) == nil:
                shared.note(.omitted, item.name, "the request names no method of gRPC", item.node)
            case .request, .webSocket, .grpc: result.append(.endpoint(endpoint(item, parent)))
            case .other(let kind):
                shared.note(.omitted, item.name, "\(kind) requests are not supported: \(item.node["url"]?.text ?? "")", item.node)
            }
        }
        return result
    }

    private mutating func folder(_ item: InsomniaItem, _ parent: Parent) -> [ImportedItem] {
        var own = parent
        own.names.append(item.name)
        if let auth = item.node["authentication"], InsomniaRequest.isGiven(auth) { own.auth = auth }
        var template = InsomniaTemplate(requests: requests)
        for node in item.node["headers"]?.items ?? [] {
            let row = InsomniaRequest.row(node, &template)
            if !row.name.isEmpty { Self.add(row, to: &own.headers) }
        }
        own.variables.merge(InsomniaVariables.flattened(item.node["environment"], &template)) { _, new in new }
        add(template, item.name, item.node, id: nil)
        if let text = item.summary {
            pending.append("Description of the folder \(item.name):\n\(text)")
            shared.note(.changed, item.name, "the description of the folder is a comment in the file of its first endpoint", item.node)
        }
        own.scripts += item.scripts(in: shared.file, owner: "the folder \(own.names.joined(separator: "/"))")
        if item.children.isEmpty { shared.note(.omitted, item.name, "the folder is empty", item.node) }
        return converted(item.children, own)
    }

    private mutating func endpoint(_ item: InsomniaItem, _ parent: Parent) -> ImportedEndpoint {
        let reader = InsomniaRequest(item, inheritedAuth: parent.auth, template: InsomniaTemplate(requests: requests))
        var endpoint = reader.endpoint
        let text = item.id.isEmpty ? "request " + (parent.names + [endpoint.name]).joined(separator: "/") : item.id
        let id = shared.identity(text)
        shared.note(.imported, endpoint.name, "", item.node, id: id)
        for note in reader.notes { shared.note(note.outcome, endpoint.name, note.reason, note.node ?? item.node, id: id) }
        add(reader.template, endpoint.name, item.node, id: id)
        let own = endpoint.headers
        endpoint.headers = parent.headers
        for row in own { Self.add(row, to: &endpoint.headers, after: parent.headers.count) }
        endpoint.variables.merge(parent.variables) { own, _ in own }
        // Insomnia sends a text without a type as it is.
        if case .text(_, contentType: nil) = endpoint.body,
            !endpoint.headers.contains(where: { $0.isEnabled && $0.name.lowercased() == "content-type" })
        {
            endpoint.removedHeaders = ["Content-Type"]
        }
        // Insomnia runs scripts for requests of HTTP only.
        let scripts = endpoint.kind == .data ? parent.scripts + item.scripts(in: shared.file) : []
        let left = shared.translate(scripts, into: &endpoint, id: id)
        let notes = pending + left.comments
        pending = []
        var imported = ImportedEndpoint(id: id, endpoint, notes: notes, pathParameters: reader.pathParameters)
        (imported.rowsOfURL, imported.scripts) = (reader.rowsOfURL, left.scripts)
        return imported
    }

    /// The fields of which a request has one only.
    private static let single: Set = [
        "proxy-authorization", "content-length", "content-type", "content-encoding", "content-location", "connection", "host", "upgrade", "range",
        "trailer",
    ]

    /// Adds a field of a request or of a folder; it replaces the one of the folders around, or is joined to its value, as Insomnia does.
    private static func add(_ row: Parameter, to rows: inout [Parameter], after: Int? = nil) {
        let name = row.name.lowercased()
        let known = rows[..<(after ?? rows.count)].firstIndex { $0.isEnabled && $0.name.lowercased() == name }
        guard row.isEnabled, let known else { return rows.append(row) }
        var joined = row
        if !single.contains(name) { joined.value = "\(rows[known].value), \(row.value)" }
        rows[known] = joined
    }

    /// Defines the variables that stand for tags, and reports what changed.
    private mutating func add(_ template: InsomniaTemplate, _ item: String, _ node: SourceNode, id: String?) {
        for (name, value) in template.samples.sorted(by: { $0.key < $1.key }) { _ = shared.add(variable: name, value) }
        for problem in template.problems { shared.note(.changed, item, problem, node, id: id) }
        secrets.formUnion(template.secrets)
        captures.add(template.captures)
    }
}

/// A request or a folder of an export, in the order of Insomnia.
struct InsomniaItem {
    /// The kinds of items.
    enum Kind: Hashable {
        case request, folder, webSocket, grpc
        /// A kind that cannot be imported, with its name.
        case other(String)
    }

    var kind: Kind
    var id: String
    var node: SourceNode
    /// Items are sorted by this key.
    var sortKey: Double
    var children: [InsomniaItem] = []

    var name: String { node["name"]?.text ?? "" }

    /// The requests in it, or itself.
    var requests: [InsomniaItem] { kind == .folder ? children.flatMap(\.requests) : [self] }

    /// The description: a member of version 4, one of `meta` in version 5.
    var summary: String? {
        guard let text = node["description"]?.string ?? node["meta"]?["description"]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The scripts that are not empty.
    ///
    /// - Parameter owner: The folder; nil for a request.
    func scripts(in file: String, owner: String? = nil) -> [TestScript] {
        [
            ("pre-request", node["preRequestScript"] ?? node["scripts"]?["preRequest"]),
            ("after-response", node["afterResponseScript"] ?? node["scripts"]?["afterResponse"]),
        ].compactMap { kind, script in
            guard let script, let text = script.string, !text.allSatisfy(\.isWhitespace) else { return nil }
            return TestScript(text, kind == "pre-request" ? .beforeRequest : .afterResponse, kind: kind, owner: owner) { _ in script.place(in: file) }
        }
    }

    /// A setting of a request, by its names in version 4 and 5.
    func setting(_ old: String, _ path: String...) -> SourceNode? {
        node[old] ?? path.reduce(node["settings"]) { $0?[$1] }
    }

    /// Sorts items and their children; items with equal keys keep their order.
    static func sorted(_ items: [InsomniaItem]) -> [InsomniaItem] {
        items.enumerated().sorted { ($0.element.sortKey, $0.offset) < ($1.element.sortKey, $1.offset) }.map { _, item in
            var item = item
            item.children = sorted(item.children)
            return item
        }
    }

    /// The items of version 5, which are nested.
    static func nested(_ list: SourceNode?) -> [InsomniaItem] {
        (list?.items ?? []).map { node in
            let id = node["meta"]?["id"]?.text ?? ""
            var item = InsomniaItem(kind: .request, id: id, node: node, sortKey: node["meta"]?["sortKey"]?.text.flatMap { Double($0) } ?? 0)
            if let children = node["children"] {
                item.kind = .folder
                item.children = nested(children)
            } else if id.hasPrefix("ws-req") {
                item.kind = .webSocket
            } else if id.hasPrefix("greq") || node["protoFileId"] != nil || node["protoMethodName"] != nil {
                item.kind = .grpc
            } else if id.hasPrefix("socketio") {
                item.kind = .other("Socket.IO")
            } else if id.hasPrefix("mcp") || node["transportType"] != nil {
                item.kind = .other("MCP")
            }
            return item
        }
    }
}

extension [String: [Capture]] {
    /// Adds the captures of requests that are not there yet.
    fileprivate mutating func add(_ other: Self) {
        for (id, captures) in other {
            for capture in captures where self[id]?.contains(capture) != true { self[id, default: []].append(capture) }
        }
    }
}

/// The variables of environments.
enum InsomniaVariables {
    /// The values of an object; those in objects and lists have names such as `a.b` and `a.0`.
    static func flattened(_ node: SourceNode?, _ template: inout InsomniaTemplate, prefix: String = "") -> [String: String] {
        var result: [String: String] = [:]
        let members = node?.members ?? node?.items?.enumerated().map { SourceNode.Member(String($0.offset), $0.element) } ?? []
        for member in members {
            let name = prefix + member.name
            if let text = member.value.text {
                result[name] = template.text(text)
            } else if member.value.isNull {
                result[name] = ""
            } else {
                // Nunjucks inserts a list as its texts with commas.
                if let items = member.value.items { result[name] = items.map { template.text($0.text ?? "") }.joined(separator: ",") }
                result.merge(flattened(member.value, &template, prefix: name + ".")) { known, _ in known }
            }
        }
        return result
    }
}
