internal import Foundation
package import SortieBase
internal import SortieHTTP
package import WorkspaceModel

/// A workspace on disk: a folder with `workspace.yaml` and one file for each endpoint, service and run.
package struct WorkspaceFolder: Sendable {
    /// The absolute path of the folder.
    package let path: String
    /// The folders of the user, for paths that begin with `~/`.
    package let folders: UserFolders
    /// Reads and changes files of another tool that are the workspace; nil for `workspace.yaml` and the files beside it.
    package let format: (any WorkspaceFormat)?
    /// Whether its files may be in a protected location.
    let isForced: Bool

    /// Creates the workspace in the folder `path`, which need not exist yet.
    package init(path: String, _ folders: UserFolders, format: (any WorkspaceFormat)? = nil, isForced: Bool = false) {
        self.path = FilePath.joining(folders.current, path)
        (self.folders, self.format, self.isForced) = (folders, format, isForced)
    }

    /// The nearest folder from an absolute `directory` upward that contains a `workspace.yaml`; nil when there is none.
    ///
    /// - Throws: ``WorkspaceError/Code/notOwned`` when the folder belongs to another user, or is world-writable.
    package static func find(from directory: String) throws(WorkspaceError) -> String? {
        var folder = FilePath.normalized(directory)
        while true {
            if FileManager.default.fileExists(atPath: FilePath.joining(folder, "workspace.yaml")) {
                guard let problem = WorkspaceOwnership.problem(of: folder) else { return folder }
                throw WorkspaceError(.notOwned, file: folder, "the workspace found here is not used, because \(problem)")
            }
            let parent = FilePath.folder(of: folder)
            if parent == folder { return nil }
            folder = parent
        }
    }

    /// Loads the workspace; the problems of its files are in ``Model/Workspace/problems``, and the valid parts are loaded.
    ///
    /// - Throws: ``WorkspaceError/Code/noWorkspace`` or ``WorkspaceError/Code/unreadable``, when nothing can be loaded.
    package func load() throws(WorkspaceError) -> Workspace {
        if let format { return loaded(try format.workspace()) }
        let settings = FilePath.joining(path, "workspace.yaml")
        guard FileManager.default.fileExists(atPath: path) else {
            throw WorkspaceError(.noWorkspace, file: path, "the folder does not exist")
        }
        guard FileManager.default.fileExists(atPath: settings) else {
            throw WorkspaceError(.noWorkspace, file: path, "the folder has no workspace.yaml; name another folder")
        }
        guard FileManager.default.isReadableFile(atPath: path), FileManager.default.isExecutableFile(atPath: path) else {
            throw WorkspaceError(.unreadable, file: path, "the folder cannot be read; check its permissions")
        }
        var loader = WorkspaceLoader(root: path, folders)
        return loader.load()
    }

    /// The names under `redact:` in `workspace.yaml`; the other files of the workspace are not read.
    ///
    /// - Throws: ``WorkspaceError/Code/unreadable`` when the file cannot be read; a ``Diagnostic`` when it is not YAML.
    package func redactedNames() throws -> [String] { try settings().redact }

    /// Reads the run of a file, which may be outside the workspace, and its problems.
    ///
    /// - Parameter input: The content of a stream in place of a file; its paths are relative to the working directory.
    /// - Throws: ``WorkspaceError/Code/unreadable`` when the file does not exist; a ``Diagnostic`` when it is not YAML.
    package func run(at file: String, input: [UInt8]? = nil, in workspace: Workspace) throws -> (run: RunDefinition?, problems: [Diagnostic]) {
        let path = FilePath.normalized(folders.absolute(file))
        let document = try YAMLDocument(bytes: try input ?? WorkspaceFile.bytes(at: path), file: file)
        var reader = NodeReader(file: file, folder: input == nil ? FilePath.folder(of: path) : folders.current, folders: folders)
        let fileName = FilePath.name(of: path)
        var targets = KnownTargets(workspace.endpoints.lazy.map(\.target))
        let run = reader.run(
            document.root, name: FilePath.yamlStem(fileName) ?? fileName, targets: &targets,
            captures: workspace.captureNames, isInside: FolderWalk(root: workspace.folder).isInside(path:))
        return (run, reader.problems + (run.map { workspace.problems(ofStepsOf: $0) } ?? []))
    }
}

