internal import SortieBase
internal import WorkspaceModel

/// Setting, deleting and renaming variables and secrets.
extension ChangePlan {
    // MARK: Setting

    mutating func setVariable(_ key: VariableKey, to value: VariableValue, from old: VariableValue?) throws(WorkspaceError) {
        if let problem = VariableKey.nameProblem(key.name) { throw WorkspaceError(.badTarget, file: key.name, problem) }
        let path = try path(of: key.layer)
        let now = try self.value(of: key)
        guard now == old else {
            let what = now == nil ? "removed" : old == nil ? "added" : "changed"
            throw WorkspaceError(
                .changedOnDisk, file: path.file, "\(key.name) was \(what) in the meantime, so nothing was changed; look at it, then try again")
        }
        try requireEnvironment(of: key.layer)
        let (before, after) = (old.map(Self.yaml), Self.yaml(value))
        try edit(path.file) { (document, patch) throws(CannotPatch) in
            try patch.set(key.name, to: after, from: before, at: path.keys, in: document.root)
        }
        try require(key, value, in: path.file)
    }

    private static func yaml(_ value: VariableValue) -> YAMLValue {
        switch value {
        case .text(let text): .text(text)
        case .secret(let source): yaml(SecretPlace(source))
        }
    }

    private static func yaml(_ place: SecretPlace) -> YAMLValue {
        func mapping(_ rows: [Parameter]) -> YAMLValue { .mapping(rows.map { .init($0.name, .text($0.value)) }) }
        return switch place {
        case .stored(let name): mapping([Parameter("secret", name)])
        case .environment(let name): mapping([Parameter("env", name)])
        case .command(let command): mapping([Parameter("command", command)])
        case .pass(let path): mapping([Parameter("pass", path)])
        case .keyring(let attributes): .mapping([.init("keyring", mapping(attributes))])
        case .vault(let path, let field): .mapping([.init("vault", mapping([Parameter("path", path), Parameter("field", field)]))])
        }
    }

    // MARK: Declaring secrets

    mutating func declare(_ declarations: SecretDeclarations) throws(WorkspaceError) {
        for secret in declarations.secrets {
            if let problem = VariableKey.nameProblem(secret.name) { throw WorkspaceError(.badTarget, file: secret.name, problem) }
            guard workspace.secrets[secret.name] == secret.old else {
                throw WorkspaceError(
                    .changedOnDisk, file: "workspace.yaml",
                    secret.old == nil
                        ? "there is already a secret \(secret.name); choose another name"
                        : "the secret \(secret.name) was changed in the meantime, so nothing was changed; look at it, then try again")
            }
        }
        for variable in declarations.variables {
            if let template = variable.template {
                try setVariable(variable.key, to: .text(template), from: .text(variable.old))
            } else {
                guard try value(of: variable.key) == .text(variable.old) else {
                    throw WorkspaceError(
                        .changedOnDisk, file: try path(of: variable.key.layer).file,
                        "\(variable.key.name) was changed in the meantime, so nothing was changed; look at it, then try again")
                }
                try deleteVariable(variable.key.name, from: [variable.key.layer])
            }
        }
        for secret in declarations.secrets {
            let old = secret.old.map { Self.yaml(SecretPlace($0)) }
            try edit("workspace.yaml") { (document, patch) throws(CannotPatch) in
                try patch.set(secret.name, to: Self.yaml(secret.place), from: old, at: ["secrets"], in: document.root)
            }
            try require(VariableKey(secret.name, .secret), .secret(secret.place.source), in: "workspace.yaml")
        }
    }

    /// The file of a layer, and the keys of the mapping in it.
    private func path(of layer: VariableLayer) throws(WorkspaceError) -> (file: String, keys: [String]) {
        switch layer {
        case .environment(let name): return ("workspace.yaml", ["environments", name, "variables"])
        case .workspace: return ("workspace.yaml", ["variables"])
        case .secret: return ("workspace.yaml", ["secrets"])
        case .endpoint(let id):
            guard let file = workspace.endpoint(id)?.location?.file else {
                throw WorkspaceError(.changedOnDisk, file: id.path, "the endpoint no longer exists; reload the workspace")
            }
            return (file, ["variables"])
        case .option, .environmentFile, .publicParameters:
            throw WorkspaceError(.cannotExpress, file: "workspace.yaml", "\(layer.text) is no list of variables; edit it directly")
        }
    }

    /// The definition in the files as they are now.
    private func value(of key: VariableKey) throws(WorkspaceError) -> VariableValue? {
        switch key.layer {
        case .environment(let name): workspace.environments.first { $0.name == name }?.variables[key.name].map { .text($0) }
        case .workspace: workspace.variables[key.name].map { .text($0) }
        case .secret: workspace.secrets[key.name].map { .secret($0) }
        case .endpoint(let id): workspace.endpoint(id)?.variables[key.name].map { .text($0) }
        case .option, .environmentFile, .publicParameters: nil
        }
    }

