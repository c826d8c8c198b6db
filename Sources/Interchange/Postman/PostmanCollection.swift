internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes a service from a collection of Postman, version 2.0 or 2.1.
struct PostmanCollection {
    /// What a folder gives to its items.
    private struct Parent {
        /// The identity of the collection and the names of the folders.
        var path: [String] = []
        /// The credentials of folders; nil for those of the service.
        var auth: PostmanAuth?
        var variables: [String: String] = [:]
        var behavior: SourceNode?
        var scripts: [TestScript] = []
    }

    private(set) var shared: CollectionImport
    private(set) var service: ImportedService
    private let root: SourceNode
    /// The texts for the first endpoint of a folder.
    private var pending: [String] = []

    /// - Parameters:
    ///   - root: The collection.
    ///   - shared: What was imported before.
    init(_ root: SourceNode, shared: CollectionImport) {
        (self.root, self.shared) = (root, shared)
        let name = root["info"]?["name"]?.text ?? ""
        let text = root["info"]?["_postman_id"]?.text ?? name
        service = ImportedService(id: self.shared.identity("collection \(text)"), Service(folder: "", name: name.isEmpty ? "Collection" : name))
        read(id: text)
    }

    /// A description: a text, or an object with the text.
    static func description(_ node: SourceNode?) -> String? {
        guard let text = node?.string ?? node?["content"]?.string, !text.isEmpty else { return nil }
        return text
    }

    private mutating func read(id: String) {
        service.service.summary = Self.description(root["info"]?["description"])
        // Early exports of version 2.0 have “variables”.
        let list = root["variable"] ?? root["variables"]
        let own = variables(list, of: service.service.name)
        for (name, value) in own.sorted(by: { $0.key < $1.key }) where !shared.add(variable: name, value) {
            shared.note(.omitted, "variable \(name)", "another collection has another value, which is used", list)
        }
        var template = PostmanTemplate()
        var parent = Parent(path: [id])
        if let auth = PostmanAuth(root["auth"], &template) {
            report(auth.notes, root["auth"], service.service.name)
            if auth.isPlain { service.service.auth = auth.auth } else { parent.auth = auth }
        }
        add(template, service.service.name, root["auth"], id: nil)
        shared.service.auth = service.service.auth
        parent.behavior = root["protocolProfileBehavior"]
        parent.scripts = scripts(of: root, owner: "the collection")
        service.items = items(root["item"], parent)
        shared.reportUnusedVariables()
        service.useCommonServer()
    }

    private mutating func report(_ notes: [ForeignVariables.Note], _ node: SourceNode?, _ item: String, id: String? = nil) {
        for note in notes { shared.note(note.outcome, item, note.reason, node, id: id) }
    }

    /// Defines the variables that stand for dynamic ones, and reports them.
    private mutating func add(_ template: PostmanTemplate, _ item: String, _ node: SourceNode?, id: String?) {
        for (name, value) in template.samples.sorted(by: { $0.key < $1.key }) {
            _ = shared.add(variable: name, value)
            shared.note(.changed, item, "{{$\(name)}} has no equal; the variable \(name) has the fixed value \(value)", node, id: id)
        }
        for name in template.nested.sorted() {
            let shown = ForeignText.short(name)
            shared.note(.changed, item, "\(shown): a variable in the name of a variable is not read; write the whole name", node, id: id)
        }
    }

    // MARK: Variables

    /// The variables of a list that have a value; those that are switched off are reported.
    private mutating func variables(_ list: SourceNode?, of item: String) -> [String: String] {
        var template = PostmanTemplate()
        var result: [String: String] = [:]
        for node in list?.items ?? [] {
            guard let name = node["key"]?.text ?? node["id"]?.text, !name.isEmpty else { continue }
            guard PostmanRequest.isEnabled(node) else {
                shared.note(.omitted, item, "the variable \(name) is switched off", node)
                continue
            }
            let value = node["value"].flatMap { $0.text ?? ($0.isNull ? nil : $0.json.text) }
            // A variable without a value is asked for; Postman exports credentials with an empty one.
            if let value, !value.isEmpty || !CredentialNames.ends(name) { result[name] = template.text(value) }
        }
        add(template, item, list, id: nil)
        return result
    }

    // MARK: Scripts

    /// The scripts of an item that are not empty; `exec` is a list of lines or a text.
    ///
    /// - Parameter owner: The folder or the collection; nil for a request.
    private func scripts(of node: SourceNode, owner: String? = nil) -> [TestScript] {
        (node["event"]?.items ?? []).compactMap { event in
            let script = event["script"]
            let exec = script?["exec"] ?? script
            let lines = exec?.items
            let text = lines?.compactMap(\.text).joined(separator: "\n") ?? exec?.string ?? ""
            guard !text.allSatisfy(\.isWhitespace), event["disabled"]?.bool != true else { return nil }
            let kind = event["listen"]?.string ?? "script"
            let file = shared.file
            return TestScript(text, kind == "prerequest" ? .beforeRequest : .afterResponse, kind: kind, owner: owner) { line in
                // A line of the list may itself have line breaks.
                let node = lines.flatMap { $0.indices.contains(line) ? $0[line] : $0.first } ?? event
                return node.place(in: file)
            }
        }
    }

    // MARK: Items

