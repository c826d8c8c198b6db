internal import Foundation
internal import SortieBase
internal import WorkspaceModel

/// Determines what a ``WorkspaceEdit`` changes in the files; it writes nothing.
struct ChangePlan {
    let folder: WorkspaceFolder
    let workspace: Workspace
    /// New and moved files, and moved folders, in their order.
    private var moves: [FileChanges.Change] = []
    /// The changed contents of existing files, by the path before a move.
    private var edits: [String: (before: FileChanges.Content, after: [UInt8])] = [:]
    /// The new path of a file whose folder moves.
    private var renamed: (from: String, to: String)?

    init(_ folder: WorkspaceFolder) throws(WorkspaceError) {
        self.folder = folder
        workspace = try folder.load()
    }

    mutating func changes(for edit: WorkspaceEdit) throws(WorkspaceError) -> FileChanges {
        switch edit {
        case .createEndpoint(let endpoint, let service):
            if let service { try create(service) }
            try create(endpoint)
        case .createService(let service): try create(service)
        case .createRun(let run, let drafts):
            for draft in drafts { try save(draft) }
            try checkName(.run(run.name))
            moves.append(.file(try newFile("runs/\(run.name)"), before: nil, after: .init(Self.bytes(of: run, in: folder))))
        case .changeRun(let old, let new): try changeRun(from: old, to: new)
        case .createEnvironment(let name, let base): try createEnvironment(name, from: base)
        case .move(let item, let name, let label): try move(item, to: name, label: label)
        case .duplicate(let item, let name): try duplicate(item, as: name)
        case .delete(let item): try delete(item)
        case .changeService(let service, let old, let files):
            try change(service, from: old)
            for (file, bytes) in files.sorted(by: { $0.key < $1.key }) { try add(file, bytes) }
        case .setVariable(let key, let value, let old): try setVariable(key, to: value, from: old)
        case .declareSecrets(let declarations): try declare(declarations)
        case .deleteVariable(let name, let layers): try deleteVariable(name, from: layers)
        case .renameVariable(let name, let new, let changesUses): try renameVariable(name, to: new, changesUses: changesUses)
        case .apply(let changes): return changes
        }
        let edited = edits.keys.sorted().compactMap { file -> FileChanges.Change? in
            guard let (before, after) = edits[file], before.bytes != after else { return nil }
            return .file(newPath(of: file), before: before, after: .init(after, mode: before.mode))
        }
        return FileChanges(moves + edited)
    }

    // MARK: Creating

    private mutating func create(_ service: NewService) throws(WorkspaceError) {
        try checkName(.service(service.folder))
        let file = try newFile("\(service.folder)/service")
        // Without a name the folder's name applies, also after the folder is renamed.
        var members = service.name.isEmpty ? [] : [YAMLValue.Member("name", .text(service.name))]
        if !service.server.isEmpty, !workspace.environments.isEmpty {
            let servers = workspace.environments.map { YAMLValue.Member($0.name, .sequence([.text(service.server)])) }
            members.append(.init("servers", .mapping(servers)))
        }
        moves.append(.file(file, before: nil, after: .init(Array((YAMLText.block(.mapping(members), indentation: 0) + "\n").utf8))))
    }

    private mutating func create(_ endpoint: Endpoint) throws(WorkspaceError) {
        try checkName(.endpoint(endpoint.id))
        _ = try newFile(endpoint.target)
        let new = try folder.newFile(of: endpoint)
        moves.append(.file(new.file, before: nil, after: .init(new.bytes)))
        if let side = new.side {
            moves.append(.file(FilePath.relative(side.path, to: folder.path, within: folder.path), before: nil, after: .init(side.bytes)))
        }
    }

    /// Creates or changes an endpoint, whose file must have what it had when the change began.
    private mutating func save(_ draft: EndpointDraft) throws(WorkspaceError) {
        guard let original = draft.original else { return try create(draft.edited) }
        let file = try existingFile(.endpoint(original.id))
        edits[file] = (try content(file), try folder.preview(saving: draft.edited, replacing: original).after)
    }