    private func requireEnvironment(of layer: VariableLayer) throws(WorkspaceError) {
        guard case .environment(let name) = layer, !workspace.environments.contains(where: { $0.name == name }) else { return }
        throw WorkspaceError(.changedOnDisk, file: "workspace.yaml", "there is no environment \(name) any more; reload the workspace")
    }

    /// Requires that a changed file is read with the value that was meant, so that quotes and comments cannot change it.
    private func require(_ key: VariableKey, _ value: VariableValue, in file: String) throws(WorkspaceError) {
        guard let bytes = newBytes(of: file) else { return }
        let read: VariableValue?
        do {
            var reader = NodeReader(file: file, folder: folder.path, folders: folder.folders)
            let root = try YAMLDocument(bytes: bytes, file: file).root
            if case .endpoint = key.layer {
                read = reader.variables(root?["variables"], of: "variables")[key.name].map { .text($0) }
            } else {
                var loaded = Workspace(name: "", folder: folder.path)
                reader.fill(&loaded, from: root)
                switch key.layer {
                case .environment(let name): read = loaded.environments.first { $0.name == name }?.variables[key.name].map { .text($0) }
                case .secret: read = loaded.secrets[key.name].map { .secret($0) }
                default: read = loaded.variables[key.name].map { .text($0) }
                }
            }
        } catch { throw Self.cannotChange(file) }
        guard read == value else { throw Self.cannotChange(file) }
    }

    // MARK: Deleting

    mutating func deleteVariable(_ name: String, from layers: [VariableLayer]) throws(WorkspaceError) {
        for layer in layers {
            let path = try path(of: layer)
            guard try value(of: VariableKey(name, layer)) != nil else {
                throw WorkspaceError(.changedOnDisk, file: path.file, "\(name) was removed in the meantime; reload the workspace")
            }
            try edit(path.file) { (document, patch) throws(CannotPatch) in try patch.remove(name, at: path.keys, in: document.root) }
        }
    }

    // MARK: Renaming

    mutating func renameVariable(_ name: String, to new: String, changesUses: Bool) throws(WorkspaceError) {
        if let problem = VariableKey.nameProblem(new) { throw WorkspaceError(.badTarget, file: new, problem) }
        if let endpoint = workspace.endpoints.first(where: { $0.variables[new] != nil }) {
            throw WorkspaceError(.exists, file: endpoint.location?.file ?? endpoint.target, "it defines \(new) for itself; choose another name")
        }
        let layers = workspace.environments.map { VariableLayer.environment($0.name) } + [.workspace, .secret]
        var isDefined = false
        for layer in layers {
            guard try value(of: VariableKey(new, layer)) == nil else {
                throw WorkspaceError(.exists, file: "workspace.yaml", "there is already a variable \(new) in \(layer.text); choose another name")
            }
            guard try value(of: VariableKey(name, layer)) != nil else { continue }
            isDefined = true
            let keys = try path(of: layer).keys
            try edit("workspace.yaml") { (document, patch) throws(CannotPatch) in
                guard let key = document.root?.node(at: keys)?.entries?.first(where: { $0.key.text == name })?.key else { throw CannotPatch() }
                try patch.replaceScalar(key, with: new)
            }
        }
        guard isDefined else {
            throw WorkspaceError(.changedOnDisk, file: "workspace.yaml", "there is no variable \(name) any more; reload the workspace")
        }
        if changesUses { try renameUses(of: name, to: new) }
    }

    /// Renames the templates in all files except those of endpoints with an own variable of the name, and the names in `with`, `if` and `while` of steps.
    private mutating func renameUses(of name: String, to new: String) throws(WorkspaceError) {
        let own = Set(workspace.endpoints.filter { $0.variables[name] != nil }.compactMap(\.location?.file))
        let runs = workspace.runs.filter { run in run.steps.contains { $0.variables[name] != nil } }.compactMap(\.location?.file)
        let files = Set((workspace.variableUses[name] ?? []).map(\.file)).union(runs).subtracting(own)
        for file in files.sorted() {
            try edit(file) { (document, patch) throws(CannotPatch) in
                for range in VariableText.ranges(of: name, in: document.source.bytes) { patch.add(range, new) }
                for step in document.root?.runSteps ?? [] {
                    for member in ["with", "if", "while"] {
                        guard let key = step[member]?.entries?.first(where: { $0.key.text == name })?.key else { continue }
                        try patch.replaceScalar(key, with: new)
                    }
                }
            }
            // A template that YAML writes differently, such as with an escape, is not found in the bytes.
            guard let bytes = newBytes(of: file), VariableText.uses(name, in: bytes, file: file) == false else { throw Self.cannotChange(file) }
        }
    }
}

