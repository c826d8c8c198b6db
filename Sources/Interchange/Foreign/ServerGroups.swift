internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Divides endpoints into services by their servers, with the folders of the source.
struct ServerGroups {
    private struct Group {
        var key: String
        var server: String
        var isInsecure: Bool
        var items: [ImportedItem] = []
    }

    private var groups: [Group] = []

    /// The number of services.
    var count: Int { groups.count }

    /// Adds an endpoint after the others.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - server: Scheme, host and port; empty where the source names none.
    ///   - folders: The names of the folders around the endpoint.
    ///   - isInsecure: Whether the certificate of the server is not verified, which is a setting of a service.
    mutating func add(_ endpoint: ImportedEndpoint, server: String, folders: [String], isInsecure: Bool = false) {
        let key = server + (isInsecure ? " insecure" : "")
        let index = groups.firstIndex { $0.key == key } ?? groups.endIndex
        if index == groups.endIndex { groups.append(Group(key: key, server: server, isInsecure: isInsecure)) }
        Self.insert(.endpoint(endpoint), in: folders[...], of: &groups[index].items)
    }

    private static func insert(_ item: ImportedItem, in path: ArraySlice<String>, of items: inout [ImportedItem]) {
        guard let first = path.first else { return items.append(item) }
        for index in items.indices {
            guard case .folder(first, var content) = items[index] else { continue }
            insert(item, in: path.dropFirst(), of: &content)
            items[index] = .folder(name: first, content)
            return
        }
        var content: [ImportedItem] = []
        insert(item, in: path.dropFirst(), of: &content)
        items.append(.folder(name: first, content))
    }

    /// Adds the services to a workspace; one whose server is a template, where it is the only one, has the name of the workspace.
    ///
    /// - Parameter change: Changes what all services have, such as header fields.
    func addServices(to workspace: inout ImportedWorkspace, change: (inout Service) -> Void = { _ in }) {
        for group in groups {
            var service = Service(folder: "", name: name(of: group.server, in: workspace))
            if !group.server.isEmpty { service.servers = [ImportedService.everywhere: [group.server]] }
            if group.isInsecure { service.trust.isInsecure = true }
            change(&service)
            let id = "service \(group.key)"
            workspace.services.append(ImportedService(id: id, service, items: group.items))
            if group.server.isEmpty {
                workspace.report.add(.changed, service.name, ImportReason("the source names no host", .server), id: id)
            }
        }
    }

    private func name(of server: String, in workspace: ImportedWorkspace) -> String {
        if server.isEmpty || groups.count == 1 && server.contains("{{") { return workspace.name }
        let name = server.firstRange(of: "://").map { String(server[$0.upperBound...]) } ?? server
        return name.filter { $0 != "{" && $0 != "}" }
    }
}