extension WorkspaceFolder {
    /// Creates a workspace with two environments, a service and an endpoint, whose comments explain the files.
    ///
    /// - Parameters:
    ///   - path: A folder without a `workspace.yaml`; it is created where it is missing.
    ///   - isForced: Whether a protected location is permitted.
    /// - Returns: The workspace, and its files in the order in which they were written.
    /// - Throws: ``WorkspaceError/Code/exists`` where one of the files already exists; nothing was written then.
    package static func create(at path: String, _ folders: UserFolders, isForced: Bool = false) throws(WorkspaceError) -> (
        folder: WorkspaceFolder, files: [String]
    ) {
        let folder = WorkspaceFolder(path: path, folders, isForced: isForced)
        let files = NewWorkspaceText.files(name: FilePath.name(of: folder.path))
        for (file, _) in files {
            let new = FilePath.joining(folder.path, file)
            _ = try WritableFile(new, in: folder.path, name: FilePath.joining(path, file))
            if !isForced, let protected = ProtectedLocation(new, .writing, folders) {
                throw WorkspaceError(.protected, file: path, "nothing was written: \(protected.message)")
            }
            guard !folder.exists(new) else {
                throw WorkspaceError(
                    .exists, file: FilePath.joining(path, file),
                    "the file already exists, and nothing was written; name a folder without a workspace")
            }
        }
        let missing = folder.missingFolders
        let changes = files.map { FileChanges.Change.file($0.file, before: nil, after: .init(Array($0.text.utf8))) }
        do throws(WorkspaceError) { try folder.apply(FileChanges(changes)) } catch {
            // Those that have files, as of another program, stay.
            for path in missing { rmdir(path) }
            throw error
        }
        return (folder, files.map(\.file))
    }

    /// The paths of the folder and its parents that do not exist, the folder first.
    private var missingFolders: [String] {
        var (missing, next) = ([String](), path)
        while !exists(next), next != FilePath.folder(of: next) {
            missing.append(next)
            next = FilePath.folder(of: next)
        }
        return missing
    }

    /// Writes new files and creates their folders.
    func write(_ files: [(file: String, text: String)]) throws(WorkspaceError) {
        for (file, text) in files {
            try WritableFile(FilePath.joining(path, file), in: path, name: file).holding(createsFolders: true) { place throws(WorkspaceError) in
                try AtomicFile.create(Array(text.utf8), at: place)
            }
        }
    }
}

/// Reads a single endpoint and its surroundings for saving.
extension WorkspaceFolder {
    /// An additional file that is written beside the endpoint's.
    struct SideFile {
        var path: String
        var bytes: [UInt8]

        /// Whether a file has a name that saving an endpoint gives to the file of its body.
        static func hasName(_ name: String) -> Bool { name.wholeMatch(of: /.+\.body(-[1-9][0-9]?)?\.(json|txt)/) != nil }
    }

    /// The settings that an endpoint inherits from its service and its workspace.
    struct Inherited {
        var timeouts: Timeouts
        var parameters: ParameterStyle
    }

    /// The inherited settings of an endpoint of `service`.
    func inherited(by service: String) -> Inherited {
        var workspace = Workspace(name: "", folder: path)
        if let (root, reader) = root(of: ["workspace.yaml"]) {
            var reader = reader
            reader.fill(&workspace, from: root)
        }
        guard let (root, reader) = root(of: ["\(service)/service.yaml", "\(service)/service.yml"]) else {
            return Inherited(timeouts: workspace.timeouts, parameters: workspace.parameters)
        }
        var serviceReader = reader
        let settings = serviceReader.service(root, folder: service, workspace: workspace)
        return Inherited(timeouts: settings.timeouts ?? workspace.timeouts, parameters: settings.parameters.over(workspace.parameters))
    }

