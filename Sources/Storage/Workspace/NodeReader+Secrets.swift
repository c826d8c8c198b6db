internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Reading `secrets:` of `workspace.yaml`.
extension NodeReader {
    /// The keys that say where the value of a secret is, of which a secret has one.
    private static let sources = ["env", "command", "secret", "pass", "keyring", "vault"]

    /// Reads the sources of secrets, their hosts and their lifetimes.
    mutating func readSecrets(_ node: YAMLNode?, into workspace: inout Workspace) {
        for pair in pairs(node, of: "secrets") {
            guard pair.value.entries != nil else {
                report(pair.value, "a workspace must not contain the value of a secret", remedy: .secretInFile)
                continue
            }
            let fields = fields(pair.value, of: "a secret", known: .secret, isRestriction: true)
            // An unreadable list permits no host, because a mistake must not lift the restriction.
            if let node = fields["hosts"] { workspace.secretHosts[pair.name] = hosts(node) }
            let given = Self.sources.filter { fields[$0] != nil }
            guard given.count == 1, let kind = given.first, let value = fields[kind] else {
                let words = "\(Self.sources.dropLast().joined(separator: ", ")) or \(Self.sources.last ?? "")"
                let problem = given.isEmpty ? "must have one of \(words)" : "has \(given.joined(separator: " and ")); keep one"
                report(pair.value, "a secret \(problem)")
                continue
            }
            guard let source = place(value, kind)?.source else { continue }
            workspace.secrets[pair.name] = source
            guard let node = fields["for"], let lifetime = duration(node, "for") else { continue }
            if case .command = source {
                workspace.secretLifetimes[pair.name] = lifetime
            } else {
                report(node, "for applies to commands; the value of \(kind) is read for each request")
            }
        }
    }

    private mutating func place(_ node: YAMLNode, _ kind: String) -> SecretPlace? {
        switch kind {
        case "env": return name(node, kind).map { .environment($0) }
        case "command": return name(node, kind).map { .command($0) }
        case "secret":
            guard let name = name(node, kind) else { return nil }
            if let problem = SecretSource.problem(ofStored: name) { return refuse(node, "secret: \(problem)") }
            return .stored(name)
        case "pass": return argument(node, kind).map { .pass($0) }
        case "keyring":
            guard let entries = node.entries, !entries.isEmpty else {
                return refuse(node, "keyring must be a mapping of the attributes of the secret, such as {service: shop, account: me}")
            }
            var attributes: [Parameter] = []
            for pair in pairs(node, of: kind) { if let value = argument(pair.value, pair.name) { attributes.append(Parameter(pair.name, value)) } }
            guard attributes.count == entries.count else { return nil }
            if let name = attributes.map(\.name).first(where: { !SecretPlace.isArgument($0) }) {
                return refuse(node, "keyring: the attribute “\(name.shortened)” must not begin with “-” or contain control characters")
            }
            return .keyring(attributes)
        default:
            guard node.entries != nil else { return refuse(node, "vault must be {path, field}, not \(node.kindName)") }
            let fields = fields(node, of: kind, known: .vault)
            for key in ["path", "field"] where fields[key] == nil { report(node, "vault has no \(key)") }
            guard let path = argument(fields["path"], "path"), let field = argument(fields["field"], "field") else { return nil }
            return .vault(path: path, field: field)
        }
    }

    /// A text that becomes an argument of a program.
    private mutating func argument(_ node: YAMLNode?, _ what: String) -> String? {
        guard let node, let text = name(node, what) else { return nil }
        guard SecretPlace.isArgument(text) else {
            report(node, "\(what) must not begin with “-” or contain control characters")
            return nil
        }
        return text
    }

    /// Reports a problem; nil as the result of a value that cannot be read.
    private mutating func refuse(_ node: YAMLNode, _ message: String) -> SecretPlace? {
        report(node, message)
        return nil
    }

    /// Reads the hosts that may receive a secret.
    private mutating func hosts(_ node: YAMLNode) -> [HostPattern] {
        let texts = list(node, "hosts")
        if texts.isEmpty, node.isNull || node.items?.isEmpty == true {
            report(node, "hosts is empty, so the secret cannot be sent to any host; add a host, or remove hosts")
        }
        return texts.compactMap { node, text in
            if let pattern = HostPattern(text) { return pattern }
            report(
                node,
                "“\(text.shortened)” is not a host that can receive a secret; write a name or an address without a scheme and a port, "
                    + "or *.example.com for every name below a domain")
            return nil
        }
    }
}

