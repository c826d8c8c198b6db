internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

extension ImportedWorkspace {
    /// Defines the variables that requests use and the source does not define: their values are asked for when a request is sent.
    ///
    /// Scripts set such variables, or environments that are other files; without a definition, the workspace would not pass a check.
    mutating func defineMissingVariables() {
        let steps = runs.flatMap(\.steps)
        let captured = Set(steps.map(\.name))
        var known = Set(variables.keys).union(secrets.keys).union(secretVariables).union(steps.flatMap(\.variables.keys))
        if let first = environments.first {
            known.formUnion(first.variables.keys.filter { name in environments.allSatisfy { $0.variables[name] != nil } })
        }
        var missing: [(name: String, item: String, id: String?)] = []
        func use(_ texts: [String], own: [String: String], _ item: String, _ id: String?) {
            for case .variable(let name, _) in texts.flatMap({ Template($0).segments }) where !name.isEmpty && own[name] == nil {
                if name.contains("."), captured.contains(String(name.prefix { $0 != "." })) { continue }
                if known.insert(name).inserted { missing.append((name, item, id)) }
            }
        }
        use(Array(variables.values).sorted() + environments.flatMap { $0.variables.values.sorted() }, own: [:], "variables", nil)
        for service in services {
            let endpoints = service.items.endpoints
            let settings = service.service
            use(settings.headers.texts, own: service.sharedVariables(), settings.name, service.id)
            use(settings.auth.texts, own: service.sharedVariables { $0.auth == .inherit }, settings.name, service.id)
            // An endpoint with a complete URL does not use the server.
            let own = service.sharedVariables { !$0.path.contains("://") }
            use(settings.servers.values.flatMap(\.self), own: own, settings.name, service.id)
            for item in endpoints { use(item.endpoint.texts, own: item.endpoint.variables, item.endpoint.name, item.id) }
        }
        for (name, item, id) in missing {
            variables[name] = Self.prompt(name)
            let lacking = environments.filter { $0.variables[name] == nil }.map(\.name)
            var subject = "nothing in the source defines"
            if lacking.count < environments.count {
                let list = lacking.joined(separator: ", ")
                subject = lacking.count == 1 ? "the environment \(list) does not define" : "the environments \(list) do not define"
            }
            let reason = "\(subject) {{\(name)}}; its value is asked for, until it is written under variables: of workspace.yaml"
            report.add(.changed, item, reason, id: id)
        }
    }

    /// A value that is asked for.
    static func prompt(_ name: String) -> String { name.contains { "={}\n".contains($0) } ? "" : "{{$prompt \(name)}}" }
}

extension ImportedService {
    /// The variables that every endpoint of a kind defines alike, which the server and the fields of the service may use.
    func sharedVariables(_ isIncluded: (Endpoint) -> Bool = { _ in true }) -> [String: String] {
        let all = items.endpoints.map(\.endpoint).filter(isIncluded).map(\.variables)
        return all.dropFirst().reduce(all.first ?? [:]) { result, own in result.filter { own[$0.key] == $0.value } }
    }
}

extension Endpoint {
    /// The texts that may have templates.
    var texts: [String] {
        let expected = expectation?.conditions ?? []
        return [path] + query.texts + headers.texts + messages.texts + auth.texts + body.texts + variables.values.sorted() + expected.texts
    }
}

extension [Parameter] {
    /// The texts that may have templates.
    var texts: [String] { flatMap { [$0.name, $0.value] } }
}

extension BodyTemplate {
    fileprivate var texts: [String] {
        switch self {
        case .none: []
        case .json(let text), .plist(let text): [text]
        case .text(let text, let type): [text, type ?? ""]
        case .file(let path, let type): [path, type ?? ""]
        case .form(let rows): rows.texts
        case .graphQL(let request): request.texts
        case .multipart(let parts): parts.flatMap { [$0.name, $0.value, $0.fileName ?? "", $0.contentType ?? ""] }
        }
    }
}
