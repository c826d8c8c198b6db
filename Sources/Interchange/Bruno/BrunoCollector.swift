internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Collects the requests of a Bruno collection.
struct BrunoCollector {
    private struct Request {
        var file: String
        var blocks: [BruBlock]
    }

    let source: ImportSource
    var report = ImportReport()
    /// The folder of the collection in the source, with a slash at its end.
    private let root: String
    private var requests: [Request] = []
    /// The paths of requests that have no files of their own.
    private var names: Set<String> = []
    /// The blocks of `folder.bru`, by the folder in the collection; those of `collection.bru` by an empty text.
    private var folders: [String: [BruBlock]] = [:]
    private var environments: [WorkspaceEnvironment] = []
    private var secrets: [String] = []

    /// The name that the collection gives itself; nil for none.
    var name: String? { folders[""]?["meta"]?["name"] }

    init(_ source: ImportSource, root: String) {
        (self.source, self.root) = (source, root)
    }

    // MARK: Files

    /// Adds a file.
    ///
    /// - Throws: A diagnostic with the place where the file is malformed.
    mutating func add(_ bytes: [UInt8], file: String) throws(Diagnostic) {
        let text = try ImportSource(name: file, bytes: bytes).text()
        let blocks = try BruParser.blocks(text, file: file)
        let path = String(file.dropFirst(root.count))
        let (folder, name) = (FilePath.folder(of: path), FilePath.name(of: path))
        if name == "collection.bru", folder == "." {
            folders[""] = blocks
        } else if name == "folder.bru" {
            folders[folder == "." ? "" : folder] = blocks
        } else if folder == "environments" || FilePath.components(of: folder).first == "environments" {
            addEnvironment(blocks, named: name.replacing(".bru", with: ""))
        } else {
            requests.append(Request(file: path, blocks: blocks))
        }
    }

    /// Adds a global environment of the workspace around the collection, whose variables have the lowest precedence.
    ///
    /// - Throws: A diagnostic with the place where the file is malformed.
    mutating func addGlobalEnvironment(_ bytes: [UInt8], file: String) throws(Diagnostic) {
        let root = try source.document(bytes, file: file)
        let stem = FilePath.name(of: file).split(separator: ".").first.map(String.init) ?? "global"
        addEnvironment(BrunoYAML(environment: root, file: file).blocks, named: root["name"]?.text ?? stem, isGlobal: true)
    }

    /// Reports the settings of the collection that are not imported.
    mutating func reportSettings(_ settings: SourceNode?, file: String) {
        for member in settings?.members ?? [] where ["proxy", "scripts", "clientCertificates", "presets", "protobuf"].contains(member.name) {
            let (value, isOff) = (member.value, member.value["disabled"]?.bool == true)
            guard !isOff, value.members?.isEmpty == false || value.items?.isEmpty == false else { continue }
            report.add(
                .omitted, member.name, "settings of the collection are not imported; write them in the service", place: value.place(in: file))
        }
    }

    /// Adds a YAML file of the collection, by its place as Bruno does.
    ///
    /// - Throws: A diagnostic with the place where the file is malformed.
    mutating func addYAML(_ bytes: [UInt8], file: String) throws(Diagnostic) {
        let root = try source.document(bytes, file: file)
        let path = String(file.dropFirst(self.root.count))
        let (folder, name) = (FilePath.folder(of: path), FilePath.name(of: path))
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        if root["opencollection"] != nil {
            folders[""] = BrunoYAML(root, file: file).blocks
            reportSettings(root["config"], file: file)
            for environment in root["config"]?["environments"]?.items ?? [] {
                addEnvironment(BrunoYAML(environment: environment, file: file).blocks, named: environment["name"]?.text ?? "environment")
            }
            addItems(root["items"], in: "", file: file) { BrunoYAML($0, file: file).blocks }
        } else if stem == "folder" {
            folders[folder == "." ? "" : folder] = BrunoYAML(root, file: file).blocks
        } else if FilePath.components(of: folder).first == "environments" {
            addEnvironment(BrunoYAML(environment: root, file: file).blocks, named: root["name"]?.text ?? stem)
        } else {
            requests.append(Request(file: path, blocks: BrunoYAML(root, file: file).blocks))
        }
    }

    /// Adds a collection that Bruno exported as JSON.
    mutating func addJSON(_ root: SourceNode, file: String) {
        folders[""] = BrunoJSON(collection: root, file: file).blocks
        reportSettings(root["brunoConfig"], file: file)
        for environment in root["environments"]?.items ?? [] {
            addEnvironment(BrunoJSON(environment: environment, file: file).blocks, named: environment["name"]?.text ?? "environment")
        }
        addItems(root["items"], in: "", file: file) { BrunoJSON(item: $0, file: file).blocks }
    }

