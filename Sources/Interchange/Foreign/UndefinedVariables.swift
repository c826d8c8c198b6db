internal import SortieHTTP
internal import WorkspaceModel

extension ImportedWorkspace {
    /// Defines the variables that the source uses and does not define, such as those that scripts set: their values are asked for.
    mutating func askForUndefinedVariables() {
        var known = Set(variables.keys).union(secrets.keys).union(environments.flatMap(\.variables.keys))
        known.formUnion(runs.flatMap(\.steps).flatMap(\.variables.keys))
        let steps = Set(runs.flatMap(\.steps).map(\.name))
        var used: [String] = []
        func add(_ texts: [String], own: [String: String] = [:]) {
            for case .variable(let name, _) in texts.flatMap({ Template($0).segments }) {
                let isCaptured = name.contains(".") && steps.contains(String(name.prefix { $0 != "." }))
                if !isCaptured, own[name] == nil, known.insert(name).inserted { used.append(name) }
            }
        }
        add(variables.sorted { $0.key < $1.key }.map(\.value))
        for environment in environments { add(environment.variables.sorted { $0.key < $1.key }.map(\.value)) }
        for var service in services {
            var own: [[String: String]] = []
            service.items.mapEndpoints { item in
                add(item.endpoint.texts, own: item.endpoint.variables)
                own.append(item.endpoint.variables)
            }
            // Every endpoint may define what the server and the fields of its service use.
            let shared = own.dropFirst().reduce(own.first ?? [:]) { result, variables in result.filter { variables[$0.key] != nil } }
            add(service.service.servers.values.flatMap(\.self) + service.service.headers.texts + service.service.auth.texts, own: shared)
        }
        for name in used where ForeignText.isVariable(name) {
            variables[name] = "{{$prompt \(name)}}"
            report.add(.changed, "variable \(name)", "the source does not define it; its value is asked for")
        }
    }
}

extension Endpoint {
    /// The texts that may have templates.
    var texts: [String] {
        let expected = (expectation?.json ?? []) + (expectation?.headers ?? [])
        return [path] + query.texts + headers.texts + auth.texts + body.texts + variables.values + expected.texts
    }
}

extension [Parameter] {
    fileprivate var texts: [String] { flatMap { [$0.name, $0.value] } }
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
