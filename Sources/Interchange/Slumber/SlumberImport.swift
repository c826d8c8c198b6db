package import SortieBase
internal import WorkspaceModel

/// Imports collections of slumber (`slumber.yml`) of the versions 1 to 5.
package enum SlumberImport: ImportFormat {
    package static let name = "slumber"
    package static let title = "collections of slumber"

    private static let files = ["slumber.yml", "slumber.yaml"]

    package static func recognizes(_ source: ImportSource) -> Bool {
        if let paths = source.paths { return paths.contains(where: files.contains) }
        let start = String(decoding: source.start(1 << 18), as: UTF8.self)
        let lines = start.split(whereSeparator: \.isNewline)
        guard lines.contains(where: { $0.hasPrefix("requests:") || $0.hasPrefix("chains:") || $0.hasPrefix("profiles:") }) else { return false }
        // The words of a recipe, so that other documents with requests are not taken for a collection.
        return lines.contains { $0.trimmingBlanks.hasPrefix("url:") } && lines.contains { $0.trimmingBlanks.hasPrefix("method:") }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        var (file, bytes) = (source.name, source.bytes)
        if let paths = source.paths {
            guard let path = paths.first(where: files.contains), let content = source.file(path) else {
                throw Diagnostic(SourceLocation(file: source.name), "there is no slumber.yml in the folder")
            }
            (file, bytes) = (path, content)
        }
        let text = try ImportSource(name: file, bytes: bytes).text()
        var references = SlumberReferences(source: source, root: try source.document(bytes, file: file), file: file)
        var collector = SlumberCollector(root: try references.resolved(), tags: SlumberTags(text), file: file)
        let name = file.split(separator: ".").first.map(String.init) ?? file
        return try collector.workspace(named: source.paths == nil ? name : source.name)
    }
}

/// Collects the recipes of a collection of slumber.
struct SlumberCollector {
    private struct Item {
        var id: String
        var folders: [String]
        var builder: SlumberEndpoint
    }

    let root: SourceNode
    let tags: SlumberTags
    let file: String
    private var items: [Item] = []
    private var chains: [String: SourceNode] = [:]

    init(root: SourceNode, tags: SlumberTags, file: String) {
        (self.root, self.tags, self.file) = (root, tags, file)
    }

    /// The collected workspace.
    ///
    /// - Throws: A diagnostic with the place where the collection is malformed.
    mutating func workspace(named name: String) throws(Diagnostic) -> ImportedWorkspace {
        guard let members = root.members else { throw Diagnostic(root.place(in: file), "a collection of slumber is a mapping with requests:") }
        var workspace = ImportedWorkspace(name: root["name"]?.text ?? name)
        workspace.keepsOrder = true
        for member in entries(root["chains"]) { chains[member.name] = member.value }
        try addProfiles(to: &workspace)
        guard let requests = root["requests"] ?? root["recipes"], requests.members != nil || requests.items != nil else {
            throw Diagnostic((root["requests"] ?? root).place(in: file), "there are no requests; a collection has them under requests:")
        }
        try collect(requests, folders: [])
        guard !items.isEmpty else { throw Diagnostic(requests.place(in: file), "nothing can be imported: there is no request") }
        let known: Set<String> = ["name", "chains", "profiles", "environments", "requests", "recipes", "id"]
        for member in members where !known.contains(member.name) && !member.name.hasPrefix(".") && member.value.members == nil {
            workspace.report.add(.omitted, member.name, "it has no equivalent", place: member.value.place(in: file))
        }
        let run = addCaptures(to: &workspace)
        var groups = ServerGroups()
        for item in items {
            let id = "request \(item.id)"
            workspace.report.add(.imported, item.builder.endpoint.name, place: item.builder.node.place(in: file), id: id)
            workspace.report.entries += item.builder.entries.map { entry in
                var entry = entry
                entry.id = id
                return entry
            }
            groups.add(ImportedEndpoint(id: id, item.builder.endpoint), server: item.builder.server, folders: item.folders)
        }
        groups.addServices(to: &workspace)
        if let run {
            workspace.runs.append(run)
            workspace.report.add(
                .changed, run.name, "requests use values of other responses; they are steps of a run that captures them", id: "run \(run.name)")
        }
        workspace.defineMissingVariables()
        return TextualValues.applied(to: workspace, insertsInQueries: false)
    }

    /// The members of a mapping, or the items of a list with their identities, as the first versions have them.
    private func entries(_ node: SourceNode?) -> [SourceNode.Member] {
        if let items = node?.items { return items.compactMap { item in item["id"]?.text.map { .init($0, item) } } }
        return node?.members ?? []
    }

    private func addProfiles(to workspace: inout ImportedWorkspace) throws(Diagnostic) {
        var templates = SlumberTemplates(chains: chains, tags: tags)
        for profile in entries(root["profiles"] ?? root["environments"]) {
            var environment = WorkspaceEnvironment(name: profile.name)
            for member in profile.value["data"]?.members ?? [] {
                if let text = member.value.text {
                    environment.variables[member.name] = templates.text(text)
                } else {
                    workspace.report.add(
                        .omitted, "\(profile.name): \(member.name)", "only texts, numbers and truth values are variables",
                        place: member.value.place(in: file))
                }
            }
            if profile.value["default"]?.bool == true { workspace.initialEnvironment = profile.name }
            workspace.environments.append(environment)
        }
        for note in templates.notes { workspace.report.add(note.outcome, "profiles", note.reason, place: root["profiles"]?.place(in: file)) }
    }