    private mutating func createEnvironment(_ name: String, from base: String?) throws(WorkspaceError) {
        try checkName(.environment(name))
        guard !workspace.environments.contains(where: { $0.name == name }) else {
            throw WorkspaceError(.exists, file: "workspace.yaml", "there is already an environment \(name); choose another name")
        }
        guard let base else {
            return try edit("workspace.yaml") { (document, patch) throws(CannotPatch) in
                let new = YAMLValue.Member(name, .mapping([.init("variables", .mapping([]))]))
                guard let root = document.root else { throw CannotPatch() }
                if let list = root["environments"], list.entries?.isEmpty == false {
                    try patch.changeMembers(of: list, adding: new)
                } else {
                    guard root["environments"] == nil else { throw CannotPatch() }
                    try patch.changeMembers(of: root, adding: .init("environments", .mapping([new])))
                }
            }
        }
        try editEnvironments { (mapping, patch) throws(CannotPatch) in
            guard let entry = mapping.entries?.first(where: { $0.key.text == base }) else { return }
            try patch.copy(entry, in: mapping, as: name)
        }
    }

    // MARK: Services

    /// Changes the keys of a service's file in which two services differ.
    private mutating func change(_ service: Service, from old: Service) throws(WorkspaceError) {
        let file = try existingFile(.service(service.folder))
        let before = try content(file)
        guard workspace.problem(of: .service(service.folder)) == nil, let onDisk = workspace.service(service.folder) else {
            throw WorkspaceError(.changedOnDisk, file: file, "the file cannot be read any more; correct it, then repeat the change")
        }
        let document: YAMLDocument
        do { document = try YAMLDocument(bytes: before.bytes, file: file) } catch { throw Self.cannotChange(file) }
        let form = ServiceForm(root: folder.path, source: document.root, base: workspace.timeouts)
        let merge = ServiceMerge(base: old, ours: service, theirs: onDisk)
        guard merge.conflicts.isEmpty else { throw WorkspaceError(conflicts: merge.conflicts, in: file) }
        let (theirs, wanted) = (form.members(of: onDisk), form.members(of: merge.service))
        guard wanted != theirs else { return }
        let edit = FileEdit(
            document: document, names: WorkspaceKeys.service.names, old: .mapping(theirs), new: .mapping(wanted),
            unreadable: workspace.readingErrors.map(\.location).filter { $0.file == file })
        for bytes in edit.candidates() where read(bytes, of: file, as: service.folder).map(form.members) == wanted {
            edits[file] = (before, bytes)
            return
        }
        throw Self.cannotChange(file)
    }

    /// Creates a file; one with the same content may exist.
    private mutating func add(_ file: String, _ bytes: [UInt8]) throws(WorkspaceError) {
        if folder.exists(FilePath.joining(folder.path, file)) {
            guard try content(file).bytes == bytes else { throw WorkspaceFolder.exists(file) }
            return
        }
        moves.append(.file(file, before: nil, after: .init(bytes)))
    }

    /// The service that a text describes; nil for one that cannot be read.
    private func read(_ bytes: [UInt8], of file: String, as name: String) -> Service? {
        do {
            var reader = NodeReader(file: file, folder: FilePath.joining(folder.path, name), folders: folder.folders)
            return reader.service(try YAMLDocument(bytes: bytes, file: file).root, folder: name, workspace: workspace)
        } catch { return nil }
    }

    // MARK: Moving

