internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// Fills `workspace` with the content of `workspace.yaml`; invalid parts are left out.
    mutating func fill(_ workspace: inout Workspace, from root: YAMLNode?) {
        guard let root else { return }
        let fields = fields(root, of: "workspace.yaml", known: .workspace)
        workspace.name = name(fields["name"], "name") ?? workspace.name
        _ = text(fields["description"], "description")
        for pair in pairs(fields["environments"], of: "environments") {
            if !isStored, let problem = WorkspaceItem.environment(pair.name).nameProblem {
                report(pair.key, "\(problem); rename “\(pair.name.shortened)” here, and under servers of the services")
                continue
            }
            let inner = self.fields(pair.value, of: "an environment", known: .environment)
            var environment = WorkspaceEnvironment(name: pair.name, variables: variables(inner["variables"], of: "variables"))
            environment.trust = trust(inner["trust"])
            workspace.environments.append(environment)
            workspace.variablePlaces.merge(places(of: inner["variables"], in: .environment(pair.name))) { $1 }
        }
        workspace.variables = variables(fields["variables"], of: "variables")
        workspace.variablePlaces.merge(places(of: fields["variables"], in: .workspace)) { $1 }
        workspace.variablePlaces.merge(places(of: fields["publicParameters"], in: .publicParameters)) { $1 }
        workspace.variablePlaces.merge(places(of: fields["secrets"], in: .secret)) { $1 }
        limitVariables(of: &workspace, at: fields["environments"] ?? fields["variables"] ?? root)
        workspace.parameters = parameterStyle(fields["parameters"]) ?? .init()
        workspace.publicParameters = rows(fields["publicParameters"], of: "publicParameters")
        readSecrets(fields["secrets"], into: &workspace)
        workspace.redact = list(fields["redact"], "redact").map(\.text)
        workspace.plugins = plugins(fields["plugins"])
        workspace.hooks = hooks(fields["hooks"])
        if let defaults = fields["defaults"] {
            let inner = self.fields(defaults, of: "defaults", known: .defaults)
            workspace.timeouts = timeouts(inner["timeout"], base: workspace.timeouts) ?? workspace.timeouts
            workspace.cache = cache(inner["cache"])
        }
        if let folders = fields["folders"] {
            let inner = self.fields(folders, of: "folders", known: .folders)
            workspace.cacheFolder = localFolder(inner["cache"], "cache")
            workspace.cacheLimit = cacheLimit(inner["cacheLimit"])
            workspace.downloadFolder = localFolder(inner["downloads"], "downloads")
        }
        workspace.trust = trust(fields["trust"])
        workspace.proxy = proxy(fields["proxy"])
        workspace.initialEnvironment = initialEnvironment(fields["environment"], of: workspace.environments.map(\.name))
    }

    /// Reads the path of a folder; templates are not permitted, because the folders do not depend on the environment.
    private mutating func cacheLimit(_ node: YAMLNode?) -> Int? {
        guard let node, let text = text(node, "cacheLimit") else { return nil }
        guard let bytes = ByteCount(parsing: text)?.bytes, 1...Int64(WorkspaceLimits.cacheBytes) ~= bytes else {
            report(node, "cacheLimit must be a size from 1 to \(ByteCount(WorkspaceLimits.cacheBytes).text) such as 50MB, not “\(text.shortened)”")
            return nil
        }
        return Int(bytes)
    }

    /// A folder without templates.
    private mutating func localFolder(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node, let text = name(node, what) else { return nil }
        guard Template(text).isPlain else {
            report(node, "\(what) must be a path without templates, not “\(text.shortened)”")
            return nil
        }
        return path(text)
    }

    /// The number of variables is limited, because every text with a template is resolved through them.
    private mutating func limitVariables(of workspace: inout Workspace, at node: YAMLNode) {
        if workspace.environments.count > WorkspaceLimits.environments {
            let count = workspace.environments.count
            report(node, "there are \(count) environments; those after the first \(WorkspaceLimits.environments) are not used")
            workspace.environments.removeLast(count - WorkspaceLimits.environments)
        }
        let count = workspace.environments.reduce(workspace.variables.count) { $0 + $1.variables.count }
        guard count > WorkspaceLimits.variables else { return }
        report(node, "there are \(count) variables; more than \(WorkspaceLimits.variables) are not used")
        workspace.variables = [:]
        for index in workspace.environments.indices { workspace.environments[index].variables = [:] }
    }

    private mutating func initialEnvironment(_ node: YAMLNode?, of environments: [String]) -> String? {
        guard let node, let chosen = name(node, "environment") else { return environments.first }
        guard environments.contains(chosen) else {
            let hint =
                Suggestion.nearest(to: chosen, in: environments).map { "; did you mean “\($0)”?" }
                ?? "; add it under environments"
            report(node, "there is no environment “\(chosen.shortened)”\(hint)")
            return environments.first
        }
        return chosen
    }
}