    /// Adds the requests and folders of a collection that is one file.
    private mutating func addItems(_ list: SourceNode?, in folder: String, file: String, _ blocks: (SourceNode) -> [BruBlock]) {
        for (index, item) in (list?.items ?? []).enumerated() {
            let name = (item["info"] ?? item)["name"]?.text ?? "item \(index + 1)"
            let part = name.replacing("/", with: "-")
            var path = folder.isEmpty ? part : "\(folder)/\(part)"
            // Items without a position are in the order of the list.
            let content = Self.positioned(blocks(item), at: index + 1)
            let type = (item["info"] ?? item)["type"]?.text
            if type == "js" || type == "script" {
                report.add(.omitted, name, "it is a file with a script, which is not imported", place: item.place(in: file))
            } else if item["items"] != nil || type == "folder" {
                folders[path] = content
                addItems(item["items"], in: path, file: file, blocks)
            } else {
                // Two requests may have one name.
                while !names.insert(path).inserted { path += "_\(index + 1)" }
                requests.append(Request(file: path + ".yml", blocks: content))
            }
        }
    }

    /// Blocks with a position, which is the given one where they have none.
    private static func positioned(_ blocks: [BruBlock], at position: Int) -> [BruBlock] {
        guard let index = blocks.firstIndex(where: { $0.name == "meta" }), blocks[index]["seq"] == nil else { return blocks }
        var blocks = blocks
        let row = BruBlock.Pair(name: "seq", value: String(position), isEnabled: true, place: blocks[index].place)
        blocks[index].content = .pairs(blocks[index].pairs + [row])
        return blocks
    }

    private mutating func addEnvironment(_ blocks: [BruBlock], named name: String, isGlobal: Bool = false) {
        let known = isGlobal ? environments.firstIndex { $0.name == name } : nil
        var environment = WorkspaceEnvironment(name: name)
        var templates = BrunoTemplates()
        for pair in blocks["vars"]?.pairs ?? [] {
            if pair.isEnabled {
                environment.variables[pair.name] = templates.text(pair.value)
            } else {
                report.add(.omitted, "\(name): \(pair.name)", "the variable is switched off", place: pair.place)
            }
        }
        for secret in blocks["vars:secret"]?.items ?? [] {
            if secret.hasPrefix("~") {
                report.add(.omitted, "\(name): \(secret.dropFirst())", "the variable is switched off", place: blocks["vars:secret"]?.place)
            } else if !secrets.contains(secret) {
                secrets.append(secret)
            }
        }
        for note in templates.notes { report.add(note.outcome, "environment \(name)", note.reason, place: blocks.first?.place) }
        if let known {
            environments[known].variables.merge(environment.variables) { own, _ in own }
        } else {
            environments.append(environment)
        }
    }

    // MARK: Workspace

    /// The collected workspace.
    ///
    /// - Throws: The reason of the first omission where nothing can be imported.
    func workspace(named name: String) throws(Diagnostic) -> ImportedWorkspace {
        var workspace = ImportedWorkspace(name: name)
        (workspace.report, workspace.keepsOrder) = (report, true)
        workspace.environments = environments
        addSecrets(to: &workspace)
        let (headers, auth) = addCollection(to: &workspace)
        var groups = ServerGroups()
        var run = CapturedRun()
        var count = 0
        var encoded: Set<String> = []
        var scripts = CollectionImport(file: "")
        scripts.service = (headers, auth)
        // Parsed once, because all requests of a folder run them.
        let folderScripts = Dictionary(
            uniqueKeysWithValues: folders.map { folder, blocks in
                (folder, BrunoEndpoint.scripts(of: blocks, owner: folder.isEmpty ? "the collection" : "the folder \(folder)"))
            })
        for request in ordered() {
            var builder = BrunoEndpoint(request.blocks, file: request.file, folder: root)
            let isBuilt = builder.build()
            var endpoint = builder.endpoint
            var entries = builder.entries
            let id = "request \(request.file)"
            if isBuilt {
                let parents = Self.parents(of: request.file)
                entries += inherit(to: &endpoint, from: parents)
                let inherited = parents.flatMap { folderScripts[$0] ?? [] }
                // Bruno runs scripts of a collection for requests of HTTP only.
                let all = (endpoint.kind == .data ? inherited : []) + BrunoEndpoint.scripts(of: request.blocks)
                let left = scripts.translate(all, into: &endpoint, id: id)
                workspace.report.add(.imported, endpoint.name, place: request.blocks.first?.place, id: id)
                if builder.encodesURL { encoded.insert(id) }
                run.add(endpoint, server: builder.server, id: id)
                let folders = parents.dropFirst().map { folderName($0) }
                var imported = ImportedEndpoint(
                    id: id, endpoint, notes: builder.comments + left.comments, pathParameters: builder.pathParameters)
                imported.scripts = left.scripts
                groups.add(imported, server: builder.server, folders: Array(folders))
                count += 1
            }
            workspace.report.entries += entries.map { entry in
                var entry = entry
                if isBuilt { entry.id = id }
                return entry
            }
            workspace.report.entries += scripts.report.entries
            scripts.report = ImportReport()
        }
        scripts.reportUnusedVariables()
        workspace.report.entries += scripts.report.entries
        guard count > 0 else { throw workspace.report.nothingImported(from: source.name) }
        groups.addServices(to: &workspace) { service in
            service.headers = headers
            service.auth = auth
        }
        run.addRun(to: &workspace)
        workspace.defineMissingVariables()
        return TextualValues.applied(to: workspace, insertsInQueries: true, except: encoded)
    }