    private func root(of files: [String]) -> (YAMLNode?, NodeReader)? {
        for file in files {
            let path = FilePath.joining(path, file)
            do {
                let document = try YAMLDocument(bytes: try WorkspaceFile.bytes(at: path), file: file)
                return (document.root, NodeReader(file: file, folder: FilePath.folder(of: path), folders: folders))
            } catch {
                // The problem was reported when the workspace was loaded; the setting counts as missing.
                continue
            }
        }
        return nil
    }

    /// - Parameter chain: The endpoints that extend this one.
    func read(_ document: YAMLDocument, file: String, target: String, base: Inherited, below chain: [String] = []) -> Endpoint? {
        let (endpoint, reader) = reading(document, file: file, target: target, base: base)
        guard let endpoint, endpoint.extends != nil else { return endpoint }
        return extended(by: endpoint, below: chain + [target]).map { endpoint.extending($0, reader.ownKeys) }
    }

    /// The places of what cannot be read in the file of an endpoint.
    func unreadable(in document: YAMLDocument, file: String, target: String, base: Inherited) -> [SourceLocation] {
        reading(document, file: file, target: target, base: base).reader.problems.filter { $0.severity == .error }.map(\.location)
    }

    private func reading(_ document: YAMLDocument, file: String, target: String, base: Inherited) -> (endpoint: Endpoint?, reader: NodeReader) {
        var reader = NodeReader(file: file, folder: FilePath.folder(of: FilePath.joining(path, file)), folders: folders)
        return (reader.endpoint(document.root, target: target, timeouts: base.timeouts, parameters: base.parameters), reader)
    }

    /// The endpoint that another one extends, as its file describes it now and with paths from the folder of the other one; nil where it cannot be used.
    func extended(by endpoint: Endpoint, below chain: [String] = []) -> Endpoint? {
        guard let target = endpoint.extends, !chain.contains(target), chain.count <= EndpointExtension.longestChain,
            !FilePath.components(of: target).contains("..")
        else { return nil }
        let file = existingFile(of: target)
        do {
            let document = try YAMLDocument(bytes: try WorkspaceFile.bytes(at: FilePath.joining(path, file)), file: file)
            var base = read(document, file: file, target: target, base: inherited(by: Endpoint.serviceName(of: target)), below: chain)
            base?.move(to: endpoint.target, in: path)
            return base
        } catch {
            // The problem was reported when the workspace was loaded; what needs the file reports that it cannot be used.
            return nil
        }
    }

    func parse(_ bytes: [UInt8], file: String, target: String, base: Inherited) -> Endpoint? {
        do {
            return read(try YAMLDocument(bytes: bytes, file: file), file: file, target: target, base: base)
        } catch {
            // A generated text that cannot be parsed is not written; the caller reports it.
            return nil
        }
    }

    /// Whether both endpoints have the same content, independent of their locations in the file.
    func same(_ left: Endpoint, _ right: Endpoint) -> Bool {
        var left = left
        left.location = right.location
        return left == right
    }

    /// The endpoint as it is read back from a file: it always has a name, its paths are absolute, and its conditions on one value are together.
    func normalized(_ endpoint: Endpoint, file: String) -> Endpoint {
        let reader = NodeReader(file: file, folder: FilePath.folder(of: FilePath.joining(path, file)), folders: folders)
        var result = endpoint
        if result.name.isEmpty { result.name = FilePath.name(of: endpoint.target) }
        if case .file(let path, let contentType) = result.body {
            result.body = .file(path: reader.path(path), contentType: contentType)
        }
        if case .multipart(let parts) = result.body {
            result.body = .multipart(
                parts.map { part in
                    var part = part
                    if part.isFile { part.value = reader.path(part.value) }
                    return part
                })
        }
        if let expectation = result.expectation {
            result.expectation?.json = EndpointForm.grouped(expectation.json)
            result.expectation?.headers = EndpointForm.grouped(expectation.headers)
        }
        return result
    }

