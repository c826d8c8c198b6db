internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Collects the requests of `.http` files in services.
struct HTTPFileCollector {
    /// A request with its endpoint.
    private struct Item {
        var id: String
        var file: String
        /// The last line of the request.
        var line: Int
        var step: String
        var server: String
        var isInsecure: Bool
        var endpoint: Endpoint
        var comments: [String]
        /// The names of the request in the file.
        var names: [String]
        /// Whether the request takes part in a run of its file.
        var isInRun = false
    }

    /// A definition of a variable.
    private struct Definition {
        var file: String
        var line: Int
        var name: String
        var value: String
    }

    let source: ImportSource
    var report = ImportReport()
    private var items: [Item] = []
    private var definitions: [Definition] = []
    private var environments = HTTPFileEnvironments()
    private var folders: Set<String> = []
    private var ids: [String: Int] = [:]
    private var files: [String] = []
    /// The names of the steps of the current file, or of all files in place.
    private var steps: Set<String> = []

    init(_ source: ImportSource) {
        self.source = source
    }

    // MARK: Reading

    /// Adds the requests of a file.
    ///
    /// - Throws: A diagnostic with the place where the file is not UTF-8, or where the file of its environments is malformed.
    mutating func add(_ file: ImportSource, folder: String) throws(Diagnostic) {
        let folder = folder == "." ? "" : folder
        if folders.insert(folder).inserted { try environments.read(in: folder, of: source) }
        let credentials = environments.credentials()
        let document = HTTPFileParser.document(try file.text(), file: file.name)
        files.append(file.name)
        report.entries += document.entries
        var names: [String: HTTPFileTranslation.Reference] = [:]
        if !source.isInPlace { steps = [] }
        let responses = Self.variablesOfResponses(in: document)
        define(document.variables.filter { !responses.contains($0.name) }, in: file.name, names)
        for request in document.requests {
            var texts: [String: String] = [:]
            for pair in document.variables where responses.contains(pair.name) && (texts[pair.name] == nil || pair.place.line <= request.lastLine) {
                texts[pair.name] = pair.value
            }
            var builder = HTTPFileEndpoint(request, in: source, folder: folder, HTTPFileTranslation(references: names, texts: texts))
            builder.credentials = credentials
            guard builder.build() else {
                report.entries += builder.entries
                continue
            }
            for check in document.checks { builder.addCheck(check) }
            let step = stepName(request, builder.endpoint)
            addResponseVariables(of: request, to: &builder)
            for use in builder.translation.uses { capture(use) }
            var item = Item(
                id: identity(request, file.name, builder.endpoint), file: file.name, line: request.lastLine, step: step, server: builder.server,
                isInsecure: builder.isInsecure, endpoint: builder.endpoint, comments: builder.comments, names: request.names)
            item.isInRun = !builder.translation.uses.isEmpty
            for need in builder.needs {
                if let reference = names[need] {
                    items[reference.index].isInRun = true
                    item.isInRun = true
                } else {
                    builder.note(.omitted, "@ref \(need): there is no such request before this one in the file")
                }
            }
            report.add(.imported, item.endpoint.name, place: request.place, id: item.id)
            report.entries += builder.entries.map { entry in
                var entry = entry
                (entry.item, entry.id) = (item.endpoint.name, item.id)
                return entry
            }
            for name in request.names where ForeignText.isVariable(name) {
                names[name] = .init(index: items.count, step: step)
            }
            for captured in builder.endpoint.captures { names[captured.name] = .init(index: items.count, step: step, base: captured.path) }
            items.append(item)
        }
    }

    /// The names of the variables that contain a part of a response, also through another variable: they are captures of its request.
    private static func variablesOfResponses(in document: HTTPFileDocument) -> Set<String> {
        let names = Set(document.requests.flatMap { [$0.name, $0.title] }.compactMap(\.self).filter(ForeignText.isVariable))
        var result: Set<String> = []
        var isComplete = false
        while !isComplete {
            isComplete = true
            for pair in document.variables where !result.contains(pair.name) {
                var refers = false
                _ = ForeignText.translated(pair.value) { inner in
                    let first = String(inner.prefix { $0 != "." && $0 != "[" })
                    if result.contains(inner) || names.contains(first) && first != inner { refers = true }
                    return ""
                }
                if refers { (result, isComplete) = (result.union([pair.name]), false) }
            }
        }
        return result
    }

    private mutating func define(_ pairs: [HTTPFileRequest.Pair], in file: String, _ names: [String: HTTPFileTranslation.Reference]) {
        for pair in pairs {
            var translation = HTTPFileTranslation(references: names)
            let value = translation.text(pair.value)
            definitions.append(Definition(file: file, line: pair.place.line, name: pair.name, value: value))
            for note in translation.notes { report.add(note.outcome, "variable \(pair.name)", note.reason, place: pair.place) }
        }
    }

    /// Variables that hold a part of the response, as in httpyac.
    private func addResponseVariables(of request: HTTPFileRequest, to builder: inout HTTPFileEndpoint) {
        for pair in request.captures {
            let inner = pair.value.filter { $0 != "{" && $0 != "}" }.trimmingBlanks
            guard let path = HTTPFileTranslation.source(of: inner, base: "$") else {
                builder.note(.omitted, "@\(pair.name): \(ForeignText.short(pair.value)) cannot be captured", at: pair.place)
                continue
            }
            builder.addCapture(Capture(name: pair.name, path: path))
        }
    }