/// Reads the conditions and the repetition of a step.
extension NodeReader {
    /// Reads `if` or `while`: names of variables and captures, or texts with templates, with a condition each.
    mutating func stepConditions(_ node: YAMLNode?, _ what: String) -> [Parameter] {
        guard let node else { return [] }
        if node.entries == nil || node.entries?.isEmpty == true {
            report(node, "\(what) must be a mapping of names to conditions; write \(what): {login.role: admin}")
            return []
        }
        var variables: [String: Int] = [:]
        for pair in pairs(node, of: what) {
            // A name without braces is that of a variable, so that a misspelt one is reported.
            let isVariable = !pair.name.contains("{{")
            note(isVariable ? "{{\(pair.name)}}" : pair.name, at: pair.key)
            if isVariable, case .variable(let name, _)? = uses.last?.segment, name == pair.name { variables[name] = uses.count - 1 }
        }
        let rows = conditions(node, of: what, byPath: false)
        for (name, use) in variables {
            uses[use].isOptional = rows.allSatisfy { $0.name != name || ["exists", "missing"].contains($0.value) }
        }
        return rows
    }

    /// Reads `forEach`, or `while` with `every` and `limit`.
    mutating func loop(_ fields: [String: YAMLNode], kind: RunDefinition.Kind) -> StepLoop? {
        if fields["while"] == nil {
            for key in ["every", "limit"] {
                if let node = fields[key] { report(node, "\(key) is valid only with while; add while: {NAME: CONDITION}") }
            }
        }
        if let node = fields["while"], fields["forEach"] != nil {
            report(node, "a step has while or forEach, not both; use two steps")
            return nil
        }
        if let node = fields["while"] {
            let conditions = stepConditions(node, "while")
            let pause = duration(fields["every"], "every") ?? StepLoop.defaultPause
            let limit = integer(fields["limit"], "limit", in: 1...WorkspaceLimits.repetitions) ?? StepLoop.defaultLimit
            guard kind == .chain else {
                report(node, "while is valid only in a chain, because it compares what the step captured")
                return nil
            }
            return conditions.isEmpty ? nil : .repeats(while: conditions, every: pause, limit: limit)
        }
        return fields["forEach"].flatMap { list($0, kind: kind) }
    }

    /// Reads a list, or a template of one, where it is the only member of a mapping with the name of its variable.
    private mutating func list(_ node: YAMLNode, kind: RunDefinition.Kind) -> StepLoop? {
        guard node.entries != nil else { return items(node, kind: kind).map { .forEach(variable: StepLoop.defaultVariable, $0) } }
        let pairs = pairs(node, of: "forEach")
        guard let pair = pairs.first, pairs.count == 1 else {
            report(node, "forEach must be a list, or a mapping with one name; write forEach: {order: [1, 2]}")
            return nil
        }
        return items(pair.value, kind: kind).map { .forEach(variable: pair.name, $0) }
    }

    private mutating func items(_ node: YAMLNode, kind: RunDefinition.Kind) -> StepLoop.Items? {
        if node.text != nil {
            guard let text = template(node, "forEach") else { return nil }
            guard text.contains("{{") else {
                report(node, "forEach must be a list or a template of one; write forEach: [1, 2] or forEach: \"{{list.ids}}\"")
                return nil
            }
            guard kind == .chain else {
                report(node, "in a batch the items of forEach are written in the file: forEach: [1, 2]; a chain can take them from a template")
                return nil
            }
            return .template(text)
        }
        guard let items = node.items, !items.isEmpty, items.count <= WorkspaceLimits.repetitions else {
            let count = node.items?.count ?? 0
            report(
                node,
                count == 0
                    ? "forEach must be a list with items; write forEach: [1, 2]"
                    : "forEach has \(count) items, and at most \(WorkspaceLimits.repetitions) are sent; use several steps")
            return nil
        }
        var texts: [String] = []
        for item in items {
            guard let text = text(item, "an item of forEach") else { return nil }
            guard !text.contains("{{") else {
                report(item, "the items of forEach are not resolved; write the whole list as a template: forEach: \"{{list.ids}}\"")
                return nil
            }
            texts.append(text)
        }
        return .list(texts)
    }
}

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
        workspace.order = list(fields["order"], "order").map(\.text)
        workspace.variables = variables(fields["variables"], of: "variables")
        workspace.variablePlaces.merge(places(of: fields["variables"], in: .workspace)) { $1 }
        workspace.variablePlaces.merge(places(of: fields["publicParameters"], in: .publicParameters)) { $1 }
        workspace.variablePlaces.merge(places(of: fields["secrets"], in: .secret)) { $1 }
        limitVariables(of: &workspace, at: fields["environments"] ?? fields["variables"] ?? root)
        workspace.parameters = parameterStyle(fields["parameters"]) ?? .init()
        workspace.publicParameters = rows(fields["publicParameters"], of: "publicParameters")
        readSecrets(fields["secrets"], into: &workspace)
        workspace.redact = list(fields["redact"], "redact").map(\.text)
        workspace.publicValues = Set(list(fields["publicValues"], "publicValues").map(\.text))
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