    private mutating func move(_ item: WorkspaceItem, to name: String, label: String?) throws(WorkspaceError) {
        try checkName(item.named(name))
        switch item {
        case .endpoint(let id):
            let file = try existingFile(item)
            let target = name == id.path ? file : try newFile(name)
            let before = try content(file)
            var after = before.bytes
            if let original = workspace.endpoint(id) {
                var endpoint = original
                endpoint.move(to: name, in: folder.path)
                if let label { endpoint.name = label }
                after = try folder.preview(saving: endpoint, replacing: original).after
            }
            guard target != file else {
                edits[file] = (before, after)
                return
            }
            moves.append(.file(target, before: nil, after: .init(after, mode: before.mode)))
            moves.append(.file(file, before: before, after: nil))
            try updateReferences(except: file) { $0 == id.path ? name : nil }
        case .run(let run):
            guard run != name else { return }
            let file = try existingFile(item)
            try requireSameFolder(of: run, and: name, file, "move")
            let before = try content(file)
            moves = [.file(try newFile("runs/\(name)"), before: nil, after: before), .file(file, before: before, after: nil)]
        case .folder(let path), .service(let path):
            if let label, case .service = item { try setServiceName(path, to: label, movingTo: name) }
            guard path != name else { return }
            guard !name.hasPrefix(path + "/") else { throw WorkspaceError(.badTarget, file: name, "a folder cannot be moved into itself") }
            guard !folder.exists(FilePath.joining(folder.path, name)) else { throw WorkspaceFolder.exists(name) }
            moves.append(.folder(from: path, to: name))
            renamed = (path, name)
            for endpoint in workspace.endpoints where endpoint.target.hasPrefix(path + "/") { try keepPaths(of: endpoint, movedFrom: path, to: name) }
            try updateReferences { $0.hasPrefix(path + "/") ? name + $0.dropFirst(path.count) : nil }
        case .environment(let old):
            guard old != name else { return }
            guard !workspace.environments.contains(where: { $0.name == name }) else {
                throw WorkspaceError(.exists, file: "workspace.yaml", "there is already an environment \(name); choose another name")
            }
            try editEnvironments { (mapping, patch) throws(CannotPatch) in
                guard let key = mapping.entries?.first(where: { $0.key.text == old })?.key else { return }
                try patch.replaceScalar(key, with: name)
            }
            try setInitialEnvironment(replacing: old, with: name)
        }
    }

    /// Rewrites relative paths of an endpoint whose folder moves, where they lead to files outside of it.
    private mutating func keepPaths(of original: Endpoint, movedFrom old: String, to new: String) throws(WorkspaceError) {
        guard let file = original.location?.file, let (before, after) = try keepingPaths(of: original, movedFrom: old, to: new) else { return }
        if before != after { edits[file] = (try content(file), after) }
    }

    /// The text of an endpoint's file before and after its folder gets another path; nil where it has no paths.
    private func keepingPaths(
        of original: Endpoint, movedFrom old: String, to new: String
    ) throws(WorkspaceError) -> (before: [UInt8], after: [UInt8])? {
        let (oldFolder, newFolder) = (FilePath.joining(folder.path, old), FilePath.joining(folder.path, new))
        var endpoint = original
        func renamed(_ path: String) -> String { path.hasPrefix(oldFolder + "/") ? newFolder + path.dropFirst(oldFolder.count) : path }
        endpoint.mapPaths(renamed)
        endpoint.move(to: new + original.target.dropFirst(old.count), in: folder.path, renamed: renamed)
        // The path of a body that the endpoint has from another one of the folder changes in the file of that one.
        let extended = original.extends.flatMap { workspace.endpoint($0) }
        let hasOwnBody = extended.map { !$0.target.hasPrefix(old + "/") || $0.body != original.body } ?? true
        if !hasOwnBody { endpoint.body = original.body }
        let isSame = endpoint.body == original.body && endpoint.grpc == original.grpc && endpoint.expectation == original.expectation
        guard !isSame || hasOwnBody && !original.bodyPaths.isEmpty else { return nil }
        return try folder.preview(saving: endpoint, replacing: original)
    }

    /// Refuses another folder for a run with a path that is relative to it, in `data:` or in `schema:` of a step.
    private func requireSameFolder(of run: String, and name: String, _ file: String, _ verb: String) throws(WorkspaceError) {
        guard FilePath.folder(of: run) != FilePath.folder(of: name), let run = workspace.runs.first(where: { $0.name == run }) else { return }
        let hasSchema = run.steps.contains { if case .file? = $0.expectation?.schema { true } else { false } }
        guard run.dataFile != nil || hasSchema else { return }
        let key = run.dataFile == nil ? "schema" : "data"
        throw WorkspaceError(.cannotExpress, file: file, "its \(key): is relative to the folder; \(verb) it with another program")
    }