/// Templates of a variable in the text of a file.
private enum VariableText {
    /// The ranges of the name in its templates, with spaces and `|raw` around it.
    static func ranges(of name: String, in bytes: [UInt8]) -> [Range<Int>] {
        let name = Array(name.utf8)
        var ranges: [Range<Int>] = []
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") else {
                index += 1
                continue
            }
            var start = index + 2
            while start < bytes.count, bytes[start].isSpaceOrTab { start += 1 }
            let end = start + name.count
            index += 2
            guard end < bytes.count, bytes[start..<end].elementsEqual(name) else { continue }
            var rest = end
            while rest < bytes.count, bytes[rest].isSpaceOrTab { rest += 1 }
            guard rest + 1 < bytes.count else { continue }
            let isClosed = bytes[rest] == UInt8(ascii: "}") && bytes[rest + 1] == UInt8(ascii: "}")
            if isClosed || bytes[rest] == UInt8(ascii: "|") { ranges.append(start..<end) }
        }
        return ranges
    }

    /// Whether a scalar of the file has a template of the name; true for a file that cannot be read.
    static func uses(_ name: String, in bytes: [UInt8], file: String) -> Bool {
        do { return try YAMLDocument(bytes: bytes, file: file).root.map { uses(name, $0) } ?? false } catch { return true }
    }

    private static func uses(_ name: String, _ node: YAMLNode) -> Bool {
        switch node.content {
        case .scalar(let scalar):
            scalar.text.contains("{{")
                && Template(scalar.text).segments.contains { if case .variable(name, _) = $0 { true } else { false } }
        case .mapping(let entries): entries.contains { uses(name, $0.key) || uses(name, $0.value) }
        case .sequence(let items): items.contains { uses(name, $0) }
        }
    }
}

extension YAMLNode {
    /// The value below a sequence of keys.
    func node(at keys: [String]) -> YAMLNode? {
        var node: YAMLNode? = self
        for key in keys { node = node?[key] }
        return node
    }
}

extension YAMLPatch {
    /// Sets a member of the mapping at a path, and creates the missing mappings of the path.
    mutating func set(
        _ name: String, to value: YAMLValue, from old: YAMLValue?, at keys: [String], in root: YAMLNode?
    ) throws(CannotPatch) {
        guard var node = root else { throw CannotPatch() }
        for (depth, key) in keys.enumerated() {
            // What is missing below this node, with the new member.
            let missing = keys[(depth + 1)...].reversed().reduce(YAMLValue.mapping([.init(name, value)])) { .mapping([.init($1, $0)]) }
            guard case .mapping(let entries) = node.content, !node.isAlias else { throw CannotPatch() }
            guard let entry = entries.first(where: { $0.key.text == key }) else { return try changeMembers(of: node, adding: .init(key, missing)) }
            if entry.value.isNull || entry.value.entries?.isEmpty == true {
                return try replaceEntry(entry, with: missing, indentation: node.column - 1, inFlow: source.isFlow(node))
            }
            node = entry.value
        }
        guard case .mapping(let entries) = node.content, !node.isAlias else { throw CannotPatch() }
        guard let entry = entries.first(where: { $0.key.text == name }) else {
            return try changeMembers(of: node, adding: .init(name, value))
        }
        let isFlow = source.isFlow(node)
        guard case .mapping(let new) = value, case .mapping(let before)? = old, let source = new.first, let earlier = before.first else {
            return try change(entry, from: old, to: value, indentation: node.column - 1, inFlow: isFlow)
        }
        // The other members of a secret, such as its hosts, stay.
        guard case .mapping(let members) = entry.value.content, let member = members.first(where: { $0.key.text == earlier.key }) else {
            throw CannotPatch()
        }
        if source.key != earlier.key { try replaceScalar(member.key, with: source.key) }
        guard source.value != earlier.value else { return }
        let isInFlow = isFlow || self.source.isFlow(entry.value)
        try change(member.value, from: earlier.value, to: source.value, indentation: entry.value.column - 1, inFlow: isInFlow)
    }

    /// Removes a member of the mapping at a path, and the mapping with its last member.
    mutating func remove(_ name: String, at keys: [String], in root: YAMLNode?) throws(CannotPatch) {
        guard let root, let node = root.node(at: keys), case .mapping(let entries) = node.content else { throw CannotPatch() }
        if keys.isEmpty, entries.count == 1, let entry = entries.first, entry.key.text == name, !source.isFlow(node) {
            let end = try end(of: entry, indentation: node.column - 1)
            return add(source.lineStart(at: entry.key.start)..<source.nextLineStart(after: end), "")
        }
        guard entries.count == 1, let last = keys.last, let parent = root.node(at: Array(keys.dropLast())), case .mapping(let others) = parent.content
        else { return try changeMembers(of: node, removing: [name]) }
        guard entries.first?.key.text == name else { throw CannotPatch() }
        if others.count > 1 { return try changeMembers(of: parent, removing: [last]) }
        guard let entry = others.first else { throw CannotPatch() }
        try replaceEntry(entry, with: .mapping([]), indentation: parent.column - 1, inFlow: source.isFlow(parent))
    }
}