    private func addSecrets(to workspace: inout ImportedWorkspace) {
        for name in secrets {
            let variable = "\(SecretName.environment(workspace.name))_\(SecretName.environment(name))"
            workspace.secrets[name] = .environment(variable)
            for index in workspace.environments.indices { workspace.environments[index].variables[name] = nil }
            workspace.report.add(
                .changed, "variable \(name)", "Bruno keeps its value outside of the collection; set the environment variable \(variable)")
        }
    }

    /// The fields and the credentials of the collection; its variables become those of the workspace.
    private func addCollection(to workspace: inout ImportedWorkspace) -> (headers: [Parameter], auth: Auth) {
        guard let blocks = folders[""] else { return ([], .none) }
        var templates = BrunoTemplates()
        let headers = (blocks["headers"]?.pairs ?? []).map { templates.parameter($0) }
        let mode = blocks["auth"]?["mode"] ?? "none"
        let credentials = BrunoAuth(mode, blocks, &templates)
        for note in credentials.notes {
            workspace.report.add(note.outcome, "collection", note.reason, place: (blocks["auth:\(mode)"] ?? blocks["auth"])?.place)
        }
        for pair in (blocks["vars:pre-request"] ?? blocks["vars"])?.pairs ?? [] {
            if pair.isEnabled {
                workspace.variables[pair.name] = templates.text(pair.value)
            } else {
                workspace.report.add(.omitted, "collection: \(pair.name)", "the variable is switched off", place: pair.place)
            }
        }
        if let docs = blocks["docs"], !docs.text.isEmpty { workspace.summary = docs.text.trimmingBlanks }
        reportVariables(of: blocks, "collection", &workspace.report.entries)
        for note in templates.notes { workspace.report.add(note.outcome, "collection", note.reason, place: blocks.first?.place) }
        return (headers, credentials.auth == .inherit ? .none : credentials.auth)
    }

    private func reportVariables(of blocks: [BruBlock], _ item: String, _ entries: inout [ImportReport.Entry]) {
        guard let block = blocks["vars:post-response"], !block.pairs.isEmpty else { return }
        entries.append(.init(.omitted, item, "vars:post-response applies to every request there and is not imported", place: block.place))
    }

    // MARK: Folders

    /// The folders of a file from the collection, which is an empty text, to the nearest one.
    private static func parents(of file: String) -> [String] {
        var result = [""]
        for part in FilePath.components(of: FilePath.folder(of: file)) where part != "." {
            result.append((result.last ?? "").isEmpty ? String(part) : "\(result.last ?? "")/\(part)")
        }
        return result
    }

    private func folderName(_ folder: String) -> String { folders[folder]?["meta"]?["name"] ?? FilePath.name(of: folder) }

    /// Adds fields, variables and credentials of folders to an endpoint, which has priority.
    private func inherit(to endpoint: inout Endpoint, from parents: [String]) -> [ImportReport.Entry] {
        var entries: [ImportReport.Entry] = []
        for folder in parents.dropFirst().reversed() {
            guard let blocks = folders[folder] else { continue }
            var templates = BrunoTemplates()
            let own = Set(endpoint.headers.filter(\.isEnabled).map { $0.name.lowercased() })
            let rows = (blocks["headers"]?.pairs ?? []).map { templates.parameter($0) }
            endpoint.headers = rows.filter { !own.contains($0.name.lowercased()) } + endpoint.headers
            for pair in (blocks["vars:pre-request"] ?? blocks["vars"])?.pairs ?? [] where pair.isEnabled && endpoint.variables[pair.name] == nil {
                endpoint.variables[pair.name] = templates.text(pair.value)
            }
            let mode = blocks["auth"]?["mode"] ?? "inherit"
            // Bruno also looks further up from a folder without credentials.
            if endpoint.auth == .inherit, mode != "inherit", mode != "none" {
                let credentials = BrunoAuth(mode, blocks, &templates)
                endpoint.auth = credentials.auth
                entries += credentials.notes.map {
                    .init($0.outcome, endpoint.name, "of the folder: \($0.reason)", place: (blocks["auth:\(mode)"] ?? blocks["auth"])?.place)
                }
            }
            reportVariables(of: blocks, "folder \(folder)", &entries)
            entries += templates.notes.map { .init($0.outcome, endpoint.name, $0.reason, place: blocks.first?.place) }
        }
        return entries
    }

    /// The requests in the order of Bruno: in each folder first the folders, then the requests, by their positions.
    private func ordered() -> [Request] {
        func key(_ request: Request) -> [(kind: Int, position: Double, name: String)] {
            let parents = Self.parents(of: request.file).dropFirst()
            return parents.map { (0, folders[$0].map(BrunoEndpoint.position) ?? .infinity, $0) }
                + [(1, BrunoEndpoint.position(of: request.blocks), request.file)]
        }
        return requests.map { (key($0), $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0, by: <) }.map(\.1)
    }
}