    /// Sets the name for display, in the file only where it is not the name of the folder.
    private mutating func setServiceName(_ service: String, to name: String, movingTo folder: String) throws(WorkspaceError) {
        guard let known = workspace.service(service), known.name != name else { return }
        try edit(try existingFile(.service(service))) { (document, patch) throws(CannotPatch) in
            guard let root = document.root else { throw CannotPatch() }
            if let node = root["name"] {
                try patch.replaceScalar(node, with: name)
            } else if name != folder {
                try patch.changeMembers(of: root, adding: .init("name", .text(name)), isFirst: true)
            }
        }
    }

    // MARK: Copying

    private mutating func duplicate(_ item: WorkspaceItem, as name: String) throws(WorkspaceError) {
        try checkName(item.named(name))
        switch item {
        case .endpoint(let id):
            let file = try existingFile(item)
            let target = try newFile(name)
            var bytes = try content(file).bytes
            if let original = workspace.endpoint(id) {
                var endpoint = original
                endpoint.move(to: name, in: folder.path)
                endpoint.name = FilePath.name(of: name)
                bytes = try folder.preview(saving: endpoint, replacing: original).after
            }
            moves.append(.file(target, before: nil, after: .init(bytes)))
        case .run(let run):
            let file = try existingFile(item)
            try requireSameFolder(of: run, and: name, file, "copy")
            moves.append(.file(try newFile("runs/\(name)"), before: nil, after: try content(file)))
        case .folder(let path), .service(let path):
            guard !folder.exists(FilePath.joining(folder.path, name)) else { throw WorkspaceFolder.exists(name) }
            for file in try files(below: path) {
                var copy = try content(file)
                if let endpoint = workspace.endpoints.first(where: { $0.location?.file == file }),
                    let (_, after) = try keepingPaths(of: endpoint, movedFrom: path, to: name)
                {
                    copy.bytes = after
                }
                moves.append(.file(name + file.dropFirst(path.count), before: nil, after: copy))
            }
        case .environment(let base): try createEnvironment(name, from: base)
        }
    }

    // MARK: Deleting

    private mutating func delete(_ item: WorkspaceItem) throws(WorkspaceError) {
        switch item {
        case .endpoint, .run:
            let file = try existingFile(item)
            moves.append(.file(file, before: try content(file), after: nil))
            if case .endpoint(let id) = item { deleteBodyFiles(of: [id], with: [file]) }
        case .folder(let path), .service(let path):
            let files = try files(below: path)
            for file in files { moves.append(.file(file, before: try content(file), after: nil)) }
            deleteBodyFiles(of: workspace.endpoints.map(\.id).filter { $0.path.hasPrefix(path + "/") }, with: files)
        case .environment(let name):
            let others = workspace.environments.map(\.name).filter { $0 != name }
            try edit("workspace.yaml") { (document, patch) throws(CannotPatch) in
                guard let root = document.root else { throw CannotPatch() }
                guard !others.isEmpty, let list = root["environments"] else {
                    return try patch.changeMembers(of: root, removing: ["environments", "environment"])
                }
                try patch.changeMembers(of: list, removing: [name])
            }
            for service in workspace.services { try removeServers(of: service, in: name) }
            if let first = others.first { try setInitialEnvironment(replacing: name, with: first) }
        }
    }

    /// Deletes the files of bodies that only endpoints use which are deleted.
    private mutating func deleteBodyFiles(of endpoints: [EndpointID], with files: [String]) {
        for file in UnusedBodyFiles(folder: folder, workspace: workspace, endpoints: Set(endpoints), files: Set(files)).names {
            do throws(WorkspaceError) {
                _ = try folder.writable(file)
                moves.append(.file(file, before: try content(file), after: nil))
            } catch {
                // A link, or a file that undo could not restore, stays; the endpoint is deleted all the same.
                continue
            }
        }
    }

    private mutating func removeServers(of service: Service, in environment: String) throws(WorkspaceError) {
        guard service.servers[environment] != nil, let file = service.location?.file else { return }
        try edit(file) { (document, patch) throws(CannotPatch) in
            guard let root = document.root, let servers = root["servers"] else { return }
            let isLast = servers.entries?.count == 1
            try patch.changeMembers(of: isLast ? root : servers, removing: [isLast ? "servers" : environment])
        }
    }

    // MARK: Environments

