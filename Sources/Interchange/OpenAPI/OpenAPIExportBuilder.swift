internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

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
    private var ids: Set<String> = []
    private var isNewer = false

    init(_ source: ExportSource) {
        self.source = source
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