    // MARK: The file of the body

    /// Whether a file with a name is read with the workspace, or has the name of the file of a body.
    @Sendable package static func isRead(_ name: String) -> Bool {
        FilePath.yamlStem(name) != nil || SideFile.hasName(name) || EnvironmentFile.hasUsualName(name)
    }

    /// The text of a body's file, to be edited in place; for a file outside of the workspace, a large one, and one that is not text, the reason why not.
    package func bodyText(at path: String) -> BodyFileText {
        guard FolderWalk(root: self.path).isInside(path: path) else { return .notEdited("outside of the workspace") }
        do throws(WorkspaceError) {
            let bytes = try WorkspaceFile.bytes(at: path, limit: BodyFileEdit.limit)
            guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return .notEdited("not UTF-8 text") }
            return Self.hasPlainLines(bytes) ? .text(text) : .notEdited("mixed line breaks")
        } catch {
            // Not an error: the file is sent as it is, and its facts have the reason why it cannot be.
            return .notEdited("too large for this pane")
        }
    }

    /// Whether all line breaks of a text are LF, or all are CRLF, so that editing it as lines changes no others.
    private static func hasPlainLines(_ bytes: [UInt8]) -> Bool {
        var (earlier, previous): (UInt8, UInt8) = (0, 0)
        var (isPlain, isPair) = (false, false)
        for byte in bytes {
            switch (earlier, previous, byte) {
            case (_, 0x0D, 0x0A): isPair = true
            case (_, _, 0x0A): isPlain = true
            // Vertical tabs, form feeds, U+0085, U+2028 and U+2029 are line breaks of Unicode, too.
            case (_, 0x0D, _), (_, _, 0x0B), (_, _, 0x0C), (_, 0xC2, 0x85), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9): return false
            default: break
            }
            (earlier, previous) = (previous, byte)
        }
        return previous != 0x0D && !(isPlain && isPair)
    }

    /// Requires that a body's file is still as it was when the edits began; a removed file is written again.
    @discardableResult
    func check(_ edit: BodyFileEdit) throws(WorkspaceError) -> (file: WritableFile, isThere: Bool) {
        let name = FilePath.relative(edit.path, to: self.path, within: self.path)
        let file = try writable(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return (file, false) }
        try requireUnchanged(edit, at: file.path, file: name)
        return (file, true)
    }

    /// Writes the edited text to a body's file.
    func write(_ edit: BodyFileEdit) throws(WorkspaceError) {
        let (file, isThere) = try check(edit)
        let bytes = Array(edit.text.utf8)
        let name = FilePath.relative(edit.path, to: self.path, within: self.path)
        try file.holding(createsFolders: true) { place throws(WorkspaceError) in
            guard isThere else { return try AtomicFile.create(bytes, at: place) }
            try AtomicFile.write(bytes, to: place) { () throws(WorkspaceError) in try requireUnchanged(edit, at: file.path, file: name) }
        }
    }

    private func requireUnchanged(_ edit: BodyFileEdit, at path: String, file: String) throws(WorkspaceError) {
        // A file that grew beyond the limit was changed, too.
        guard try WorkspaceFile.bytes(at: path, limit: WorkspaceLimits.fileBytes).elementsEqual(edit.original.utf8) else {
            throw WorkspaceError(.changedOnDisk, file: file, "the file of the body was changed by another program since it was loaded")
        }
    }

    /// Moves a large body to a separate file.
    ///
    /// Text with templates is not moved, because files are sent unchanged.
    func movingLargeBody(of endpoint: Endpoint, file: String, isNew: Bool) throws(WorkspaceError) -> (Endpoint, SideFile?) {
        let text: String
        var contentType: String?
        var ending = "json"
        switch endpoint.body {
        case .json(let json): text = json
        case .text(let plain, let type):
            text = plain
            ending = "txt"
            contentType = type ?? "text/plain; charset=utf-8"
        default: return (endpoint, nil)
        }
        guard isNew, text.utf8.count > WorkspaceFolder.largestInlineBody, Template(text).isPlain else { return (endpoint, nil) }
        let stem = FilePath.yamlStem(FilePath.name(of: file)) ?? FilePath.name(of: file)
        let folder = FilePath.folder(of: FilePath.joining(path, file))
        // An existing file is not overwritten.
        let names = ["\(stem).body.\(ending)"] + (2...99).map { "\(stem).body-\($0).\(ending)" }
        guard let name = names.first(where: { !FileManager.default.fileExists(atPath: FilePath.joining(folder, $0)) }) else {
            throw WorkspaceError(.exists, file: file, "there are too many body files beside it; remove unused ones")
        }
        let side = FilePath.joining(folder, name)
        var result = endpoint
        result.body = .file(path: side, contentType: contentType)
        return (result, SideFile(path: side, bytes: Array(text.utf8)))
    }
}