    /// Edits every mapping with environments as keys: that of `workspace.yaml`, and `servers` of each service.
    private mutating func editEnvironments(_ work: (YAMLNode, inout YAMLPatch) throws(CannotPatch) -> Void) throws(WorkspaceError) {
        try edit("workspace.yaml") { (document, patch) throws(CannotPatch) in
            if let mapping = document.root?["environments"] { try work(mapping, &patch) }
        }
        for file in workspace.services.compactMap(\.location?.file) where workspace.problem(of: .service(FilePath.folder(of: file))) == nil {
            try edit(file) { (document, patch) throws(CannotPatch) in
                if let mapping = document.root?["servers"] { try work(mapping, &patch) }
            }
        }
    }

    private mutating func setInitialEnvironment(replacing old: String, with new: String) throws(WorkspaceError) {
        try edit("workspace.yaml") { (document, patch) throws(CannotPatch) in
            if let node = document.root?["environment"], node.text == old { try patch.replaceScalar(node, with: new) }
        }
    }

    // MARK: References

    /// Edits runs and plugins that refer to endpoints whose targets change.
    ///
    /// - Parameter newTarget: The new target of an endpoint; nil for one that stays.
    private mutating func updateReferences(except moved: String? = nil, _ newTarget: (String) -> String?) throws(WorkspaceError) {
        for run in workspace.runs where run.steps.contains(where: { newTarget($0.target) != nil }) {
            guard let file = run.location?.file else { continue }
            try edit(file) { (document, patch) throws(CannotPatch) in
                let text = String(decoding: document.source.bytes, as: UTF8.self)
                try patch.changeTargets(of: run, in: document.root, text: text, newTarget)
            }
        }
        let others = ["workspace.yaml"] + (workspace.services.map(\.location) + workspace.endpoints.map(\.location)).compactMap { $0?.file }
        let folder = folder
        for file in others where file != moved {
            // Few files have plugins with endpoints or extend one, so most are not parsed. A link is only read here.
            let bytes = try WorkspaceFile.bytes(at: FilePath.joining(folder.path, file), limit: WorkspaceFolder.largestChange)
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.contains("endpoint") || text.contains("extends"), text.contains(#/(endpoint|extends)["']?\s*:/#) else { continue }
            let document: YAMLDocument
            do { document = try YAMLDocument(bytes: bytes, file: file) } catch { throw Self.cannotChange(file) }
            guard Self.targets(in: document, of: file, in: folder).contains(where: { newTarget($0.target) != nil }) else { continue }
            try edit(file) { (document, patch) throws(CannotPatch) in
                for (target, node) in Self.targets(in: document, of: file, in: folder) {
                    if let new = newTarget(target) { try patch.replaceScalar(node, with: new) }
                }
            }
        }
    }

    /// The endpoints that the plugins and `extends:` of a file refer to.
    private static func targets(in document: YAMLDocument, of file: String, in folder: WorkspaceFolder) -> [(target: String, node: YAMLNode)] {
        let entries = document.root?["plugins"]
        var reader = NodeReader(file: file, folder: FilePath.folder(of: FilePath.joining(folder.path, file)), folders: folder.folders)
        if file == "workspace.yaml" || file.hasSuffix("/service.yaml") || file.hasSuffix("/service.yml") {
            _ = reader.plugins(entries)
        } else {
            _ = reader.pluginUse(entries)
            _ = reader.extends(document.root?["extends"])
        }
        return reader.targets
    }

    // MARK: Files

    private func newPath(of file: String) -> String {
        guard let renamed, file.hasPrefix(renamed.from + "/") else { return file }
        return renamed.to + file.dropFirst(renamed.from.count)
    }

    private func checkName(_ item: WorkspaceItem) throws(WorkspaceError) {
        if let problem = item.nameProblem { throw WorkspaceError(.badTarget, file: item.name, problem) }
    }

    /// The file for a new endpoint, service or run, which must not exist with either ending.
    private func newFile(_ stem: String) throws(WorkspaceError) -> String {
        for ending in [".yaml", ".yml"] where folder.exists(FilePath.joining(folder.path, stem + ending)) {
            throw WorkspaceFolder.exists(stem + ending)
        }
        return stem + ".yaml"
    }

    /// The file of an item, also of one that cannot be read.
    func existingFile(_ item: WorkspaceItem) throws(WorkspaceError) -> String {
        let file: String?
        switch item {
        case .endpoint(let id): file = workspace.endpoint(id)?.location?.file ?? workspace.problem(of: .endpoint(id))?.location.file
        case .service(let name): file = workspace.service(name)?.location?.file ?? workspace.problem(of: .service(name))?.location.file
        case .run(let name):
            file = workspace.runs.first { $0.name == name }?.location?.file ?? workspace.problem(of: .run(name))?.location.file
        case .folder, .environment: file = nil
        }
        guard let file else { throw WorkspaceError(.changedOnDisk, file: item.name, "the \(item.kind) no longer exists; reload the workspace") }
        return file
    }

    /// The content of a file that is no link.
    private func content(_ file: String) throws(WorkspaceError) -> FileChanges.Content {
        let path = FilePath.joining(folder.path, file)
        var information = stat()
        guard lstat(path, &information) == 0 else { throw WorkspaceError(.changedOnDisk, file: file, "the file was removed by another program") }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw WorkspaceError(.cannotExpress, file: file, "it is a link or no regular file; change it with another program")
        }
        return .init(try WorkspaceFile.bytes(at: path, limit: WorkspaceFolder.largestChange), mode: information.st_mode & 0o7777)
    }