    private mutating func items(_ list: SourceNode?, _ parent: Parent) -> [ImportedItem] {
        var result: [ImportedItem] = []
        let nodes = list?.items ?? []
        for (index, node) in nodes.enumerated() {
            let name = node["name"]?.text ?? ""
            let next = index + 1 < nodes.count && nodes[index + 1]["request"] != nil ? nodes[index + 1]["name"]?.text : nil
            if let content = node["item"], content.items != nil {
                result.append(.folder(name: name, folder(node, named: name, content, parent)))
            } else if let request = node["request"], !request.isNull {
                result.append(.endpoint(endpoint(node, request, named: name, next: next, parent)))
            } else {
                shared.note(.omitted, name.isEmpty ? "item" : name, "the item has no request", node)
            }
        }
        return result
    }

    private mutating func folder(_ node: SourceNode, named name: String, _ content: SourceNode, _ parent: Parent) -> [ImportedItem] {
        var own = parent
        own.path.append(name)
        var template = PostmanTemplate()
        if let auth = PostmanAuth(node["auth"], &template) {
            own.auth = auth
            report(auth.notes, node["auth"], name)
        }
        add(template, name, node["auth"], id: nil)
        own.variables.merge(variables(node["variable"], of: name)) { _, new in new }
        own.behavior = node["protocolProfileBehavior"] ?? parent.behavior
        if let text = Self.description(node["description"]) {
            pending.append("Description of the folder \(name):\n\(text)")
            shared.note(.changed, name, "the description of the folder is a comment in the file of its first endpoint", node["description"])
        }
        own.scripts += scripts(of: node, owner: "the folder \(own.path.dropFirst().joined(separator: "/"))")
        if content.items?.isEmpty != false { shared.note(.omitted, name, "the folder is empty", node) }
        return items(content, own)
    }

    private mutating func endpoint(
        _ node: SourceNode, _ request: SourceNode, named name: String, next: String?, _ parent: Parent
    ) -> ImportedEndpoint {
        let reader = PostmanRequest(request, name: name, inherited: parent.auth)
        var endpoint = reader.endpoint
        let text = node["id"]?.text ?? node["_postman_id"]?.text ?? "request " + (parent.path + [endpoint.name]).joined(separator: "/")
        let id = shared.identity(text)
        shared.note(.imported, endpoint.name, "", node, id: id)
        for note in reader.notes { shared.note(note.outcome, endpoint.name, note.reason, note.node ?? node, id: id) }
        add(reader.template, endpoint.name, node, id: id)
        endpoint.variables.merge(parent.variables.merging(variables(node["variable"], of: endpoint.name)) { _, new in new }) { own, _ in own }
        if endpoint.summary == nil { endpoint.summary = Self.description(node["description"]) }
        let behavior = node["protocolProfileBehavior"] ?? parent.behavior
        setBehavior(behavior, of: &endpoint, id: id)
        if Self.prunedMethods.contains(endpoint.method.rawValue), endpoint.body != .none, behavior?["disableBodyPruning"]?.bool != true {
            endpoint.body = .none
            shared.note(
                .omitted, endpoint.name, "Postman sends no body with \(endpoint.method.rawValue) unless disableBodyPruning is true", request["body"],
                id: id)
        }
        let left = shared.translate(parent.scripts + scripts(of: node), into: &endpoint, nextRequest: next, id: id)
        let notes = pending + left.comments
        pending = []
        endpoint.examples = (node["response"]?.items ?? []).map { PostmanExample($0, of: endpoint).value }.inOrderOfChoice
        var imported = ImportedEndpoint(id: id, endpoint, notes: notes, pathParameters: reader.pathParameters)
        imported.scripts = left.scripts
        return imported
    }

    /// The methods with which Postman sends no body.
    static let prunedMethods: Set = ["GET", "COPY", "HEAD", "PURGE", "UNLOCK"]

    /// Sets what the endpoint has of `protocolProfileBehavior`, and reports the rest.
    private mutating func setBehavior(_ node: SourceNode?, of endpoint: inout Endpoint, id: String) {
        for member in node?.members ?? [] {
            switch member.name {
            case "followRedirects" where member.value.bool != nil: if member.value.bool == false { endpoint.redirects = 0 }
            case "maxRedirects" where Int(member.value.text ?? "").map(Endpoint.redirectRange.contains) == true:
                if endpoint.redirects == nil { endpoint.redirects = Int(member.value.text ?? "") }
            case "disabledSystemHeaders" where member.value.members != nil:
                let names = member.value.members?.filter { $0.value.bool == true }.map(\.name) ?? []
                if !names.isEmpty { endpoint.removedHeaders = names }
            case "disableCookies" where member.value.bool != nil: if member.value.bool == true { endpoint.cookies = false }
            case "protocolVersion" where member.value.text == "http2": endpoint.version = .http2
            case "protocolVersion" where member.value.text == "http1": endpoint.version = .http1
            case "protocolVersion" where member.value.text == "auto": break
            // Whether the body is kept is decided above.
            case "disableBodyPruning": break
            case "strictSSL" where member.value.bool == false:
                shared.note(
                    .omitted, endpoint.name, ImportReason("strictSSL: certificates are verified", .insecure), member.value,
                    id: id)
            default:
                shared.note(.omitted, endpoint.name, "protocolProfileBehavior: \(member.name) has no equal", member.value, id: id)
            }
        }
    }
}