/// The names that the files of a workspace have, for the completion of command lines.
package struct WorkspaceNames: Hashable, Sendable {
    /// The folders of services.
    package var services: [String]
    /// The targets of the endpoint files, whether they are valid or not.
    package var targets: [String]
    /// The runs.
    package var runs: [String]

    /// Creates a list of names.
    package init(services: [String] = [], targets: [String] = [], runs: [String] = []) {
        (self.services, self.targets, self.runs) = (services, targets, runs)
    }
}

extension WorkspaceFolder {
    /// The names of the workspace's files, in byte order.
    ///
    /// Only the files of services are read, for the names of their descriptions, which are no endpoints.
    package func names() -> WorkspaceNames {
        var walk = FolderWalk(root: path)
        var names = WorkspaceNames()
        for folder in walk.names(in: ".") where walk.isFolder(folder) && walk.mayRead(folder) {
            let files = walk.yamlFiles(in: folder)
            let stems = files.compactMap(FilePath.yamlStem)
            if folder == "runs" {
                names.runs = stems.map { String($0.dropFirst("runs/".count)) }
            } else if stems.contains("\(folder)/service") {
                names.services.append(folder)
                let description = description(of: folder, files)
                names.targets += stems.filter { FilePath.name(of: $0) != "service" && $0 != description }
            }
        }
        return names
    }

    /// The description of a service in its folder, without the ending of its name; nil where there is none.
    private func description(of folder: String, _ files: [String]) -> String? {
        guard let file = files.first(where: { FilePath.yamlStem($0) == "\(folder)/service" }) else { return nil }
        let document: YAMLDocument
        do { document = try YAMLDocument(bytes: try WorkspaceFile.bytes(at: FilePath.joining(path, file)), file: file) } catch {
            // Not an error: a message would damage the command line.
            return nil
        }
        guard let openapi = document.root?["contract"]?["openapi"]?.text else { return nil }
        return FilePath.yamlStem(FilePath.relative(FilePath.joining(FilePath.joining(path, folder), openapi), to: path, within: path))
    }

    /// A workspace with the content of `workspace.yaml`; the other files are not read.
    ///
    /// - Throws: ``WorkspaceError/Code/unreadable`` when the file cannot be read; a ``Diagnostic`` when it is not YAML.
    package func settings() throws -> Workspace {
        let document = try YAMLDocument(bytes: try WorkspaceFile.bytes(at: FilePath.joining(path, "workspace.yaml")), file: "workspace.yaml")
        var reader = NodeReader(file: "workspace.yaml", folder: path, folders: folders)
        var workspace = Workspace(name: "", folder: path)
        reader.fill(&workspace, from: document.root)
        return workspace
    }
}

/// The text of a body's file, or the reason in a few words why it is not edited in place.
package enum BodyFileText: Hashable, Sendable {
    case text(String)
    case notEdited(String)
}
