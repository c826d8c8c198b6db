internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes a service from the items of a collection.
struct InsomniaCollection {
    /// What a folder gives to its items.
    private struct Parent {
        var names: [String] = []
        var auth: SourceNode?
        var headers: [Parameter] = []
        var variables: [String: String] = [:]
    }

    private(set) var shared: CollectionImport
    private(set) var secrets: Set<String> = []
    var service: ImportedService
    /// The texts for the first endpoint of a folder.
    private var pending: [String] = []

    init(id: String, name: String, shared: CollectionImport) {
        self.shared = shared
        service = ImportedService(id: self.shared.identity("collection \(id)"), Service(folder: "", name: name))
    }

    mutating func read(_ items: [InsomniaItem]) {
        service.items = converted(items, Parent())
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
        if let auth = item.node["authentication"], auth["type"]?.string != nil { own.auth = auth }
        var template = InsomniaTemplate()
        for node in item.node["headers"]?.items ?? [] {
            let row = InsomniaRequest.row(node, &template)
            if !row.name.isEmpty { own.headers.append(row) }
        }
        own.variables.merge(InsomniaVariables.flattened(item.node["environment"], &template)) { _, new in new }
        add(template, item.name, item.node, id: nil)
        if let text = item.summary {
            pending.append("Description of the folder \(item.name):\n\(text)")
            shared.note(.changed, item.name, "the description of the folder is a comment in the file of its first endpoint", item.node)
        }
        for (kind, text, node) in item.scripts {
            pending.append("Script of Insomnia for every request of the folder \(item.name) (\(kind)); it is not run:\n\(text)")
            shared.note(.omitted, item.name, "the script (\(kind)) is not run; it is a comment in the file of the first endpoint", node)
        }
        if item.children.isEmpty { shared.note(.omitted, item.name, "the folder is empty", item.node) }
        return converted(item.children, own)
    }

    private mutating func endpoint(_ item: InsomniaItem, _ parent: Parent) -> ImportedEndpoint {
        let reader = InsomniaRequest(item, inheritedAuth: parent.auth)
        var endpoint = reader.endpoint
        let text = item.id.isEmpty ? "request " + (parent.names + [endpoint.name]).joined(separator: "/") : item.id
        let id = shared.identity(text)
        shared.note(.imported, endpoint.name, "", item.node, id: id)
        for note in reader.notes { shared.note(note.outcome, endpoint.name, note.reason, note.node ?? item.node, id: id) }
        add(reader.template, endpoint.name, item.node, id: id)
        let own = Set(endpoint.headers.map { $0.name.lowercased() })
        endpoint.headers = parent.headers.filter { !own.contains($0.name.lowercased()) } + endpoint.headers
        endpoint.variables.merge(parent.variables) { own, _ in own }
        var notes = pending
        pending = []
        for (kind, text, node) in item.scripts {
            notes.append("Script of Insomnia (\(kind)); it is not run:\n\(text)")
            shared.note(.omitted, endpoint.name, "the script (\(kind)) is not run; it is a comment at the end of the file", node, id: id)
        }
        var imported = ImportedEndpoint(id: id, endpoint, notes: notes)
        imported.rowsOfURL = reader.rowsOfURL
        return imported
    }

    /// Defines the variables that stand for tags, and reports what changed.
    private mutating func add(_ template: InsomniaTemplate, _ item: String, _ node: SourceNode, id: String?) {
        for (name, value) in template.samples.sorted(by: { $0.key < $1.key }) { _ = shared.add(variable: name, value) }
        for problem in template.problems { shared.note(.changed, item, problem, node, id: id) }
        secrets.formUnion(template.secrets)
    }
}