    private mutating func capture(_ use: HTTPFileTranslation.Use) {
        items[use.index].isInRun = true
        if !items[use.index].endpoint.captures.contains(where: { $0.name == use.capture.name }) {
            items[use.index].endpoint.captures.append(use.capture)
        }
    }

    private mutating func stepName(_ request: HTTPFileRequest, _ endpoint: Endpoint) -> String {
        let slug = source.isInPlace ? FileNames.slug(endpoint.name) : ""
        let base = request.names.first(where: ForeignText.isVariable)?.replacing(".", with: "-") ?? (slug.isEmpty ? "step\(steps.count + 1)" : slug)
        return steps.insertNumbered(base)
    }

    private mutating func identity(_ request: HTTPFileRequest, _ file: String, _ endpoint: Endpoint) -> String {
        let name = request.name ?? request.title ?? "\(endpoint.method.rawValue) \(request.target.prefix { $0 != "?" && $0 != "#" && $0 != "@" })"
        let id = (source.paths == nil ? "request " : "request \(file) ") + name
        return ids.numbered(id)
    }

    // MARK: Workspace

    /// The collected workspace.
    ///
    /// - Throws: The reason of the first omission where nothing can be imported.
    func workspace() throws(Diagnostic) -> ImportedWorkspace {
        guard !items.isEmpty else { throw report.nothingImported(from: source.name) }
        var workspace = ImportedWorkspace(name: Self.stem(source.name))
        workspace.report = report
        workspace.report.entries += environments.report.entries
        workspace.keepsOrder = true
        var environments = environments
        environments.removeSecrets()
        workspace.environments = environments.environments
        workspace.variables = environments.shared
        if source.isInPlace { workspace.secretVariables.formUnion(environments.secrets) }
        for name in environments.secrets where !source.isInPlace {
            let variable = "\(SecretName.environment(workspace.name))_\(SecretName.environment(name))"
            workspace.secrets[name] = .environment(variable)
            workspace.report.add(
                .changed, "variable \(name)", "the value is private and is not written; set the environment variable \(variable)",
                place: SourceLocation(file: HTTPFileEnvironments.privateName))
        }
        var items = items
        addVariables(to: &items, &workspace)
        addServices(items, to: &workspace)
        addRuns(items, to: &workspace)
        workspace.defineMissingVariables()
        return TextualValues.applied(to: workspace, insertsInQueries: true, insertsInForms: true)
    }

    private static func stem(_ path: String) -> String {
        let name = FilePath.name(of: path)
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    /// Variables with one value are those of the workspace; others are those of the endpoints that use them.
    private func addVariables(to items: inout [Item], _ workspace: inout ImportedWorkspace) {
        let known = Set(workspace.environments.flatMap(\.variables.keys)).union(workspace.variables.keys).union(workspace.secrets.keys)
        var values: [String: Set<String>] = [:]
        for definition in definitions { values[definition.name, default: []].insert(definition.value) }
        for (name, all) in values where all.count == 1 && !known.contains(name) { workspace.variables[name] = all.first }
        let others = definitions.filter { workspace.variables[$0.name] == nil || known.contains($0.name) }
        for index in items.indices {
            let own = others.filter { $0.file == items[index].file }
            var found: [String: String] = [:]
            for definition in own where found[definition.name] == nil || definition.line <= items[index].line {
                found[definition.name] = definition.value
            }
            var text = (items[index].endpoint.texts + [items[index].server]).joined(separator: "\n")
            while let name = found.keys.sorted().first(where: { text.contains("{{\($0)}}") }), let value = found.removeValue(forKey: name) {
                if items[index].endpoint.variables[name] == nil { items[index].endpoint.variables[name] = value }
                text += value
            }
        }
    }

    private func addServices(_ items: [Item], to workspace: inout ImportedWorkspace) {
        var groups = ServerGroups()
        let isDivided = files.count > 1
        for item in items {
            var endpoint = ImportedEndpoint(id: item.id, item.endpoint, notes: item.comments)
            (endpoint.names, endpoint.step) = (item.names, item.names.contains(where: ForeignText.isVariable) ? item.step : nil)
            // A path without a host begins with the variable host in httpyac.
            groups.add(
                endpoint, server: item.server.isEmpty ? "{{host}}" : item.server,
                folders: isDivided ? Self.folders(of: item.file) : [], isInsecure: item.isInsecure)
        }
        groups.addServices(to: &workspace) { $0.headers = environments.headers }
    }

    /// The names of the folders for a file.
    private static func folders(of file: String) -> [String] {
        FilePath.components(of: FilePath.folder(of: file)).filter { $0 != "." }.map(String.init) + [stem(file)]
    }

    private func addRuns(_ items: [Item], to workspace: inout ImportedWorkspace) {
        for file in files {
            let steps = items.filter { $0.file == file && $0.isInRun }
            guard steps.count > 1 else { continue }
            workspace.runs.append(
                RunDefinition(name: Self.stem(file), kind: .chain, steps: steps.map { .init(target: $0.id, name: $0.step) }))
            workspace.report.add(
                .changed, Self.stem(file), "requests use values of earlier responses; they are steps of a run that captures them",
                id: "run \(Self.stem(file))")
        }
    }
}
