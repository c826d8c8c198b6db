internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

extension ImportedWorkspace {
    /// Defines the variables that requests use and the source does not define: their values are asked for when a request is sent.
    ///
    /// Collections of other tools use variables of environments that are other files; without a definition, the workspace would not pass a check.
    mutating func defineMissingVariables() {
        var used: [String: (item: String, id: String?)] = [:]
        var order: [String] = []
        func use(_ texts: [String], own: [String: String], _ item: (String, String?)) {
            for text in texts {
                for case .variable(let name, _) in Template(text).segments where own[name] == nil && used[name] == nil {
                    used[name] = item
                    order.append(name)
                }
            }
        }
        use(Array(variables.values).sorted() + environments.flatMap { $0.variables.values.sorted() }, own: [:], ("variables", nil))
        for index in services.indices {
            let service = services[index].service
            use(service.servers.values.flatMap(\.self) + service.auth.texts, own: [:], (service.name, nil))
            services[index].items.mapEndpoints { item in
                let endpoint = item.endpoint
                let rows = (endpoint.query + endpoint.headers).flatMap { [$0.name, $0.value] }
                let texts =
                    [endpoint.path] + rows + endpoint.auth.texts + Self.texts(of: endpoint.body) + endpoint.variables.values.sorted()
                use(texts, own: endpoint.variables, (endpoint.name, item.id))
            }
        }
        for name in order {
            let isEverywhere = !environments.isEmpty && environments.allSatisfy { $0.variables[name] != nil }
            guard !name.isEmpty, variables[name] == nil, secrets[name] == nil, !secretVariables.contains(name), !isEverywhere else { continue }
            variables[name] = Self.question(name)
            let reason = "nothing in the source defines {{\(name)}}; its value is asked for, until it is written under variables: of workspace.yaml"
            report.add(.changed, used[name]?.item ?? "", reason, id: used[name]?.id)
        }
    }

    /// A value that is asked for.
    static func question(_ name: String) -> String { name.contains { "={}\n".contains($0) } ? "" : "{{$prompt \(name)}}" }

    private static func texts(of body: BodyTemplate) -> [String] {
        switch body {
        case .none: []
        case .json(let text), .plist(let text): [text]
        case .text(let text, let type): [text, type ?? ""]
        case .file(let path, let type): [path, type ?? ""]
        case .form(let rows): rows.flatMap { [$0.name, $0.value] }
        case .graphQL(let request): request.texts
        case .multipart(let parts): parts.flatMap { [$0.name, $0.value, $0.fileName ?? "", $0.contentType ?? ""] }
        }
    }
}