    /// All files below a folder, hidden ones included.
    private func files(below path: String) throws(WorkspaceError) -> [String] {
        let names: [String]
        do { names = try FileManager.default.subpathsOfDirectory(atPath: FilePath.joining(folder.path, path)).sorted() } catch {
            throw WorkspaceError(.unreadable, file: path, "the folder cannot be read: \(error.systemReason)")
        }
        var bytes = 0
        var files: [String] = []
        for name in names {
            let file = "\(path)/\(name)"
            var information = stat()
            guard lstat(FilePath.joining(folder.path, file), &information) == 0 else { continue }
            if information.st_mode & S_IFMT == S_IFDIR { continue }
            bytes += Int(information.st_size)
            guard bytes <= WorkspaceFolder.largestChange else {
                throw WorkspaceError(
                    .cannotExpress, file: path, "its files have more than \(ByteCount(WorkspaceFolder.largestChange).text); use another program")
            }
            files.append(file)
        }
        return files
    }

    /// Edits a YAML file; edits of one file are combined.
    mutating func edit(
        _ file: String, _ work: (YAMLDocument, inout YAMLPatch) throws(CannotPatch) -> Void
    ) throws(WorkspaceError) {
        let before: FileChanges.Content
        if let edited = edits[file] { before = edited.before } else { before = try content(file) }
        do {
            let document = try YAMLDocument(bytes: edits[file]?.after ?? before.bytes, file: file)
            var patch = YAMLPatch(source: document.source)
            try work(document, &patch)
            let after = try patch.applied()
            _ = try YAMLDocument(bytes: after, file: file)
            edits[file] = (before, after)
        } catch {
            throw Self.cannotChange(file)
        }
    }

    /// The new content of a file that was edited; nil for an unchanged one.
    func newBytes(of file: String) -> [UInt8]? { edits[file]?.after }

    static func cannotChange(_ file: String) -> WorkspaceError {
        WorkspaceError(.cannotExpress, file: file, "the change cannot be made in this file, and nothing was changed; edit it directly")
    }
}

extension Endpoint {
    /// The absolute paths of the files in the body.
    var bodyPaths: [String] {
        switch body {
        case .file(let path, _): [path]
        case .multipart(let parts): parts.filter(\.isFile).map(\.value)
        case .none, .json, .form, .plist, .text, .graphQL: []
        }
    }

    fileprivate mutating func mapPaths(_ change: (String) -> String) {
        switch body {
        case .file(let path, let contentType): body = .file(path: change(path), contentType: contentType)
        case .multipart(var parts):
            for index in parts.indices where parts[index].isFile { parts[index].value = change(parts[index].value) }
            body = .multipart(parts)
        case .none, .json, .form, .plist, .text, .graphQL: break
        }
    }
}