    /// Collects the recipes of a mapping; what has requests is a folder.
    private mutating func collect(_ node: SourceNode, folders: [String]) throws(Diagnostic) {
        for member in entries(node) {
            guard member.value.members != nil else {
                throw Diagnostic(member.value.place(in: file), "“\(ForeignText.short(member.name))” is a recipe or a folder, and must be a mapping")
            }
            if member.name.hasPrefix(".") { continue }
            if let inner = member.value["requests"], member.value["url"] == nil {
                try collect(inner, folders: folders + [member.value["name"]?.text ?? member.name])
                continue
            }
            var builder = SlumberEndpoint(member.name, member.value, file: file, chains: chains, tags: tags)
            try builder.build()
            items.append(Item(id: member.name, folders: folders, builder: builder))
        }
    }

    /// Adds the captures that recipes need from each other; the run of these recipes, those that others need first.
    private mutating func addCaptures(to workspace: inout ImportedWorkspace) -> RunDefinition? {
        var steps: [Int] = []
        var pending: Set<Int> = []
        func position(_ recipe: String) -> Int? { items.firstIndex { $0.id == recipe } }
        func add(_ index: Int) {
            guard !steps.contains(index), pending.insert(index).inserted else { return }
            for use in items[index].builder.templates.uses { if let source = position(use.recipe) { add(source) } }
            steps.append(index)
        }
        for index in items.indices {
            for use in items[index].builder.templates.uses {
                guard let source = position(use.recipe) else {
                    workspace.report.add(.omitted, items[index].builder.endpoint.name, "there is no recipe \(use.recipe), whose response is used")
                    continue
                }
                items[source].builder.addCapture(use.capture)
                add(index)
            }
        }
        guard steps.count > 1 else { return nil }
        return RunDefinition(
            name: workspace.name, kind: .chain,
            steps: steps.map { .init(target: "request \(items[$0].id)", name: SlumberTemplates.step(items[$0].id)) })
    }
}

/// Follows `$ref` in a collection of slumber: to a place in the document, or in another file of the folder.
struct SlumberReferences {
    /// How many references one document may follow.
    private static let limit = 10_000

    let source: ImportSource
    let root: SourceNode
    let file: String
    private var count = 0
    private var documents: [String: SourceNode] = [:]

    init(source: ImportSource, root: SourceNode, file: String) {
        (self.source, self.root, self.file) = (source, root, file)
    }

    /// The document with the values in the places of references; members beside `$ref` have priority.
    ///
    /// - Throws: A diagnostic with the place of a reference that leads nowhere or to itself.
    mutating func resolved() throws(Diagnostic) -> SourceNode { try resolved(root, in: file, document: root, trail: []) }

    private mutating func resolved(
        _ node: SourceNode, in path: String, document: SourceNode, trail: [String]
    ) throws(Diagnostic) -> SourceNode {
        var result = node
        switch node.content {
        case .null, .bool, .number, .string: return node
        case .array(let items):
            var values: [SourceNode] = []
            for item in items { values.append(try resolved(item, in: path, document: document, trail: trail)) }
            result.content = .array(values)
        case .object(let members):
            var values: [SourceNode.Member] = []
            if let reference = node["$ref"], let text = reference.string {
                let target = try followed(text, at: reference, in: path, document: document, trail: trail)
                let own = Set(members.map(\.name))
                guard let inner = target.members else { return target }
                values = inner.filter { !own.contains($0.name) }
            }
            for member in members where member.name != "$ref" || member.value.string == nil {
                values.append(.init(member.name, try resolved(member.value, in: path, document: document, trail: trail)))
            }
            result.content = .object(values)
        }
        return result
    }

    private mutating func followed(
        _ reference: String, at node: SourceNode, in path: String, document: SourceNode, trail: [String]
    ) throws(Diagnostic) -> SourceNode {
        let place = node.place(in: path)
        count += 1
        guard count <= Self.limit else { throw Diagnostic(place, "there are more than \(Self.limit) references") }
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var (target, targetPath) = (document, path)
        if let name = parts.first, !name.isEmpty {
            targetPath = FilePath.normalized(FilePath.folder(of: path) + "/" + name)
            guard let bytes = source.file(targetPath) else {
                throw Diagnostic(place, "the file \(name) is not in the folder of the source, so that the reference cannot be followed")
            }
            if let known = documents[targetPath] {
                target = known
            } else {
                target = try source.document(bytes, file: targetPath)
                documents[targetPath] = target
            }
        }
        let key = "\(targetPath)#\(parts.count == 2 ? String(parts[1]) : "")"
        guard !trail.contains(key) else { throw Diagnostic(place, "the reference \(reference) leads to itself") }
        let root = target
        for part in (parts.count == 2 ? parts[1] : "").split(separator: "/") {
            let name = JSONPointer.unescaped(part)
            guard let inner = target[name] ?? Int(name).flatMap({ index in target.items.flatMap { $0.indices.contains(index) ? $0[index] : nil } })
            else {
                throw Diagnostic(place, "there is nothing at \(reference)")
            }
            target = inner
        }
        return try resolved(target, in: targetPath, document: root, trail: trail + [key])
    }
}
